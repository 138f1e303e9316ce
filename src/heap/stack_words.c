#include "heap/stack_words.h"

#include "heap/columns.h"

#include "base/bits.h"
#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "go/exe/exe.h"
#include "go/exe/stack_objects.h"
#include "heap/pointer_walk.h"

#include <stdlib.h>

enum { STEPS_LEAST = 64 };

/* What stands at the ends of a frame, by architecture (runtime/traceback.go). */
struct frame_ends {
	char arch[10];
	uint8_t back;  /* bytes behind the variables: the return address */
	uint8_t least; /* bytes before the arguments, which are in the caller's frame */
	bool saves;    /* behind its variables a frame saves the caller's frame pointer */
};

/* A variable on the stack whose address is taken. */
struct stack_object {
	uint64_t address, size;
	const uint8_t *mask; /* NULL: every word may be a pointer */
	uint32_t words;
	bool reached;
};

/* The walk over the stack of one thread. */
struct stack_scan {
	struct heap *heap;
	const struct pclntab *table; /* NULL: no executable */
	uint64_t bias;
	unsigned minor, width;
	struct frame_ends ends;
	uint32_t first, count;       /* its frames */
	uint64_t low, high;          /* bounds of their contents */
	struct stack_object *object; /* sorted by address */
	size_t objects, object_capacity;
	uint8_t *exact, *whole; /* one bit per frame: its objects are known; every word counts */
	uint64_t *from; /* by frame of which every word counts: the first one that a pointer leads to */
	uint64_t left;  /* remaining steps: only a damaged executable needs more */
	bool prepared;  /* `listed`, `object` and `exact` are filled */
	struct map listed; /* addresses of the words that count already */
	uint64_t *ahead;   /* words that were not followed yet */
	size_t aheads, ahead_capacity;
};

