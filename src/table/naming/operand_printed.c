/* Operands that are read by printing what there is: names of roots, and behind them the steps that
   the format of the dump names; and "main.Session 0xc000012340". Part of table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "analysis/root_nodes.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/reference.h"
#include "heap/root.h"
#include "table/naming/argument.h"
#include "table/naming/entity.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An object that the first `length` bytes of the text lead to; the last step begins at `last`. */
struct operand_printed {
	uint32_t object;
	size_t length, last;
};
struct operand_printed_search {
	const struct heap *heap;
	const char *text;
	struct operand_printed *at;
	size_t count, capacity;
	struct map seen; /* length << 32 | object */
};

static void operand_printed_add(struct operand_printed_search *s, uint32_t object, size_t length,
                                size_t last)
{
	uint64_t first = 1;
	if (operand_ends_here(s->text + length)
	    && map_add(&s->seen, (uint64_t)length << 32 | object, &first))
		MEM_PUSH(s->at, s->count, s->capacity, (struct operand_printed){object, length, last});
}

/* Returns the target of the first reference with a name; OBJECT_NONE: there is none. */
static uint32_t operand_printed_step(const struct heap *heap, uint32_t object, const char *name,
                                     size_t length)
{
	SCOPED_BUF step = {0};
	for (size_t i = 0, count = reference_count(heap, object); i < count; i++) {
		struct reference reference = reference_at(heap, object, i);
		buf_clear(&step);
		step_add_reference(heap, &reference, &step);
		if (step.len == length && memcmp(buf_text(&step), name, length) == 0)
			return reference.target;
	}
	return OBJECT_NONE;
}

/* Repeats the last step, where the text goes on with " x298 ". */
static void operand_printed_repeat(struct operand_printed_search *s, struct operand_printed at)
{
	SCOPED_BUF number = {0};
	uint64_t times = 0;
	const char *rest = s->text + at.length;
	size_t digits = strncmp(rest, " x", 2) == 0 ? strspn(rest + 2, "0123456789") : 0;
	buf_add_bytes(&number, rest + 2, digits);
	if (!digits || at.last == at.length || !text_parse_number(buf_text(&number), &times)
	    || times > heap_object_count(s->heap))
		return;
	uint32_t object = at.object;
	for (uint64_t i = 1; i < times && object != OBJECT_NONE; i++)
		object = operand_printed_step(s->heap, object, s->text + at.last, at.length - at.last);
	size_t end = at.length + 2 + digits;
	end += rest[2 + digits] == ' ' && expression_goes_on(rest + 3 + digits);
	if (object != OBJECT_NONE)
		operand_printed_add(s, object, end, end);
}

/* Adds the objects that the steps behind one lead to. */
static void operand_printed_go_on(struct operand_printed_search *s, struct operand_printed at)
{
	SCOPED_BUF step = {0};
	size_t count = s->text[at.length] ? reference_count(s->heap, at.object) : 0;
	for (size_t i = 0; i < count; i++) {
		struct reference reference = reference_at(s->heap, at.object, i);
		buf_clear(&step);
		step_add_reference(s->heap, &reference, &step);
		if (step.len && strncmp(s->text + at.length, buf_text(&step), step.len) == 0)
			operand_printed_add(s, reference.target, at.length + step.len, at.length);
	}
	operand_printed_repeat(s, at);
}

/* Words of frames are read with their threads (operand_read_thread), variables by their symbols. */
static bool operand_printed_has(const struct root *root)
{
	return root->kind != ROOT_FRAME && root->kind != ROOT_DATA && root->kind != ROOT_BSS;
}

