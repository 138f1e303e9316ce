/* The possible steps from a value: part of table/naming/expression.h. */
#include "table/naming/expression.h"

#include "base/text.h"
#include "table/contents/entries.h"

#include <inttypes.h>
#include <string.h>

enum { FOLLOWED = 32, LOG_OBJECTS = 4096, SHOWN = 80 };

struct each_step {
	const struct analysis *analysis;
	struct govalue in;
	void (*visit)(void *self, const char *step);
	void *self;
};

static void each_field(const struct each_step *each, const struct datum *place)
{
	const struct gotypes *types = analysis_types(each->analysis);
	const struct gotype *type = gotype_get(types, place->type);
	SCOPED_BUF step = {0};
	for (uint32_t i = 0; i < type->fields && i < LOG_OBJECTS; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		buf_clear(&step);
		buf_add_char(&step, '.');
		text_add_escaped(&step, field->name, strlen(field->name), SHOWN);
		each->visit(each->self, buf_text(&step));
	}
}

static bool each_key(const struct each_step *each, const struct datum *place)
{
	struct entries entries;
	struct gomap_entry entry;
	SCOPED_BUF key = {0};
	if (!entries_open(&entries, &each->in, place))
		return false;
	for (int i = 0; i < LOG_OBJECTS && entries_next(&entries, &entry); i++) {
		buf_clear(&key);
		entries_add_key(&each->in, entries.key, &entry.key, &key);
		each->visit(each->self, buf_text(&key));
	}
	entries_close(&entries);
	return true;
}

/* Visits the steps from this value itself. False: it has none. */
static bool each_here(const struct each_step *each, const struct datum *place)
{
	if (!place->type || each_key(each, place))
		return place->type;
	const struct gotype *type = gotype_get(analysis_types(each->analysis), place->type);
	if (datum_is_row(&each->in, place)) {
		uint64_t count = place->count > 1 ? place->count : type->count;
		SCOPED_BUF step = {0};
		each->visit(each->self, "[0]");
		buf_addf(&step, "[%" PRIu64 "]", count - 1);
		if (count > 1)
			each->visit(each->self, buf_text(&step));
		return true;
	}
	if (type->kind == GO_STRUCT)
		each_field(each, place);
	return type->kind == GO_STRUCT;
}

void expression_each(const struct analysis *analysis, const struct datum *place,
                     void (*visit)(void *self, const char *step), void *self)
{
	struct each_step each = {analysis, datum_memory(analysis), visit, self};
	struct datum at = *place, target;
	for (int depth = 0; depth < FOLLOWED && each.in.typing; depth++) {
		if (each_here(&each, &at) || !datum_follow(&each.in, &at, &target) || !target.data)
			return;
		if (target.object != OBJECT_NONE && (!target.type || !datum_leads_on(&each.in, &target))) {
			struct datum whole = datum_of_object(&each.in, target.object);
			target = whole.address == target.address || !target.type ? whole : target;
		}
		at = target;
	}
}
