#include "table/cut.h"

#include "base/text.h"
#include "table/argument.h"
#include "table/node_kind.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"

#include <inttypes.h>
#include <string.h>

static bool parse_reference(const struct analysis *analysis, const char *text, const char *arrow,
                            struct cut *cut, struct err *err)
{
	struct buf from = {0};
	cut->kind = CUT_REFERENCE;
	buf_add_bytes(&from, text, (size_t)(arrow - text));
	bool good = argument_object(analysis->heap, buf_text(&from), &cut->node, err)
	            && argument_object(analysis->heap, arrow + 1, &cut->to, err);
	buf_free(&from);
	if (good && reference_offset(analysis->heap, cut->node, cut->to, 0) == UINT64_MAX) {
		err_set(err, "There is no reference %.100s", text);
		return argument_absent(err);
	}
	return good;
}

/* The variable, slot ... of the first root whose word is in [address, address + size). */
static bool find_anchor(const struct analysis *analysis, uint64_t address, uint64_t size,
                        struct cut *cut)
{
	const struct heap *heap = analysis->heap;
	cut->kind = CUT_ANCHOR;
	for (uint32_t root = 0; root < heap->root_count; root++)
		if (heap->roots[root].address && heap->roots[root].address - address < size) {
			cut->node = analysis->anchors->of_root[root];
			return true;
		}
	return false;
}

static bool parse_address(const struct analysis *analysis, uint64_t address, const char *text,
                          struct cut *cut, struct err *err)
{
	cut->kind = CUT_OBJECT;
	cut->node = heap_find(analysis->heap, address);
	if (cut->node != OBJECT_NONE)
		return true;
	if (find_anchor(analysis, address, analysis->heap->params.layout.pointer_size, cut))
		return true;
	err_set(err, "Neither an object nor a pointer to one lies at %.100s", text);
	return argument_absent(err);
}

static bool parse_number(const struct analysis *analysis, const char *text, struct cut *cut,
                         bool *good, struct err *err)
{
	uint64_t number;
	bool ok;
	if (argument_setting(text, "root", &number, &ok)) {
		cut->kind = CUT_ROOT;
		cut->node = (uint32_t)number;
		*good = ok && number < analysis->heap->root_count;
	} else if (argument_setting(text, "goroutine", &number, &ok)) {
		uint32_t index = 0;
		*good = ok && argument_goroutine(analysis->heap, text + strlen("goroutine="), &index, err);
		cut->kind = CUT_ANCHOR;
		cut->node = *good ? analysis->anchors->of_goroutine[index] : 0;
	} else {
		return false;
	}
	if (!*good)
		err_set(err, "The dump has no %.100s", text);
	return true;
}

bool cut_parse(const struct analysis *analysis, const char *text, struct cut *cut,
               struct err *err)
{
	uint64_t address, size;
	bool good;
	*cut = (struct cut){0};
	const char *arrow = strchr(text, '>');
	if (arrow)
		return parse_reference(analysis, text, arrow, cut, err);
	if (argument_address(text, &address))
		return parse_address(analysis, address, text, cut, err);
	if (parse_number(analysis, text, cut, &good, err))
		return good;
	if (!names_place(analysis_names(analysis), text, &address, &size))
		return err_set(err, "\"%.100s\" is no object, reference, variable, goroutine or root: "
		                    "0xc000012340, 0xc000012340>0xc000056780, main.cache, goroutine=17",
		               text);
	if (find_anchor(analysis, address, size, cut))
		return true;
	err_set(err, "%.100s points at no object", text);
	return argument_absent(err);
}

void cut_add_name(const struct analysis *analysis, const struct cut *cut, struct buf *out)
{
	switch (cut->kind) {
	case CUT_OBJECT:
		node_add_label(analysis, cut->node, out);
		break;
	case CUT_REFERENCE:
		node_add_label(analysis, cut->node, out);
		step_add(analysis, cut->node, reference_offset(analysis->heap, cut->node, cut->to, 0), out);
		buf_add(out, " to ");
		node_add_label(analysis, cut->to, out);
		break;
	case CUT_ANCHOR:
		node_add_label(analysis, anchors_node(analysis->anchors, cut->node), out);
		break;
	case CUT_ROOT:
		root_add_name(analysis, &analysis->heap->roots[cut->node], out);
		break;
	}
}

void cut_add_root(const struct analysis *analysis, uint32_t root, struct buf *out)
{
	uint64_t address = analysis->heap->roots[root].address;
	if (address && heap_find(analysis->heap, address) == OBJECT_NONE)
		buf_addf(out, "0x%" PRIx64, address);
	else
		buf_addf(out, "root=%" PRIu32, root);
}

/* All roots of an anchor, and of those below it. */
static void take_anchor(const struct analysis *analysis, uint32_t anchor, struct without *without)
{
	const struct anchors *anchors = analysis->anchors;
	for (uint32_t root = 0; root < analysis->heap->root_count; root++) {
		uint32_t above = anchors->of_root[root];
		while (above > anchor)
			above = anchors->anchor[above].parent;
		if (above == anchor)
			without_root(without, root);
	}
}

void cut_take(const struct analysis *analysis, const struct cut *cut, struct without *without)
{
	switch (cut->kind) {
	case CUT_OBJECT:
		without_object(without, cut->node);
		break;
	case CUT_REFERENCE:
		without_reference(without, cut->node, cut->to);
		break;
	case CUT_ANCHOR:
		take_anchor(analysis, cut->node, without);
		break;
	case CUT_ROOT:
		without_root(without, cut->node);
		break;
	}
}