bool operand_read_printed(const struct analysis *analysis, const char *text, struct operand *o,
                          struct err *err)
{
	struct operand_printed_search s = {.heap = analysis_heap(analysis), .text = text};
	struct operand_printed best = {OBJECT_NONE, 0, 0};
	bool named = heap_has(s.heap, PART_NAMES), clear = true;
	SCOPED_BUF name = {0};
	for (uint32_t i = 0; i < s.heap->root_count; i++) {
		if (!operand_printed_has(&s.heap->roots[i]))
			continue;
		buf_clear(&name);
		entity_add_name(analysis, (struct entity){ENTITY_ROOT, i, 0}, &name);
		if (name.len && strncmp(text, buf_text(&name), name.len) == 0)
			operand_printed_add(&s, s.heap->roots[i].target, name.len, name.len);
	}
	for (size_t i = 0; i < s.count; i++) { /* those that lead further come later */
		struct operand_printed at = s.at[i];
		clear = at.length > best.length
		        || (at.length == best.length ? clear && at.object == best.object : clear);
		if (at.length > best.length)
			best = at;
		if (named && best.length && text[best.length])
			operand_printed_go_on(&s, at);
	}
	free(s.at);
	map_free(&s.seen);
	bool alone = best.last == best.length || best.last == 0; /* no steps: names of roots */
	if (best.object != OBJECT_NONE && !clear && alone) {
		*o = (struct operand){.kind = OPERAND_ADDRESS,
		                      .address = heap_address(s.heap, best.object),
		                      .root = UINT32_MAX,
		                      .start = text,
		                      .end = text + best.length,
		                      .set = OPERAND_OF_ROOTS};
		return true;
	}
	if (best.object != OBJECT_NONE && !clear) {
		*err = (struct err){0};
		err_set(err,
		        "\"%.100s\" is the name of several objects, 0x%" PRIx64 " among them: the table "
		        "roots has their addresses",
		        text, heap_address(s.heap, best.object));
	}
	if (best.object == OBJECT_NONE || !clear)
		return false;
	struct govalue in = datum_memory(analysis);
	o->kind = named ? OPERAND_ADDRESS : OPERAND_VALUE;
	o->address = heap_address(s.heap, best.object);
	o->value.place = datum_of_object(&in, best.object);
	o->value.whole = true;
	o->end = text + best.length;
	return true;
}

bool operand_read_label(const struct analysis *analysis, const char *text, struct operand *o)
{
	SCOPED_BUF label = {0};
	for (const char *at = strstr(text, " 0x"); at; at = strstr(at + 1, " 0x")) {
		SCOPED_BUF digits = {0};
		size_t length = 2 + strspn(at + 3, "0123456789abcdef");
		uint64_t address;
		buf_add_bytes(&digits, at + 1, length);
		if (!argument_address(buf_text(&digits), &address) || !operand_ends_here(at + 1 + length))
			continue;
		uint32_t id = heap_find(analysis_heap(analysis), address);
		buf_clear(&label);
		entity_add_label(analysis, entity_of_object(id), &label);
		if (id == OBJECT_NONE || label.len != (size_t)(at - text) + 1 + length
		    || strncmp(text, buf_text(&label), label.len) != 0)
			continue;
		o->kind = OPERAND_ADDRESS;
		o->address = address;
		o->end = at + 1 + length;
		return true;
	}
	return false;
}

/* Those whose roots have no other name: others are read as variables, threads, roots. */
static bool operand_printed_is_node(const struct root_node *node)
{
	return node->kind == ROOT_NODE_CLASS || node->kind == ROOT_NODE_POOL
	       || node->kind == ROOT_NODE_TIMERS || node->kind == ROOT_NODE_PLUMBING
	       || node->kind == ROOT_NODE_WEAK_REFERENCES || node->kind == ROOT_NODE_FINALIZER;
}

bool operand_read_node(const struct analysis *analysis, const char *text, struct operand *o)
{
	const struct root_nodes *nodes =
		analysis_has(analysis, STAGE_DOMINATED) ? analysis_root_nodes(analysis) : NULL;
	SCOPED_BUF name = {0};
	size_t length = 0;
	for (uint32_t i = 0; nodes && i < nodes->count; i++) {
		if (!operand_printed_is_node(&nodes->root_node[i]))
			continue;
		buf_clear(&name);
		entity_add_label(analysis, (struct entity){ENTITY_ROOT_NODE, i, 0}, &name);
		if (name.len <= length || strncmp(text, buf_text(&name), name.len) != 0
		    || !operand_ends_here(text + name.len))
			continue;
		length = name.len;
		o->kind = OPERAND_ROOT_NODE;
		o->index = i;
		o->end = text + length;
	}
	return length;
}