static struct frame_ends stack_ends(struct text arch)
{
	static const struct frame_ends all[] = {
		{"amd64", 8, 0, true},    {"386", 4, 0, false},      {"wasm", 8, 0, false},
		{"arm64", 0, 8, true},    {"arm", 0, 4, false},      {"mips", 0, 4, false},
		{"mipsle", 0, 4, false},  {"mips64", 0, 8, false},   {"mips64le", 0, 8, false},
		{"ppc64", 0, 32, false},  {"ppc64le", 0, 32, false}, {"s390x", 0, 8, false},
		{"riscv64", 0, 8, false}, {"loong64", 0, 8, false},
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (text_is(arch, all[i].arch))
			return all[i];
	return (struct frame_ends){0};
}

static const struct frame_record *stack_frame(const struct stack_scan *w, uint32_t frame)
{
	return &w->heap->frames[w->first + frame].record;
}

/* Returns the frame that contains an address; UINT32_MAX: none. */
static uint32_t stack_frame_at(const struct stack_scan *w, uint64_t address)
{
	if (address - w->low >= w->high - w->low)
		return UINT32_MAX;
	size_t after = upper_bound(w->heap->frames + w->first, w->count,
	                           BOUND_BY(struct frame, record.sp), address);
	const struct frame_record *frame = after ? stack_frame(w, (uint32_t)after - 1) : NULL;
	return frame && address - frame->sp < frame->size ? (uint32_t)after - 1 : UINT32_MAX;
}

/* Returns how many bytes from a frame's sp on belong to its variables. */
static uint64_t stack_variables_end(const struct stack_scan *w, const struct frame_record *frame)
{
	uint64_t size = frame->size > w->ends.back ? frame->size - w->ends.back : 0;
	return size && w->ends.saves ? size - w->width : size;
}

/* ---- Stack objects of the executable */

/* Returns false if the object cannot be there. */
static bool stack_add_object(struct stack_scan *w, const struct frame_record *frame,
                             const struct stack_variable *variable)
{
	uint64_t base =
		frame->sp
		+ (variable->offset < 0 ? stack_variables_end(w, frame) : frame->size + w->ends.least);
	struct stack_object object = {
		.address = base + (uint64_t)variable->offset,
		.size = variable->size,
		.mask = variable->mask,
		.words = variable->words,
	};
	uint64_t cost = 1 + object.words / 8;
	if (object.address < frame->sp) /* it has no place yet: the function has just begun */
		return true;
	if (object.address > w->high || object.size > w->high - object.address || cost > w->left)
		return false;
	w->left -= cost;
	MEM_PUSH(w->object, w->objects, w->object_capacity, object);
	return true;
}

/* Adds the objects of a frame. Returns false if they are not known. */
static bool stack_add_objects(struct stack_scan *w, const struct frame_record *frame)
{
	struct stack_variables variables;
	struct stack_variable variable;
	uint64_t pc = frame->entry_pc - w->bias;
	size_t function = w->table ? pclntab_find(w->table, pc) : SIZE_MAX, before = w->objects;
	if (function == SIZE_MAX || w->table->functions[function].entry != pc
	    || !stack_variables_open(&variables, w->table, function, w->minor)
	    || variables.count > w->high - frame->sp)
		return false;
	for (uint64_t i = 0; i < variables.count && frame->continue_pc; i++)
		if (!stack_variables_next(&variables, &variable)
		    || !stack_add_object(w, frame, &variable)) {
			w->objects = before;
			return false;
		}
	return true;
}

/* Most stacks have no pointer into themselves, and need nothing of this. */
static void stack_prepare(struct stack_scan *w)
{
	w->prepared = true;
	for (uint32_t i = 0; i < w->count; i++) {
		const struct frame_record *frame = stack_frame(w, i);
		struct fields fields = frame->fields;
		uint64_t offset;
		while (fields_next(&fields, &offset))
			map_put(&w->listed, frame->sp + offset, 1);
		if (frame->size <= UINT32_MAX && stack_add_objects(w, frame))
			bit_set(w->exact, i);
	}
	bound_sort(w->object, w->objects, BOUND_BY(struct stack_object, address));
}

/* ---- The walk */

static void stack_follow(struct stack_scan *w, uint64_t word)
{
	if (word - w->low < w->high - w->low)
		MEM_PUSH(w->ahead, w->aheads, w->ahead_capacity, word);
}

/* Counts the word at an address, if it does not count already. */
static void stack_count_word(struct stack_scan *w, uint64_t address, bool guess)
{
	struct heap_columns *c = w->heap->columns;
	uint32_t index = stack_frame_at(w, address);
	uint64_t one = 1;
	if (index == UINT32_MAX)
		return;
	const struct frame_record *frame = stack_frame(w, index);
	uint64_t offset = address - frame->sp;
	if (!frame->data || frame->size - offset < w->width || !map_add(&w->listed, address, &one))
		return;
	uint64_t word = heap_word(w->heap, frame->data + offset);
	if (columns_find(w->heap, word) != OBJECT_NONE || word - w->low < w->high - w->low) {
		struct stack_word found = {w->first + index, (uint32_t)offset, guess, false};
		MEM_PUSH(c->stack_word, c->stack_words, c->stack_word_capacity, found);
	}
	stack_follow(w, word);
}

static void stack_count_frame(struct stack_scan *w, uint32_t index, uint64_t from)
{
	const struct frame_record *frame = stack_frame(w, index);
	uint64_t end = frame->size <= UINT32_MAX ? stack_variables_end(w, frame) : 0;
	if (!w->prepared)
		stack_prepare(w);
	w->from[index] = from < w->from[index] ? from : w->from[index];
	if (bit_is_set(w->whole, index))
		return;
	bit_set(w->whole, index);
	for (uint64_t at = 0; at + w->width <= end; at += w->width)
		stack_count_word(w, frame->sp + at, true);
}

static void stack_count_object(struct stack_scan *w, struct stack_object *object)
{
	if (object->reached)
		return;
	object->reached = true;
	for (uint32_t i = 0; i < object->words; i++)
		if (!object->mask || bit_is_set(object->mask, i))
			stack_count_word(w, object->address + (uint64_t)i * w->width, false);
}

/* Takes what a word of this stack leads to. */
static void stack_take(struct stack_scan *w, uint64_t word)
{
	if (!w->prepared)
		stack_prepare(w);
	size_t after = upper_bound(w->object, w->objects, BOUND_BY(struct stack_object, address), word);
	if (after && word - w->object[after - 1].address < w->object[after - 1].size) {
		stack_count_object(w, &w->object[after - 1]);
		return;
	}
	uint32_t index = stack_frame_at(w, word);
	if (index != UINT32_MAX && !bit_is_set(w->exact, index))
		stack_count_frame(w, index, word);
}

/* The runtime stops a thread anywhere: in that frame, and in the one that it interrupts, no map
   tells which words are pointers. */
static void stack_count_interrupted(struct stack_scan *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (text_is(stack_frame(w, i)->function, "runtime.asyncPreempt")) {
			stack_count_frame(w, i, 0);
			if (i + 1 < w->count)
				stack_count_frame(w, i + 1, 0);
		}
}

/* Closures of deferred calls, records of these and of panics may lie on the stack. */
static void stack_follow_records(struct stack_scan *w, uint32_t thread, uint32_t *defer,
                                 uint32_t *panic)
{
	const struct heap *heap = w->heap;
	stack_follow(w, heap->threads[thread].record.context);
	for (; *defer < heap->defer_count && heap->defers[*defer].behind <= thread + 1; ++*defer) {
		stack_follow(w, heap->defers[*defer].function);
		stack_follow(w, heap->defers[*defer].link);
	}
	for (; *panic < heap->panic_count && heap->panics[*panic].behind <= thread + 1; ++*panic)
		stack_follow(w, heap->panics[*panic].address);
}

/* Sets the bounds of a thread's stack. Returns false if it has no contents. */
static bool stack_bounds(struct stack_scan *w, const struct thread *thread)
{
	w->first = thread->first_frame;
	w->count = thread->frames;
	w->low = UINT64_MAX;
	w->high = 0;
	for (uint32_t i = 0; i < w->count; i++) {
		const struct frame_record *frame = stack_frame(w, i);
		if (!frame->data || !frame->size || frame->sp > UINT64_MAX - frame->size)
			continue;
		w->low = frame->sp < w->low ? frame->sp : w->low;
		w->high = frame->sp + frame->size > w->high ? frame->sp + frame->size : w->high;
	}
	return w->low < w->high;
}

static void stack_begin(struct stack_scan *w)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < w->count; i++)
		bytes += stack_frame(w, i)->size;
	w->left = STEPS_LEAST + bytes / w->width * 2;
	w->exact = mem_alloc(w->count / 8 + 1U);
	w->whole = mem_alloc(w->count / 8 + 1U);
	w->from = mem_alloc((w->count + 1ULL) * sizeof *w->from);
	for (uint32_t i = 0; i < w->count; i++)
		w->from[i] = UINT64_MAX;
	w->objects = w->aheads = 0;
	w->prepared = false;
}

