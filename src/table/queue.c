#include "table/queue.h"

#include "base/map.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* Goroutines by the address of their runtime.g. */
static void index_goroutines(const struct heap *heap, struct map *by_address)
{
	for (uint32_t i = 0; i < heap->goroutine_count; i++)
		map_put(by_address, heap->goroutines[i].record.address, i);
}

static void add_waiter(struct queue *queue, const struct heap *heap, const struct map *by_address,
                       const struct gochan_waiter *waiter)
{
	uint64_t index;
	bool known = map_get(by_address, waiter->goroutine, &index);
	queue->waiters = mem_grow(queue->waiters, queue->waiter_count, &queue->waiter_capacity,
	                          sizeof *queue->waiters);
	queue->waiters[queue->waiter_count++] = (struct queue_waiter){
		known ? &heap->goroutines[index] : NULL, waiter->goroutine, waiter->sends};
}

bool queue_init(struct queue *queue, const struct govalue *in, gotype_id type, const uint8_t *data,
                uint64_t size)
{
	const struct heap *heap = in->heap;
	struct map by_address = {0};
	struct gochan_waiter waiter = {0};
	*queue = (struct queue){0};
	if (!gochan_read(in, type, data, size, &queue->chan))
		return false;
	/* Every one that waits has an object of its own. */
	while (queue->waiter_count < heap_object_count(heap)
	       && gochan_next_waiter(&queue->chan, &waiter)) {
		if (by_address.count == 0)
			index_goroutines(heap, &by_address);
		add_waiter(queue, heap, &by_address, &waiter);
	}
	map_free(&by_address);
	return true;
}

void queue_fini(struct queue *queue)
{
	free(queue->waiters);
}

/* Elements without bytes are counted only. */
static uint64_t elements(const struct queue *queue)
{
	return queue->chan.buffer ? queue->chan.length : 0;
}

uint64_t queue_count(const struct queue *queue)
{
	return elements(queue) + queue->waiter_count;
}

void queue_get(const struct queue *queue, uint64_t n, struct field *field, struct buf *name)
{
	const struct gochan *chan = &queue->chan;
	if (n >= elements(queue)) {
		const struct queue_waiter *waiter = &queue->waiters[n - elements(queue)];
		buf_add(name, waiter->sends ? "sender" : "receiver");
		*field = field_none("goroutine");
		field->goroutine = waiter->goroutine;
		field->is_word = true;
		field->word = waiter->address;
		return;
	}
	buf_addf(name, "[%" PRIu64 "]", n);
	*field = field_none("value");
	field->type = chan->elem;
	field->data = chan->buffer + gochan_offset(chan, n);
	field->size = chan->elem_size;
	if (chan->elem)
		field_point_by_type(chan->header.in, field);
}
