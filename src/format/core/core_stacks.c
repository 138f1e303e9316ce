/* Walking stacks: runtime/traceback.go, and for the order of what is told runtime/heapdump.go. */
#include "core_stacks.h"

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

/* A list of fields, as dumps have them: (kind, offset)* 0. */
static void add_field(struct buf *list, uint64_t offset)
{
	buf_add_char(list, 1);
	for (; offset >= 0x80; offset >>= 7)
		buf_add_char(list, (char)(offset | 0x80));
	buf_add_char(list, (char)offset);
}

/* A map of words: `bits` of them, NULL: all are taken. known: false where the function has no map
   at all, true with 0 bits where it has nothing. */
struct word_map {
	const uint8_t *map;
	uint32_t bits;
	bool known;
};

static void stack_add_words(struct buf *list, const struct word_map *map, uint64_t offset,
                            uint64_t end)
{
	for (uint32_t i = 0; map->known && i < map->bits; i++)
		if (map->map[i / 8] >> i % 8 & 1)
			add_field(list, offset + i * 8ULL);
	for (uint64_t at = offset; !map->known && at < end && at - offset < MOST_BITS; at += 8)
		add_field(list, at);
}

/* A variable that lies on the stack and whose address is taken: its pointers count where something
   leads to it. */
struct stack_object {
	uint64_t address, size;
	const uint8_t *mask;
	uint32_t words; /* that the mask is of */
	uint32_t frame; /* index among the walk's */
	bool reached;
};

/* A frame on its way to the sink. */
struct made_frame {
	struct frame_record record;
	struct buf list;
};

struct walk {
	const struct core_runtime *rt;
	const struct sink *sink;
	struct core_store *store;
	uint64_t stack_low, stack_high;
	uint64_t budget;   /* steps that are left: more than a core file of this size can be worth are
	                      made of one that is damaged only */
	bool conservative; /* the frame to come: nobody knows which words are pointers */
	/* What the frame called last takes of its caller's frame. */
	struct {
		struct word_map arguments;
		uint64_t offset, bytes, sp, depth;
	} child;
	struct made_frame *frame; /* of the goroutine, the innermost first */
	size_t frames, frame_capacity;
	struct stack_object *object; /* by address */
	size_t objects, object_capacity;
	uint32_t *reached; /* numbers of objects that are still to be gone through */
	size_t reached_count, reached_capacity;
};

struct stack_place {
	uint64_t sp, pc;
};

struct core_frame {
	size_t function; /* SIZE_MAX: not known */
	uint64_t sp, fp, pc, variables, arguments, entry;
	uint64_t return_pc;
};

/* The n-th map: int32 count, int32 bits, then the maps. */
static struct word_map stack_map_of(const struct walk *w, const struct core_frame *frame,
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

/* False: the frame makes no sense. */
static bool frame_at(const struct walk *w, struct stack_place place, struct core_frame *frame)
{
	const struct core_memory *memory = &w->rt->memory;
	const struct pclntab *table = exe_pclntab(memory->exe);
	uint64_t pc = place.pc - memory->bias;
	*frame = (struct core_frame){.sp = place.sp, .pc = place.pc};
	frame->function = pclntab_find(table, pc);
	if (frame->function == SIZE_MAX)
		return false;
	frame->entry = table->functions[frame->function].entry;
	/* A return address that ends its function belongs to the call before it. */
	uint64_t inside = pc > frame->entry ? pc - 1 : pc;
	int64_t delta = pclntab_sp_delta(table, frame->function, inside);
	if (delta < 0)
		return false;
	uint64_t size = (uint64_t)delta;
	if (w->rt->arm64) {
		frame->fp = place.sp + size;
		frame->variables = frame->fp - (size ? 8 : 0);
		frame->arguments = frame->fp + 8;
		frame->return_pc = memory_word(memory, place.sp);
	} else {
		frame->fp = place.sp + size + 8;
		frame->variables = frame->fp - 8 - (size ? 8 : 0);
		frame->arguments = frame->fp;
		frame->return_pc = memory_word(memory, frame->fp - 8);
	}
	return frame->fp >= place.sp && place.sp >= w->stack_low && frame->fp <= w->stack_high + 8;
}

/* False: no steps are left. */
static bool spend(struct walk *w, uint64_t steps)
{
	bool enough = steps <= w->budget;
	w->budget -= enough ? steps : w->budget;
	return enough;
}

static void make_frame(struct walk *w, const struct core_frame *frame)
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
	record->data = memory_at(memory, frame->sp, record->size);
	if (!record->data)
		record->size = 0;
}

