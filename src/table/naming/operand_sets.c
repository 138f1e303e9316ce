/* Operands that are several objects: places and types. Part of table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/typed.h"
#include "table/paths/path_place.h"

#include <inttypes.h>
#include <string.h>

/* Takes several objects, which the text up to `length` names, as the first of them. */
static void operand_take_first(const struct analysis *analysis, const char *text, size_t length,
                               uint32_t id, struct operand *o)
{
	*o = (struct operand){.kind = OPERAND_ADDRESS,
	                      .address = heap_address(analysis_heap(analysis), id),
	                      .root = UINT32_MAX,
	                      .start = text,
	                      .end = text + length};
}

static bool operand_read_place(const struct analysis *analysis, const char *text, struct operand *o,
                               struct err *err)
{
	uint32_t id;
	bool several;
	size_t length = path_places.read(analysis, text, &id, &several, err);
	if (!length || length <= (size_t)(o->end - text))
		return false;
	operand_take_first(analysis, text, length, id, o);
	o->set = several || path_place_may_be(text) ? "at=" : NULL;
	return true;
}

/* Reads "main.Session", and "9 × main.Session" as tables count the objects of a type. */
static bool operand_read_type(const struct analysis *analysis, const char *text, struct operand *o)
{
	static const char times[] = " × ";
	const char *rest = text + strspn(text, "0123456789,");
	const char *type =
		rest > text && strncmp(rest, times, strlen(times)) == 0 ? rest + strlen(times) : text;
	size_t length = text_trimmed(type, strlen(type)), count;
	SCOPED_FREE char *name = mem_strndup(type, length);
	bool is_type = length && typed_is_name(analysis, name);
	SCOPED_FREE uint32_t *ids = is_type ? typed_select(analysis, name, &count) : NULL;
	if (!ids || !count)
		return false;
	operand_take_first(analysis, type, length, *ids, o);
	o->set = "type=";
	return true;
}

/* Returns true for a text that has what the name of a shared set has. */
static bool operand_may_be_owners(const char *text)
{
	static const char *const signs[] = {" × ", " and ", ", shared with ", " held by "};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strstr(text, signs[i]))
			return true;
	return false;
}

bool operand_read_set(const struct analysis *analysis, const char *text, struct operand *o,
                      struct err *err)
{
	bool marked = path_place_may_be(text);
	if (err && operand_may_be_owners(text) && operand_owners.read(analysis, text, o))
		return true;
	if (!analysis_has(analysis, path_places.tree->needs) && !marked)
		return false;
	bool made = err || marked || analysis_kept_made(analysis, path_places.tree, RETAIN_ALIVE);
	return operand_read_type(analysis, text, o)
	       || (made && operand_read_place(analysis, text, o, err));
}

void operand_add_set(const struct operand *operand, struct buf *out)
{
	buf_add(out, operand->set);
	if (operand->kind == OPERAND_GROUP) {
		buf_addf(out, "group=%" PRIu32, operand->index);
		return;
	}
	buf_add_bytes(out, operand->start, (size_t)(operand->end - operand->start));
}

unsigned operand_set_needs(void)
{
	return path_places.tree->needs;
}
