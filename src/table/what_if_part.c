#include "table/what_if_part.h"

#include "base/text.h"
#include "table/argument.h"
#include "table/node_kind.h"
#include "table/operand.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"

#include <inttypes.h>

static bool must_refer(const struct analysis *analysis, const struct what_if_part *what_if_part,
                       struct err *err)
{
	const struct heap *heap = analysis->heap;
	if (reference_offset(heap, what_if_part->node, what_if_part->to, 0) != UINT64_MAX)
		return true;
	err_set(err, "There is no reference from 0x%" PRIx64 " to 0x%" PRIx64,
	        heap_address(heap, what_if_part->node), heap_address(heap, what_if_part->to));
	return argument_absent(analysis->heap, DAMAGE_ROOTS, err);
}

/* The variable, slot ... of the first root whose word is in [address, address + size). */
static bool find_root_node(const struct analysis *analysis, uint64_t address, uint64_t size,
                           struct what_if_part *what_if_part)
{
	const struct heap *heap = analysis->heap;
	what_if_part->kind = WHAT_IF_ROOT_NODE;
	for (uint32_t root = 0; root < heap->root_count; root++)
		if (heap->roots[root].address && heap->roots[root].address - address < size) {
			what_if_part->node = analysis->root_nodes->of_root[root];
			return true;
		}
	return false;
}

static bool what_if_part_address(const struct analysis *analysis, uint64_t address,
                                 struct what_if_part *what_if_part, struct err *err)
{
	what_if_part->kind = WHAT_IF_OBJECT;
	what_if_part->node = heap_find(analysis->heap, address);
	if (what_if_part->node != OBJECT_NONE)
		return true;
	if (find_root_node(analysis, address, analysis->heap->params.layout.pointer_size, what_if_part))
		return true;
	err_set(err, "Neither an object nor a pointer to one lies at 0x%" PRIx64, address);
	return argument_absent(analysis->heap, DAMAGE_ROOTS, err);
}

/* Of memory outside of the heap that is not all of a variable, every pointer in it. */
static bool what_if_part_memory(const struct analysis *analysis, const struct operand *operand,
                                struct what_if_part *what_if_part)
{
	if (!operand_memory(analysis, operand, &what_if_part->address, &what_if_part->size))
		return false;
	what_if_part->kind = WHAT_IF_MEMORY;
	return operand_roots(analysis->heap, what_if_part->address, what_if_part->size,
	                     &what_if_part->node)
	       > 0;
}

static bool what_if_part_operand(const struct analysis *analysis, const struct operand *operand,
                                 struct what_if_part *what_if_part, struct err *err)
{
	struct err own = {0};
	uint32_t node;
	if (operand->kind == OPERAND_ADDRESS)
		return what_if_part_address(analysis, operand->address, what_if_part, err);
	if (operand->kind == OPERAND_ROOT || operand->kind == OPERAND_GROUP) {
		what_if_part->kind = operand->kind == OPERAND_ROOT ? WHAT_IF_ROOT : WHAT_IF_GROUP;
		what_if_part->node = operand->index;
		return true;
	}
	if (!operand_node(analysis, operand, &node, &own)) {
		if (what_if_part_memory(analysis, operand, what_if_part))
			return true;
		if (err && !err->set)
			*err = own;
		return false;
	}
	uint32_t root_node = root_nodes_of_node(analysis->root_nodes, node);
	*what_if_part = root_node == UINT32_MAX
	                    ? (struct what_if_part){.kind = WHAT_IF_OBJECT, .node = node}
	                    : (struct what_if_part){.kind = WHAT_IF_ROOT_NODE, .node = root_node};
	return true;
}

bool what_if_part_read(const struct analysis *analysis, const char **text,
                       struct what_if_part *what_if_part, struct err *err)
{
	struct operand operand;
	*what_if_part = (struct what_if_part){0};
	if (!operand_read(analysis, text, &operand, err))
		return false;
	if (**text != '>')
		return what_if_part_operand(analysis, &operand, what_if_part, err);
	++*text;
	what_if_part->kind = WHAT_IF_REFERENCE;
	return operand_object(analysis, &operand, &what_if_part->node, err)
	       && argument_next_object(analysis, text, &what_if_part->to, err)
	       && must_refer(analysis, what_if_part, err);
}

