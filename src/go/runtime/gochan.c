#include "go/runtime/gochan.h"

#include "go/runtime/goiface.h"
#include "heap/heap.h"
#include "structs.h"

/* ---- Layout */

enum {
	COUNT,
	ROOM,
	BUFFER,
	ELEM_SIZE,
	SYNCTEST,
	CLOSED,
	TIMER,
	ELEM_TYPE,
	SEND_AT,
	RECEIVE_AT,
	RECEIVERS,
	SENDERS
};

static const struct struct_layout sudog = {"runtime.sudog", NULL};
static const struct struct_layout waiters = {
	"waitq<",
	(const struct layout_field[]){
		{.name = "first", .kind = LAYOUT_POINTER, .of = &sudog},
		{.name = "last", .kind = LAYOUT_POINTER, .of = &sudog},
		{0},
	},
};
const struct struct_layout gochan_layout = {
	"hchan<",
	(const struct layout_field[]){
		[COUNT] = {.name = "qcount"},
		[ROOM] = {.name = "dataqsiz"},
		[BUFFER] = {.name = "buf", .kind = LAYOUT_POINTER},
		[ELEM_SIZE] = {.name = "elemsize", .size = 2},
		[SYNCTEST] = {.name = "synctest", .size = 1, .since = 24, .until = 24},
		[CLOSED] = {.name = "closed", .size = 4},
		[TIMER] = {.name = "timer", .kind = LAYOUT_POINTER, .since = 23},
		[ELEM_TYPE] = {.name = "elemtype", .kind = LAYOUT_POINTER},
		[SEND_AT] = {.name = "sendx"},
		[RECEIVE_AT] = {.name = "recvx"},
		[RECEIVERS] = {.name = "recvq", .kind = LAYOUT_STRUCT, .of = &waiters},
		[SENDERS] = {.name = "sendq", .kind = LAYOUT_STRUCT, .of = &waiters},
		{.name = "bubble", .kind = LAYOUT_POINTER, .since = 25},
		{.name = "lock"},
		{0},
	},
};

/* ---- With a known type */

/* Finds the buffer. In a damaged file it may be missing, or the length may exceed its capacity. */
static void find_buffer(struct gochan *chan)
{
	uint64_t size = chan->elem_size;
	if (chan->length > chan->room || (chan->room && chan->first >= chan->room))
		chan->length = 0;
	if (chan->room && size && chan->room <= UINT64_MAX / size)
		chan->buffer = gomemory_bytes(chan->header.in, chan->address, chan->room * size);
	if (size && !chan->buffer)
		chan->length = 0;
}

bool gochan_read(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
                 struct gochan *chan)
{
	const struct gotypes *types = in->types;
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
	chan->elem = gotype_get(types, goruntime_container(in, type))->elem;
	struct_view_number(&chan->header, "elemtype", &descriptor);
	if (!chan->elem)
		chan->elem = goiface_dynamic(in, descriptor, false);
	if (gotype_get(types, chan->elem)->size != chan->elem_size)
		chan->elem = 0;
	find_buffer(chan);
	return true;
}

uint64_t gochan_offset(const struct gochan *chan, uint64_t n)
{
	return (chan->first + n) % chan->room * chan->elem_size;
}

/* Returns the first waiter of a queue. */
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
	return found && struct_view_number(&waiter->sudog, "g", &waiter->thread);
}

bool gochan_buffer(const struct goruntime_place *at, gotype_id elem, struct pointee *buffer)
{
	struct struct_view header = structs_view(at);
	buffer->type = elem;
	return struct_view_number(&header, "dataqsiz", &buffer->count)
	       && struct_view_number(&header, "buf", &buffer->address) && buffer->count;
}

uint64_t gochan_timer_offset(unsigned width, unsigned minor)
{
	struct layout_places places;
	struct_layout_place(&gochan_layout, width, minor, &places);
	return places.at[TIMER];
}

bool gochan_length(const struct heap *heap, uint64_t header, uint64_t *length, uint64_t *room)
{
	unsigned width = heap->params.layout.pointer_size;
	struct layout_places places;
	struct_layout_place(&gochan_layout, width, 0, &places);
	const uint8_t *data = gomemory_in_dump(heap, header, places.at[ROOM] + width);
	if (!header || !data)
		return false;
	*length = heap_word(heap, data + places.at[COUNT]);
	*room = heap_word(heap, data + places.at[ROOM]);
	return true;
}

