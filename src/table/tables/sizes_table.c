/* The table of the runtime's slot sizes, with their objects and spans. */
#include "table/contents/span.h"
#include "table/table.h"

#include "base/bound.h"
#include "base/mem.h"
#include "format/format.h"
#include "go/runtime/gospans.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SPANS_OF = PART_GO | PART_MEMORY };

/* A slot size: its objects, and the spans with their slots. */
struct size_row {
	uint64_t size, count, bytes;
	uint64_t spans, slots, free_slots, free_bytes;
};

static void sizes_add_spans(struct size_row *row, size_t count, const struct heap *heap)
{
	struct gospans spans;
	gospans_init(&spans, heap);
	for (size_t i = 0; i < spans.count; i++) {
		const struct span_record *span = &spans.span[i];
		size_t at = lower_bound(row, count, BOUND_BY(struct size_row, size), span->size);
		if (span->state != SPAN_IN_USE || at == count || row[at].size != span->size)
			continue;
		row[at].spans++;
		row[at].slots += span->slots;
	}
	gospans_fini(&spans);
	for (size_t i = 0; i < count; i++) {
		row[i].free_slots = row[i].slots > row[i].count ? row[i].slots - row[i].count : 0;
		row[i].free_bytes = row[i].free_slots * row[i].size;
	}
}

static void sizes_fill(struct rows *rows)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct objects_size_row *found = objects_sizes(heap_objects(heap), &rows->count);
	struct size_row *row = rows->data = mem_alloc((rows->count + 1) * sizeof *row);
	for (size_t i = 0; i < rows->count; i++)
		row[i] = (struct size_row){.size = found[i].size,
		                           .count = found[i].count,
		                           .bytes = found[i].size * found[i].count};
	free(found);
	if (heap_has(heap, SPANS_OF)) {
		sizes_add_spans(row, rows->count, heap);
		span_doubt(heap, &rows->note);
	}
	buf_add(&rows->title, "slot sizes");
	if (!rows->count && !rows->note.len)
		buf_add(&rows->note, "The dump holds no objects.");
}

static const struct column columns[] = {
	{"size", "slot bytes", "Bytes of one slot", VALUE_COUNT, 13, 0, FIELD(struct size_row, size)},
	{"objects", "objects", "Objects in slots of this size", VALUE_COUNT, 14, 0,
     FIELD(struct size_row, count)},
	{"bytes", "bytes", "Bytes of all of them", VALUE_BYTES, 11, 0, FIELD(struct size_row, bytes)},
	{"share", "share", "Share of the bytes of all objects, in percent", VALUE_SHARE, 8, 1,
     FIELD(struct size_row, bytes)},
	{"spans", "spans", "Spans of slots of this size; of a heap dump, those with an object",
     VALUE_COUNT, 7, 2, FIELD(struct size_row, spans), .parts = SPANS_OF},
	{"slots", "slots", "Number of slots in these spans", VALUE_COUNT, 10, 2,
     FIELD(struct size_row, slots), .parts = SPANS_OF},
	{"free_slots", "free", "Number of slots without an object", VALUE_COUNT, 10, 1,
     FIELD(struct size_row, free_slots), .parts = SPANS_OF},
	{"free_bytes", "unused", "Bytes of these slots", VALUE_BYTES, 9, 0,
     FIELD(struct size_row, free_bytes), .parts = SPANS_OF},
};

static void sizes_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct size_row *size = rows_record(rows, row);
	buf_addf(command, "objects size=%" PRIu64, size->size);
}

DEFINE_PLUGIN(tables, struct table, table_sizes) = {
	.rank = 90,
	.name = "types-size",
	.form_of = "types",
	.former = "sizes",
	.help = "Number and bytes of the objects of each slot size, and the free slots in their spans",
	.needs = STAGE_READ,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.fill = sizes_fill,
	RECORD_ARRAY(struct size_row),
	.link = sizes_link,
	.sort = "bytes",
};
