/* The table of the sizes that the allocators of each process report in the memory dumps of a trace:
   a tree by their names. */

#include "base/bound.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "format/heap_profile.h"
#include "heap/heap.h"
#include "table/growth/delta.h"

#include <stdlib.h>
#include <string.h>

/* The range of uses in one memory dump. */
struct allocators_dump {
	size_t first, end;
};

struct allocators_row {
	uint32_t use;
	bool is_rest;        /* the part of its report that exceeds the sum of its parts */
	size_t first, count; /* child rows, once they are made */
	struct text process_name, dump, name;
	uint64_t process, time, size, effective_size, objects; /* time: nanoseconds */
	bool has_time, has_size, has_effective_size, has_objects;
};

struct allocators {
	const struct heap_profiles *profiles;
	struct allocators_dump *dump; /* by time */
	size_t dumps, dump_capacity;
	struct allocators_row *row;
	size_t row_capacity;
};

static void allocators_find_dumps(struct allocators *a)
{
	const struct heap_profiles *p = a->profiles;
	for (size_t i = 0; i < p->uses; i++) {
		if (i && p->use[i].dump == p->use[i - 1].dump) {
			a->dump[a->dumps - 1].end = i + 1;
			continue;
		}
		MEM_PUSH(a->dump, a->dumps, a->dump_capacity, (struct allocators_dump){i, i + 1});
	}
}

static void allocators_add(struct rows *rows, uint32_t at, bool is_rest)
{
	static const char rest[] = "<unspecified>";
	struct allocators *a = rows->data;
	const struct allocator_use *use = &a->profiles->use[at];
	const struct text *name = a->profiles->name;
	a->row = mem_grow(a->row, rows->count, &a->row_capacity, sizeof *a->row);
	a->row[rows->count++] = (struct allocators_row){
		.use = at,
		.is_rest = is_rest,
		.process_name = name[use->process_name],
		.dump = name[use->dump],
		.name = is_rest ? (struct text){rest, sizeof rest - 1} : name[use->name],
		.process = use->process,
		.time = use->time * 1000,
		.size = is_rest ? use->size - use->parts_size : use->size,
		.effective_size = use->effective_size,
		.objects = use->objects,
		.has_time = use->has_time && use->time < UINT64_MAX / 1000,
		.has_size = use->has_size || use->parts_size,
		.has_effective_size = use->has_effective_size && !is_rest,
		.has_objects = use->has_objects && !is_rest,
	};
}

/* Orders by size, descending; equal ones in the order of the dump. */
ORDER_MOST_FIRST(allocators_compare, struct allocators_row, size, use);

static void allocators_sort(const struct rows *rows, size_t first)
{
	struct allocators *a = rows->data;
	if (rows->count > first)
		qsort(a->row + first, rows->count - first, sizeof *a->row, allocators_compare);
}

/* Adds rows of the uses that are not parts of others. */
static void allocators_add_dump(struct rows *rows, size_t dump)
{
	const struct allocators *a = rows->data;
	size_t begin = rows->count;
	for (size_t use = a->dump[dump].first; use < a->dump[dump].end; use = a->profiles->use[use].end)
		allocators_add(rows, (uint32_t)use, false);
	allocators_sort(rows, begin);
}

static bool allocators_open_dump(struct rows *rows, const char *argument, struct err *err)
{
	const struct allocators *a = rows->data;
	size_t dump = a->dumps - 1;
	for (size_t i = 0; *argument && i <= a->dumps; i++) {
		if (i == a->dumps)
			return err_set(err,
			               "There is no memory dump \"%.100s\"; the table breakdown all by reports "
			               "shows them",
			               argument);
		struct text name = a->profiles->name[a->profiles->use[a->dump[i].first].dump];
		if (!text_is(name, argument))
			continue;
		dump = i;
		break;
	}
	struct text name = a->profiles->name[a->profiles->use[a->dump[dump].first].dump];
	buf_add(&rows->title, "allocators in memory dump ");
	text_add_escaped(&rows->title, name.data, name.len, 60);
	if (!*argument && a->dumps > 1)
		buf_addf(&rows->title, ", the last of %s", text_count(a->dumps).text);
	allocators_add_dump(rows, dump);
	return true;
}

static bool allocators_open(struct rows *rows, const char *argument, struct err *err)
{
	struct allocators *a = rows->data = mem_alloc(sizeof *a);
	a->profiles = analysis_heap(rows->analysis)->heap_profiles;
	allocators_find_dumps(a);
	if (!a->dumps) {
		buf_add(&rows->title, "allocators");
		buf_add(&rows->note, "No memory dump in the trace has a report of an allocator.");
		return true;
	}
	if (strcmp(argument, "all") != 0)
		return allocators_open_dump(rows, argument, err);
	buf_add(&rows->title, "allocators in all memory dumps");
	for (size_t dump = 0; dump < a->dumps; dump++)
		allocators_add_dump(rows, dump);
	return true;
}

