#include "go/types/scalar_words.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4, TYPE_WORDS = 1 << 9, ALL_WORDS = 1 << 17 };

void scalar_words_fini(struct scalar_words *words)
{
	for (size_t i = 0; i < words->rows; i++)
		free(words->row[i].leaf);
	free(words->row);
}

static struct scalar_row *scalar_words_row(struct scalar_words *words, gotype_id type)
{
	size_t before = words->rows;
	while (type >= words->rows)
		words->row = mem_grow(words->row, words->rows, &words->rows, sizeof *words->row);
	memset(words->row + before, 0, (words->rows - before) * sizeof *words->row);
	struct scalar_row *row = &words->row[type];
	uint64_t size = gotype_get(words->types, type)->size / WORD;
	if (row->known)
		return row;
	row->known = true;
	if (size > TYPE_WORDS || size > ALL_WORDS - words->words)
		return row;
	row->words = (uint32_t)size;
	row->leaf = mem_alloc(size * sizeof *row->leaf);
	words->words += size;
	for (uint32_t i = 0; i < row->words; i++)
		row->leaf[i] = scalar_at(words->types, type, (uint64_t)i * WORD, NULL);
	return row;
}

struct scalar_field scalar_words_at(struct scalar_words *words, gotype_id type, uint64_t offset)
{
	const struct scalar_row *row = type < words->rows && words->row[type].known
	                                   ? &words->row[type]
	                                   : scalar_words_row(words, type);
	if (offset % WORD || offset / WORD >= row->words)
		return scalar_at(words->types, type, offset, NULL);
	return row->leaf[offset / WORD];
}
