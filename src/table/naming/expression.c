#include "table/naming/expression_parts.h"

#include "base/text.h"
#include "table/naming/argument.h"
#include "table/naming/nearest.h"

#include <inttypes.h>
#include <string.h>

enum {
	FOLLOWED = 32,  /* consecutive pointers that are followed without a name */
	SHOWN = 80,     /* bytes shown of the text before the failed step */
	PROMOTED = 3,   /* depth of embedded pointers in the search for a field, */
	LOOKED_UP = 256 /* and their total number */
};

/* ---- Errors */

/* Sets "main.cluster is nil", "main.cluster (main.Cluster) has no such field: it has .Nodes,
   .Stop". */
bool expression_fail_step(struct reading_steps *r, const struct datum *place, const char *why)
{
	SCOPED_BUF text = {0}, wanted = {0};
	struct nearest nearest = {0};
	size_t length = (size_t)(r->at - r->e->start);
	size_t step = *r->at ? strcspn(r->at + 1, ".[( ") + 1 : 0;
	buf_add_bytes(&wanted, r->at, step);
	nearest.wanted = buf_text(&wanted);
	text_add_escaped(&text, r->e->start, length, SHOWN);
	if (place)
		expression_each(r->analysis, place, nearest_see, &nearest);
	if (place) {
		buf_add(&text, " (");
		datum_add_type(&r->in, place, &text);
		buf_add_char(&text, ')');
	}
	buf_addf(&text, " %s", why);
	if (nearest.count) {
		buf_add(&text, ": it has ");
		nearest_add(&nearest, &text);
	}
	err_set(r->err, "%.380s", buf_text(&text));
	return argument_absent(analysis_heap(r->analysis), DAMAGE_OBJECTS, r->err);
}

static bool fail_pointer(struct reading_steps *r, const struct datum *place)
{
	uint64_t word;
	SCOPED_BUF why = {0};
	if (!datum_pointer(&r->in, place, &word))
		buf_add(&why, place->count > 1 ? "stands for several values: choose one, as in [0]"
		                               : "does not exist");
	else if (word == 0)
		buf_add(&why, "is nil");
	else
		buf_addf(&why, "points to 0x%" PRIx64 ", which is not in the dump", word);
	bool pointer = datum_pointer(&r->in, place, &word);
	expression_fail_step(r, pointer ? NULL : place, buf_text(&why));
	return false;
}

/* ---- Following pointers */

/* Stores the target of a value, with the type of the pointer. The object that contains it may have
   another type: either may have fields. */
static bool follow_pointer(struct reading_steps *r, const struct datum *place, struct datum *target)
{
	return (datum_follow(&r->in, place, target) && target->data) || fail_pointer(r, place);
}

bool expression_take_step(struct reading_steps *r, look_for_step *look, const char *why)
{
	struct datum place = r->e->place, found, target;
	if (look(r, &place, &found)) {
		r->e->place = found;
		return true;
	}
	if (r->err->set)
		return false;
	if (r->e->whole && !place.type)
		return expression_fail_step(r, NULL, "has no known type: (+0x8) names a word of it");
	for (int depth = 0; depth < FOLLOWED; depth++) {
		if (!datum_leads_on(&r->in, &place) && (place.type || place.count > 1))
			return expression_fail_step(r, &place, why);
		if (!follow_pointer(r, &place, &target))
			return false;
		bool taken = look(r, &target, &found);
		struct datum whole = {0};
		if (!taken && target.object != OBJECT_NONE)
			whole = datum_of_object(&r->in, target.object);
		if (taken || (whole.data && look(r, &whole, &found))) {
			r->e->place = found;
			return true;
		}
		if (r->err->set)
			return false;
		/* What leads on if neither has the name. */
		const struct datum *next = datum_leads_on(&r->in, &target)                ? &target
		                           : whole.type && datum_leads_on(&r->in, &whole) ? &whole
		                                                                          : NULL;
		if (!next)
			return expression_fail_step(r, target.type || !whole.data ? &target : &whole, why);
		place = *next;
	}
	return expression_fail_step(r, &place, why);
}

/* ---- .Name */

static size_t name_length(const char *name)
{
	return strcspn(name, ".[( >,");
}

static bool look_for_field(struct reading_steps *r, const struct datum *place, struct datum *found)
{
	return datum_field(&r->in, place, r->at + 1, name_length(r->at + 1), found);
}

/* Searches the targets of embedded pointers, as Go promotes fields. The search is bounded, since a
   hostile executable may have any number of these. */
static bool find_promoted(struct reading_steps *r, const struct datum *place, int depth,
                          unsigned *budget, struct datum *found)
{
	const struct gotypes *types = analysis_types(r->analysis);
	const struct gotype *type = gotype_get(types, place->type);
	for (uint32_t i = 0; place->type && type->kind == GO_STRUCT && i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		struct datum inner, target;
		if (!field->embedded
		    || !datum_field(&r->in, place, field->name, strlen(field->name), &inner))
			continue;
		if (*budget == 0 || !--*budget || !datum_follow(&r->in, &inner, &target))
			continue;
		if (look_for_field(r, &target, found)
		    || (depth > 0 && find_promoted(r, &target, depth - 1, budget, found)))
			return true;
	}
	return false;
}

