#include "types/gochan.h"

/* The buffer of a file that lies may be nowhere, or be filled beyond its room. */
static void find_buffer(struct gochan *chan)
{
	uint64_t size = chan->elem_size;
	if (chan->length > chan->room || (chan->room && chan->first >= chan->room))
		chan->length = 0;
	if (chan->room && size && chan->room <= UINT64_MAX / size)
		chan->buffer = govalue_memory(chan->header.in, chan->address, chan->room * size);
	if (size && !chan->buffer)
		chan->length = 0;
}

bool gochan_read(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t size,
                 struct gochan *chan)
{
	const struct gotypes *types = typing_types(in->typing);
	uint64_t closed, descriptor = 0;
	*chan = (struct gochan){.header = {in, type, data, size}};
	if (!struct_view_number(&chan->header, "qcount", &chan->length)
	    || !struct_view_number(&chan->header, "dataqsiz", &chan->room)
	    || !struct_view_number(&chan->header, "elemsize", &chan->elem_size)
	    || !struct_view_number(&chan->header, "buf", &chan->address)
	    || !struct_view_number(&chan->header, "recvx", &chan->first)
	    || !struct_view_number(&chan->header, "closed", &closed))
		return false;
	chan->closed = closed;
	chan->elem = gotype_get(types, typing_container(in->typing, type))->elem;
	struct_view_number(&chan->header, "elemtype", &descriptor);
	if (!chan->elem)
		chan->elem = typing_dynamic(in->typing, descriptor, false);
	if (gotype_get(types, chan->elem)->size != chan->elem_size)
		chan->elem = 0;
	find_buffer(chan);
	return true;
}

uint64_t gochan_offset(const struct gochan *chan, uint64_t n)
{
	return (chan->first + n) % chan->room * chan->elem_size;
}

/* The first of a queue. */
static bool gochan_first_of(const struct gochan *chan, bool sends, struct gochan_waiter *waiter)
{
	struct struct_view queue;
	waiter->sends = sends;
	return struct_view_field(&chan->header, sends ? "sendq" : "recvq", &queue)
	       && struct_view_follow(&queue, "first", &waiter->sudog);
}

bool gochan_next_waiter(const struct gochan *chan, struct gochan_waiter *waiter)
{
	bool found = false;
	if (waiter->inside) {
		struct struct_view before = waiter->sudog;
		found = struct_view_follow(&before, "next", &waiter->sudog);
	}
	if (!waiter->inside)
		found = gochan_first_of(chan, false, waiter);
	if (!found && !waiter->sends)
		found = gochan_first_of(chan, true, waiter);
	waiter->inside = true;
	return found && struct_view_number(&waiter->sudog, "g", &waiter->goroutine);
}