/* ---- Variables on the stack */

/* runtime/stack.go: stackObjectRecord. */
static void add_stack_objects(struct walk *w, const struct core_frame *frame)
{
	enum { FUNCDATA = 2, SIZE = 4, WORDS = 8, MASK = 12, ROW = 16, OLD_MASK = 16, OLD_ROW = 24 };
	const struct core_memory *memory = &w->rt->memory;
	uint64_t at = pclntab_funcdata(exe_pclntab(memory->exe), frame->function, FUNCDATA);
	uint64_t rodata = rt_field(w->rt, w->rt->module, RT_MODULEDATA_RODATA);
	bool old = w->rt->layout.offset[RT_MODULEDATA_RODATA] == RT_NONE;
	uint64_t count = at ? memory_word(memory, at + memory->bias) : 0;
	for (uint64_t i = 0; i < count && spend(w, 1); i++) {
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
		if (!object.mask || bytes > size || object.address < frame->sp
		    || object.address > w->stack_high || size > w->stack_high - object.address)
			continue;
		w->object = mem_grow(w->object, w->objects, &w->object_capacity, sizeof *w->object);
		w->object[w->objects++] = object;
	}
}

static int object_by_address(const void *a, const void *b)
{
	const struct stack_object *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* A word of the stack: does it lead to a variable that is on it, too? */
static void reach_object(struct walk *w, uint64_t word)
{
	size_t low = 0, high = w->objects;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (w->object[middle].address <= word)
			low = middle + 1;
		else
			high = middle;
	}
	struct stack_object *object = low ? &w->object[low - 1] : NULL;
	if (!object || word - object->address >= object->size || object->reached)
		return;
	object->reached = true;
	w->reached = mem_grow(w->reached, w->reached_count, &w->reached_capacity, sizeof *w->reached);
	w->reached[w->reached_count++] = (uint32_t)(low - 1);
}

static void scan_object(struct walk *w, const struct stack_object *object)
{
	struct made_frame *made = &w->frame[object->frame];
	for (uint32_t i = 0; i < object->words; i++) {
		if (!(object->mask[i / 8] >> i % 8 & 1))
			continue;
		uint64_t at = object->address + i * 8ULL;
		add_field(&made->list, at - made->record.sp);
		reach_object(w, memory_word(&w->rt->memory, at));
	}
}

static void reach_objects(struct walk *w)
{
	qsort(w->object, w->objects, sizeof *w->object, object_by_address);
	for (size_t i = 0; w->objects && i < w->frames; i++) {
		const struct made_frame *made = &w->frame[i];
		const uint8_t *bytes = (const uint8_t *)made->list.data;
		struct fields fields = {.at = bytes, .end = bytes + made->list.len};
		uint64_t offset;
		while (made->list.len && fields_next(&fields, &offset))
			reach_object(w, memory_word(&w->rt->memory, made->record.sp + offset));
	}
	while (w->reached_count)
		scan_object(w, &w->object[w->reached[--w->reached_count]]);
}

/* ---- The whole stack */

static void tell_frames(struct walk *w)
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

static void walk_stack(struct walk *w, struct stack_place place)
{
	struct core_frame frame;
	const struct pclntab *table = exe_pclntab(w->rt->memory.exe);
	while (frame_at(w, place, &frame) && spend(w, 1 + (frame.fp - frame.sp) / 64)) {
		int32_t arguments = pclntab_arguments(table, frame.function);
		/* Of this frame and of what it interrupted nobody knows which words are pointers. */
		bool interrupted = strcmp(pclntab_name(table, frame.function), "runtime.asyncPreempt") == 0;
		w->conservative |= interrupted;
		make_frame(w, &frame);
		add_stack_objects(w, &frame);
		w->child.arguments = stack_map_of(w, &frame, ARGUMENTS);
		w->child.offset = frame.arguments - frame.fp;
		w->child.bytes = arguments > 0 ? (uint64_t)arguments : 0;
		w->child.sp = frame.sp;
		w->child.depth++;
		w->conservative = interrupted;
		/* Only functions without a frame of machines whose calls leave the stack alone stay where
		   they are, and only once. */
		if (!frame.return_pc || (frame.fp == place.sp && frame.return_pc == place.pc))
			break;
		place = (struct stack_place){frame.fp, frame.return_pc};
	}
	reach_objects(w);
	tell_frames(w);
}

