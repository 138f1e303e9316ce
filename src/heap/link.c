/* heap_link: builds the forward edges, in address order. It takes the pointers from the contents by
   the outline, or decodes the objects a second time if there is none, so that raw pointers need not
   be stored in between; a large heap is split between two threads. */
#include "heap/columns.h"

#include "base/mem.h"
#include "base/task.h"
#include "heap/outline.h"
#include "heap/region.h"

#include <stdlib.h>
#include <string.h>

static const char too_many[] = "The dump has more than 4,294,967,295 pointers between objects; "
							   "goheapx cannot number them";

/* A batch of pointers, collected object by object and resolved together. */
enum { POINTERS = 512, BEGINS = 512, WORDS = 64, AHEAD_DATA = 1024, AHEAD_RUN = 512 };

struct batch {
	uint64_t address[POINTERS];
	uint32_t target[POINTERS];
	uint16_t before[POINTERS + 1]; /* edges of the pointers before */
	uint16_t begin[BEGINS];        /* per object that begins in the batch: its first pointer */
	size_t count, begins;
};

enum { PARTS = 2 };
uint32_t heap_link_parts_from = 4096;

/* A range of objects and its edges: a large heap has two, one per thread. */
struct part {
	const struct heap *heap;
	size_t run, end_run;
	/* offsets of objects before `apart` are stored in `early`: they share words of bits with the
	   previous part */
	uint32_t next, apart;
	uint32_t early[STARTS_APART];
	struct starts_maker starts; /* offsets of all objects before `next` have been put */
	uint32_t *target;
	size_t target_size;
	uint64_t edges, dangling;
	bool all_linked; /* each pointer became an edge */
	struct batch batch;
	struct progress *progress;
	struct err err;
	bool done;
};

static inline void put_start(struct part *part, uint32_t start)
{
	if (part->next < part->apart)
		part->early[part->next % STARTS_APART] = start;
	else
		starts_put(&part->starts, start);
	part->next++;
}

static void put_starts(struct part *part, uint32_t end)
{
	while (part->next < end)
		put_start(part, (uint32_t)part->edges);
}

static bool edges_resolve(struct part *part)
{
	struct batch *batch = &part->batch;
	uint32_t *target = part->target + part->edges, edges = 0;
	if (part->edges > UINT32_MAX - POINTERS)
		return false;
	objects_find_many(part->heap->objects, batch->address, batch->target, batch->count);
	for (size_t i = 0; i < batch->count; i++) {
		batch->before[i] = (uint16_t)edges;
		target[edges] = batch->target[i];
		edges += batch->target[i] < OBJECT_FREE;
		part->dangling += batch->target[i] == OBJECT_FREE;
	}
	batch->before[batch->count] = (uint16_t)edges;
	part->all_linked = part->all_linked && edges == batch->count;
	for (size_t i = 0; i < batch->begins; i++)
		put_start(part, (uint32_t)part->edges + batch->before[batch->begin[i]]);
	part->edges += edges;
	batch->count = batch->begins = 0;
	return true;
}

/* Begins the next object. */
static inline bool edges_begin(struct part *part)
{
	struct batch *batch = &part->batch;
	if (batch->begins == BEGINS && !edges_resolve(part))
		return false;
	batch->begin[batch->begins++] = (uint16_t)batch->count;
	return true;
}

static bool edges_collect(struct part *part, const struct object_record *record)
{
	const struct layout *layout = &part->heap->params.layout;
	struct batch *batch = &part->batch;
	struct fields fields = record->fields;
	uint64_t offset;
	while (fields_next(&fields, &offset)) {
		if (record->stored < layout->pointer_size || offset > record->stored - layout->pointer_size)
			continue;
		uint64_t address = layout_word(layout, record->data + offset);
		if (!columns_may_find(part->heap, address))
			continue;
		if (batch->count == POINTERS && !edges_resolve(part))
			return false;
		batch->address[batch->count++] = address;
	}
	return true;
}

/* Links the objects of one run. If the file has changed meanwhile, the rest of the run has no
   edges. */
static bool link_run(struct part *part, const struct objects_run_view *run)
{
	struct object_record record;
	bool reads = true;
	for (uint32_t i = 0; i < run->count; i++) {
		reads = reads
		        && format_row(part->heap->format, part->heap->reader, i ? 0 : run->offset, &record);
		if (!edges_begin(part) || (reads && !edges_collect(part, &record)))
			return false;
	}
	return true;
}

/* Collects the pointers among up to WORDS words of an object. */
static inline bool edges_collect_words(struct part *part, uint64_t points, const uint8_t *words)
{
	const struct layout layout = part->heap->params.layout;
	const struct heap_columns *columns = part->heap->columns;
	uint64_t low = columns->low, span = columns->span;
	struct batch *batch = &part->batch;
	if (batch->count > POINTERS - WORDS && !edges_resolve(part))
		return false;
	size_t count = batch->count;
	for (; points; points &= points - 1) {
		unsigned word = (unsigned)__builtin_ctzll(points);
		uint64_t address = layout_word(&layout, words + word * layout.pointer_size);
		batch->address[count] = address;
		count += address - low < span;
	}
	batch->count = count;
	return true;
}

/* Links the objects of one run by their outline. */
static bool link_outline(struct part *part, const struct outline *outline, const struct run *run)
{
	struct outline_walk walk = outline_walk(outline, run);
	uint64_t words = (walk.stored + outline->width - 1) >> outline->shift;
	for (uint32_t i = 0; i < run->count; i++) {
		const uint8_t *data = outline_next(&walk);
		__builtin_prefetch(data + AHEAD_DATA);
		if (!edges_begin(part))
			return false;
		for (uint64_t at = 0, some; at < words; at += some) {
			some = words - at < WORDS ? words - at : WORDS;
			uint64_t points = region_bits(outline->mask, walk.bit, some);
			walk.bit += some;
			if (points && !edges_collect_words(part, points, data + (at << outline->shift)))
				return false;
		}
	}
	return true;
}

