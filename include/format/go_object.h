/* Object records of Go's dumps: most of a file, so these few lines decide how fast it is read. */
#ifndef FORMAT_GO_OBJECT_H
#define FORMAT_GO_OBJECT_H

#include "base/cursor.h"
#include "format/record.h"

enum { GO_TAG_OBJECT = 1, GO_HEADER_SIZE = 8, GO_HEADER_MAX = 32768 };

/* The end of a field list (kind, offset)* 0 of kind 1, or NULL when it is damaged or cut. */
static inline const uint8_t *go_fields_end(const uint8_t *at, const uint8_t *end)
{
	while (at < end) {
		if (*at == 0)
			return at + 1;
		if (*at != 1)
			return NULL;
		const uint8_t *longest = at + 11;
		do
			at++;
		while (at < end && *at >= 0x80 && at < longest);
		at++;
	}
	return NULL;
}

/* After the tag: address, contents, fields. False: the cursor has failed. */
static inline bool go_object_decode(struct cursor *c, const struct layout *layout, uint64_t offset,
                                    struct object_record *r)
{
	r->offset = offset;
	r->slot = cursor_uvarint(c);
	r->size = cursor_uvarint(c);
	r->data = cursor_bytes(c, r->size);
	const uint8_t *end = r->data ? go_fields_end(c->at, c->end) : NULL;
	if (!end) {
		cursor_bytes(c, UINT64_MAX); /* fails */
		return false;
	}
	r->fields = (struct fields){c->at, end};
	r->header = layout->header_over && r->size > layout->header_over && r->size <= GO_HEADER_MAX &&
	            *c->at != 0 ? GO_HEADER_SIZE : 0;
	c->at = end;
	r->end = (uint64_t)(end - c->base);
	return true;
}

#endif
