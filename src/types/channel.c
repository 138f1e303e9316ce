#include "types/channel.h"

/* Words of hchan: qcount, dataqsiz, buf, elemsize and closed, elemtype (from Go 1.23 on behind a
   timer), sendx, recvx, recvq, sendq, lock. */
enum { COUNT, SIZE, BUFFER, NUMBERS, TYPE, WORDS = 11, LEAST_ADDRESS = 4096 };

static uint64_t channel_word(const struct regions *r, const struct region *object, uint64_t n)
{
	return region_word(r, object, object->header + n * r->width);
}

static uint64_t channel_number(const struct regions *r, const struct region *object,
                               uint64_t offset, unsigned size)
{
	bool big = r->heap->params.layout.big_endian;
	uint64_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value = value << 8 | object->data[object->header + offset + (big ? i : size - 1 - i)];
	return value;
}

/* The descriptor's address is none of the heap; where to send and receive lies in the buffer. */
static bool channel_find_type(const struct regions *r, const struct region *object,
                              struct channel *channel)
{
	uint64_t first = r->width == 4 ? TYPE + 1 : TYPE; /* closed has a word of its own there */
	for (uint64_t at = first; at <= first + 1; at++) {
		uint64_t send = channel_word(r, object, at + 1), receive = channel_word(r, object, at + 2);
		bool unused = !channel->size && !send && !receive;
		channel->elem_type = channel_word(r, object, at);
		if (channel->elem_type >= LEAST_ADDRESS
		    && !objects_has_page(r->heap->objects, channel->elem_type)
		    && (unused || (send < channel->size && receive < channel->size)))
			return true;
	}
	return false;
}

/* Can as many elements stand where the buffer is? */
static bool channel_has_room(const struct regions *r, const struct region *object,
                             const struct channel *channel)
{
	struct region other;
	uint64_t end = object->address + object->size;
	if (channel->inside)
		return channel->size * channel->elem_size <= end - channel->buffer;
	return !object->noscan && regions_find(r, channel->buffer, &other)
	       && channel->buffer == other.address + other.header
	       && channel->size * channel->elem_size <= other.size - other.header;
}

bool channel_look(const struct regions *r, const struct region *object, struct channel *channel)
{
	unsigned w = r->width;
	if (object->size < object->header + (uint64_t)WORDS * w)
		return false;
	if (!object->noscan && !region_points(r, object, object->header + (uint64_t)BUFFER * w))
		return false;
	uint64_t own = object->address + object->header, numbers = (uint64_t)NUMBERS * w;
	*channel = (struct channel){.size = channel_word(r, object, SIZE),
	                            .buffer = channel_word(r, object, BUFFER),
	                            .elem_size = channel_number(r, object, numbers, 2)};
	channel->inside = channel->buffer - own < object->size - object->header;
	return channel->buffer && channel_word(r, object, COUNT) <= channel->size
	       && channel->size <= r->heap->input->size
	       && channel_number(r, object, numbers + 4, 4) <= 1 && channel_has_room(r, object, channel)
	       && channel_find_type(r, object, channel);
}
