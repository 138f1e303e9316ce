/* Unwinds stacks as runtime/traceback.go does. Frames are reported in the order of
   runtime/heapdump.go. */
#include "core_stacks.h"

#include "base/bits.h"
#include "base/bound.h"
#include "base/buf.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	LOCALS = 1,
	ARGUMENTS = 0,
	STACK_MAP_INDEX = 1, /* numbers of funcdata and pcdata */
	MOST_BITS = 1 << 20,
	STEPS_LEAST = 1 << 20
};

/* Appends a field to a list as in dumps: (kind, offset)* 0. */
static void add_field(struct buf *list, uint64_t offset)
{
	buf_add_char(list, 1);
	for (; offset >= 0x80; offset >>= 7)
		buf_add_char(list, (char)(offset | 0x80));
	buf_add_char(list, (char)offset);
}

/* A bitmap of pointer words. `known` is false if the function has no map at all: every word counts
   then. It is true with 0 bits if there are no pointers. */
struct word_map {
	const uint8_t *map;
	uint32_t bits;
	bool known;
};

static void stack_add_words(struct buf *list, const struct word_map *map, uint64_t offset,
                            uint64_t end)
{
	for (uint32_t i = 0; map->known && i < map->bits; i++)
		if (bit_is_set(map->map, i))
			add_field(list, offset + i * 8ULL);
	for (uint64_t at = offset; !map->known && at < end && at - offset < MOST_BITS; at += 8)
		add_field(list, at);
}

/* A variable on the stack whose address is taken: its pointers count only if something refers to
   it. */
struct stack_object {
	uint64_t address, size;
	const uint8_t *mask;
	uint32_t words; /* words covered by the mask */
	uint32_t frame; /* index of its frame */
	bool reached;
};

/* A frame that was not passed to the sink yet. */
struct made_frame {
	struct frame_record record;
	struct buf list;
};

struct core_walk {
	const struct core_runtime *rt;
	const struct sink *sink;
	struct core_store *store;
	/* remaining steps: only a damaged core file needs more than its size allows */
	uint64_t budget;
	uint64_t low, high; /* bounds of the stack */
	bool conservative;  /* the next frame has no pointer map: every word counts */
	uint64_t unended;   /* stacks whose first frame was not reached */
	/* The part of the next frame that belongs to the frame unwound last. */
	struct core_child {
		struct word_map arguments;
		uint64_t offset, bytes, sp, depth;
	} child;
	struct made_frame *frame; /* frames of the goroutine, innermost first */
	size_t frames, frame_capacity;
	struct stack_object *object; /* sorted by address */
	size_t objects, object_capacity;
	uint32_t *reached; /* worklist: objects whose pointers were not scanned yet */
	size_t reached_count, reached_capacity;
};

struct core_frame {
	size_t function; /* SIZE_MAX: not known */
	uint64_t sp, fp, pc, variables, arguments, entry;
	uint64_t return_pc;
};

/* Returns the stack map at the frame's pc. Layout: int32 count, int32 bits, then the maps. */
static struct word_map stack_map_of(const struct core_walk *w, const struct core_frame *frame,
                                    unsigned funcdata)
{
	const struct core_memory *memory = &w->rt->memory;
	const struct pclntab *table = exe_pclntab(memory->exe);
	struct word_map map = {0};
	uint64_t at = pclntab_funcdata(table, frame->function, funcdata), count, bits;
	uint64_t pc = frame->pc - memory->bias;
	int64_t index = -1;
	if (!at || !memory_number(memory, at + memory->bias, 4, &count)
	    || !memory_number(memory, at + memory->bias + 4, 4, &bits))
		return map;
	map.known = true;
	if (pc != frame->entry)
		index = pclntab_pcdata(table, frame->function, STACK_MAP_INDEX, pc - 1);
	if (index < 0)
		index = 0;
	uint64_t bytes = (bits + 7) / 8;
	if ((uint64_t)index >= count || bits > MOST_BITS)
		return map;
	map.map = memory_at(memory, at + memory->bias + 8 + (uint64_t)index * bytes, bytes);
	map.bits = map.map ? (uint32_t)bits : 0;
	return map;
}

/* Returns the word where a return address is expected. */
static uint64_t return_pc_at(const struct core_memory *memory, uint64_t address)
{
	uint64_t pc = memory_peek_word(memory, address);
	bool code = pclntab_find(exe_pclntab(memory->exe), pc - memory->bias) != SIZE_MAX;
	return code ? memory_word(memory, address) : pc;
}