static int stack_word_compare(const void *one, const void *other)
{
	const struct stack_word *a = one, *b = other;
	return a->frame != b->frame ? bound_compare(a->frame, b->frame)
	                            : bound_compare(a->offset, b->offset);
}

static void stack_end(struct stack_scan *w, size_t before)
{
	struct heap_columns *c = w->heap->columns;
	for (size_t i = before; i < c->stack_words; i++) {
		struct stack_word *word = &c->stack_word[i];
		uint32_t frame = word->frame - w->first;
		word->unlikely = word->guess && stack_frame(w, frame)->sp + word->offset < w->from[frame];
	}
	if (c->stack_words > before)
		qsort(c->stack_word + before, c->stack_words - before, sizeof *c->stack_word,
		      stack_word_compare);
	free(w->exact);
	free(w->whole);
	free(w->from);
	map_free(&w->listed);
	w->listed = (struct map){0};
}

static void stack_follow_frames(struct stack_scan *w)
{
	for (uint32_t i = 0; i < w->count; i++) {
		struct pointer_walk walk;
		struct pointer pointer;
		pointer_walk_frame(&walk, w->heap, stack_frame(w, i));
		while (pointer_walk_next(&walk, &pointer))
			stack_follow(w, pointer.value);
	}
}

void heap_find_stack_words(struct heap *heap)
{
	struct heap_columns *c = heap->columns;
	struct stack_scan w = {
		.heap = heap,
		.table = c->program ? exe_pclntab(c->program) : NULL,
		.bias = c->program_bias,
		.minor = record_minor_version(heap->params.version),
		.width = heap->params.layout.pointer_size,
		.ends = stack_ends(heap->params.arch),
	};
	uint32_t defer = 0, panic = 0;
	c->stack_words = 0;
	if (w.minor < STACK_OBJECTS_SINCE || !heap_has(heap, PART_GO) || heap_has(heap, PART_PROCESS)
	    || !w.ends.arch[0])
		return;
	for (uint32_t thread = 0; thread < heap->thread_count; thread++) {
		size_t before = c->stack_words;
		bool has = stack_bounds(&w, &heap->threads[thread]);
		stack_begin(&w);
		stack_follow_records(&w, thread, &defer, &panic);
		if (has)
			stack_follow_frames(&w);
		if (has)
			stack_count_interrupted(&w);
		while (has && w.aheads)
			stack_take(&w, w.ahead[--w.aheads]);
		stack_end(&w, before);
	}
	free(w.object);
	free(w.ahead);
}

void heap_use_program(struct heap *heap, const struct exe *exe, uint64_t bias)
{
	heap->columns->program = exe;
	heap->columns->program_bias = bias;
}

struct stack_words heap_stack_words(const struct heap *heap, uint32_t frame)
{
	const struct heap_columns *c = heap->columns;
	size_t first =
		lower_bound(c->stack_word, c->stack_words, BOUND_BY(struct stack_word, frame), frame);
	size_t end =
		upper_bound(c->stack_word, c->stack_words, BOUND_BY(struct stack_word, frame), frame);
	return (struct stack_words){c->stack_word + first, end - first};
}
