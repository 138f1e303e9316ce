/* The values that an expression leads to, where [*] stands for all elements: part of
   table/contents/value_set.h. */
#include "table/contents/value_set.h"

#include "base/mem.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"

#include <stdlib.h>
#include <string.h>

/* Steps with a [*] in one expression. */
enum { STARS = 8 };

struct value_expression {
	const struct analysis *analysis;
	struct value_set *set;
	/* The steps before, between and behind each [*] */
	char *steps[STARS + 1];
	int stars;
	uint64_t visited; /* elements: several containers may share them */
};

/* An element that is being visited, and the number of [*] before it. */
struct value_level {
	struct value_expression *of;
	int depth;
};

/* Returns the position of the next [*] outside of quotes; the end of the text: there is none. */
static const char *value_next_star(const char *text)
{
	for (bool quoted = false; *text; text++) {
		if (*text == '\\' && quoted && text[1])
			text++;
		else if (*text == '"')
			quoted = !quoted;
		else if (!quoted && strncmp(text, "[*]", 3) == 0)
			break;
	}
	return text;
}

static bool value_split(struct value_expression *e, const char *text, struct err *err)
{
	for (;;) {
		const char *end = value_next_star(text);
		e->steps[e->stars] = mem_strndup(text, (size_t)(end - text));
		if (!*end)
			return true;
		if (++e->stars > STARS)
			return err_set(err, "Too many [*]: %d at most", STARS);
		text = end + 3;
	}
}

static void value_add_last(void *self, const struct datum *element, const struct datum *key,
                           uint64_t index)
{
	const struct value_level *level = self;
	if (key->type)
		value_set_add_entry(level->of->set, element->address, element->type, key->address,
		                    key->type);
	else
		value_set_add(level->of->set, element->address, element->type, 1, index);
}

static bool value_add_row(void *self, const struct datum *row)
{
	const struct value_level *level = self;
	value_set_add(level->of->set, row->address, row->type, row->count, 0);
	return true;
}

/* Adds elements that no steps follow, unless they have elements themselves. */
static bool value_go_on_row(void *self, const struct datum *row)
{
	const struct value_level *level = self;
	const struct value_expression *e = level->of;
	return level->depth + 1 == e->stars && !*e->steps[e->stars]
	       && value_set_is_single(&e->set->in, row->type) && value_add_row(self, row);
}

/* Counts a value from which the steps do not lead on. The first one says why, behind the expression
   so far. */
static void value_fail(const struct value_level *level, const char *why)
{
	struct value_set *set = level->of->set;
	SCOPED_BUF text = {0};
	if (set->failed++)
		return;
	for (int i = 0; i < level->depth; i++)
		buf_addf(&text, "%s[*]", level->of->steps[i]);
	err_set(&set->why, "%.120s%.240s", buf_text(&text), why);
}

static void value_walk(const struct value_level *level, struct expression *e);

/* Applies the steps behind a [*] to an element. */
static void value_go_on(void *self, const struct datum *element, const struct datum *key,
                        uint64_t index)
{
	const struct value_level *before = self;
	struct value_level level = {before->of, before->depth + 1};
	const char *steps = level.of->steps[level.depth];
	struct expression e = {.start = steps, .place = *element};
	struct err why = {0};
	struct value_set *set = before->of->set;
	set->cut |= ++before->of->visited > set->most;
	if (set->cut)
		return;
	if (!*steps && level.depth == level.of->stars) {
		const struct value_visit last = {value_add_last, value_add_row, &level, &set->lost};
		if (!value_set_each(&set->in, element, &last))
			value_add_last(&level, element, key, index);
	} else if (expression_read(level.of->analysis, &e, &steps, &why) && !*steps) {
		value_walk(&level, &e);
	} else {
		value_fail(&level, why.text);
	}
}

/* Adds what a value stands for, or visits its elements if a [*] follows. */
static void value_walk(const struct value_level *level, struct expression *e)
{
	struct value_set *set = level->of->set;
	struct value_level here = *level;
	bool last = level->depth == level->of->stars;
	const struct value_visit visit = {last ? value_add_last : value_go_on,
	                                  last ? value_add_row : value_go_on_row, &here, &set->lost};
	if (value_set_each(&set->in, &e->place, &visit))
		return;
	if (last && e->place.type) {
		value_set_add(set, e->place.address, e->place.type, e->place.count, UINT64_MAX);
	} else {
		SCOPED_BUF why = {0};
		buf_addf(&why, "%s has no elements", level->of->steps[level->depth]);
		value_fail(&here, buf_text(&why));
	}
}

bool value_set_of_expression(struct value_set *set, const struct analysis *analysis,
                             const char *text, struct err *err)
{
	struct value_expression e = {.analysis = analysis, .set = set};
	struct operand operand;
	bool good = value_split(&e, text, err) && argument_operand(analysis, e.steps[0], &operand, err);
	if (good && operand.kind == OPERAND_ADDRESS) {
		uint32_t object;
		good = operand_object(analysis, &operand, &object, err);
		if (good)
			operand.value.place = datum_of_object(&set->in, object);
	} else if (good && operand.kind != OPERAND_VALUE) {
		good = err_set(err, "Name a map, slice, array or channel, as in: values main.cache");
	}
	if (good)
		value_walk(&(struct value_level){&e, 0}, &operand.value);
	if (good && !set->count && set->failed)
		good = err_set(err, "%.360s", set->why.text);
	for (int i = 0; i <= e.stars && i <= STARS; i++)
		free(e.steps[i]);
	return good;
}
