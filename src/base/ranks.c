#include "base/ranks.h"

#include "base/mem.h"

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

bool ranks_index(struct ranks *r, size_t limit, const struct index_io *io)
{
	if (io->file)
		*r = (struct ranks){.limit = limit};
	if (!INDEX_COLUMN(io, "bits", r->bits, ranks_words(r))
	    || !INDEX_COLUMN(io, "rank", r->before, ranks_words(r)))
		return false;
	if (io->file)
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

bool sparse_index(struct sparse *s, size_t count, const struct index_io *io)
{
	if (io->file)
		*s = (struct sparse){0};
	return ranks_index(&s->ranks, count, io) && INDEX_COLUMN(io, "value", s->value, s->ranks.count);
}
