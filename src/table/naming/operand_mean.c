/* Resolves operands to objects, nodes and addresses: part of table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "base/bound.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/argument.h"
#include "table/naming/entity_parts.h"
#include "table/naming/nearest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80 };

/* ---- Memory of global variables */

static bool operand_mean_in_segment(const struct heap *heap, uint64_t address)
{
	for (uint32_t i = 0; i < heap->segment_count; i++)
		if (address - heap->segments[i].address < heap->segments[i].size)
			return true;
	return false;
}

static uint64_t operand_mean_size_of(const struct analysis *analysis, const struct datum *place)
{
	uint64_t size = place->type ? gotype_get(analysis_types(analysis), place->type)->size : 0;
	return size ? size * place->count : analysis_heap(analysis)->params.layout.pointer_size;
}

bool operand_memory(const struct analysis *analysis, const struct operand *operand,
                    uint64_t *address, uint64_t *size)
{
	struct govalue in = datum_memory(analysis);
	const struct datum *place = &operand->value.place;
	struct datum target;
	if (operand->kind != OPERAND_VALUE || place->object != OBJECT_NONE)
		return false;
	bool leads = place->type && datum_follow(&in, place, &target) && target.type
	             && target.object == OBJECT_NONE
	             && operand_mean_in_segment(analysis_heap(analysis), target.address);
	if (!leads && !operand_mean_in_segment(analysis_heap(analysis), place->address))
		return false;
	*address = leads ? target.address : place->address;
	*size = leads           ? operand_mean_size_of(analysis, &target)
	        : operand->size ? operand->size
	                        : operand_mean_size_of(analysis, place);
	return true;
}

uint32_t operand_roots(const struct heap *heap, uint64_t address, uint64_t size, uint32_t *first)
{
	uint32_t end = heap->root_kind_first[ROOT_BSS + 1], root = 0, count = 0;
	while (root < end && heap->roots[root].address - address >= size)
		root++;
	*first = root;
	while (root + count < end && heap->roots[root + count].address - address < size)
		count++;
	return count;
}

/* ---- Objects */

/* Appends the value itself, if known: " is 4096 (uintptr)" for a variable without pointers. */
static bool operand_mean_add_value(const struct analysis *analysis, const struct operand *operand,
                                   struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	const struct datum *place = &operand->value.place;
	SCOPED_BUF value = {0};
	if (operand->kind == OPERAND_VALUE && in.typing && place->type && place->data
	    && place->count == 1)
		govalue_add(&in, place->type, place->data, place->room, &value);
	bool told = value.len;
	if (told) {
		buf_addf(out, " is %s (", buf_text(&value));
		gotype_display(typing_types(in.typing), place->type, out);
		buf_add(out, ")");
	}
	return told;
}

static bool fail_meaning(const struct analysis *analysis, const struct operand *operand,
                         const char *why, const struct buf *more, struct err *err)
{
	SCOPED_BUF text = {0};
	text_add_escaped(&text, operand->start, (size_t)(operand->end - operand->start), SHOWN);
	if (operand_mean_add_value(analysis, operand, &text))
		buf_add(&text, ": it");
	buf_addf(&text, " %s%s", why, more ? buf_text(more) : "");
	err_set(err, "%.380s", buf_text(&text));
	return argument_absent(analysis_heap(analysis), DAMAGE_OBJECTS, err);
}

/* Appends the names of the first roots. */
static void operand_mean_add_roots(const struct analysis *analysis, uint32_t first, uint32_t count,
                                   struct buf *out)
{
	enum { NAMED = 5 };
	for (uint32_t i = 0; i < count && i < NAMED; i++) {
		buf_add(out, i ? ", " : "");
		entity_add_name(analysis, (struct entity){ENTITY_ROOT, first + i, 0}, out);
	}
	if (count > NAMED)
		buf_addf(out, " and %" PRIu32 " more", count - NAMED);
}

/* Stores the only object that memory outside of the heap points to. False: *err. */
static bool object_of_memory(const struct analysis *analysis, const struct operand *operand,
                             uint64_t address, uint64_t size, uint32_t *id, struct err *err)
{
	const struct heap *heap = analysis_heap(analysis);
	SCOPED_BUF more = {0};
	uint32_t first, count = operand_roots(heap, address, size, &first);
	*id = count ? heap->roots[first].target : OBJECT_NONE;
	for (uint32_t i = 1; i < count; i++)
		if (heap->roots[first + i].target != *id)
			*id = OBJECT_NONE;
	if (*id == OBJECT_NONE && count)
		operand_mean_add_roots(analysis, first, count, &more);
	if (*id == OBJECT_NONE)
		fail_meaning(analysis, operand,
		             count ? "is no object of the heap: name one of the pointers in it, "
		                   : "is outside of the heap, and points to no object",
		             &more, err);
	return *id != OBJECT_NONE;
}

