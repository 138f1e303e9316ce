/* The table of heaps that can be broken down: one per process, dump and allocator. */
#include "table/breakdown/breakdown_query.h"
#include "table/cell.h"

#include "base/mem.h"

#include <stdlib.h>

struct heaps {
	struct heap_profile_set set;
	struct breakdown_cell *total;
};

static void heaps_close(struct rows *rows)
{
	struct heaps *heaps = rows->data;
	heap_profile_set_fini(&heaps->set);
	free(heaps->total);
	free(heaps);
}

/* Returns the sum of all entries; for a cumulative profile, the entry of the root. */
static struct breakdown_cell total_of(const struct heap_profiles *heap_profiles,
                                      const struct heap_profile *heap_profile)
{
	struct breakdown_cell total = {0};
	const struct heap_profile_entry *entry = heap_profiles_entries(heap_profiles, heap_profile);
	for (size_t i = 0; i < heap_profile->count; i++) {
		if (heap_profile->cumulative && (entry[i].frame != FRAME_ROOT || entry[i].type != TYPE_ALL))
			continue;
		total.size = heap_profiles_sum(total.size, entry[i].size);
		total.count = heap_profiles_sum(total.count, entry[i].count);
	}
	return total;
}

static bool heaps_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	struct heaps *heaps = rows->data = mem_alloc(sizeof *heaps);
	heap_profile_set_init(&heaps->set, rows->analysis);
	const struct heap_profiles *heap_profiles = heaps->set.heap_profiles;
	rows->count = heap_profiles->count;
	heaps->total = mem_alloc(rows->count * sizeof *heaps->total);
	for (size_t i = 0; i < rows->count; i++)
		heaps->total[i] = total_of(heap_profiles, &heap_profiles->heap_profile[i]);
	buf_add(&rows->title, "heaps that are told by call stack");
	if (!rows->count) {
		struct err none = {0};
		breakdown_query_none(rows->analysis, &none);
		buf_addf(&rows->note, "%s.", none.text);
	}
	return true;
}

static const struct heap_profile *heaps_profile(const struct rows *rows, size_t row)
{
	const struct heaps *heaps = rows->data;
	return &heaps->set.heap_profiles->heap_profile[row];
}

static void heaps_add_part(const struct rows *rows, size_t row, enum heap_profile_part part,
                           struct value *value)
{
	const struct heaps *heaps = rows->data;
	cell_heap_profile(value, heaps->set.heap_profiles, heaps_profile(rows, row), part);
}

static void heaps_process_cell(const struct rows *rows, size_t row, struct value *value)
{
	heaps_add_part(rows, row, HEAP_PROFILE_PROCESS, value);
}

static void heaps_dump_cell(const struct rows *rows, size_t row, struct value *value)
{
	heaps_add_part(rows, row, HEAP_PROFILE_DUMP, value);
}

static void heaps_allocator_cell(const struct rows *rows, size_t row, struct value *value)
{
	heaps_add_part(rows, row, HEAP_PROFILE_ALLOCATOR, value);
}

static void heaps_process_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heaps *heaps = rows->data;
	cell_dump_text(value, heaps->set.heap_profiles->name[heaps_profile(rows, row)->process_name]);
}

static void heaps_dump_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heaps *heaps = rows->data;
	cell_dump_text(value, heaps->set.heap_profiles->name[heaps_profile(rows, row)->dump_kind]);
}

static void heaps_time_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heap_profile *heap_profile = heaps_profile(rows, row);
	if (heap_profile->has_time && heap_profile->time < UINT64_MAX / 1000)
		cell_number(value, VALUE_TIME, heap_profile->time * 1000);
}

static void heaps_size_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heaps *heaps = rows->data;
	cell_number(value, VALUE_BYTES, heaps->total[row].size);
}

static void heaps_count_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heaps *heaps = rows->data;
	if (heaps_profile(rows, row)->counted)
		cell_number(value, VALUE_COUNT, heaps->total[row].count);
}

static void heaps_entries_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_COUNT, heaps_profile(rows, row)->count);
}

/* Returns true for a dump of Go, which is of one process at one time. */
static bool is_of_go(const struct rows *rows)
{
	return heap_has(analysis_heap(rows->analysis), PART_GO);
}

static const struct column columns[] = {
	{"process", "process", "Number of the process", VALUE_ID, 8, 0, .cell = heaps_process_cell,
     .absent = is_of_go},
	{"process_name", "name", "Name of the process", VALUE_TEXT, 14, 1,
     .cell = heaps_process_name_cell, .absent = is_of_go},
	{"dump", "dump", "Id of the memory dump: the same in all processes", VALUE_TEXT, 8, 0,
     .cell = heaps_dump_cell, .absent = is_of_go},
	{"dump_kind", "kind", "Why it was taken", VALUE_TEXT, 20, 2, .cell = heaps_dump_kind_cell,
     .absent = is_of_go},
	{"time", "time", "When, by the clock of the trace", VALUE_TIME, 8, 1, .cell = heaps_time_cell,
     .absent = is_of_go},
	{"allocator", "allocator",
     "Which heap of the process; of Go's allocation profile: live, the objects of the dump that "
     "it has recorded; inuse, what it counts as allocated and not freed, up to two collections "
     "late; alloc, all that it ever saw",
     VALUE_TEXT, 0, 0, .cell = heaps_allocator_cell},
	{"size", "size", "Bytes of the heap", VALUE_BYTES, 9, 0, .cell = heaps_size_cell},
	{"count", "count", "Allocations that these are of", VALUE_COUNT, 10, 0,
     .cell = heaps_count_cell},
	{"entries", "entries", "Entries of stacks and types", VALUE_COUNT, 8, 1,
     .cell = heaps_entries_cell, .wants = STAGE_TYPED}, /* there is an entry for each type */
};

static void heaps_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct heaps *heaps = rows->data;
	heap_profile_link(heaps->set.heap_profiles, &heaps->set.heap_profiles->heap_profile[row],
	                  command);
}

static const struct table table_heaps = {
	.rank = 430,
	.name = "heaps",
	.from = DAMAGE_PROFILE,
	.help = "The heaps that are told by call stack: of every process, dump and allocator of a "
			"trace, or what Go's allocation profile has; a row leads to its breakdown",
	.needs = STAGE_READ,
	.parts = PART_BREAKDOWN,
	COLUMNS(columns),
	.open = heaps_open,
	.link = heaps_link,
	.close = heaps_close,
};
PLUGIN(tables, table_heaps);
