/* The facts of a log of app domains: as it lists them, objects that are missing included. */
#include "main/info.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t count_flag(const struct heap *heap, enum root_flag flag)
{
	uint64_t count = 0;
	for (size_t i = 0; i < heap->log_root_count; i++)
		count += (heap->log_roots[i].record.flags & flag) != 0;
	return count;
}

static int info_domains_by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Kinds that have no name are called by their number. */
static void info_domains_add_kind(struct key_values *values, uint64_t kind, uint64_t count)
{
	struct buf name = {0};
	if (kind < LOG_KINDS)
		buf_add(&name, root_kind_names[ROOT_INTERNAL + kind]);
	else
		buf_addf(&name, "%" PRIx64, kind);
	key_values_number(values, buf_text(&name), count);
	buf_free(&name);
}

static void add_kinds(struct key_values *values, const struct heap *heap)
{
	uint64_t *kinds = mem_alloc(heap->log_root_count * sizeof *kinds);
	for (size_t i = 0; i < heap->log_root_count; i++)
		kinds[i] = heap->log_roots[i].record.kind;
	qsort(kinds, heap->log_root_count, sizeof *kinds, info_domains_by_number);
	key_values_open_group(values, "roots");
	for (size_t i = 0, next; i < heap->log_root_count; i = next) {
		for (next = i + 1; next < heap->log_root_count && kinds[next] == kinds[i];)
			next++;
		info_domains_add_kind(values, kinds[i], next - i);
	}
	key_values_close_group(values);
	free(kinds);
}

void info_add_domains(struct key_values *values, const struct heap *heap)
{
	uint64_t types = 0;
	for (size_t i = 0; i < heap->domain_count; i++)
		types += heap->domains[i].types;
	key_values_number(values, "sections", heap->domain_count);
	key_values_number(values, "types", types);
	key_values_number(values, "references", heap->edge_count + heap->dangling_count);
	key_values_number(values, "dangling_references", heap->dangling_count);
	key_values_number(values, "dangling_roots", heap->log_root_count - heap->root_count);
	add_kinds(values, heap);
	key_values_open_group(values, "root_flags");
	key_values_number(values, "pinned", count_flag(heap, ROOT_PINNED));
	key_values_number(values, "weak", count_flag(heap, ROOT_WEAK));
	key_values_number(values, "interior", count_flag(heap, ROOT_INTERIOR));
	key_values_close_group(values);
}