/* Stores the object that contains a value or that it points to; *id is OBJECT_NONE if there is
   none. */
static bool object_of_pointer(const struct analysis *analysis, const struct operand *operand,
                              uint32_t *id, struct err *err)
{
	struct expression value = operand->value;
	*id = OBJECT_NONE;
	bool several = operand->size > analysis_heap(analysis)->params.layout.pointer_size
	               && !value.place.type;
	return several || expression_object(analysis, &value, operand->end, id, err);
}

bool operand_is_static(const struct analysis *analysis, const struct operand *operand,
                       uint64_t *address)
{
	uint64_t size;
	uint32_t id;
	return operand_memory(analysis, operand, address, &size)
	       && object_of_pointer(analysis, operand, &id, NULL) && id == OBJECT_NONE;
}

bool operand_tell_value(const struct analysis *analysis, const char *argument, struct buf *out)
{
	struct operand operand;
	SCOPED_BUF value = {0};
	uint64_t address, size;
	uint32_t first, id;
	bool told = argument_operand(analysis, argument, &operand, NULL)
	            && operand.kind == OPERAND_VALUE && object_of_pointer(analysis, &operand, &id, NULL)
	            && id == OBJECT_NONE
	            && (!operand_memory(analysis, &operand, &address, &size)
	                || !operand_roots(analysis_heap(analysis), address, size, &first))
	            && operand_mean_add_value(analysis, &operand, &value);
	if (told) {
		text_add_escaped(out, argument, strlen(argument), SHOWN);
		buf_add(out, buf_text(&value));
	}
	return told;
}

static bool object_of_value(const struct analysis *analysis, const struct operand *operand,
                            uint32_t *id, struct err *err)
{
	uint64_t address, size;
	if (!object_of_pointer(analysis, operand, id, err))
		return false;
	if (*id != OBJECT_NONE)
		return true;
	if (operand_memory(analysis, operand, &address, &size))
		return object_of_memory(analysis, operand, address, size, id, err);
	bool absent = operand->value.place.type && !operand->value.place.data;
	return fail_meaning(analysis, operand,
	                    absent ? "is not an object of the heap, and its value is not in the dump: "
	                             "heap dumps leave out variables without pointers"
	                           : "is not an object of the heap, and references none",
	                    NULL, err);
}

static bool object_of_thread(const struct analysis *analysis, const struct operand *operand,
                             uint32_t *id, struct err *err)
{
	*id = heap_find(analysis_heap(analysis),
	                analysis_heap(analysis)->threads[operand->index].record.address);
	return *id != OBJECT_NONE
	       || fail_meaning(analysis, operand, "has its descriptor outside of the heap", NULL, err);
}

static bool object_of_frame(const struct analysis *analysis, const struct operand *operand,
                            uint32_t *id, struct err *err)
{
	const struct frame *frame = &analysis_heap(analysis)->frames[operand->index];
	struct nearest nearest = {.wanted = operand->end + strspn(operand->end, " ")};
	SCOPED_BUF name = {0};
	if (operand_is_thread(analysis, operand)) {
		*id = heap_find(analysis_heap(analysis),
		                analysis_heap(analysis)->threads[frame->thread].record.address);
		if (*id != OBJECT_NONE)
			return true;
	}
	for (uint32_t r = frame->first_root; r < frame->first_root + frame->roots; r++) {
		buf_clear(&name);
		entity_add_slot(analysis, &analysis_heap(analysis)->roots[r], &name);
		nearest_see(&nearest, buf_text(&name));
	}
	buf_clear(&name);
	nearest_add(&nearest, &name);
	fail_meaning(analysis, operand,
	             nearest.count ? "is no object, name a word of it: "
	                           : "is not an object, and references none",
	             &name, err);
	return false;
}

bool operand_object(const struct analysis *analysis, const struct operand *operand, uint32_t *id,
                    struct err *err)
{
	SCOPED_BUF other = {0};
	*id = OBJECT_NONE;
	switch (operand->kind) {
	case OPERAND_ADDRESS:
		*id = heap_find(analysis_heap(analysis), operand->address);
		if (*id != OBJECT_NONE)
			return true;
		operand_add_place(analysis, operand->address, &other);
		err_set(err,
		        "No object of the dump lies at 0x%" PRIx64 "%s%s; the table objects lists them "
		        "all",
		        operand->address, other.len ? ", which is " : "", buf_text(&other));
		return argument_absent(analysis_heap(analysis), DAMAGE_OBJECTS, err);
	case OPERAND_THREAD:
		return object_of_thread(analysis, operand, id, err);
	case OPERAND_FRAME:
		return object_of_frame(analysis, operand, id, err);
	case OPERAND_ROOT:
		*id = analysis_heap(analysis)->roots[operand->index].target;
		return true;
	case OPERAND_VALUE:
		return object_of_value(analysis, operand, id, err);
	case OPERAND_ROOT_NODE:
	case OPERAND_GROUP:
		break;
	}
	return fail_meaning(analysis, operand, "is no object", NULL, err);
}

