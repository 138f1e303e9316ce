#include "table/paths/what_if_part.h"

#include "heap/heap.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"
#include "table/naming/step.h"

#include <inttypes.h>

/* Finds an object, or the root node (variable, slot ...) of the first root whose word is at an
   address. */
static bool what_if_part_address(const struct analysis *analysis, uint64_t address,
                                 struct entity *entity, struct err *err)
{
	const struct heap *heap = analysis_heap(analysis);
	*entity = entity_of_object(heap_find(heap, address));
	for (uint32_t root = 0; root < heap->root_count && entity->kind == ENTITY_NONE; root++) {
		uint64_t word = heap->roots[root].address;
		if (word && word - address < heap->params.layout.pointer_size)
			*entity =
				(struct entity){ENTITY_ROOT_NODE, analysis_root_nodes(analysis)->of_root[root], 0};
	}
	if (entity->kind != ENTITY_NONE)
		return true;
	err_set(err, "Neither an object nor a pointer to one lies at 0x%" PRIx64, address);
	return argument_absent(heap, DAMAGE_ROOTS, err);
}

/* Selects every pointer in memory outside of the heap that is not a whole variable. */
static bool what_if_part_memory(const struct analysis *analysis, const struct operand *operand,
                                struct entity *entity)
{
	uint64_t address, size;
	if (!operand_memory(analysis, operand, &address, &size))
		return false;
	entity->kind = ENTITY_MEMORY;
	entity->extra = operand_roots(analysis_heap(analysis), address, size, &entity->id);
	return entity->extra > 0;
}

static bool what_if_part_operand(const struct analysis *analysis, const struct operand *operand,
                                 struct entity *entity, struct err *err)
{
	struct err own = {0};
	uint32_t node;
	if (operand->kind == OPERAND_ADDRESS)
		return what_if_part_address(analysis, operand->address, entity, err);
	if (operand->kind == OPERAND_ROOT || operand->kind == OPERAND_GROUP) {
		entity->kind = operand->kind == OPERAND_ROOT ? ENTITY_ROOT : ENTITY_GROUP;
		entity->id = operand->index;
		return true;
	}
	if (operand_node(analysis, operand, &node, &own)) {
		*entity = entity_of_node(analysis, node);
		return true;
	}
	if (what_if_part_memory(analysis, operand, entity))
		return true;
	if (err && !err->set)
		*err = own;
	return false;
}

bool what_if_part_read(const struct analysis *analysis, const char **text, struct entity *entity,
                       struct err *err)
{
	struct operand operand;
	uint32_t to;
	*entity = (struct entity){0};
	if (!operand_read(analysis, text, &operand, err))
		return false;
	if (**text != '>')
		return what_if_part_operand(analysis, &operand, entity, err);
	++*text;
	if (!operand_object(analysis, &operand, &entity->id, err)
	    || !argument_next_object(analysis, text, &to, err))
		return false;
	entity->kind = ENTITY_REFERENCE;
	entity->extra = to;
	const struct heap *heap = analysis_heap(analysis);
	if (reference_offset(heap, entity->id, to, 0) != UINT64_MAX)
		return true;
	err_set(err, "There is no reference from 0x%" PRIx64 " to 0x%" PRIx64,
	        heap_address(heap, entity->id), heap_address(heap, to));
	return argument_absent(heap, DAMAGE_ROOTS, err);
}

/* Removes all roots of a root node, and of those below it. */
static void take_root_node(const struct analysis *analysis, uint32_t root_node,
                           struct what_if *what_if)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	for (uint32_t root = 0; root < analysis_heap(analysis)->root_count; root++) {
		uint32_t above = root_nodes->of_root[root];
		while (above > root_node)
			above = root_nodes->root_node[above].parent;
		if (above == root_node)
			what_if_root(what_if, root);
	}
}

/* Removes the roots of all threads of a group, in a single pass over the roots. */
static void take_group(const struct analysis *analysis, uint32_t index, struct what_if *what_if)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	const struct groups *groups = analysis_groups(analysis);
	for (uint32_t root = 0; root < analysis_heap(analysis)->root_count; root++) {
		uint32_t above = root_nodes->of_root[root];
		while (above && root_nodes->root_node[above].kind != ROOT_NODE_THREAD)
			above = root_nodes->root_node[above].parent;
		if (above && groups->of[root_nodes->root_node[above].index] == index)
			what_if_root(what_if, root);
	}
}

void what_if_part_take(const struct analysis *analysis, struct entity entity,
                       struct what_if *what_if)
{
	switch (entity.kind) {
	case ENTITY_OBJECT:
		what_if_object(what_if, entity.id);
		break;
	case ENTITY_REFERENCE:
		what_if_reference(what_if, entity.id, (uint32_t)entity.extra);
		break;
	case ENTITY_ROOT_NODE:
		take_root_node(analysis, entity.id, what_if);
		break;
	case ENTITY_GROUP:
		take_group(analysis, entity.id, what_if);
		break;
	case ENTITY_ROOT:
		what_if_root(what_if, entity.id);
		break;
	case ENTITY_MEMORY:
		for (uint32_t i = 0; i < entity.extra; i++)
			what_if_root(what_if, entity.id + i);
		break;
	default:
		break;
	}
}
