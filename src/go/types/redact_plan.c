#include "redact_plan.h"

#include "base/mem.h"
#include "go/runtime/gomap.h"
#include "go/runtime/gostructure.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

enum {
	DEPTH = 64,      /* real types are nested far less */
	FLAT = 64,       /* an array of more items is one item */
	STATE_WORDS = 8, /* a longer array of numbers is data, not state */
};

bool redact_is_of_runtime(const char *name)
{
	static const char *const prefixes[] = {
		"runtime.",   "internal/runtime/", "internal/abi.",
		"sync.",      "internal/sync.",    "internal/poll.",
		"time.Timer", "time.Ticker",       "time.runtimeTimer",
	};
	/* The numbers of these are those of the program: an index, captured variables, arguments. */
	if (strcmp(name, "runtime.boundsError") == 0 || strstr(name, ".func")
	    || strcmp(name, "internal/abi.RegArgs") == 0)
		return false;
	/* "sync.example.com/app.Key" is of no package of the runtime. */
	const char *path = name + strcspn(name, "[/");
	bool std = *path != '/' || strncmp(name, "internal/", 9) == 0;
	for (size_t i = 0; std && i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Returns true for types whose numbers are state only within a type that has state. */
static bool redact_inherits(const char *name)
{
	return strncmp(name, "sync/atomic.", 12) == 0 || strncmp(name, "groupReference<", 15) == 0
	       || strncmp(name, "struct {", 8) == 0;
}

/* Fields of the runtime that hold values of the program. */
static bool redact_is_of_program(const char *field)
{
	return strcmp(field, "key") == 0 || strcmp(field, "value") == 0;
}

/* Fields from which, with the hashes, keys could be guessed. */
static bool redact_is_seed(const char *field)
{
	return strcmp(field, "hash0") == 0 || strcmp(field, "seed") == 0
	       || strcmp(field, "keySeed") == 0;
}

static void plan_add(struct redact_plan *plan, uint64_t offset, uint64_t size,
                     enum redact_word word)
{
	MEM_PUSH(plan->item, plan->count, plan->capacity, (struct redact_item){offset, size, 0, word});
}

struct redact_planner {
	struct redact_plans *plans;
	struct redact_plan *plan;
	uint64_t width;
};

static void plan_value(struct redact_planner *p, gotype_id type, uint64_t at, bool state,
                       int depth);

/* Adds a pointer and the lengths behind it. */
static void plan_lengths(struct redact_planner *p, uint64_t at, enum redact_word first, int count)
{
	plan_add(p->plan, at, p->width, first);
	for (int i = 1; i <= count; i++)
		plan_add(p->plan, at + (uint64_t)i * p->width, p->width, REDACT_LENGTH);
}

static void plan_row(struct redact_planner *p, const struct gotype *type, uint64_t at, bool state,
                     int depth)
{
	const struct gotype *elem = gotype_get(p->plans->runtime->types, type->elem);
	const struct redact_plan *each = redact_plan_of(p->plans, type->elem, state);
	bool numbers = elem->kind >= GO_BOOL && elem->kind <= GO_UINTPTR;
	if (!each->count || (numbers && (type->count > STATE_WORDS || elem->kind == GO_UINT8)))
		return;
	if (each->count > FLAT / (type->count + 1)) {
		plan_add(p->plan, at, type->count, REDACT_ROW);
		struct redact_item *row = &p->plan->item[p->plan->count - 1];
		row->of = type->elem;
		return;
	}
	for (uint64_t i = 0; i < type->count; i++)
		plan_value(p, type->elem, at + i * elem->size, state, depth + 1);
}

static void plan_struct(struct redact_planner *p, gotype_id id, uint64_t at, bool state, int depth)
{
	const struct goruntime *rt = p->plans->runtime;
	const struct gotype *type = gotype_get(rt->types, id);
	enum gostructure_role role = gostructure_role(rt, id);
	struct gomap_slots slots;
	if (role == GOSTRUCTURE_SLOTS && gomap_slots(rt, id, &slots))
		plan_add(p->plan, at + slots.control, 8, REDACT_NUMBER);
	bool header = role == GOSTRUCTURE_MAP || role == GOSTRUCTURE_CHAN || role == GOSTRUCTURE_TABLE;
	state = role == GOSTRUCTURE_SLOTS
	            ? false
	            : header || redact_is_of_runtime(type->name)
	                  || (state && (redact_inherits(type->name) || !*type->name));
	for (uint32_t i = 0; i < type->fields; i++) {
		const struct gofield *field = gotype_field(rt->types, type->first_field + i);
		if (state && redact_is_seed(field->name))
			plan_add(p->plan, at + field->offset, gotype_get(rt->types, field->type)->size,
			         REDACT_SEED);
		else
			plan_value(p, field->type, at + field->offset,
			           state && !redact_is_of_program(field->name), depth + 1);
	}
}

static void plan_value(struct redact_planner *p, gotype_id id, uint64_t at, bool state, int depth)
{
	const struct gotype *type = gotype_get(p->plans->runtime->types, id);
	if (depth == DEPTH)
		return;
	switch (type->kind) {
	case GO_STRUCT:
		plan_struct(p, id, at, state, depth);
		break;
	case GO_ARRAY:
		plan_row(p, type, at, state, depth);
		break;
	case GO_STRING:
		plan_lengths(p, at, REDACT_TEXT, 1);
		break;
	case GO_SLICE:
		plan_lengths(p, at, REDACT_POINTER, 2);
		break;
	case GO_INTERFACE:
		plan_add(p->plan, at, p->width, REDACT_POINTER);
		plan_add(p->plan, at + p->width, p->width, REDACT_POINTER);
		break;
	case GO_CHAN:
	case GO_FUNC:
	case GO_MAP:
	case GO_POINTER:
	case GO_UNSAFE_POINTER:
		plan_add(p->plan, at, p->width, REDACT_POINTER);
		break;
	default:
		if (state && type->kind >= GO_BOOL && type->kind <= GO_UINTPTR)
			plan_add(p->plan, at, type->size, REDACT_NUMBER);
	}
}

const struct redact_plan *redact_plan_of(struct redact_plans *plans, gotype_id type,
                                         bool of_runtime)
{
	uint64_t number = plans->count;
	if (map_add(&plans->known[of_runtime], type, &number)) {
		struct redact_plan *plan = mem_alloc(sizeof *plan);
		struct redact_planner planner = {plans, plan,
		                                 plans->runtime->heap->params.layout.pointer_size};
		MEM_PUSH(plans->plan, plans->count, plans->capacity, plan);
		plan_value(&planner, type, 0, of_runtime, 0);
	}
	return plans->plan[number];
}

void redact_plans_fini(struct redact_plans *plans)
{
	for (size_t i = 0; i < plans->count; i++) {
		free(plans->plan[i]->item);
		free(plans->plan[i]);
	}
	free(plans->plan);
	map_free(&plans->known[0]);
	map_free(&plans->known[1]);
}
