#include "go/runtime/gospans.h"

#include "base/bound.h"
#include "base/mem.h"
#include "format/format.h"
#include "go/format/dump/go_rules.h"
#include "go/runtime/size_class.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/objects.h"

#include <stdlib.h>

enum { MINOR_OF_24 = 16 };

struct gospans_finding {
	const struct heap *heap;
	struct go_rules rules;
	struct size_classes classes;
	struct span_record *span;
	size_t count, capacity;
	uint64_t unplaced;
};

/* Determines the size classes from the sizes in use: dumps before Go 1.17 have no version. */
static void gospans_find_classes(struct gospans_finding *f)
{
	size_t count;
	SCOPED_FREE struct objects_size_row *sizes = objects_sizes(f->heap->objects, &count);
	f->classes.of_24 = record_minor_version(f->heap->params.version) >= MINOR_OF_24;
	for (size_t i = 0; i < count; i++) {
		f->classes.of_24 |= sizes[i].size == 24;
		f->classes.old |= size_class_is_old(sizes[i].size);
	}
}

static bool gospans_has_pointers(const struct heap *heap, uint32_t id)
{
	struct object_record record;
	uint64_t offset;
	return heap_object(heap, id, &record) && fields_next(&record.fields, &offset);
}

static uint64_t gospans_slot_of(const void *objects, size_t id)
{
	struct object_place place;
	objects_place(objects, (uint32_t)id, &place);
	return place.slot;
}

/* Appends a span unless it overlaps the last one. */
static bool gospans_put(struct gospans_finding *f, const struct span_record *span)
{
	const struct span_record *last = f->count ? &f->span[f->count - 1] : NULL;
	if (last && span->address - last->address < last->bytes)
		return false;
	MEM_PUSH(f->span, f->count, f->capacity, *span);
	return true;
}

/* Returns the span of an object: the last one, or a new one. NULL: the object has no valid span. */
static struct span_record *gospans_of(struct gospans_finding *f, uint32_t id)
{
	struct object_place place;
	struct size_class_span found;
	objects_place(f->heap->objects, id, &place);
	if (!size_class_span(&f->classes, place.slot, place.size, &found)
	    || found.address + found.bytes < found.address)
		return NULL;
	struct span_record *last = f->count ? &f->span[f->count - 1] : NULL;
	if (last && last->address == found.address && last->size == place.size)
		return last;
	struct span_record span = {
		.offset = place.offset,
		.address = found.address,
		.bytes = found.bytes,
		.class = found.class,
		.size = place.size,
		.no_pointers = !gospans_has_pointers(f->heap, id),
	};
	span.slots = go_rules_slots(&f->rules, span.size, span.bytes, !span.no_pointers);
	return gospans_put(f, &span) ? &f->span[f->count - 1] : NULL;
}

static void gospans_add_run(struct gospans_finding *f, const struct objects_run_view *run)
{
	uint32_t end = run->first + run->count;
	for (uint32_t id = run->first, next; id < end; id = next) {
		struct span_record *span = gospans_of(f, id);
		next = id + 1;
		if (!span) {
			f->unplaced++;
			continue;
		}
		next = (uint32_t)lower_bound_of(f->heap->objects, next, end, gospans_slot_of,
		                                span->address + span->bytes);
		span->objects += next - id;
	}
}

void gospans_init(struct gospans *spans, const struct heap *heap)
{
	*spans = (struct gospans){.span = heap->spans, .count = heap->span_count};
	if (heap_has(heap, PART_PROCESS))
		return;
	struct gospans_finding f = {
		.heap = heap,
		.rules = go_rules(heap->params.version, heap->params.layout.pointer_size),
	};
	gospans_find_classes(&f);
	for (size_t r = 0; r < objects_run_count(heap->objects); r++) {
		struct objects_run_view run;
		objects_run(heap->objects, r, &run);
		gospans_add_run(&f, &run);
	}
	*spans = (struct gospans){f.span, f.count, f.span, f.unplaced};
}

void gospans_fini(struct gospans *spans)
{
	free(spans->own);
}

const struct span_record *gospans_at(const struct gospans *spans, uint64_t address)
{
	size_t at =
		upper_bound(spans->span, spans->count, BOUND_BY(struct span_record, address), address);
	const struct span_record *span = at ? &spans->span[at - 1] : NULL;
	return span && address - span->address < span->bytes ? span : NULL;
}
