#include "base/ranks.h"

#include "base/mem.h"

#include <stdio.h>

static size_t ranks_words(const struct ranks *r)
{
	return r->limit / 64 + 1;
}

static size_t ranks_bits_size(const struct ranks *r)
{
	return ranks_words(r) * sizeof *r->bits;
}

static size_t ranks_before_size(const struct ranks *r)
{
	return ranks_words(r) * sizeof *r->before;
}

void ranks_init(struct ranks *r, size_t limit)
{
	*r = (struct ranks){.limit = limit};
	r->bits = mem_column(ranks_bits_size(r));
	r->before = mem_column(ranks_before_size(r));
}

void ranks_fini(struct ranks *r)
{
	mem_column_free(r->bits, ranks_bits_size(r));
	mem_column_free(r->before, ranks_before_size(r));
}

void ranks_count(struct ranks *r)
{
	r->count = 0;
	for (size_t word = 0; word < ranks_words(r); word++) {
		r->before[word] = (uint32_t)r->count;
		r->count += count_bits(r->bits[word]);
	}
}

void ranks_save(const struct ranks *r, const char *bits, const char *before,
                struct index_writer *writer)
{
	index_put_column(writer, bits, r->bits, ranks_bits_size(r));
	index_put_column(writer, before, r->before, ranks_before_size(r));
}

bool ranks_load(struct ranks *r, size_t limit, const char *bits, const char *before,
                struct index_file *file)
{
	*r = (struct ranks){.limit = limit};
	r->bits = index_column(file, bits, ranks_bits_size(r));
	r->before = index_column(file, before, ranks_before_size(r));
	if (!r->bits || !r->before)
		return false;
	r->count = r->before[limit / 64] + (size_t)count_bits(r->bits[limit / 64]);
	return true;
}

void sparse_settle(struct sparse *s)
{
	ranks_count(&s->ranks);
	s->value = mem_column(s->ranks.count * sizeof *s->value);
}

void sparse_none(struct sparse *s, size_t count)
{
	ranks_init(&s->ranks, count);
	sparse_settle(s);
}

void sparse_take(struct sparse *s, uint32_t *column, size_t count, size_t size)
{
	size_t next = 0;
	ranks_init(&s->ranks, count);
	for (size_t n = 0; n < count; n++)
		if (column[n])
			word_bit_set(s->ranks.bits, n);
	sparse_settle(s);
	for (size_t n = 0; n < count; n++)
		if (column[n])
			s->value[next++] = column[n];
	mem_column_free(column, size);
}

void sparse_fini(struct sparse *s)
{
	mem_column_free(s->value, s->ranks.count * sizeof *s->value);
	ranks_fini(&s->ranks);
}

struct sparse_names {
	char bits[INDEX_NAME], before[INDEX_NAME], value[INDEX_NAME];
};

static struct sparse_names sparse_names_of(const char *name)
{
	struct sparse_names names;
	snprintf(names.bits, sizeof names.bits, "%s/bits", name);
	snprintf(names.before, sizeof names.before, "%s/rank", name);
	snprintf(names.value, sizeof names.value, "%s/value", name);
	return names;
}

void sparse_save(const struct sparse *s, const char *name, struct index_writer *writer)
{
	struct sparse_names names = sparse_names_of(name);
	ranks_save(&s->ranks, names.bits, names.before, writer);
	index_put_column(writer, names.value, s->value, s->ranks.count * sizeof *s->value);
}

bool sparse_load(struct sparse *s, size_t count, const char *name, struct index_file *file)
{
	struct sparse_names names = sparse_names_of(name);
	*s = (struct sparse){0};
	if (!ranks_load(&s->ranks, count, names.bits, names.before, file))
		return false;
	s->value = index_column(file, names.value, s->ranks.count * sizeof *s->value);
	return s->value != NULL;
}
