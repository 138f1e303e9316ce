/* The table of the mapped memory of a process, and which pointers of the program lead there. */
#include "go/table/memory_use.h"
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/found_place.h"

#include "base/bound.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct mapping {
	struct memory_row row;
	uint64_t address, kind; /* enum mapping_kind */
	struct text path;
	struct malloc_chunks chunks;
	bool knows_chunks;
	uint64_t pointers;
	struct find_hit from; /* the pointer that names it, if there are any */
	uint64_t to;          /* and where that leads */
};

/* The rows, and the ranges that they consist of: a file is mapped in several. */
struct mappings_rows {
	struct mapping *mapping;
	size_t capacity;
	struct mapped_range {
		uint64_t address, end;
		size_t row;
	} * range; /* sorted by address, without overlaps */
	size_t ranges, range_capacity;
	size_t last[MAPPING_KINDS]; /* 1 + the last row of a kind of file; 0: none */
	struct map statics;         /* of static data: where its path lies -> 1 + its row */
};

static void mappings_close(struct rows *rows)
{
	struct mappings_rows *mappings = rows->data;
	free(mappings->mapping);
	free(mappings->range);
	map_free(&mappings->statics);
}

/* Returns true if a mapping belongs to a row of its kind before it: that of the same file.
   Variables of a program have no file and follow its other parts. */
static bool mappings_join(const struct mapping *row, const struct mapping_record *record)
{
	if (record->kind == MAPPING_EXECUTABLE && (!record->path.len || !row->path.len))
		return true;
	return (record->kind == MAPPING_EXECUTABLE || record->kind == MAPPING_FILE)
	       && text_equal(row->path, record->path);
}

/* Returns the row of a mapping: that of the parts of its file before it, or one of its own. */
static size_t mappings_row(struct rows *rows, const struct mapping_record *record)
{
	struct mappings_rows *mappings = rows->data;
	size_t *last = &mappings->last[record->kind];
	uint64_t known = rows->count + 1;
	if (record->kind == MAPPING_STATIC
	    && !map_add(&mappings->statics, (uintptr_t)record->path.data, &known))
		return known - 1;
	if (*last && mappings_join(&mappings->mapping[*last - 1], record))
		return *last - 1;
	mappings->mapping =
		mem_grow(mappings->mapping, rows->count, &mappings->capacity, sizeof *mappings->mapping);
	mappings->mapping[rows->count] = (struct mapping){
		.row = memory_row_of(record->kind),
		.address = record->address,
		.kind = record->kind,
	};
	mappings->mapping[rows->count].row.knows_resident = true;
	*last = ++rows->count;
	return rows->count - 1;
}

static void mappings_add_record(struct rows *rows, const struct mapping_record *record)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct mappings_rows *mappings = rows->data;
	uint64_t resident = 0;
	size_t row = mappings_row(rows, record);
	struct mapping *mapping = &mappings->mapping[row];
	mapping->row.bytes += record->bytes;
	mapping->path = mapping->path.len ? mapping->path : record->path;
	mapping->row.knows_resident = mapping->row.knows_resident
	                              && heap_resident(heap, record->address, record->bytes, &resident);
	mapping->row.resident += resident;
	if (record->kind == MAPPING_MALLOC && heap->format->malloc_chunks)
		mapping->knows_chunks = heap->format->malloc_chunks(
			heap->reader, record->address, record->bytes, rows->progress, &mapping->chunks);
	MEM_PUSH(mappings->range, mappings->ranges, mappings->range_capacity,
	         ((struct mapped_range){record->address, record->address + record->bytes, row}));
}

/* ---- Pointers */

/* Takes a pointer into account. Of the pointers to a mapping the first of a variable names it, else
   that of an object, else that of a stack; of several of these the one that leads nearest to its
   start. */
static void mappings_see(struct mappings_rows *mappings, uint64_t to, struct find_hit from)
{
	static const int order[] = {[FIND_SEGMENT] = 0, [FIND_OBJECT] = 1, [FIND_FRAME] = 2};
	size_t at =
		upper_bound(mappings->range, mappings->ranges, BOUND_BY(struct mapped_range, address), to);
	if (!at || to >= mappings->range[at - 1].end)
		return;
	struct mapping *mapping = &mappings->mapping[mappings->range[at - 1].row];
	int better = order[mapping->from.place] - order[from.place];
	if (!mapping->pointers++ || better > 0 || (!better && to < mapping->to)) {
		mapping->from = from;
		mapping->to = to;
	}
}

static void mappings_see_all(struct mappings_rows *mappings, struct pointer_walk *walk,
                             enum find_place place, uint32_t index)
{
	struct pointer pointer;
	while (pointer_walk_next(walk, &pointer))
		if (pointer.value && pointer.target == OBJECT_NONE)
			mappings_see(mappings, pointer.value, (struct find_hit){place, index, pointer.offset});
}

/* Looks at all pointers of the program. False: cancelled. */
static bool mappings_find_pointers(const struct rows *rows)
{
	enum { POLL_EVERY = 1 << 14 };
	const struct heap *heap = analysis_heap(rows->analysis);
	uint32_t objects = heap_object_count(heap);
	struct object_reader reader = {.heap = heap};
	struct object_record record;
	struct pointer_walk walk;
	progress_begin(rows->progress, "looking at pointers", objects);
	for (uint32_t i = 0; i < heap->segment_count; i++) {
		pointer_walk_segment(&walk, heap, &heap->segments[i]);
		mappings_see_all(rows->data, &walk, FIND_SEGMENT, i);
	}
	for (uint32_t id = 0; id < objects; id++) {
		if (id % POLL_EVERY == 0 && !progress_step(rows->progress, id))
			return false;
		if (!object_reader_read(&reader, id, &record))
			continue;
		pointer_walk_object(&walk, heap, &record);
		mappings_see_all(rows->data, &walk, FIND_OBJECT, id);
	}
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		pointer_walk_frame(&walk, heap, &heap->frames[i].record);
		mappings_see_all(rows->data, &walk, FIND_FRAME, i);
	}
	return true;
}

