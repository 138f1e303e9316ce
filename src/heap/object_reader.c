/* object_reader_read: reads the records of many objects in ascending order. With an outline no
   record is decoded: it tells where the contents are, and the list of fields follows them. */
#include "heap/columns.h"
#include "heap/object_ids.h"
#include "heap/outline.h"

/* Objects to decode and skip before a search is cheaper. */
enum { OBJECTS_PASSED = 32 };

static bool object_reader_find(struct object_reader *r, uint32_t id, struct object_record *record)
{
	const struct objects *objects = r->heap->objects;
	struct objects_run_view run;
	r->end = 0;
	if (!heap_object(r->heap, id, record))
		return false;
	objects_run(objects, objects_run_of(objects, id), &run);
	r->end = run.first + run.count;
	return true;
}

static bool object_reader_pass(struct object_reader *r, uint32_t id, struct object_record *record)
{
	const struct heap *heap = r->heap;
	for (uint64_t offset = r->offset; r->next <= id; r->next++) {
		if (!heap->format->object(heap->reader, offset, record))
			return false;
		offset = record->end;
	}
	return record->slot + record->header == heap_address(heap, id);
}

static bool object_reader_decode(struct object_reader *r, uint32_t id, struct object_record *record)
{
	bool near = id >= r->next && id < r->end && id - r->next <= OBJECTS_PASSED;
	bool read = near ? object_reader_pass(r, id, record) : object_reader_find(r, id, record);
	r->next = id + 1;
	r->end = read ? r->end : 0;
	r->offset = record->end;
	return read;
}

/* Begins the walk over the run of an object. */
static void object_reader_begin(struct object_reader *r, uint32_t id)
{
	const struct objects *objects = r->heap->objects;
	r->run = &objects->runs[objects_run_of(objects, id)];
	r->walk = outline_walk(r->heap->columns->outline, r->run);
	r->next = r->run->first;
	r->end = r->next + r->run->count;
}

bool object_reader_read(struct object_reader *r, uint32_t id, struct object_record *record)
{
	const uint8_t *data;
	if (!r->heap->columns->outline)
		return object_reader_decode(r, id, record);
	if (id < r->next || id >= r->end)
		object_reader_begin(r, id);
	do
		data = outline_next(&r->walk);
	while (r->next++ < id);
	const struct run *run = r->run;
	const uint8_t *fields = data + r->walk.stored, *file = r->heap->input->data;
	bool full = run->slots == run->count;
	*record = (struct object_record){
		.slot = full ? run->slot + (id - run->first) * run->size
	                 : heap_address(r->heap, id) - run->header,
		.size = run->size,
		.stored = r->walk.stored,
		.data = data,
		.fields = {.at = fields, .end = file + r->heap->input->size},
		.header = run->header,
	};
	return true;
}