/* Computes the frame at a place. Returns false if the frame is invalid. */
static bool frame_at(const struct core_walk *w, struct stack_place place, struct core_frame *frame)
{
	const struct core_memory *memory = &w->rt->memory;
	const struct pclntab *table = exe_pclntab(memory->exe);
	uint64_t pc = place.pc - memory->bias;
	*frame = (struct core_frame){.sp = place.sp, .pc = place.pc};
	frame->function = pclntab_find(table, pc);
	if (frame->function == SIZE_MAX)
		return false;
	frame->entry = table->functions[frame->function].entry;
	/* A return address after the end of its function belongs to the call before it. */
	uint64_t inside = pc > frame->entry ? pc - 1 : pc;
	int64_t delta = pclntab_sp_delta(table, frame->function, inside);
	if (delta < 0)
		return false;
	uint64_t size = (uint64_t)delta;
	if (w->rt->arm64) {
		frame->fp = place.sp + size;
		frame->variables = frame->fp - (size ? 8 : 0);
		frame->arguments = frame->fp + 8;
		frame->return_pc = return_pc_at(memory, place.sp);
	} else {
		frame->fp = place.sp + size + 8;
		frame->variables = frame->fp - 8 - (size ? 8 : 0);
		frame->arguments = frame->fp;
		frame->return_pc = return_pc_at(memory, frame->fp - 8);
	}
	return frame->fp >= place.sp && place.sp >= w->low && frame->fp <= w->high + 8;
}

bool core_walk_spend(struct core_walk *w, uint64_t steps)
{
	bool enough = steps <= w->budget;
	w->budget -= enough ? steps : w->budget;
	return enough;
}

static void make_frame(struct core_walk *w, const struct core_frame *frame)
{
	const struct core_memory *memory = &w->rt->memory;
	struct word_map locals = stack_map_of(w, frame, LOCALS);
	const struct word_map every = {0};
	w->frame = mem_grow(w->frame, w->frames, &w->frame_capacity, sizeof *w->frame);
	struct made_frame *made = &w->frame[w->frames++];
	*made = (struct made_frame){0};
	if (w->conservative) {
		stack_add_words(&made->list, &every, 0, frame->fp - frame->sp);
	} else {
		stack_add_words(&made->list, &w->child.arguments, w->child.offset,
		                w->child.offset + w->child.bytes);
		stack_add_words(&made->list, &locals,
		                locals.known ? frame->variables - locals.bits * 8ULL - frame->sp
		                             : w->child.bytes,
		                frame->variables - frame->sp);
	}
	const char *name = pclntab_name(exe_pclntab(memory->exe), frame->function);
	struct frame_record *record = &made->record;
	*record = (struct frame_record){
		.offset = memory_offset(memory, frame->sp),
		.sp = frame->sp,
		.depth = w->child.depth,
		.child_sp = w->child.sp,
		.entry_pc = frame->entry + memory->bias,
		.pc = frame->pc,
		.continue_pc = frame->pc,
		.size = frame->fp - frame->sp,
		.function = {name, strlen(name)},
	};
	record->data = memory_peek(memory, frame->sp, record->size);
	if (!record->data)
		record->size = 0;
}

/* ---- Variables on the stack */

/* Adds the stack objects of a frame (runtime/stack.go: stackObjectRecord). */
static void add_stack_objects(struct core_walk *w, const struct core_frame *frame)
{
	enum { FUNCDATA = 2, SIZE = 4, WORDS = 8, MASK = 12, ROW = 16, OLD_MASK = 16, OLD_ROW = 24 };
	const struct core_memory *memory = &w->rt->memory;
	uint64_t at = pclntab_funcdata(exe_pclntab(memory->exe), frame->function, FUNCDATA);
	uint64_t rodata = rt_field(w->rt, w->rt->module, RT_MODULEDATA_RODATA);
	bool old = w->rt->layout.offset[RT_MODULEDATA_RODATA] == RT_NONE;
	uint64_t count = at ? memory_word(memory, at + memory->bias) : 0;
	for (uint64_t i = 0; i < count && core_walk_spend(w, 1); i++) {
		uint64_t row = at + memory->bias + 8 + i * (old ? OLD_ROW : ROW), offset, size, bytes, mask;
		if (!memory_number(memory, row, 4, &offset) || !memory_number(memory, row + SIZE, 4, &size)
		    || !memory_number(memory, row + WORDS, 4, &bytes))
			return;
		memory_number(memory, row + (old ? OLD_MASK : MASK), old ? 8 : 4, &mask);
		uint64_t base = (int32_t)offset < 0 ? frame->variables : frame->arguments;
		struct stack_object object = {
			.address = base + (uint64_t)(int64_t)(int32_t)offset,
			.size = size,
			.mask = memory_at(memory, old ? mask : rodata + mask, (bytes / 8 + 7) / 8),
			.words = (uint32_t)(bytes / 8),
			.frame = (uint32_t)w->frames - 1,
		};
		if (!object.mask || bytes > size || object.address < frame->sp || object.address > w->high
		    || size > w->high - object.address)
			continue;
		MEM_PUSH(w->object, w->objects, w->object_capacity, object);
	}
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
	struct made_frame *made = &w->frame[object->frame];
	for (uint32_t i = 0; i < object->words; i++) {
		if (!bit_is_set(object->mask, i))
			continue;
		uint64_t at = object->address + i * 8ULL;
		add_field(&made->list, at - made->record.sp);
		reach_object(w, memory_peek_word(&w->rt->memory, at));
	}
}

