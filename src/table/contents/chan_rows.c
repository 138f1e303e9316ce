#include "table/contents/contents.h"

#include "base/map.h"
#include "base/mem.h"
#include "format/runtime.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <stdlib.h>

bool chan_rows_init(struct chan_rows *rows, const struct govalue *in, gotype_id type,
                    const uint8_t *data, uint64_t size)
{
	const struct heap *heap = in->heap;
	struct map by_address = {0};
	struct gochan_waiter waiter = {0};
	*rows = (struct chan_rows){.in = in};
	if (!gochan_read(typing_runtime(in->typing), type, data, size, &rows->chan))
		return false;
	/* Each waiter has an object of its own. */
	while (rows->waiter_count < heap_object_count(heap)
	       && gochan_next_waiter(&rows->chan, &waiter)) {
		if (by_address.count == 0) {
			for (uint32_t i = 0; i < heap->thread_count; i++)
				map_put(&by_address, heap->threads[i].record.address, i);
		}
		uint64_t index;
		bool known = map_get(&by_address, waiter.thread, &index);
		rows->waiters = mem_grow(rows->waiters, rows->waiter_count, &rows->waiter_capacity,
		                         sizeof *rows->waiters);
		rows->waiters[rows->waiter_count++] = (struct chan_rows_waiter){
			known ? &heap->threads[index] : NULL, waiter.thread, waiter.sends};
	}
	map_free(&by_address);
	return true;
}

void chan_rows_fini(struct chan_rows *rows)
{
	free(rows->waiters);
}

/* Elements without bytes have no rows. */
uint64_t chan_rows_count(const struct chan_rows *rows)
{
	return (rows->chan.buffer ? rows->chan.length : 0) + rows->waiter_count;
}

void chan_rows_get(const struct chan_rows *rows, uint64_t n, struct field *field, struct buf *name)
{
	const struct gochan *chan = &rows->chan;
	uint64_t elements = chan_rows_count(rows) - rows->waiter_count;
	if (n >= elements) {
		const struct chan_rows_waiter *waiter = &rows->waiters[n - elements];
		buf_add(name, waiter->sends ? "sender" : "receiver");
		*field = field_none(THREAD_WORD);
		field->thread = waiter->thread;
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
		field_point_by_type(rows->in, field);
}