static void allocators_close(struct rows *rows)
{
	struct allocators *a = rows->data;
	free(a->dump);
	free(a->row);
}

/* ---- The tree */

static bool allocators_has_below(const struct rows *rows, size_t row)
{
	const struct allocators *a = rows->data;
	uint32_t use = a->row[row].use;
	return !a->row[row].is_rest && a->profiles->use[use].end > use + 1;
}

static size_t allocators_below(struct rows *rows, size_t row, size_t *first)
{
	struct allocators *a = rows->data;
	if (!a->row[row].count && allocators_has_below(rows, row)) {
		uint32_t whole = a->row[row].use;
		const struct allocator_use *use = &a->profiles->use[whole];
		size_t begin = rows->count;
		for (uint32_t part = whole + 1; part < use->end; part = a->profiles->use[part].end)
			allocators_add(rows, part, false);
		if (use->size > use->parts_size)
			allocators_add(rows, whole, true);
		allocators_sort(rows, begin);
		a->row[row].first = begin;
		a->row[row].count = rows->count - begin;
	}
	*first = a->row[row].first;
	return a->row[row].count;
}

static bool allocators_is_rest(const struct rows *rows, size_t row)
{
	return ((const struct allocators *)rows->data)->row[row].is_rest;
}

/* ---- Cells */

/* Returns the same use in the previous dump; NULL: it does not exist there. */
static const struct allocator_use *allocators_before(const struct allocators *a,
                                                     const struct allocator_use *use)
{
	size_t at = (size_t)(use - a->profiles->use);
	size_t dump = upper_bound(a->dump, a->dumps, BOUND_BY(struct allocators_dump, first), at) - 1;
	if (!dump)
		return NULL;
	struct allocator_use wanted = *use;
	size_t low = a->dump[dump - 1].first, high = a->dump[dump - 1].end;
	wanted.dump = a->profiles->use[low].dump;
	wanted.dump_time = a->profiles->use[low].dump_time;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = allocator_use_compare(a->profiles, &a->profiles->use[middle], &wanted);
		if (!order)
			return &a->profiles->use[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void allocators_delta_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct allocators *a = rows->data;
	const struct allocator_use *now = &a->profiles->use[a->row[row].use];
	const struct allocator_use *then = allocators_before(a, now);
	if (a->row[row].has_size && !a->row[row].is_rest && now->dump != a->profiles->use[0].dump)
		cell_delta(value, VALUE_BYTES, then ? then->size : 0, now->size);
}

static const struct column columns[] = {
	{"process", "process", "Number of the process", VALUE_ID, 8, 0,
     FIELD(struct allocators_row, process)},
	{"process_name", "of", "Name of the process", VALUE_TEXT, 14, 1,
     FIELD(struct allocators_row, process_name)},
	{"dump", "dump", "Id of the memory dump: the same in all processes", VALUE_TEXT, 8, 2,
     FIELD(struct allocators_row, dump)},
	{"time", "time", "Time by the clock of the trace", VALUE_TIME, 8, 3,
     FIELD_IF(struct allocators_row, time, has_time)},
	{"size", "size",
     "Bytes that the allocator reports, or the sum of its parts if it reports "
     "none",
     VALUE_BYTES, 9, 0, FIELD_IF(struct allocators_row, size, has_size)},
	{"effective_size", "effective",
     "The bytes that no other allocator reports as well, if the trace has them", VALUE_BYTES, 9, 0,
     FIELD_IF(struct allocators_row, effective_size, has_effective_size)},
	{"size_delta", "change", "Change in bytes since the previous memory dump", VALUE_BYTES, 9, 1,
     .cell = allocators_delta_cell, .is_signed = true},
	{"count", "count", "Number of objects with these bytes", VALUE_COUNT, 9, 1,
     FIELD_IF(struct allocators_row, objects, has_objects)},
	{"name", "allocator",
     "Name of the allocator, and of its parts after slashes; <unspecified>: bytes that it reports "
     "beyond the sum of its parts",
     VALUE_TEXT, 0, 0, FIELD(struct allocators_row, name)},
};

static const struct table_tree allocators_tree = {
	.has_below = allocators_has_below,
	.below = allocators_below,
	.is_rest = allocators_is_rest,
	.weight = "size",
	.delta = "size_delta",
};

DEFINE_PLUGIN(tables, struct table, table_allocators) = {
	.rank = 435,
	.name = "breakdown-reports",
	.form_of = "breakdown",
	.former = "allocators",
	.from = DAMAGE_PROFILE,
	.help = "The memory that each allocator of each process reports in a memory dump of a trace; "
			"without an argument in the last dump",
	.argument = "[DUMP|all]",
	.needs = STAGE_READ,
	.parts = PART_ALLOCATORS,
	COLUMNS(columns),
	RECORDS(struct allocators, row),
	.open = allocators_open,
	.close = allocators_close,
	.tree = &allocators_tree,
};