static void reach_objects(struct core_walk *w)
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
	while (w->reached_count)
		scan_object(w, &w->object[w->reached[--w->reached_count]]);
}

/* ---- The whole stack */

static void tell_frames(struct core_walk *w)
{
	for (size_t i = 0; i < w->frames; i++) {
		struct made_frame *made = &w->frame[i];
		buf_add_char(&made->list, 0);
		made->record.fields.at = core_store_add(w->store, buf_text(&made->list), made->list.len);
		made->record.fields.end = made->record.fields.at + made->list.len;
		w->sink->record(w->sink->self, RECORD_FRAME, &made->record);
		buf_free(&made->list);
	}
	w->frames = w->objects = 0;
}

/* Returns true for functions that stacks begin with (runtime/traceback.go). */
static bool begins_stack(const char *function)
{
	static const char *const names[] = {"runtime.goexit", "runtime.mstart", "runtime.rt0_go"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(function, names[i]) == 0)
			return true;
	return false;
}

/* Adds the rest of a stack that cannot be unwound as one frame in which every word counts: no
   pointer is lost. */
static void make_rest(struct core_walk *w, uint64_t from)
{
	static const char name[] = "[rest of the stack]";
	const struct core_memory *memory = &w->rt->memory;
	uint64_t size = w->high - from;
	const uint8_t *data = memory_peek(memory, from, size);
	if (!data || !core_walk_spend(w, size / 8))
		return;
	w->frame = mem_grow(w->frame, w->frames, &w->frame_capacity, sizeof *w->frame);
	struct made_frame *made = &w->frame[w->frames++];
	*made = (struct made_frame){.record = {
									.offset = memory_offset(memory, from),
									.sp = from,
									.depth = w->child.depth,
									.child_sp = w->child.sp,
									.size = size,
									.data = data,
									.function = {name, sizeof name - 1},
								}};
	for (uint64_t at = 0; at + 8 <= size; at += 8)
		add_field(&made->list, at);
}

/* Unwinds the frames. Returns false with *place at an invalid frame if the first frame was not
   reached. */
static bool walk_frames(struct core_walk *w, struct stack_place *place)
{
	const struct pclntab *table = exe_pclntab(w->rt->memory.exe);
	struct core_frame frame;
	while (frame_at(w, *place, &frame) && core_walk_spend(w, 1 + (frame.fp - frame.sp) / 64)) {
		int32_t arguments = pclntab_arguments(table, frame.function);
		const char *name = pclntab_name(table, frame.function);
		/* This frame and the interrupted one have no pointer maps. */
		bool interrupted = strcmp(name, "runtime.asyncPreempt") == 0;
		w->conservative |= interrupted;
		make_frame(w, &frame);
		add_stack_objects(w, &frame);
		if (begins_stack(name))
			return true;
		w->child.arguments = stack_map_of(w, &frame, ARGUMENTS);
		w->child.offset = frame.arguments - frame.fp;
		w->child.bytes = arguments > 0 ? (uint64_t)arguments : 0;
		w->child.sp = frame.sp;
		w->child.depth++;
		w->conservative = interrupted;
		/* Only a function without a frame, on a machine whose calls do not use the stack, has the
		   same place as its caller, and only once. */
		bool stays = frame.fp == place->sp && frame.return_pc == place->pc;
		*place = (struct stack_place){frame.fp, frame.return_pc};
		if (stays)
			break;
	}
	return false;
}

void core_walk_stack(struct core_walk *w, const struct core_stack *stack)
{
	struct stack_place place = stack->place;
	w->low = stack->low;
	w->high = stack->high;
	w->conservative = stack->conservative;
	w->child = (struct core_child){.arguments.known = true};
	if (!walk_frames(w, &place)) {
		uint64_t from = place.sp >= w->low && place.sp % 8 == 0 ? place.sp : w->low;
		w->unended++;
		if (from < w->high)
			make_rest(w, from);
	}
	reach_objects(w);
	tell_frames(w);
}

uint64_t core_walk_unended(const struct core_walk *w)
{
	return w->unended;
}

struct core_walk *core_walk_new(const struct core_runtime *rt, const struct sink *sink,
                                struct core_store *store)
{
	struct core_walk *w = mem_alloc(sizeof *w);
	*w = (struct core_walk){
		.rt = rt, .sink = sink, .store = store, .budget = STEPS_LEAST + rt->memory.file.size / 8};
	return w;
}

bool core_walk_free(struct core_walk *w)
{
	bool complete = w->budget;
	free(w->frame);
	free(w->object);
	free(w->reached);
	free(w);
	return complete;
}
