/* The facts of a log of app domains: as it lists them, objects that are missing included. */
#include "main/info.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t count_flag(const struct listed *listed, enum root_flag flag)
{
	uint64_t count = 0;
	for (size_t i = 0; i < listed->root_count; i++)
		count += (listed->root[i].record.flags & flag) != 0;
	return count;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Kinds that have no name are called by their number. */
static void add_kind(struct facts *facts, uint64_t kind, uint64_t count)
{
	struct buf name = {0};
	if (kind < LISTED_KINDS)
		buf_add(&name, root_kind_names[ROOT_INTERNAL + kind]);
	else
		buf_addf(&name, "%" PRIx64, kind);
	facts_number(facts, buf_text(&name), count);
	buf_free(&name);
}

static void add_kinds(struct facts *facts, const struct listed *listed)
{
	uint64_t *kinds = mem_alloc(listed->root_count * sizeof *kinds);
	for (size_t i = 0; i < listed->root_count; i++)
		kinds[i] = listed->root[i].record.kind;
	qsort(kinds, listed->root_count, sizeof *kinds, by_number);
	facts_open_group(facts, "roots");
	for (size_t i = 0, next; i < listed->root_count; i = next) {
		for (next = i + 1; next < listed->root_count && kinds[next] == kinds[i];)
			next++;
		add_kind(facts, kinds[i], next - i);
	}
	facts_close_group(facts);
	free(kinds);
}

void info_add_domains(struct facts *facts, const struct heap *heap)
{
	const struct listed *listed = heap->listed;
	uint64_t types = 0;
	for (size_t i = 0; i < listed->domain_count; i++)
		types += listed->domain[i].types;
	facts_number(facts, "sections", listed->domain_count);
	facts_number(facts, "types", types);
	facts_number(facts, "references", heap->edge_count + heap->dangling_count);
	facts_number(facts, "dangling_references", heap->dangling_count);
	facts_number(facts, "dangling_roots", listed->root_count - heap->root_count);
	add_kinds(facts, listed);
	facts_open_group(facts, "root_flags");
	facts_number(facts, "pinned", count_flag(listed, ROOT_PINNED));
	facts_number(facts, "weak", count_flag(listed, ROOT_WEAK));
	facts_number(facts, "interior", count_flag(listed, ROOT_INTERIOR));
	facts_close_group(facts);
}
