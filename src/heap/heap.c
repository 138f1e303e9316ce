#include "heap/heap.h"

#include "base/mem.h"
#include "heap/columns.h"

#include <stdlib.h>

const char *const root_kind_names[ROOT_KINDS] = {
	"data",      "bss",      "frame",  "finalizer",  "queued_finalizer",
	"defer",     "panic",    "other",  "internal",   "local",
	"finalizer", "gchandle", "static", "cfspecific", "unknown",
};

struct root_kinds heap_root_kinds(const struct heap *heap)
{
	return heap->log ? (struct root_kinds){ROOT_INTERNAL, ROOT_KINDS}
	                 : (struct root_kinds){ROOT_DATA, ROOT_INTERNAL};
}

void heap_free(struct heap *heap)
{
	if (!heap)
		return;
	struct heap_columns *c = heap->columns;
	mem_column_free(c->row, c->row_size);
	mem_column_free(c->target, c->target_size);
	mem_column_free(c->back_row, c->row_size);
	mem_column_free(c->source, c->source_size);
	for (uint32_t i = 0; i < heap->warning_count; i++)
		free(heap->warnings[i].text);
	objects_free(heap->objects);
	profiles_fini(&heap->profiles);
	record_index_fini(&heap->index);
	if (heap->reader)
		heap->format->close(heap->reader);
	void *const owned[] = {
		c,
		heap->goroutines,
		heap->frames,
		heap->types,
		heap->itabs,
		heap->finalizers,
		heap->threads,
		heap->segments,
		heap->defers,
		heap->panics,
		heap->otherroots,
		heap->foundroots,
		heap->warnings,
		heap->roots,
		heap,
	};
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
		free(owned[i]);
}

uint32_t heap_object_count(const struct heap *heap)
{
	return objects_count(heap->objects);
}

uint32_t heap_find(const struct heap *heap, uint64_t address)
{
	return objects_find(heap->objects, address);
}

uint64_t heap_address(const struct heap *heap, uint32_t id)
{
	struct object_place place;
	objects_place(heap->objects, id, &place);
	return place.slot + place.header;
}

uint64_t heap_size(const struct heap *heap, uint32_t id)
{
	struct object_place place;
	objects_place(heap->objects, id, &place);
	return place.size;
}

bool heap_object(const struct heap *heap, uint32_t id, struct object_record *record)
{
	struct object_place place;
	objects_place(heap->objects, id, &place);
	uint64_t offset = place.offset;
	if (heap->log) {
		*record = (struct object_record){.offset = offset, .slot = place.slot, .size = place.size};
		return true;
	}
	for (uint32_t i = 0; i <= place.skip; i++) {
		if (!heap->format->object(heap->reader, offset, record))
			return false;
		offset = record->end;
	}
	return record->slot == place.slot && record->size == place.size;
}

struct edges heap_edges(const struct heap *heap)
{
	return (struct edges){heap->columns->row, heap->columns->target};
}

struct edges heap_back_edges(const struct heap *heap)
{
	return (struct edges){heap->columns->back_row, heap->columns->source};
}

struct ids heap_references(const struct heap *heap, uint32_t id)
{
	return edges_of(heap_edges(heap), id);
}

struct ids heap_referrers(const struct heap *heap, uint32_t id)
{
	return edges_of(heap_back_edges(heap), id);
}

uint64_t heap_word(const struct heap *heap, const uint8_t *data)
{
	return layout_word(&heap->params.layout, data);
}

struct heap_memory heap_memory(const struct heap *heap)
{
	const struct heap_columns *c = heap->columns;
	uint64_t rows = (heap_object_count(heap) + 1ULL) * sizeof *c->row;
	uint64_t edges = heap->edge_count * sizeof *c->target;
	return (struct heap_memory){
		.objects = objects_memory(heap->objects),
		.edges = c->row ? rows + edges : 0,
		.referrers = c->back_row ? rows + edges : 0,
		.roots = heap->root_count * sizeof *heap->roots,
		.records = heap->goroutine_count * sizeof *heap->goroutines
	               + heap->frame_count * sizeof *heap->frames
	               + heap->type_count * sizeof *heap->types + heap->itab_count * sizeof *heap->itabs
	               + heap->finalizer_count * sizeof *heap->finalizers
	               + heap->defer_count * sizeof *heap->defers
	               + heap->panic_count * sizeof *heap->panics
	               + heap->profiles.count * sizeof *heap->profiles.profile
	               + heap->profiles.sample_count * (sizeof *heap->profiles.sample + 8)
	               + heap->index.count * sizeof *heap->index.entry,
	};
}