static bool look_for_promoted(struct reading_steps *r, const struct datum *place,
                              struct datum *found)
{
	unsigned budget = LOOKED_UP;
	return r->in.typing && find_promoted(r, place, PROMOTED, &budget, found);
}

static bool take_field(struct reading_steps *r)
{
	struct err none = {0}, *err = r->err;
	r->err = &none;
	bool taken = expression_take_step(r, look_for_field, "has no such field")
	             || (none = (struct err){0}, expression_take_step(r, look_for_promoted, ""));
	r->err = err;
	if (!taken && !expression_take_step(r, look_for_field, "has no such field"))
		return false;
	r->at += 1 + name_length(r->at + 1);
	return true;
}

/* ---- (+0x18), (+0x18 main.Item) */

static bool take_offset(struct reading_steps *r)
{
	SCOPED_BUF digits = {0};
	struct datum target;
	uint64_t offset;
	size_t length = strspn(r->at + 2, "0123456789abcdefx");
	buf_add_bytes(&digits, r->at + 2, length);
	const char *type = r->at[2 + length] == ' ' ? type_unmarked(r->at + 3 + length) : NULL;
	bool good = (type || r->at[2 + length] == ')') && argument_address(buf_text(&digits), &offset);
	if (!good)
		return expression_fail_step(r, NULL, "is followed by no offset, such as (+0x18)");
	if (!r->e->whole && !follow_pointer(r, &r->e->place, &target))
		return false;
	uint32_t object = r->e->whole ? r->e->place.object : target.object;
	if (object == OBJECT_NONE)
		return expression_fail_step(r, NULL, "references no object");
	struct datum whole = datum_of_object(&r->in, object);
	if (offset >= whole.room)
		return expression_fail_step(r, &whole, "ends before that");
	if (!type) {
		r->e->place = datum_scalar(&r->in, &whole, offset, NULL);
		r->at += 3 + length;
		return true;
	}
	if (!datum_typed(&r->in, &whole, offset, type, &length, &r->e->place))
		return expression_fail_step(r, &whole, "has no value of that type there");
	r->at = type + length + 1;
	return true;
}

/* ---- All kinds of steps */

static const struct step_kind {
	const char *begins;
	bool (*take)(struct reading_steps *r);
} step_kinds[] = {
	{".", take_field},
	{" key [", expression_take_key},
	{"[", expression_take_index},
	{"(+", take_offset},
};

static const struct step_kind *kind_of_step(const char *text)
{
	for (size_t i = 0; i < sizeof step_kinds / sizeof *step_kinds; i++)
		if (strncmp(text, step_kinds[i].begins, strlen(step_kinds[i].begins)) == 0)
			return &step_kinds[i];
	return NULL;
}

bool expression_goes_on(const char *text)
{
	return kind_of_step(text) != NULL;
}

/* Returns the length of " x298", and of a blank if a step follows it; 0: there is none. */
static size_t read_times(const char *text, uint64_t *times)
{
	struct buf digits = {0};
	if (strncmp(text, " x", 2) != 0)
		return 0;
	size_t length = strspn(text + 2, "0123456789"), end = 2 + length;
	buf_add_bytes(&digits, text + 2, length);
	bool good = length && text_parse_number(digits.data, times);
	buf_free(&digits);
	if (!good || (text[end] && text[end] != ' '))
		return 0;
	return end + (text[end] == ' ' && kind_of_step(text + end + 1));
}

/* Repeats the last step. Fails beyond the number of objects, because a path contains no object
   twice. */
static bool repeat_step(struct reading_steps *r, uint64_t times)
{
	const char *end = r->at;
	if (times > heap_object_count(analysis_heap(r->analysis))) {
		r->at = r->last;
		return expression_fail_step(r, NULL, "is repeated more often than there are objects");
	}
	for (; times > 1; times--) {
		r->at = r->last;
		if (!kind_of_step(r->at)->take(r))
			return false;
	}
	r->at = end;
	return true;
}

bool expression_read(const struct analysis *analysis, struct expression *e, const char **text,
                     struct err *err)
{
	struct err own = {0};
	struct reading_steps r = {analysis, datum_memory(analysis), e, *text, NULL, err ? err : &own};
	for (;;) {
		uint64_t times;
		const char *before = r.at;
		const struct step_kind *kind = kind_of_step(r.at);
		size_t repeated = kind || !r.last ? 0 : read_times(r.at, &times);
		if (kind && !kind->take(&r))
			return false;
		if (kind) {
			r.last = before;
			e->whole = false;
		} else if (repeated) {
			const char *end = r.at + repeated;
			if (!repeat_step(&r, times))
				return false;
			r.at = end;
		} else {
			break;
		}
	}
	*text = r.at;
	return true;
}

bool expression_object(const struct analysis *analysis, struct expression *e, const char *end,
                       uint32_t *id, struct err *err)
{
	struct err own = {0};
	struct reading_steps r = {analysis, datum_memory(analysis), e, end, NULL, err ? err : &own};
	struct datum target;
	uint64_t word;
	*id = e->place.object;
	if (e->whole || !datum_pointer(&r.in, &e->place, &word))
		return true;
	/* A word of unknown type counts as a pointer only if it points into an object. */
	*id = heap_find(analysis_heap(analysis), word);
	if (*id != OBJECT_NONE)
		return true;
	if (!datum_follow(&r.in, &e->place, &target) || !target.data)
		return fail_pointer(&r, &e->place);
	e->place = target;
	return true;
}