/* ---- Goroutines */

enum { IDLE = 0, RUNNING = 2, DEAD = 6, DEAD_EXTRA = 11, SCANNING = 0x1000 };

static struct text wait_reason(const struct core_runtime *rt, uint64_t g)
{
	uint64_t reason = rt_field(rt, g, RT_G_WAITREASON);
	struct text text = {0};
	if (!rt->wait_reasons)
		return text;
	uint64_t len = memory_word(&rt->memory, rt->wait_reasons + reason * 16 + 8);
	if (len > 64)
		return text;
	text.data = (const char *)memory_at(
		&rt->memory, memory_word(&rt->memory, rt->wait_reasons + reason * 16), len);
	text.len = text.data ? len : 0;
	return text;
}

/* Goroutines of the runtime's own, as its tracebacks leave them out (runtime/traceback.go:
   isSystemGoroutine). */
static bool is_system(const struct core_runtime *rt, uint64_t g)
{
	const struct pclntab *table = exe_pclntab(rt->memory.exe);
	size_t function = pclntab_find(table, rt_field(rt, g, RT_G_STARTPC) - rt->memory.bias);
	const char *name = function == SIZE_MAX ? "" : pclntab_name(table, function);
	return strncmp(name, "runtime.", 8) == 0 && strcmp(name, "runtime.main") != 0
	       && strcmp(name, "runtime.handleAsyncEvent") != 0;
}

static const struct core_thread *thread_of(const struct core_runtime *rt, uint64_t g)
{
	uint64_t id = rt_field(rt, rt_field(rt, g, RT_G_M), RT_M_PROCID);
	for (size_t i = 0; id && i < rt->memory.file.threads; i++)
		if (rt->memory.file.thread[i].id == id)
			return &rt->memory.file.thread[i];
	return NULL;
}

/* Where a goroutine was when its thread got the signal that it handles: the kernel has put its
   registers on the signal's stack, pc after sp. sp 0: it handles none. */
static struct stack_place signal_place(const struct walk *w, uint64_t m,
                                       const struct core_thread *thread)
{
	const struct core_memory *memory = &w->rt->memory;
	const struct pclntab *table = exe_pclntab(memory->exe);
	uint64_t g = rt_field(w->rt, m, RT_M_GSIGNAL), stack = rt_place(w->rt, g, RT_G_STACK);
	uint64_t low = memory_word(memory, stack), high = memory_word(memory, stack + 8);
	struct stack_place none = {0};
	if (!g || thread->sp < low || thread->sp >= high)
		return none;
	for (uint64_t at = high - 16; at >= thread->sp; at -= 8) {
		struct stack_place place = {memory_word(memory, at), memory_word(memory, at + 8)};
		if (place.sp >= w->stack_low && place.sp < w->stack_high
		    && pclntab_find(table, place.pc - memory->bias) != SIZE_MAX)
			return place;
	}
	return none;
}

/* A goroutine that ran when the core was written. */
static struct stack_place running_place(struct walk *w, uint64_t g, struct stack_place saved)
{
	const struct core_thread *thread = thread_of(w->rt, g);
	if (thread && thread->sp >= w->stack_low && thread->sp < w->stack_high) {
		w->conservative = true;
		return (struct stack_place){thread->sp, thread->pc};
	}
	/* Its thread is on another stack: the scheduler's, before which it has saved where it was, or
	   that of a signal. */
	uint64_t m = rt_field(w->rt, g, RT_G_M);
	if (!thread)
		return saved;
	struct stack_place interrupted = signal_place(w, m, thread);
	w->conservative = interrupted.sp;
	return interrupted.sp ? interrupted : saved;
}

