#include "core_fatal.h"

#include "core_stacks.h"

#include <string.h>

enum {
	MESSAGE_LEAST = 4,
	MESSAGE_MOST = 200,
	STACK_MOST = 64 << 10,
	SIGNAL_STACK = 32 << 10,
	PLACES_MOST = 16 /* that may have been interrupted */
};

struct fatal_search {
	const struct core_runtime *rt;
	struct text message;
};

static bool fatal_is_message(const uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; bytes && i < size; i++)
		if (bytes[i] < ' ' || bytes[i] >= 0x7f)
			return false;
	return bytes;
}

/* The frame has the closure that prints the message, with the address and length of that. */
static void fatal_read(struct fatal_search *s, const struct frame_record *frame)
{
	const struct core_memory *memory = &s->rt->memory;
	for (uint64_t at = 0; at + 16 <= frame->size && !s->message.len; at += 8) {
		uint64_t text = memory_peek_word(memory, frame->sp + at);
		uint64_t size = memory_peek_word(memory, frame->sp + at + 8);
		if (size < MESSAGE_LEAST || size > MESSAGE_MOST
		    || !fatal_is_message(memory_peek(memory, text, size), size)
		    || !memory_at(memory, frame->sp + at, 16)) /* it stays in a redacted file */
			continue;
		s->message = (struct text){(const char *)memory_at(memory, text, size), size};
	}
}

static void fatal_see(void *self, enum record_kind kind, const void *record)
{
	const struct frame_record *frame = record;
	struct fatal_search *s = self;
	if (kind == RECORD_FRAME && !s->message.len
	    && (text_is(frame->function, "runtime.fatal") || text_is(frame->function, "runtime.throw")))
		fatal_read(s, frame);
}

/* Looks for the call on the stack that continues at a place. */
static void fatal_walk(struct fatal_search *s, struct stack_place place)
{
	const struct core_segment *in = core_file_segment(&s->rt->memory.file, place.sp);
	struct core_store store = {0};
	if (!in || place.sp % 8)
		return;
	uint64_t size = in->address + in->size - place.sp;
	const struct core_stack stack = {
		.low = place.sp,
		.high = place.sp + (size < STACK_MOST ? size : STACK_MOST) / 8 * 8,
		.place = place,
	};
	const struct sink sink = {.self = s, .record = fatal_see};
	struct core_walk *walk = core_walk_new(s->rt, &sink, &store);
	core_walk_stack(walk, &stack);
	core_walk_free(walk);
	core_store_fini(&store);
}

/* The runtime sends itself the signal a second time in its handler: the kernel has saved where it
   was on the stack for signals, pc after sp. */
static void fatal_walk_interrupted(struct fatal_search *s, uint64_t sp)
{
	const struct core_memory *memory = &s->rt->memory;
	const struct pclntab *table = exe_pclntab(memory->exe);
	int left = PLACES_MOST;
	for (uint64_t at = sp; at - sp < SIGNAL_STACK && left && !s->message.len; at += 8) {
		struct stack_place place = {memory_peek_word(memory, at), memory_peek_word(memory, at + 8)};
		if (place.sp - sp < SIGNAL_STACK || pclntab_find(table, place.pc - memory->bias) == SIZE_MAX
		    || !core_file_segment(&memory->file, place.sp))
			continue;
		left--;
		fatal_walk(s, place);
	}
}

struct text core_fatal(const struct core_runtime *rt)
{
	const struct core_file *file = &rt->memory.file;
	struct fatal_search search = {.rt = rt};
	if (!file->threads || !file->thread[0].signal || file->own.pid)
		return search.message;
	fatal_walk(&search, (struct stack_place){file->thread[0].sp, file->thread[0].pc});
	if (!search.message.len)
		fatal_walk_interrupted(&search, file->thread[0].sp);
	return search.message;
}