/* Prefetches the beginning of the next run, which may be anywhere in the file. */
static void prefetch_run(const struct heap *heap, size_t run)
{
	struct objects_run_view next;
	if (run >= objects_run_count(heap->objects))
		return;
	objects_run(heap->objects, run, &next);
	for (uint64_t at = next.offset; at < next.offset + AHEAD_RUN && at < heap->input->size;
	     at += 64)
		__builtin_prefetch(heap->input->data + at);
}

static bool link_runs(struct part *part)
{
	const struct outline *outline = part->heap->columns->outline;
	struct objects_run_view run;
	uint32_t first = part->next;
	for (size_t r = part->run; r < part->end_run; r++) {
		objects_run(part->heap->objects, r, &run);
		prefetch_run(part->heap, r + 1);
		if (!(outline ? link_outline(part, outline, &part->heap->objects->runs[r])
		              : link_run(part, &run)))
			return err_set(&part->err, too_many);
		if (!progress_step(part->progress, PARTS * (uint64_t)(run.first - first)))
			return false;
	}
	return edges_resolve(part) || err_set(&part->err, too_many);
}

static void link_work(void *self, struct progress *progress)
{
	struct part *part = self;
	progress->whole = part->progress;
	part->progress = progress;
	part->done = link_runs(part);
}

static struct part part_begin(const struct heap *heap, size_t run, size_t end_run, uint32_t first)
{
	struct part part = {
		.heap = heap, .run = run, .end_run = end_run, .next = first, .all_linked = true};
	/* A pointer takes at least two bytes of its record. Only written pages of the column take
	   memory. */
	part.target_size = (heap->input->size / 2 + 1) * sizeof *part.target;
	part.target = mem_column_most(part.target_size);
	return part;
}

/* Appends the edges of the second part to the first, all of whose offsets have been put. Returns
   false with *err if there are too many. */
static bool part_take(struct part *first, struct part *part, struct err *err)
{
	uint64_t before = first->edges;
	if (before + part->edges > UINT32_MAX - POINTERS)
		return err_set(err, too_many);
	for (uint32_t id = first->next; id < part->next && id < part->apart; id++)
		starts_put(&first->starts, part->early[id % STARTS_APART] + (uint32_t)before);
	if (part->next > part->apart)
		starts_take_part(&first->starts, &part->starts, (uint32_t)before);
	memcpy(first->target + before, part->target, part->edges * sizeof *part->target);
	first->next = part->next;
	first->edges += part->edges;
	first->dangling += part->dangling;
	first->all_linked = first->all_linked && part->all_linked;
	return true;
}

/* Links two parts in two threads, the first in this one. Returns false if cancelled or with
 *err. */
static bool link_parts(struct part *first, size_t middle, struct err *err)
{
	const struct heap *heap = first->heap;
	struct objects_run_view run;
	objects_run(heap->objects, middle, &run);
	SCOPED_FREE struct part *second = mem_alloc(sizeof *second);
	*second = part_begin(heap, middle, first->end_run, run.first);
	second->progress = first->progress;
	second->apart = (run.first + STARTS_APART - 1) / STARTS_APART * STARTS_APART;
	starts_begin_part(&second->starts, &first->starts, second->apart);
	first->end_run = middle;
	struct task *task = task_start(link_work, second, NULL);
	bool done = link_runs(first);
	if (!done)
		task_cancel(task);
	task_wait(task, TASK_FOREVER);
	task_end(task);
	put_starts(first, run.first);
	done = done && second->done;
	if (second->err.set)
		*err = second->err;
	done = done && part_take(first, second, err);
	starts_end_part(&second->starts);
	mem_column_recycle_part(second->target, second->edges * sizeof *second->target,
	                        second->target_size);
	return done;
}

bool heap_link(struct heap *heap, struct progress *progress, struct err *err)
{
	struct heap_columns *c = heap->columns;
	uint32_t count = heap_object_count(heap);
	if (heap->log)
		return heap_link_log(heap, progress, err);
	struct part *part = mem_alloc(sizeof *part);
	/* The run in the middle of the objects; 0: they are too few to split. */
	size_t middle = count < heap_link_parts_from ? 0 : objects_run_of(heap->objects, count / PARTS);
	*part = part_begin(heap, 0, objects_run_count(heap->objects), 0);
	starts_begin(&part->starts, count + 1ULL);
	part->progress = progress;
	progress_begin(progress, "resolving references", count);
	bool done = middle ? link_parts(part, middle, err) : link_runs(part);
	if (part->err.set)
		*err = part->err;
	put_starts(part, count + 1);
	c->starts = starts_end(&part->starts);
	c->target = part->target;
	c->target_size = part->target_size;
	heap->edge_count = part->edges;
	heap->dangling_count = part->dangling;
	c->all_linked = done && part->all_linked;
	mem_column_trim(c->target, heap->edge_count * sizeof *c->target, c->target_size);
	free(part);
	if (done)
		heap_link_roots(heap);
	return done;
}

/* ---- Address bounds of objects */

void columns_find_bounds(struct heap *heap)
{
	size_t runs = objects_run_count(heap->objects);
	struct objects_run_view first, last;
	struct object_place end;
	if (runs == 0)
		return;
	objects_run(heap->objects, 0, &first);
	objects_run(heap->objects, runs - 1, &last);
	objects_place(heap->objects, last.first + last.count - 1, &end);
	heap->columns->low = first.slot;
	heap->columns->span = end.slot + end.size - first.slot;
}