/* ---- Rows */

static bool mappings_is_use(const char *argument)
{
	for (uint64_t kind = 0; kind < MAPPING_KINDS; kind++)
		if (strcmp(argument, memory_row_of(kind).words.name) == 0)
			return true;
	return false;
}

static bool mappings_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	rows->data = mem_alloc(sizeof(struct mappings_rows));
	if (*argument && !mappings_is_use(argument))
		return err_set(err,
		               "\"%.40s\" is no use of mapped memory: the table mappings without an "
		               "argument names them",
		               argument);
	for (uint32_t i = 0; i < heap->mapping_count; i++)
		if (!*argument || strcmp(memory_row_of(heap->mappings[i].kind).words.name, argument) == 0)
			mappings_add_record(rows, &heap->mappings[i]);
	if (!mappings_find_pointers(rows))
		return err_set(err, "Looking for pointers was cancelled");
	buf_addf(&rows->title, "mapped memory%s%s", *argument ? ": " : "", argument);
	memory_add_allocator(heap, "; ", &rows->title);
	memory_add_allocator(heap, "", &rows->note);
	buf_add(&rows->note, rows->note.len
	                         ? "; they are in other mappings, or in the rest of the runtime: "
	                           "the kernel joins mappings that touch each other."
	                         : "");
	if (!rows->count)
		buf_addf(&rows->note, "%sNo memory of the process is mapped for that.",
		         rows->note.len ? " " : "");
	return true;
}

static void mappings_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct mapping *mapping = rows_record(rows, row);
	struct buf *out = cell_begin(value);
	if (mapping->kind == MAPPING_MALLOC || !mapping->path.len)
		buf_addf(out, "%s%s", mapping->row.words.name, mapping->path.len ? ", " : "");
	text_add_escaped(out, mapping->path.data, mapping->path.len, SIZE_MAX);
}

static void mappings_from_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct mapping *mapping = rows_record(rows, row);
	if (!mapping->pointers)
		return;
	found_add_expression(rows->analysis, &mapping->from, cell_begin(value));
}

static const struct column columns[] = {
	{"address", "address", "Its address; of a file the lowest", VALUE_ADDRESS, 14, 1,
     FIELD(struct mapping, address)},
	{"bytes", "bytes", "Bytes of address space", VALUE_BYTES, 9, 0,
     FIELD(struct mapping, row.bytes)},
	{"resident_bytes", "resident", "Bytes of it that are resident, for snapshots and processes",
     VALUE_BYTES, 9, 0, FIELD_IF(struct mapping, row.resident, row.knows_resident),
     .absent = rows_lack_residence},
	{"name", "name",
     "The mapped file, else what it is used for; of static data the file, and of a variable of 4 "
     "KB or more its symbol, if the file that has it is here; of the memory of malloc, recognized "
     "by the "
     "structures of glibc, also [heap] for what grows by brk, main arena where that has failed, an "
     "arena of threads, or a block that was too large for an arena. Memory of other allocators is "
     "not read: of jemalloc, tcmalloc, "
     "mimalloc and musl the title says so",
     VALUE_TEXT, 20, 0, .cell = mappings_name_cell},
	{"use", "use", "What it is used for, as the table memory calls it", VALUE_TEXT, 15, 2,
     FIELD(struct mapping, row.words.name)},
	{"malloc_used", "in use",
     "Of memory of malloc, the bytes of chunks that C code has, or that caches of threads keep for "
     "it; empty if its structures are damaged",
     VALUE_BYTES, 9, 2, FIELD_IF(struct mapping, chunks.used, knows_chunks)},
	{"malloc_free", "free", "Of memory of malloc, the bytes of free chunks and of the unused end",
     VALUE_BYTES, 9, 2, FIELD_IF(struct mapping, chunks.free, knows_chunks)},
	{"malloc_chunks", "chunks", "Of memory of malloc, the number of chunks in use", VALUE_COUNT, 9,
     3, FIELD_IF(struct mapping, chunks.count, knows_chunks)},
	{"pointers", "pointers",
     "Number of pointers to it in variables, objects and stacks of the program; those in memory "
     "that is not its own are not known",
     VALUE_COUNT, 8, 1, FIELD_UNLESS_0(struct mapping, pointers)},
	{"pointed_from", "pointed from",
     "Where one of these is: in a variable, else in an object, else on a stack; of several the one "
     "that leads nearest to its start",
     VALUE_TEXT, 0, 0, .cell = mappings_from_cell, .stages = STAGE_TYPED | STAGE_REVERSED},
};

/* A mapping opens the object that points there. */
static void mappings_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct mapping *mapping = rows_record(rows, row);
	if (mapping->pointers && mapping->from.place == FIND_OBJECT)
		buf_addf(command, "object 0x%" PRIx64,
		         heap_address(analysis_heap(rows->analysis), mapping->from.index));
}

DEFINE_PLUGIN(tables, struct table, table_mappings) = {
	.rank = 97,
	.name = "mappings",
	.help = "The mapped memory of a core file or a process, range by range and file by file: what "
			"it is used for, and the variables and objects that point to it",
	.argument = "[USE]",
	.needs = STAGE_LINKED,
	.parts = PART_PROCESS,
	COLUMNS(columns),
	.open = mappings_open,
	.close = mappings_close,
	RECORDS(struct mappings_rows, mapping),
	.link = mappings_link,
	.sort = "resident_bytes",
};