static void tell_deferred(struct walk *w, uint64_t g)
{
	const struct core_runtime *rt = w->rt;
	const struct sink *sink = w->sink;
	uint64_t at = rt_field(rt, g, RT_G_DEFER);
	while (at && spend(w, 1)) {
		uint64_t function = memory_word(&rt->memory, rt_place(rt, at, RT_DEFER_FN));
		struct defer_record record = {
			.offset = memory_offset(&rt->memory, at),
			.address = at,
			.goroutine = g,
			.sp = rt_field(rt, at, RT_DEFER_SP),
			.pc = rt_field(rt, at, RT_DEFER_PC),
			.function = function,
			.entry_pc = memory_word(&rt->memory, function),
			.link = rt_field(rt, at, RT_DEFER_LINK),
		};
		sink->record(sink->self, RECORD_DEFER, &record);
		at = record.link;
	}
}

static void tell_panics(struct walk *w, uint64_t g)
{
	const struct core_runtime *rt = w->rt;
	const struct sink *sink = w->sink;
	uint64_t at = rt_field(rt, g, RT_G_PANIC);
	while (at && spend(w, 1)) {
		uint64_t argument = rt_place(rt, at, RT_PANIC_ARG);
		struct panic_record record = {
			.offset = memory_offset(&rt->memory, at),
			.address = at,
			.goroutine = g,
			.type = memory_word(&rt->memory, argument),
			.data = memory_word(&rt->memory, argument + 8),
			.link = rt_field(rt, at, RT_PANIC_LINK),
		};
		sink->record(sink->self, RECORD_PANIC, &record);
		at = record.link;
	}
}

static void tell_goroutine(struct walk *w, uint64_t g)
{
	const struct core_runtime *rt = w->rt;
	uint64_t status = rt_field(rt, g, RT_G_ATOMICSTATUS) & ~(uint64_t)SCANNING;
	uint64_t sched = rt_place(rt, g, RT_G_SCHED);
	if (status == IDLE || status == DEAD || status == DEAD_EXTRA)
		return;
	struct stack_place place = {rt_field(rt, sched, RT_GOBUF_SP), rt_field(rt, sched, RT_GOBUF_PC)};
	uint64_t in_call = rt_field(rt, g, RT_G_SYSCALLSP);
	w->stack_low = memory_word(&rt->memory, rt_place(rt, g, RT_G_STACK));
	w->stack_high = memory_word(&rt->memory, rt_place(rt, g, RT_G_STACK) + 8);
	w->conservative = false;
	memset(&w->child, 0, sizeof w->child);
	w->child.arguments.known = true;
	if (in_call)
		place = (struct stack_place){in_call, rt_field(rt, g, RT_G_SYSCALLPC)};
	else if (status == RUNNING)
		place = running_place(w, g, place);
	struct goroutine_record record = {
		.offset = memory_offset(&rt->memory, g),
		.address = g,
		.sp = place.sp,
		.id = rt_field(rt, g, RT_G_GOID),
		.creator_pc = rt_field(rt, g, RT_G_GOPC),
		.status = status,
		.system = is_system(rt, g),
		.wait_since = rt_field(rt, g, RT_G_WAITSINCE),
		.wait_reason = wait_reason(rt, g),
		.context = rt_field(rt, sched, RT_GOBUF_CTXT),
		.m = rt_field(rt, g, RT_G_M),
		.defer = rt_field(rt, g, RT_G_DEFER),
		.panic = rt_field(rt, g, RT_G_PANIC),
	};
	w->sink->record(w->sink->self, RECORD_GOROUTINE, &record);
	walk_stack(w, place);
	tell_deferred(w, g);
	tell_panics(w, g);
}

bool core_tell_goroutines(const struct core_runtime *rt, const struct sink *sink,
                          struct core_store *store, struct progress *progress)
{
	struct walk walk = {
		.rt = rt, .sink = sink, .store = store, .budget = STEPS_LEAST + rt->memory.file.size / 8};
	struct memory_slice all = memory_slice(&rt->memory, rt->allgs, 8);
	bool going = true;
	for (uint64_t i = 0; rt->allgs && going && i < all.count; i++) {
		going = i % 64 || progress_step(progress, 0);
		uint64_t g = memory_word(&rt->memory, all.address + i * 8);
		if (memory_at(&rt->memory, g, rt->layout.offset[RT_G_SIZEOF]))
			tell_goroutine(&walk, g);
	}
	if (!walk.budget)
		sink->warning(sink->self, ERR_NO_OFFSET,
		              "The stacks of the core file are damaged: goroutines and frames are missing");
	free(walk.frame);
	free(walk.object);
	free(walk.reached);
	return going;
}