/* Returns the contents of a channel: only the header of a channel knows its element type. */
static size_t gochan_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	struct struct_view header = structs_view(at);
	uint64_t descriptor;
	if (!struct_view_number(&header, "elemtype", &descriptor) || !gochan_buffer(at, 0, out))
		return 0;
	out->type = gotypes_at(at->rt->types, descriptor - at->rt->bias);
	return 1;
}

const struct gotypes_part gochan_parts[] = {
	{"hchan<", "", true},
	{"waitq<", "(wait queue)", true},
	{"sudog<", "(waiter)", true},
	{0},
};

const struct goruntime_struct gochan_structs[] = {
	{"runtime.hchan", false, gochan_points_to},
	{"hchan<", false, gochan_points_to},
	{0},
};

/* ---- Without a type */

enum { LEAST_ADDRESS = 4096, TIMERS_SINCE = 23 };

void gochan_layouts_init(struct gochan_layouts *layouts, unsigned width)
{
	struct_layout_place(&gochan_layout, width, 0, &layouts->of[0]);
	struct_layout_place(&gochan_layout, width, TIMERS_SINCE, &layouts->of[1]);
}

bool gochan_queues(const struct gochan_layouts *layouts, unsigned n, const struct heap *heap,
                   uint64_t address, struct gochan_queue queues[2])
{
	const struct layout_places *places = &layouts->of[n];
	unsigned width = heap->params.layout.pointer_size;
	const uint8_t *data = gomemory_in_dump(heap, address, places->size);
	for (unsigned i = 0; data && i < 2; i++) {
		const uint8_t *queue = data + places->at[i ? SENDERS : RECEIVERS];
		queues[i] = (struct gochan_queue){heap_word(heap, queue), heap_word(heap, queue + width)};
	}
	return data != NULL;
}

/* Reads the address of the type descriptor, which is outside the heap, and checks that the send and
   receive indices lie in the buffer. */
static bool gochan_find_type(const struct layout_places *places, const struct probe *object,
                             struct gochan_found *found)
{
	if (object->bytes < places->size)
		return false;
	uint64_t send = probe_word(object, places->at[SEND_AT]);
	uint64_t receive = probe_word(object, places->at[RECEIVE_AT]);
	bool unused = !found->room && !send && !receive;
	found->elem_type = probe_word(object, places->at[ELEM_TYPE]);
	return found->elem_type >= LEAST_ADDRESS
	       && !objects_has_page(object->regions->heap->objects, found->elem_type)
	       && (unused || (send < found->room && receive < found->room));
}

/* Returns true if the buffer has room for its capacity. */
static bool gochan_has_room(const struct probe *object, const struct gochan_found *found)
{
	struct probe buffer;
	uint64_t bytes = found->room * found->elem_size;
	if (found->inside)
		return bytes <= probe_address(object) + object->bytes - found->buffer;
	return !object->region.noscan && probe_find(object->regions, found->buffer, &buffer)
	       && bytes <= buffer.bytes;
}

bool gochan_look(const struct gochan_layouts *layouts, const struct probe *object,
                 struct gochan_found *found)
{
	const struct layout_places *oldest = &layouts->of[0];
	const struct region *region = &object->region;
	if (object->bytes < oldest->size)
		return false;
	if (!region->noscan
	    && !region_points(object->regions, region, region->header + oldest->at[BUFFER]))
		return false;
	*found = (struct gochan_found){
		.room = probe_word(object, oldest->at[ROOM]),
		.buffer = probe_word(object, oldest->at[BUFFER]),
		.elem_size = probe_number(object, oldest->at[ELEM_SIZE], 2),
	};
	if (!found->buffer || probe_word(object, oldest->at[COUNT]) > found->room
	    || found->room > object->regions->heap->input->size
	    || probe_number(object, oldest->at[CLOSED], 4) > 1)
		return false;
	found->inside = found->buffer - probe_address(object) < object->bytes;
	return gochan_has_room(object, found)
	       && (gochan_find_type(oldest, object, found)
	           || gochan_find_type(&layouts->of[1], object, found));
}
