#include "gosudog.h"

#include "format/record.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

enum {
	G,
	SELECT_DONE,
	NEXT,
	PREV,
	ELEM,
	ELEM_NUMBER,
	ACQUIRED,
	RELEASED,
	TICKET,
	IS_SELECT,
	PARENT,
	WAIT_LINK,
	WAIT_TAIL,
	CHANNEL,
	CHANNEL_NUMBER
};

/* Since Go 1.26 elem and c are stored twice: as a pointer, which may be nil, and as a number. */
const struct struct_layout gosudog_layout = {
	"runtime.sudog",
	(const struct layout_field[]){
		[G] = {.name = "g", .kind = LAYOUT_POINTER},
		[SELECT_DONE] = {.name = "selectdone", .kind = LAYOUT_POINTER, .until = 13},
		[NEXT] = {.name = "next", .kind = LAYOUT_POINTER},
		[PREV] = {.name = "prev", .kind = LAYOUT_POINTER},
		[ELEM] = {.name = "elem", .kind = LAYOUT_POINTER},
		[ELEM_NUMBER] = {.name = "elem.vu", .since = 26},
		[ACQUIRED] = {.name = "acquiretime", .size = 8, .since = 8},
		[RELEASED] = {.name = "releasetime", .size = 8},
		[TICKET] = {.name = "ticket", .size = 4},
		[IS_SELECT] = {.name = "isSelect", .size = 1, .since = 14},
		[PARENT] = {.name = "parent", .kind = LAYOUT_POINTER, .since = 9},
		[WAIT_LINK] = {.name = "waitlink", .kind = LAYOUT_POINTER},
		[WAIT_TAIL] = {.name = "waittail", .kind = LAYOUT_POINTER, .since = 9},
		[CHANNEL] = {.name = "c", .kind = LAYOUT_POINTER, .since = 7},
		[CHANNEL_NUMBER] = {.name = "c.vu", .since = 26},
		{0},
	},
};
const unsigned gosudog_minors[GOSUDOG_LAYOUTS] = {4, 7, 8, 9, 14, 26};

bool gosudog_object(const struct heap *heap, uint64_t address, struct object_record *record,
                    uint32_t *id)
{
	*id = address ? heap_find(heap, address) : OBJECT_NONE;
	return *id != OBJECT_NONE && heap_address(heap, *id) == address
	       && heap_object(heap, *id, record) && record->stored >= record->header;
}

bool gosudog_read(const struct heap *heap, const struct layout_places *places, uint64_t address,
                  struct gosudog *sudog)
{
	struct object_record record;
	uint32_t id;
	if (!gosudog_object(heap, address, &record, &id)
	    || record.stored - record.header < places->size)
		return false;
	const uint8_t *data = record.data + record.header;
	const uint64_t *at = places->at;
	bool numbers = at[CHANNEL_NUMBER] != UINT64_MAX;
	*sudog = (struct gosudog){
		.g = heap_word(heap, data + at[G]),
		.next = heap_word(heap, data + at[NEXT]),
		.prev = heap_word(heap, data + at[PREV]),
		.wait_link = heap_word(heap, data + at[WAIT_LINK]),
		.elem = heap_word(heap, data + at[numbers ? ELEM_NUMBER : ELEM]),
	};
	if (at[CHANNEL] != UINT64_MAX)
		sudog->channel = heap_word(heap, data + at[numbers ? CHANNEL_NUMBER : CHANNEL]);
	return true;
}
