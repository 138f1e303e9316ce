/* Resynchronization: finds the next place after damaged or missing bytes where a row of plausible
   records begins. */
#include "go/format/dump/go_object.h"

#include <string.h>

enum {
	ROW = 24,
	SHORT_ROW = 4,    /* enough at the end of the file */
	RECORD_WORK = 16, /* cost of a record besides its lists */
	SEARCH_SPEED = 8, /* bytes that can be searched in the time of trying one */
	TAG_PARAMS = 6,
	TAG_OTHERROOT = 2,
	TAG_MEMSTATS = 10,
	TAG_ITAB = 8,
	TAG_LAST = 17,
};

/* Conditions that a record of a trial must fulfill. */
struct trial {
	uint64_t width;
	bool plausible;
};

static void check_object(void *self, const struct object_record *r)
{
	struct trial *t = self;
	t->plausible = r->size > 0 && r->size % t->width == 0 && r->slot % t->width == 0;
}

static void check_record(void *self, enum record_kind kind, const void *record)
{
	struct trial *t = self;
	const struct frame_record *r = record;
	if (kind == RECORD_FRAME)
		t->plausible = r->entry_pc >= GO_FIRST_ADDRESS && r->pc >= r->entry_pc;
}

/* Returns true if the record at the cursor begins with a plausible address, or is of a kind without
   one. */
static bool begins_well(const struct go_walk *w)
{
	struct cursor c = w->c;
	uint64_t tag = cursor_uvarint(&c);
	if (tag == TAG_PARAMS || !cursor_ok(&c))
		return false;
	return tag == 0 || tag == TAG_OTHERROOT || tag == TAG_MEMSTATS
	       || cursor_uvarint(&c) >= GO_FIRST_ADDRESS;
}

static bool go_resync_is_row(const struct go_walk *walk, size_t from, uint64_t *budget)
{
	const char *name;
	struct trial t = {.width = walk->reader->params.layout.pointer_size};
	const struct sink sink = {
		.self = &t, .object = check_object, .ghost = check_object, .record = check_record};
	struct go_walk w = {.reader = walk->reader,
	                    .sink = &sink,
	                    .has_params = true,
	                    .trial = true,
	                    .c = cursor_make(walk->reader->data, walk->reader->size, from)};
	int count = 0;
	do {
		t.plausible = begins_well(&w);
		count++;
		w.work += RECORD_WORK;
	} while (t.plausible && go_record_read(&w, &name) && t.plausible && count < ROW
	         && w.work < *budget);
	*budget -= w.work < *budget ? w.work : *budget;
	if (w.ended)
		return count >= SHORT_ROW && cursor_left(&w.c) == 0;
	return count == ROW && t.plausible && cursor_ok(&w.c);
}

/* A row does not begin with tag 0, which ends it. */
bool go_resync(const struct go_walk *walk, size_t from, size_t end, uint64_t *budget, size_t *found)
{
	for (size_t at = from; at < end && *budget; at++)
		if (walk->reader->data[at] - 1U < TAG_LAST && go_resync_is_row(walk, at, budget)) {
			*found = at;
			return true;
		}
	return false;
}

/* The runtime wrote the type record because of an itab of that type, which follows: a 1 (the
   record's bool), the itab's tag, its address, and the type's address again. */
bool go_resync_type(const struct go_walk *walk, size_t from, uint64_t *budget, size_t *found)
{
	const struct go_reader *reader = walk->reader;
	const uint8_t mark[] = {1, TAG_ITAB}, *at = reader->data + from,
				  *end = reader->data + reader->size;
	uint64_t work = (uint64_t)(end - at) / SEARCH_SPEED;
	if (work > *budget)
		return false;
	while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark))) {
		struct cursor c =
			cursor_make(reader->data, reader->size, (uint64_t)(at - reader->data) + 2);
		cursor_uvarint(&c);
		if (cursor_uvarint(&c) == walk->broken_type && cursor_ok(&c)) {
			*found = (size_t)(at - reader->data) + 1;
			return true;
		}
		at++;
	}
	*budget -= work;
	return false;
}
