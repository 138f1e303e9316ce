/* The table of the raw records of the dump with their offsets, for debugging dumps. */
#include "table/cell.h"

#include "base/bound.h"
#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/record_index.h"
#include "table/naming/record_text.h"

#include <stdlib.h>
#include <string.h>

struct place {
	uint64_t offset, length;
	enum record_kind kind;
	struct object_record object; /* for object records */
};

/* The selected entries of the record index, and the first row of each. */
struct records {
	size_t *entry, *first;
	size_t count;
	/* The last row that was asked for, whose next one is found without decoding those before. */
	size_t at, row; /* its entry */
	bool known;
	struct place place;
};

static void records_close(struct rows *rows)
{
	struct records *records = rows->data;
	free(records->entry);
	free(records->first);
}

static bool find_kind(const char *name, int *kind, struct err *err)
{
	SCOPED_BUF known = {0};
	for (*kind = 0; *kind < RECORD_KINDS; ++*kind) {
		if (strcmp(record_types[*kind].listed, name) == 0)
			break;
		buf_addf(&known, "%s%s", *kind ? ", " : "", record_types[*kind].listed);
	}
	if (*kind == RECORD_KINDS)
		err_set(err, "\"%.40s\" is no kind of record; there are %s", name, buf_text(&known));
	return *kind < RECORD_KINDS;
}

static bool records_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct record_index *index = &analysis_heap(rows->analysis)->index;
	struct records *records = rows->data = mem_alloc(sizeof *records);
	int kind = RECORD_KINDS;
	if (*argument && !find_kind(argument, &kind, err))
		return false;
	records->entry = mem_alloc((index->count + 1) * sizeof *records->entry);
	records->first = mem_alloc((index->count + 1) * sizeof *records->first);
	for (size_t i = 0; i < index->count; i++) {
		if (kind != RECORD_KINDS && index->entry[i].kind != kind)
			continue;
		records->entry[records->count] = i;
		records->first[records->count++] = rows->count;
		rows->count += index->entry[i].count;
	}
	buf_addf(&rows->title, "%s%srecords of the file", argument, *argument ? " " : "");
	return true;
}

static size_t records_entry_of(const struct records *records, size_t row)
{
	static const struct bound_by itself = {sizeof(size_t), 0, sizeof(size_t)};
	return upper_bound(records->first, records->count, itself, row) - 1;
}

/* Finds an object after an entry of the index by decoding all records before it. */
static void records_find_object(const struct heap *heap, size_t skip, struct place *place)
{
	for (size_t i = 0; i <= skip; i++) {
		if (!heap->format->object(heap->reader, place->offset, &place->object))
			return;
		place->length = place->object.end - place->offset;
		if (i < skip)
			place->offset = place->object.end;
	}
}

/* Returns the offset where damage begins, or `end`. A warning marks each damage, and is at the
   start of a record. */
static uint64_t damage_after(const struct heap *heap, uint64_t offset, uint64_t end)
{
	for (uint32_t i = 0; i < heap->warning_count; i++)
		if (heap->warnings[i].offset > offset && heap->warnings[i].offset < end)
			end = heap->warnings[i].offset;
	return end;
}

static void records_find(const struct heap *heap, struct records *records, size_t row)
{
	size_t at = records->at = records_entry_of(records, row), next = records->entry[at] + 1;
	const struct record_entry *entry = &heap->index.entry[records->entry[at]];
	struct place place = {.offset = entry->offset, .kind = (enum record_kind)entry->kind};
	uint64_t end = next < heap->index.count ? heap->index.entry[next].offset : heap->input->size;
	if (place.kind == RECORD_OBJECT || place.kind == RECORD_GHOST)
		records_find_object(heap, row - records->first[at], &place);
	else
		place.length = damage_after(heap, place.offset, end) - place.offset;
	records->place = place;
}

static const struct place *records_place_of(const struct rows *rows, size_t row)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct records *records = rows->data;
	struct place *place = &records->place;
	if (records->known && row == records->row)
		return place;
	bool follows = records->known && row == records->row + 1 && place->object.data
	               && (records->at + 1 == records->count || row < records->first[records->at + 1]);
	if (follows) {
		place->offset = place->object.end;
		place->length = 0;
		place->object.data = NULL;
		records_find_object(heap, 0, place);
	} else {
		records_find(heap, records, row);
	}
	records->row = row;
	records->known = true;
	return place;
}

static void records_place_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_field(rows, records_place_of(rows, row), value);
}

static void records_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, record_types[records_place_of(rows, row)->kind].listed);
}

static void records_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct place *place = records_place_of(rows, row);
	if (place->object.data)
		record_add_object(&place->object, cell_begin(value));
	else
		record_add_text(analysis_heap(rows->analysis), place->kind, place->offset,
		                cell_begin(value));
}

static const struct column columns[] = {
	{"offset", "at byte",
     "Offset of the record in the file, in the unpacked file if it is compressed", VALUE_COUNT, 12,
     0, .cell = records_place_cell, FIELD(struct place, offset)},
	{"kind", "kind", "Kind of the record", VALUE_TEXT, 12, 0, .cell = records_kind_cell},
	{"length", "length", "Bytes of the record, up to the next one or to damage", VALUE_COUNT, 9, 1,
     .cell = records_place_cell, FIELD(struct place, length)},
	{"text", "contents", "Summary of its contents", VALUE_TEXT, 0, 0, .cell = records_text_cell},
};

static struct entity records_entity(const struct rows *rows, size_t row)
{
	const struct place *place = records_place_of(rows, row);
	bool is_object = place->object.data && place->kind == RECORD_OBJECT;
	return entity_of_object(is_object ? heap_find(analysis_heap(rows->analysis),
	                                              place->object.slot + place->object.header)
	                                  : OBJECT_NONE);
}

static enum row_style records_style(const struct rows *rows, size_t row)
{
	const struct records *records = rows->data;
	const struct record_index *index = &analysis_heap(rows->analysis)->index;
	return index->entry[records->entry[records_entry_of(records, row)]].kind == RECORD_GHOST
	           ? ROW_FAINT
	           : ROW_PLAIN;
}

DEFINE_PLUGIN(tables, struct table, table_records) = {
	.rank = 470,
	.name = "records",
	.rare = true,
	.from = DAMAGE_SAMPLES,
	.help = "The records of the file in order, for debugging dumps: all, or those of one kind",
	.argument = "[KIND]",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = records_open,
	.none = "The dump has no record of this kind.",
	.style = records_style,
	.close = records_close,
	.entity = records_entity,
};
