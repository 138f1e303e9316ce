#include "table/cut.h"

#include "base/text.h"
#include "table/argument.h"
#include "table/node_kind.h"
#include "table/operand.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"

#include <inttypes.h>

static bool must_refer(const struct analysis *analysis, const struct cut *cut, struct err *err)
{
	const struct heap *heap = analysis->heap;
	if (reference_offset(heap, cut->node, cut->to, 0) != UINT64_MAX)
		return true;
	err_set(err, "There is no reference from 0x%" PRIx64 " to 0x%" PRIx64,
	        heap_address(heap, cut->node), heap_address(heap, cut->to));
	return argument_absent(analysis->heap, DAMAGE_ROOTS, err);
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

static bool cut_address(const struct analysis *analysis, uint64_t address, struct cut *cut,
                        struct err *err)
{
	cut->kind = CUT_OBJECT;
	cut->node = heap_find(analysis->heap, address);
	if (cut->node != OBJECT_NONE)
		return true;
	if (find_anchor(analysis, address, analysis->heap->params.layout.pointer_size, cut))
		return true;
	err_set(err, "Neither an object nor a pointer to one lies at 0x%" PRIx64, address);
	return argument_absent(analysis->heap, DAMAGE_ROOTS, err);
}

/* Of memory outside of the heap that is not all of a variable, every pointer in it. */
static bool cut_memory(const struct analysis *analysis, const struct operand *operand,
                       struct cut *cut)
{
	if (!operand_memory(analysis, operand, &cut->address, &cut->size))
		return false;
	cut->kind = CUT_MEMORY;
	return operand_roots(analysis->heap, cut->address, cut->size, &cut->node) > 0;
}

static bool cut_operand(const struct analysis *analysis, const struct operand *operand,
                        struct cut *cut, struct err *err)
{
	struct err own = {0};
	uint32_t node;
	if (operand->kind == OPERAND_ADDRESS)
		return cut_address(analysis, operand->address, cut, err);
	if (operand->kind == OPERAND_ROOT || operand->kind == OPERAND_GROUP) {
		cut->kind = operand->kind == OPERAND_ROOT ? CUT_ROOT : CUT_GROUP;
		cut->node = operand->index;
		return true;
	}
	if (!operand_node(analysis, operand, &node, &own)) {
		if (cut_memory(analysis, operand, cut))
			return true;
		if (err && !err->set)
			*err = own;
		return false;
	}
	uint32_t anchor = anchors_of_node(analysis->anchors, node);
	*cut = anchor == UINT32_MAX ? (struct cut){.kind = CUT_OBJECT, .node = node}
	                            : (struct cut){.kind = CUT_ANCHOR, .node = anchor};
	return true;
}

bool cut_read(const struct analysis *analysis, const char **text, struct cut *cut, struct err *err)
{
	struct operand operand;
	*cut = (struct cut){0};
	if (!operand_read(analysis, text, &operand, err))
		return false;
	if (**text != '>')
		return cut_operand(analysis, &operand, cut, err);
	++*text;
	cut->kind = CUT_REFERENCE;
	return operand_object(analysis, &operand, &cut->node, err)
	       && argument_next_object(analysis, text, &cut->to, err)
	       && must_refer(analysis, cut, err);
}

/* By its place among the members of the groups. */
static uint32_t node_of_goroutine(const struct analysis *analysis, uint32_t member)
{
	uint32_t goroutine = analysis->groups->members[member];
	return anchors_node(analysis->anchors, analysis->anchors->of_goroutine[goroutine]);
}

void cut_add_name(const struct analysis *analysis, const struct cut *cut, struct buf *out)
{
	const struct group *group;
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
	case CUT_GROUP:
		group = &analysis->groups->group[cut->node];
		text_add_count(out, group->count);
		buf_add(out, " × ");
		node_add_kind(analysis, node_of_goroutine(analysis, group->first), out);
		break;
	case CUT_MEMORY:
		root_add_name(analysis, &analysis->heap->roots[cut->node], out);
		buf_add(out, " and what stands beside it");
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

/* The frames, deferred calls and panics of each: their roots are marked once for all of them. */
static void take_group(const struct analysis *analysis, uint32_t index, struct without *without)
{
	const struct anchors *anchors = analysis->anchors;
	const struct groups *groups = analysis->groups;
	for (uint32_t root = 0; root < analysis->heap->root_count; root++) {
		uint32_t above = anchors->of_root[root];
		while (above && anchors->anchor[above].kind != ANCHOR_GOROUTINE)
			above = anchors->anchor[above].parent;
		if (above && groups->of[anchors->anchor[above].index] == index)
			without_root(without, root);
	}
}

void cut_take(const struct analysis *analysis, const struct cut *cut, struct without *without)
{
	uint32_t first, count;
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
	case CUT_GROUP:
		take_group(analysis, cut->node, without);
		break;
	case CUT_MEMORY:
		count = operand_roots(analysis->heap, cut->address, cut->size, &first);
		while (count--)
			without_root(without, first++);
		break;
	}
}
