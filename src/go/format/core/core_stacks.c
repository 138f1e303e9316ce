/* Unwinds stacks as runtime/traceback.go does. Frames are reported in the order of
   runtime/heapdump.go. */
#include "core_walk.h"

#include "base/bits.h"
#include "base/bound.h"
#include "base/buf.h"
#include "base/mem.h"
#include "go/exe/stack_objects.h"

#include <stdlib.h>
#include <string.h>

enum {
	LOCALS = 1,
	ARGUMENTS = 0,
	STACK_MAP_INDEX = 1, /* numbers of funcdata and pcdata */
	MOST_BITS = 1 << 20,
	STEPS_LEAST = 1 << 20,
	STACK_LEAST = 64
};

void core_walk_add_field(struct buf *list, uint64_t offset)
{
	buf_add_char(list, 1);
	for (; offset >= 0x80; offset >>= 7)
		buf_add_char(list, (char)(offset | 0x80));
	buf_add_char(list, (char)offset);
}

static void stack_add_words(struct buf *list, const struct word_map *map, uint64_t offset,
                            uint64_t end)
{
	for (uint32_t i = 0; map->known && i < map->bits; i++)
		if (bit_is_set(map->map, i))
			core_walk_add_field(list, offset + i * 8ULL);
	for (uint64_t at = offset; !map->known && at < end && at - offset < MOST_BITS; at += 8)
		core_walk_add_field(list, at);
}

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
	/* A return address after the end of its function belongs to the call before it; where a
	   function was interrupted, the instruction before may have moved the stack pointer. */
	uint64_t inside = pc > frame->entry && !w->interrupted ? pc - 1 : pc;
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

bool core_walk_spend_on_stack(struct core_walk *w, uint64_t steps)
{
	bool enough = steps <= w->left && core_walk_spend(w, steps);
	w->left = enough ? w->left - steps : 0;
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

void core_walk_add_every_word(struct core_walk *w)
{
	struct made_frame *made = &w->frame[w->frames - 1];
	buf_clear(&made->list);
	stack_add_words(&made->list, &(struct word_map){0}, 0, made->record.size);
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
		core_walk_add_field(&made->list, at);
}

/* Unwinds the frames. Returns false with *place at an invalid frame if the first frame was not
   reached. */
static bool walk_frames(struct core_walk *w, struct stack_place *place)
{
	const struct pclntab *table = exe_pclntab(w->rt->memory.exe);
	struct core_frame frame;
	while (frame_at(w, *place, &frame)
	       && core_walk_spend_on_stack(w, 1 + (frame.fp - frame.sp) / 64)) {
		int32_t arguments = pclntab_arguments(table, frame.function);
		const char *name = pclntab_name(table, frame.function);
		/* This frame and the interrupted one have no pointer maps. */
		bool interrupted = strcmp(name, "runtime.asyncPreempt") == 0;
		w->conservative |= interrupted;
		make_frame(w, &frame);
		core_walk_add_objects(w, &frame);
		if (begins_stack(name))
			return true;
		w->child.arguments = stack_map_of(w, &frame, ARGUMENTS);
		w->child.offset = frame.arguments - frame.fp;
		w->child.bytes = arguments > 0 ? (uint64_t)arguments : 0;
		w->child.sp = frame.sp;
		w->child.depth++;
		w->conservative = interrupted;
		w->interrupted = interrupted || strcmp(name, "runtime.sigpanic") == 0;
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
	w->left = STACK_LEAST + (w->high - w->low) / 8 * 2;
	w->conservative = w->interrupted = stack->conservative;
	w->child = (struct core_child){.arguments.known = true};
	if (!walk_frames(w, &place)) {
		uint64_t from = place.sp >= w->low && place.sp % 8 == 0 ? place.sp : w->low;
		w->unended++;
		if (from < w->high)
			make_rest(w, from);
	}
	core_walk_reach_objects(w, stack);
	tell_frames(w);
}

uint64_t core_walk_unended(const struct core_walk *w)
{
	return w->unended;
}

uint64_t core_walk_unfit(const struct core_walk *w)
{
	return w->unfit;
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