/* By its place among the members of the groups. */
static uint32_t node_of_goroutine(const struct analysis *analysis, uint32_t member)
{
	uint32_t goroutine = analysis->groups->members[member];
	return root_nodes_node(analysis->root_nodes, analysis->root_nodes->of_goroutine[goroutine]);
}

void what_if_part_add_name(const struct analysis *analysis, const struct what_if_part *what_if_part,
                           struct buf *out)
{
	const struct group *group;
	switch (what_if_part->kind) {
	case WHAT_IF_OBJECT:
		node_add_label(analysis, what_if_part->node, out);
		break;
	case WHAT_IF_REFERENCE:
		node_add_label(analysis, what_if_part->node, out);
		step_add(analysis, what_if_part->node,
		         reference_offset(analysis->heap, what_if_part->node, what_if_part->to, 0), out);
		buf_add(out, " to ");
		node_add_label(analysis, what_if_part->to, out);
		break;
	case WHAT_IF_ROOT_NODE:
		node_add_label(analysis, root_nodes_node(analysis->root_nodes, what_if_part->node), out);
		break;
	case WHAT_IF_ROOT:
		root_add_name(analysis, &analysis->heap->roots[what_if_part->node], out);
		break;
	case WHAT_IF_GROUP:
		group = &analysis->groups->group[what_if_part->node];
		text_add_count(out, group->count);
		buf_add(out, " × ");
		node_add_kind(analysis, node_of_goroutine(analysis, group->first), out);
		break;
	case WHAT_IF_MEMORY:
		root_add_name(analysis, &analysis->heap->roots[what_if_part->node], out);
		buf_add(out, " and what stands beside it");
		break;
	}
}

void what_if_part_add_root(const struct analysis *analysis, uint32_t root, struct buf *out)
{
	uint64_t address = analysis->heap->roots[root].address;
	if (address && heap_find(analysis->heap, address) == OBJECT_NONE)
		buf_addf(out, "0x%" PRIx64, address);
	else
		buf_addf(out, "root=%" PRIu32, root);
}

/* All roots of a root node, and of those below it. */
static void take_root_node(const struct analysis *analysis, uint32_t root_node,
                           struct what_if *what_if)
{
	const struct root_nodes *root_nodes = analysis->root_nodes;
	for (uint32_t root = 0; root < analysis->heap->root_count; root++) {
		uint32_t above = root_nodes->of_root[root];
		while (above > root_node)
			above = root_nodes->root_node[above].parent;
		if (above == root_node)
			what_if_root(what_if, root);
	}
}

/* The frames, deferred calls and panics of each: their roots are marked once for all of them. */
static void take_group(const struct analysis *analysis, uint32_t index, struct what_if *what_if)
{
	const struct root_nodes *root_nodes = analysis->root_nodes;
	const struct groups *groups = analysis->groups;
	for (uint32_t root = 0; root < analysis->heap->root_count; root++) {
		uint32_t above = root_nodes->of_root[root];
		while (above && root_nodes->root_node[above].kind != ROOT_NODE_GOROUTINE)
			above = root_nodes->root_node[above].parent;
		if (above && groups->of[root_nodes->root_node[above].index] == index)
			what_if_root(what_if, root);
	}
}

void what_if_part_take(const struct analysis *analysis, const struct what_if_part *what_if_part,
                       struct what_if *what_if)
{
	uint32_t first, count;
	switch (what_if_part->kind) {
	case WHAT_IF_OBJECT:
		what_if_object(what_if, what_if_part->node);
		break;
	case WHAT_IF_REFERENCE:
		what_if_reference(what_if, what_if_part->node, what_if_part->to);
		break;
	case WHAT_IF_ROOT_NODE:
		take_root_node(analysis, what_if_part->node, what_if);
		break;
	case WHAT_IF_ROOT:
		what_if_root(what_if, what_if_part->node);
		break;
	case WHAT_IF_GROUP:
		take_group(analysis, what_if_part->node, what_if);
		break;
	case WHAT_IF_MEMORY:
		count = operand_roots(analysis->heap, what_if_part->address, what_if_part->size, &first);
		while (count--)
			what_if_root(what_if, first++);
		break;
	}
}
