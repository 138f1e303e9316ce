#include "base/starts.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static size_t starts_base_size(const struct starts *r)
{
	return (r->count / STARTS_BLOCK + 1) * sizeof *r->base;
}

void starts_begin(struct starts_maker *m, size_t count)
{
	*m = (struct starts_maker){.starts.count = count};
	m->starts.base = mem_column(starts_base_size(&m->starts));
	m->starts.delta = mem_column(count);
	ranks_init(&m->starts.far.ranks, count);
}

/* The caller has already advanced m->next. */
void starts_put_far(struct starts_maker *m, uint32_t value)
{
	uint32_t n = m->next - 1;
	m->starts.delta[n] = UINT8_MAX;
	word_bit_set(m->starts.far.ranks.bits, n);
	MEM_PUSH(m->far, m->far_count, m->far_capacity, value);
}

void starts_begin_part(struct starts_maker *part, const struct starts_maker *m, uint32_t from)
{
	*part = (struct starts_maker){.starts = m->starts, .next = from};
}

/* The part's columns are those of the whole; its offsets count from its own first element. */
void starts_take_part(struct starts_maker *m, const struct starts_maker *part, uint32_t before)
{
	for (size_t b = m->next / STARTS_BLOCK; b * STARTS_BLOCK < part->next; b++)
		m->starts.base[b] += before;
	for (size_t i = 0; i < part->far_count; i++)
		MEM_PUSH(m->far, m->far_count, m->far_capacity, part->far[i] + before);
	m->next = part->next;
	m->base = part->base + before;
}

void starts_end_part(struct starts_maker *part)
{
	free(part->far);
}

struct starts starts_end(struct starts_maker *m)
{
	sparse_settle(&m->starts.far);
	if (m->far_count)
		memcpy(m->starts.far.value, m->far, m->far_count * sizeof *m->far);
	free(m->far);
	return m->starts;
}

void starts_fini(struct starts *r)
{
	mem_column_free(r->base, starts_base_size(r));
	mem_column_free(r->delta, r->count);
	sparse_fini(&r->far);
}

bool starts_index(struct starts *r, size_t count, const struct index_io *io)
{
	const struct index_io far = index_io_below(io, "far");
	if (io->file)
		*r = (struct starts){.count = count};
	if (INDEX_COLUMN(io, "base", r->base, count / STARTS_BLOCK + 1)
	    && INDEX_COLUMN(io, "delta", r->delta, count) && sparse_index(&r->far, count, &far))
		return true;
	starts_fini(r);
	*r = (struct starts){0};
	return false;
}
