#include "table/paths/what_if_part.h"

#include "analysis/dominators.h"
#include "base/mem.h"
#include "go/runtime/wait_records.h"
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
	SCOPED_BUF other = {0};
	operand_add_place(analysis, address, &other);
	err_set(err, "Neither an object nor a pointer to one lies at 0x%" PRIx64 "%s%s", address,
	        other.len ? ", which is " : "", buf_text(&other));
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

/* Removes the threads that go: their stacks, and what the runtime's records of them lead to. */
static void take_threads(const struct analysis *analysis, const bool *goes, struct what_if *what_if)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	struct wait_records records;
	wait_records_init(&records, heap, analysis_waits(analysis));
	for (uint32_t t = 0; t < heap->thread_count; t++) {
		struct ids ids = wait_records_of(&records, t);
		if (!goes[root_nodes->of_thread[t]])
			continue;
		what_if_stack(what_if, t);
		for (size_t i = 0; i < ids.count; i++)
			what_if_closed(what_if, ids.id[i]);
	}
	wait_records_fini(&records);
}

/* Removes the roots of all root nodes that go, and of those below them. `goes`: by root node. */
static void take_root_nodes(const struct analysis *analysis, bool *goes, struct what_if *what_if)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	bool threads = false;
	for (uint32_t node = 1; node < root_nodes->count; node++) {
		goes[node] = goes[node] || goes[root_nodes->root_node[node].parent];
		threads |= goes[node] && root_nodes->root_node[node].kind == ROOT_NODE_THREAD;
	}
	for (uint32_t root = 0; root < analysis_heap(analysis)->root_count; root++)
		if (goes[root_nodes->of_root[root]])
			what_if_root(what_if, root);
	if (threads)
		take_threads(analysis, goes, what_if);
}

static void take_root_node(const struct analysis *analysis, uint32_t node, struct what_if *what_if)
{
	SCOPED_FREE bool *goes = mem_alloc(analysis_root_nodes(analysis)->count * sizeof *goes);
	goes[node] = true;
	take_root_nodes(analysis, goes, what_if);
}

void what_if_part_take_threads(const struct analysis *analysis, struct ids threads,
                               struct what_if *what_if)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	SCOPED_FREE bool *goes = mem_alloc(root_nodes->count * sizeof *goes);
	for (size_t i = 0; i < threads.count; i++)
		goes[root_nodes->of_thread[threads.id[i]]] = true;
	take_root_nodes(analysis, goes, what_if);
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
		what_if_part_take_threads(analysis, groups_members(analysis_groups(analysis), entity.id),
		                          what_if);
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

bool what_if_part_is_thread(const struct analysis *analysis, struct entity entity)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	return entity.kind == ENTITY_ROOT_NODE
	       && root_nodes->root_node[entity.id].kind == ROOT_NODE_THREAD;
}

bool what_if_part_frees(const struct analysis *analysis, struct entity entity,
                        struct progress *progress, struct freed *freed)
{
	const struct dominators *d = analysis_dominators(analysis, RETAIN_ALIVE);
	const struct root_nodes *root_nodes = d->root_nodes;
	bool is_root = entity.kind == ENTITY_ROOT_NODE;
	if (entity.kind == ENTITY_OBJECT
	    || (is_root && !what_if_part_is_thread(analysis, entity)
	        && !root_nodes_is_flat(root_nodes, entity.id))) {
		uint32_t node = is_root ? root_nodes_node(root_nodes, entity.id) : entity.id;
		*freed = (struct freed){dominators_objects(d, node), dominators_bytes(d, node)};
		return true;
	}
	struct what_if *what_if = what_if_new(analysis_heap(analysis));
	what_if_part_take(analysis, entity, what_if);
	bool done = what_if_count(what_if, progress, freed);
	what_if_free(what_if);
	return done;
}
