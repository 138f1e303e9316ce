/* Elements and entries of maps as steps of an expression: [3], ["key"]. */
#include "table/naming/expression_parts.h"

#include "base/text.h"
#include "go/runtime/gochan.h"
#include "heap/heap.h"
#include "table/contents/entries.h"

#include <string.h>

/* Parses "[12]" and returns a pointer to the "]". NULL: it is no number. */
static const char *read_index(const char *text, uint64_t *index)
{
	SCOPED_BUF digits = {0};
	size_t length = strspn(text + 1, "0123456789");
	buf_add_bytes(&digits, text + 1, length);
	bool good = length && text[1 + length] == ']' && text_parse_number(digits.data, index);
	return good ? text + 1 + length : NULL;
}

/* Finds a key in a map. False without an error: the value is no map. */
static bool look_for_key(struct reading_steps *r, const struct datum *place, bool is_key,
                         struct datum *found)
{
	struct entries entries;
	struct entries_match match;
	const char *text = r->at + (is_key ? strlen(" key ") : 0);
	if (!entries_open(&entries, &r->in, place))
		return false;
	entries_search(&entries, text, &match);
	if (match.length == 0)
		expression_fail_step(r, place,
		                     analysis_heap(r->analysis)->params.redacted
		                         ? "may have such a key, which a redacted file does not tell"
		                         : "has no such key");
	else if (match.equal > 1)
		expression_fail_step(r, NULL,
		                     "has several keys that are written so: give the object's address");
	const struct gomap_part *part = is_key ? &match.best.key : &match.best.value;
	if (match.equal == 1)
		*found = datum_at(&r->in, part->address, is_key ? entries.key : entries.value, 1);
	entries_close(&entries);
	if (match.equal == 1)
		r->at = text + match.length;
	return match.equal == 1;
}

/* Finds an element of an array; a slice and a channel refer to one. */
static bool look_for_element(struct reading_steps *r, const struct datum *place,
                             struct datum *found)
{
	uint64_t index;
	const char *end = read_index(r->at, &index);
	struct datum row = *place, buffer;
	struct gochan chan;
	bool single = false;
	if (!end || !r->in.typing)
		return false;
	if (place->type && place->count == 1) {
		enum gokind kind = gotype_get(analysis_types(r->analysis), place->type)->kind;
		single = kind == GO_SLICE && datum_follow(&r->in, place, &row);
		if (gochan_read(typing_runtime(r->in.typing), place->type, place->data, place->room, &chan)
		    && chan.elem && chan.buffer) {
			row = datum_at(&r->in, chan.address, chan.elem, chan.room);
			single = true;
		} else if (datum_field(&r->in, place, "buf", 3, &buffer)
		           && datum_follow(&r->in, &buffer, &row) && row.object != OBJECT_NONE) {
			row = datum_of_object(&r->in, row.object);
			single = true;
		}
	}
	bool one = single && row.count == 1 && index == 0 && row.data;
	if (!one && !(row.type && datum_element(&r->in, &row, index, found)))
		return false;
	if (one)
		*found = row;
	r->at = end + 1;
	return true;
}

static bool look_for_index(struct reading_steps *r, const struct datum *place, struct datum *found)
{
	return look_for_key(r, place, false, found)
	       || (!(r->err->set) && look_for_element(r, place, found));
}

static bool look_for_its_key(struct reading_steps *r, const struct datum *place,
                             struct datum *found)
{
	return look_for_key(r, place, true, found);
}

bool expression_take_index(struct reading_steps *r)
{
	return expression_take_step(r, look_for_index, "has no such element");
}

bool expression_take_key(struct reading_steps *r)
{
	return expression_take_step(r, look_for_its_key, "is no map");
}
