/* Variables on stacks whose address is taken: their pointers count where a pointer leads to them
   (runtime/mgcmark.go: scanstack). */
#include "core_walk.h"

#include "base/bits.h"
#include "base/bound.h"
#include "base/mem.h"
#include "go/exe/stack_objects.h"

/* Adds a stack object of a frame. Returns false if none can be there. */
static bool add_stack_object(struct core_walk *w, const struct core_frame *frame,
                             const struct stack_variable *variable)
{
	uint64_t base = variable->offset < 0 ? frame->variables : frame->arguments;
	struct stack_object object = {
		.address = base + (uint64_t)variable->offset,
		.size = variable->size,
		.mask = variable->mask,
		.words = variable->words,
		.frame = (uint32_t)w->frames - 1,
	};
	if (object.address < frame->sp) /* it has no place yet: the function has just begun */
		return true;
	if (object.address > w->high || object.size > w->high - object.address
	    || !core_walk_spend_on_stack(w, 1 + object.words / 8))
		return false;
	MEM_PUSH(w->object, w->objects, w->object_capacity, object);
	return true;
}

/* Adds the stack objects of a frame. If there are such as no function has, every word of the frame
   counts. */
void core_walk_add_objects(struct core_walk *w, const struct core_frame *frame)
{
	const struct pclntab *table = exe_pclntab(w->rt->memory.exe);
	struct stack_variables variables;
	struct stack_variable variable;
	bool fits = stack_variables_open(&variables, table, frame->function, w->rt->layout.minor)
	            && variables.count <= w->high - frame->sp;
	for (uint64_t i = 0; fits && i < variables.count; i++)
		fits = stack_variables_next(&variables, &variable) && add_stack_object(w, frame, &variable);
	if (fits)
		return;
	core_walk_add_every_word(w);
	w->unfit++;
}

/* Marks the stack object that a word points to, if there is one. */
static void reach_object(struct core_walk *w, uint64_t word)
{
	size_t after = upper_bound(w->object, w->objects, BOUND_BY(struct stack_object, address), word);
	struct stack_object *object = after ? &w->object[after - 1] : NULL;
	if (!object || word - object->address >= object->size || object->reached)
		return;
	object->reached = true;
	MEM_PUSH(w->reached, w->reached_count, w->reached_capacity, (uint32_t)(after - 1));
}

static void scan_object(struct core_walk *w, const struct stack_object *object)
{
	size_t index = object->frame;
	for (uint32_t i = 0; i < object->words; i++) {
		if (object->mask && !bit_is_set(object->mask, i))
			continue;
		uint64_t at = object->address + i * 8ULL;
		while (index + 1 < w->frames && at >= w->frame[index + 1].record.sp)
			index++; /* arguments are in the frame of the caller */
		core_walk_add_field(&w->frame[index].list, at - w->frame[index].record.sp);
		reach_object(w, memory_peek_word(&w->rt->memory, at));
	}
}

/* Reaches what the goroutine's records refer to: closures of deferred calls, records of these and
   of panics may lie on the stack. */
static void reach_deferred(struct core_walk *w, const struct core_stack *stack)
{
	const struct core_runtime *rt = w->rt;
	uint64_t at = stack->defer;
	for (; at && core_walk_spend_on_stack(w, 1); at = rt_field(rt, at, RT_DEFER_LINK)) {
		reach_object(w, rt_field(rt, at, RT_DEFER_FN));
		reach_object(w, rt_field(rt, at, RT_DEFER_LINK));
	}
	reach_object(w, stack->panic);
	reach_object(w, stack->context);
}

void core_walk_reach_objects(struct core_walk *w, const struct core_stack *stack)
{
	if (!w->objects)
		return;
	bound_sort(w->object, w->objects, BOUND_BY(struct stack_object, address));
	for (size_t i = 0; i < w->frames; i++) {
		struct made_frame *made = &w->frame[i];
		const uint8_t *bytes = (const uint8_t *)buf_text(&made->list);
		struct fields fields = {.at = bytes, .end = bytes + made->list.len};
		uint64_t offset;
		while (made->list.len && fields_next(&fields, &offset))
			reach_object(w, memory_peek_word(&w->rt->memory, made->record.sp + offset));
	}
	reach_deferred(w, stack);
	while (w->reached_count)
		scan_object(w, &w->object[w->reached[--w->reached_count]]);
}