bool operand_address(const struct analysis *analysis, const struct operand *operand,
                     uint64_t *address, struct err *err)
{
	struct govalue in = datum_memory(analysis);
	struct expression value = operand->value;
	uint32_t id;
	*address = operand->address;
	if (operand->kind == OPERAND_ADDRESS)
		return true;
	if (operand->kind != OPERAND_VALUE || operand->value.whole) {
		if (!operand_object(analysis, operand, &id, err))
			return false;
		*address = heap_address(analysis_heap(analysis), id);
		return true;
	}
	if (!expression_object(analysis, &value, operand->end, &id, err))
		return false;
	if (id == OBJECT_NONE || !datum_pointer(&in, &value.place, address)
	    || heap_find(analysis_heap(analysis), *address) != id)
		*address = value.place.address;
	return true;
}

uint64_t operand_inside(const struct analysis *analysis, const struct operand *operand,
                        uint32_t object)
{
	uint64_t address;
	bool known = operand_address(analysis, operand, &address, NULL);
	return known && heap_find(analysis_heap(analysis), address) == object
	           ? address
	           : heap_address(analysis_heap(analysis), object);
}

/* ---- Nodes */

/* Returns the root node that has exactly these roots; UINT32_MAX: there is none. */
static uint32_t root_node_of_roots(const struct analysis *analysis, uint32_t first, uint32_t count)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	uint32_t end = analysis_heap(analysis)->root_kind_first[ROOT_BSS + 1];
	uint32_t root_node = count ? root_nodes->of_root[first] : UINT32_MAX;
	for (uint32_t i = 1; i < count; i++)
		if (root_nodes->of_root[first + i] != root_node)
			return UINT32_MAX;
	bool more = count
	            && ((first > 0 && root_nodes->of_root[first - 1] == root_node)
	                || (first + count < end && root_nodes->of_root[first + count] == root_node));
	return more ? UINT32_MAX : root_node;
}

static uint32_t root_node_of_value(const struct analysis *analysis, const struct operand *operand)
{
	uint64_t address, size;
	uint32_t first;
	if (operand->root != UINT32_MAX)
		return analysis_root_nodes(analysis)->of_root[operand->root];
	if (!operand_memory(analysis, operand, &address, &size))
		return UINT32_MAX;
	uint32_t count = operand_roots(analysis_heap(analysis), address, size, &first);
	return root_node_of_roots(analysis, first, count);
}

/* Returns the root node of an operand; UINT32_MAX: it is none. */
static uint32_t operand_mean_root_node_of(const struct analysis *analysis,
                                          const struct operand *operand)
{
	switch (operand->kind) {
	case OPERAND_THREAD:
		return analysis_root_nodes(analysis)->of_thread[operand->index];
	case OPERAND_FRAME:
		return analysis_root_nodes(analysis)->of_frame[operand->index];
	case OPERAND_ROOT_NODE:
		return operand->index;
	case OPERAND_ROOT:
		return analysis_root_nodes(analysis)->of_root[operand->index];
	case OPERAND_VALUE:
		return root_node_of_value(analysis, operand);
	case OPERAND_ADDRESS:
	case OPERAND_GROUP:
		break;
	}
	return UINT32_MAX;
}

bool operand_node(const struct analysis *analysis, const struct operand *operand, uint32_t *node,
                  struct err *err)
{
	uint32_t root_node = operand_mean_root_node_of(analysis, operand);
	if (root_node == UINT32_MAX && operand->kind == OPERAND_FRAME)
		return fail_meaning(analysis, operand, "references no object", NULL, err);
	if (root_node == UINT32_MAX)
		return operand_object(analysis, operand, node, err);
	*node = root_nodes_node(analysis_root_nodes(analysis), root_node);
	return true;
}

uint32_t *operand_nodes(const struct analysis *analysis, const struct operand *operand,
                        size_t *count, struct err *err)
{
	bool several = operand->kind == OPERAND_GROUP;
	const struct groups *groups = analysis_groups(analysis);
	const struct group *group = several ? &groups->group[operand->index] : NULL;
	uint32_t *nodes = mem_alloc((several ? group->count : 1) * sizeof *nodes);
	*count = several ? group->count : 1;
	for (size_t i = 0; several && i < *count; i++) {
		uint32_t thread = groups->members[group->first + i];
		nodes[i] = root_nodes_node(analysis_root_nodes(analysis),
		                           analysis_root_nodes(analysis)->of_thread[thread]);
	}
	if (several)
		bound_sort(nodes, *count, BOUND_ITSELF(uint32_t));
	if (several || operand_node(analysis, operand, nodes, err))
		return nodes;
	free(nodes);
	return NULL;
}
