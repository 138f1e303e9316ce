#include "base/starts.h"

#include "base/mem.h"

#include <stdio.h>

static size_t starts_base_size(const struct starts *r)
{
	return (r->count / STARTS_BLOCK + 1) * sizeof *r->base;
}

/* In the stead of the column: what is near is 0 in it then, as the rest is kept by itself. */
static void starts_fill(struct starts *r, uint32_t *column)
{
	for (size_t n = 0; n < r->count; n++) {
		if (n % STARTS_BLOCK == 0)
			r->base[n / STARTS_BLOCK] = column[n];
		uint32_t delta = column[n] - r->base[n / STARTS_BLOCK];
		r->delta[n] = delta < UINT8_MAX ? (uint8_t)delta : UINT8_MAX;
		if (delta < UINT8_MAX)
			column[n] = 0;
	}
}

void starts_take(struct starts *r, uint32_t *column, size_t count)
{
	*r = (struct starts){.count = count};
	r->base = mem_column(starts_base_size(r));
	r->delta = mem_column(count);
	starts_fill(r, column);
	sparse_take(&r->far, column, count, count * sizeof *column);
}

void starts_fini(struct starts *r)
{
	mem_column_free(r->base, starts_base_size(r));
	mem_column_free(r->delta, r->count);
	sparse_fini(&r->far);
}

uint64_t starts_memory(const struct starts *r)
{
	return starts_base_size(r) + r->count + ranks_memory(&r->far.ranks)
	       + r->far.ranks.count * sizeof *r->far.value;
}

void starts_save(const struct starts *r, const char *name, struct index_writer *writer)
{
	char part[INDEX_NAME];
	snprintf(part, sizeof part, "%s/base", name);
	index_put(writer, part, r->base, starts_base_size(r));
	snprintf(part, sizeof part, "%s/delta", name);
	index_put(writer, part, r->delta, r->count);
	snprintf(part, sizeof part, "%s/far", name);
	sparse_save(&r->far, part, writer);
}

bool starts_load(struct starts *r, size_t count, const char *name, struct index_file *file)
{
	char part[INDEX_NAME];
	*r = (struct starts){.count = count};
	snprintf(part, sizeof part, "%s/base", name);
	r->base = index_column(file, part, starts_base_size(r));
	snprintf(part, sizeof part, "%s/delta", name);
	r->delta = r->base ? index_column(file, part, count) : NULL;
	snprintf(part, sizeof part, "%s/far", name);
	if (r->delta && sparse_load(&r->far, count, part, file))
		return true;
	starts_fini(r);
	*r = (struct starts){0};
	return false;
}
