#include "gowait_queues.h"

#include "heap/heap.h"

void gowait_queues_init(struct gowait_queues *queues, const struct heap *heap,
                        const struct map *goroutines, unsigned minor)
{
	unsigned width = heap->params.layout.pointer_size;
	*queues = (struct gowait_queues){
		.heap = heap, .goroutines = goroutines, .says_channel = minor >= GOSUDOG_SAYS_CHANNEL};
	struct_layout_place(&gosudog_layout, width, minor, &queues->sudog);
	gochan_layouts_init(&queues->layouts, width);
}

void gowait_queues_fini(struct gowait_queues *queues)
{
	map_free(&queues->looked_at);
	map_free(&queues->queued);
}

/* Reads a sudog in a queue of the channel. Returns false if it belongs to no goroutine of the dump,
   or to another channel. */
static bool gowait_queues_member(const struct gowait_queues *q, uint64_t channel, uint64_t address,
                                 struct gosudog *sudog)
{
	uint64_t index;
	return gosudog_read(q->heap, &q->sudog, address, sudog)
	       && map_get(q->goroutines, sudog->g, &index)
	       && (!q->says_channel || sudog->channel == channel);
}

/* Returns true if both ends of a queue are valid sudogs, or the queue is empty. */
static bool gowait_queues_agree(const struct gowait_queues *q, uint64_t channel,
                                const struct gochan_queue *queue)
{
	struct gosudog first, last;
	if (!queue->first && !queue->last)
		return true;
	return gowait_queues_member(q, channel, queue->first, &first)
	       && gowait_queues_member(q, channel, queue->last, &last) && !first.prev && !last.next;
}

static void gowait_queues_note(struct gowait_queues *q, uint64_t channel, uint64_t first,
                               bool sends)
{
	uint32_t object = heap_find(q->heap, channel);
	struct gosudog sudog;
	uint64_t seen;
	for (uint64_t at = first; at && !map_get(&q->queued, at, &seen); at = sudog.next) {
		if (!gowait_queues_member(q, channel, at, &sudog))
			return;
		map_put(&q->queued, at, (uint64_t)object << 1 | sends);
	}
}

void gowait_queues_add(struct gowait_queues *q, uint64_t address)
{
	struct gochan_queue queues[2];
	struct object_record record;
	uint64_t seen;
	uint32_t id;
	if (map_get(&q->looked_at, address, &seen) || !gosudog_object(q->heap, address, &record, &id))
		return;
	map_put(&q->looked_at, address, 1);
	for (unsigned n = 0; n < sizeof q->layouts.of / sizeof *q->layouts.of; n++) {
		if (!gochan_queues(&q->layouts, n, q->heap, address, queues)
		    || !gowait_queues_agree(q, address, &queues[0])
		    || !gowait_queues_agree(q, address, &queues[1]))
			continue;
		gowait_queues_note(q, address, queues[0].first, false);
		gowait_queues_note(q, address, queues[1].first, true);
	}
}

bool gowait_queues_find(const struct gowait_queues *q, uint64_t sudog, uint32_t *channel,
                        bool *sends)
{
	uint64_t found;
	if (!map_get(&q->queued, sudog, &found))
		return false;
	*channel = (uint32_t)(found >> 1);
	*sends = found & 1;
	return true;
}
