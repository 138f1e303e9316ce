/* The table of heaps that can be broken down: one per process, dump and allocator. */
#include "analysis/analysis.h"
#include "table/breakdown/breakdown_query.h"

#include "base/mem.h"
#include "format/format.h"

#include <stdlib.h>

struct heaps_row {
	struct text process_name, dump, dump_kind, allocator;
	uint64_t process, time, size, count, entries; /* time: nanoseconds */
	bool has_process, has_time, counted;
};

struct heaps {
	struct heap_profile_set set;
	struct heaps_row *row;
};

static void heaps_close(struct rows *rows)
{
	struct heaps *heaps = rows->data;
	heap_profile_set_fini(&heaps->set);
	free(heaps->row);
}

/* Sums are of all entries; of a cumulative profile, they are those of the entry of the root. */
static struct heaps_row heaps_row_of(const struct heap_profiles *heap_profiles,
                                     const struct heap_profile *heap_profile)
{
	const struct heap_profile_entry *entry = heap_profiles_entries(heap_profiles, heap_profile);
	const struct text *name = heap_profiles->name;
	struct heaps_row row = {
		.process_name = name[heap_profile->process_name],
		.dump = name[heap_profile->dump],
		.dump_kind = name[heap_profile->dump_kind],
		.allocator = name[heap_profile->allocator],
		.process = heap_profile->process,
		.time = heap_profile->time * 1000,
		.entries = heap_profile->count,
		.has_process = heap_profile->has_process,
		.has_time = heap_profile->has_time && heap_profile->time < UINT64_MAX / 1000,
		.counted = heap_profile->counted,
	};
	for (size_t i = 0; i < heap_profile->count; i++) {
		if (heap_profile->cumulative && (entry[i].frame != FRAME_ROOT || entry[i].type != TYPE_ALL))
			continue;
		row.size = heap_profiles_sum(row.size, entry[i].size);
		row.count = heap_profiles_sum(row.count, entry[i].count);
	}
	return row;
}

static void heaps_fill(struct rows *rows)
{
	struct heaps *heaps = rows->data = mem_alloc(sizeof *heaps);
	heap_profile_set_init(&heaps->set, rows->analysis);
	const struct heap_profiles *heap_profiles = heaps->set.heap_profiles;
	rows->count = heap_profiles->count;
	heaps->row = mem_alloc(rows->count * sizeof *heaps->row);
	for (size_t i = 0; i < rows->count; i++)
		heaps->row[i] = heaps_row_of(heap_profiles, &heap_profiles->heap_profile[i]);
	buf_add(&rows->title, "heaps by call stack");
	if (!rows->count) {
		struct err none = {0};
		breakdown_query_none(rows->analysis, &none);
		buf_addf(&rows->note, "%s.", none.text);
	}
}

/* Returns true for a dump of one process at one time. */
static bool is_of_process(const struct rows *rows)
{
	return !heap_has(analysis_heap(rows->analysis), PART_ALLOCATORS);
}

static const struct column columns[] = {
	{"process", "process", "Number of the process", VALUE_ID, 8, 0,
     FIELD_IF(struct heaps_row, process, has_process), .absent = is_of_process},
	{"process_name", "name", "Name of the process", VALUE_TEXT, 14, 1,
     FIELD(struct heaps_row, process_name), .absent = is_of_process},
	{"dump", "dump", "Id of the memory dump: the same in all processes", VALUE_TEXT, 8, 0,
     FIELD(struct heaps_row, dump), .absent = is_of_process},
	{"dump_kind", "kind", "Reason for the dump", VALUE_TEXT, 20, 2,
     FIELD(struct heaps_row, dump_kind), .absent = is_of_process},
	{"time", "time", "Time by the clock of the trace", VALUE_TIME, 8, 1,
     FIELD_IF(struct heaps_row, time, has_time), .absent = is_of_process},
	{"allocator", "allocator",
     "Name of the heap in the process; for Go's allocation profile: live, the sampled objects in "
     "the dump; inuse, allocations that are not freed yet, up to two collections late; alloc, all "
     "allocations so far",
     VALUE_TEXT, 0, 0, FIELD(struct heaps_row, allocator)},
	{"size", "size", "Bytes of the heap", VALUE_BYTES, 9, 0, FIELD(struct heaps_row, size)},
	{"count", "count", "Number of these allocations", VALUE_COUNT, 10, 0,
     FIELD_IF(struct heaps_row, count, counted)},
	{"entries", "entries", "Entries of stacks and types", VALUE_COUNT, 8, 1,
     FIELD(struct heaps_row, entries), .wants = STAGE_TYPED}, /* there is an entry for each type */
};

static void heaps_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct heaps *heaps = rows->data;
	heap_profile_link(heaps->set.heap_profiles, &heaps->set.heap_profiles->heap_profile[row],
	                  command);
}

DEFINE_PLUGIN(tables, struct table, table_heaps) = {
	.rank = 430,
	.name = "breakdown-heap",
	.form_of = "breakdown",
	.former = "heaps",
	.from = DAMAGE_PROFILE,
	.help = "The heaps by call stack: of every process, dump and allocator of a trace, or those "
			"of Go's allocation profile; a row opens its breakdown",
	.needs = STAGE_READ,
	.parts = PART_BREAKDOWN,
	COLUMNS(columns),
	RECORDS(struct heaps, row),
	.fill = heaps_fill,
	.link = heaps_link,
	.close = heaps_close,
};
