/* The objects of a dump, as a reader tells them. */
#include "heap/builder.h"

static void builder_note(struct builder *b, const struct object_record *r, bool added)
{
	const struct objects *objects = b->heap->objects;
	if (b->outline)
		outline_note(b->outline, r, added ? &objects->runs[objects->run_count - 1] : NULL);
}

static bool builder_has_params(struct builder *b, uint64_t offset)
{
	return builder_owes(b, b->heap->params.layout.pointer_size != 0, offset,
	                    "an object before the parameters, which tell how wide a pointer is");
}

void builder_add_object(void *self, const struct object_record *r)
{
	struct builder *b = self;
	bool fits = b->added < OBJECT_NONE - 1;
	if (b->known || !builder_has_params(b, r->offset))
		return;
	if (r->untyped && b->untyped_objects++ == 0)
		b->untyped_offset = r->offset;
	record_index_add(&b->heap->index, RECORD_OBJECT, r->offset, r->end);
	bool added = fits && objects_add(b->heap->objects, r);
	builder_note(b, r, added);
	if (added) {
		b->added++;
		return;
	}
	if (b->odd_objects++ == 0)
		b->odd_offset = r->offset;
}

void builder_add_row(void *self, const struct object_record *before, const uint64_t *slots,
                     size_t count, size_t bytes)
{
	struct builder *b = self;
	struct object_record last = *before;
	if (b->known
	    || !builder_owes(b, b->added || b->odd_objects, before->offset,
	                     "a row of objects before the first one"))
		return;
	bool takes = b->outline && outline_takes_row(b->outline, before, bytes)
	             && b->added + count < OBJECT_NONE - 1;
	for (size_t i = 0, added; i < count; i += added) {
		added = takes ? objects_add_row(b->heap->objects, &last, slots + i, count - i, bytes) : 0;
		if (!added) {
			object_record_step(&last, bytes, slots[i++]);
			builder_add_object(b, &last);
			continue;
		}
		outline_note_row(b->outline, &last, added, bytes);
		record_index_add_row(&b->heap->index, added, bytes);
		object_record_step(&last, added * bytes, slots[i + added - 1]);
		b->added += added;
	}
}

void builder_add_ghost(void *self, const struct object_record *r)
{
	struct builder *b = self;
	if (b->known || !builder_has_params(b, r->offset))
		return;
	builder_note(b, r, false);
	record_index_add(&b->heap->index, RECORD_GHOST, r->offset, r->end);
	b->heap->ghosts++;
}

uint64_t builder_skip(void *self, uint64_t offset)
{
	struct builder *b = self;
	const struct record_entry *entry = b->heap->index.entry, *end = entry + b->heap->index.count;
	for (entry += b->next; entry < end && entry->offset < offset;)
		entry++;
	if (entry < end && entry->offset == offset)
		while (entry < end && (entry->kind == RECORD_OBJECT || entry->kind == RECORD_GHOST))
			entry++;
	b->next = (size_t)(entry - b->heap->index.entry);
	return entry < end && entry->offset > offset ? entry->offset : offset;
}
