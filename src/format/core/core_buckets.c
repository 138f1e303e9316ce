#include "core_tell.h"

#include "core_specials.h"

#include "base/buf.h"
#include "exe/exe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Layout of runtime/mprof.go: bucket, followed by its stack and its counts. Unchanged since Go
   1.17. */
enum {
	ALL_NEXT = 8,
	TYPE = 16,
	HASH = 24,
	SIZE = 32,
	STACK_SIZE = 40,
	STACK = 48,
	COUNTS = 16, /* bytes up to the current allocs and frees */
	LOGICAL_SINCE = 21,
	OF_MEMORY = 1,     /* bucket type; other types are blocking and mutexes */
	MOST_CALLS = 4096, /* the runtime records at most 1,024 */
	CALLS_LEAST = 1 << 16,
	/* no program has more than one profiled call per this many bytes of core file */
	FILE_PART = 128
};

struct buckets {
	const struct core_runtime *rt;
	const struct sink *sink;
	struct core_store *store;
	const struct core_span *span;
	uint64_t sampled; /* a bucket that some object refers to; 0: none */
	uint64_t calls;   /* remaining budget: malformed lists may be cyclic */
};

/* ---- Start of the list */

/* It is asked about many words of the program, too. */
static bool bucket_is(const struct core_runtime *rt, uint64_t at)
{
	uint64_t calls = memory_peek_word(&rt->memory, at + STACK_SIZE);
	return at && at % 8 == 0 && memory_peek_word(&rt->memory, at + TYPE) == OF_MEMORY
	       && memory_peek_word(&rt->memory, at + HASH) && calls && calls <= MOST_CALLS
	       && memory_peek(&rt->memory, at, STACK + calls * 8 + COUNTS);
}

/* Returns the number of steps from one bucket to another; 0: not reachable. */
static uint64_t bucket_steps(struct buckets *b, uint64_t from, uint64_t to)
{
	for (uint64_t steps = 1; bucket_is(b->rt, from) && b->calls; steps++, b->calls--) {
		if (from == to)
			return steps;
		from = memory_peek_word(&b->rt->memory, from + ALL_NEXT);
	}
	return 0;
}

/* Finds the head of the list in a stripped executable: the variable from which most buckets precede
   the bucket of a sampled object. */
static uint64_t buckets_find(struct buckets *b)
{
	const struct core_runtime *rt = b->rt;
	struct core_run range = core_module_variables(rt, rt->module);
	uint64_t most = 0, first = 0, found = 0;
	for (uint64_t at = range.start; b->sampled && at + 8 <= range.end; at += 8) {
		uint64_t bucket = memory_peek_word(&rt->memory, at);
		uint64_t steps = bucket_is(rt, bucket) ? bucket_steps(b, bucket, b->sampled) : 0;
		if (steps > most) {
			most = steps;
			first = bucket;
			found = at;
		}
	}
	memory_word(&rt->memory, found); /* stays in a redacted file */
	return first;
}

/* ---- Records of one bucket */

/* Appends a number as heap dumps encode it (LEB128). */
static void bucket_add_number(struct buf *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		buf_add_char(out, (char)((number & 0x7f) | 0x80));
	buf_add_char(out, (char)number);
}

static void bucket_add_text(struct buf *out, const char *text)
{
	bucket_add_number(out, strlen(text));
	buf_add(out, text);
}

static void bucket_add_line(struct buf *out, const struct pclntab_line *line)
{
	bool known = line->file;
	bucket_add_text(out, line->function);
	bucket_add_text(out, known ? line->file : "?");
	bucket_add_number(out, known ? line->line : 0);
}

/* Appends the lines of a call as runtime/heapdump.go: dumpmemprof_callback does, except for the
   names of inlined functions. Since Go 1.21 each inlined function has its own pc
   (runtime/traceback.go: tracebackPCs). Returns the number of lines. */
static uint64_t bucket_add_call(const struct core_runtime *rt, struct buf *out, uint64_t address,
                                bool innermost)
{
	const struct core_memory *memory = &rt->memory;
	const struct pclntab *table = exe_pclntab(memory->exe);
	uint64_t pc = address - memory->bias;
	size_t function = pclntab_find(table, pc);
	struct pclntab_line lines[EXE_LINES];
	bool is_return = !innermost && function != SIZE_MAX && pc > table->functions[function].entry;
	size_t count = function == SIZE_MAX ? 0 : exe_lines(memory->exe, pc, is_return, lines);
	if (count > 1 && rt->layout.minor >= LOGICAL_SINCE)
		count = 1;
	for (size_t i = 0; i < count; i++)
		bucket_add_line(out, &lines[i]);
	if (!count) {
		char hex[32];
		snprintf(hex, sizeof hex, "(0x%" PRIx64 ")", address);
		bucket_add_line(out, &(struct pclntab_line){.function = hex});
	}
	return count ? count : 1;
}

static void bucket_tell(struct buckets *b, uint64_t at)
{
	const struct core_memory *memory = &b->rt->memory;
	uint64_t calls = memory_word(memory, at + STACK_SIZE), counts = at + STACK + calls * 8;
	uint64_t frames = 0;
	memory_at(memory, at, counts + COUNTS - at);
	SCOPED_BUF stack = {0};
	for (uint64_t i = 0; i < calls; i++)
		frames += bucket_add_call(b->rt, &stack, memory_word(memory, at + STACK + i * 8), i == 0);
	const struct profile_record record = {
		.offset = memory_offset(memory, at),
		.id = at,
		.size = memory_word(memory, at + SIZE),
		.frames = frames,
		.stack = core_store_add(b->store, buf_text(&stack), stack.len),
		.stack_size = stack.len,
		.allocs = memory_word(memory, counts),
		.frees = memory_word(memory, counts + 8),
	};
	b->sink->record(b->sink->self, RECORD_PROFILE, &record);
}

static void buckets_tell(struct buckets *b, uint64_t at)
{
	while (bucket_is(b->rt, at)) {
		uint64_t calls = memory_word(&b->rt->memory, at + STACK_SIZE);
		if (calls > b->calls) {
			b->sink->warning(b->sink->self, memory_offset(&b->rt->memory, at),
			                 "The list of allocation profiles is damaged: some are missing");
			return;
		}
		b->calls -= calls;
		bucket_tell(b, at);
		at = memory_word(&b->rt->memory, at + ALL_NEXT);
	}
}

/* ---- Sampled objects */

static void sample_note(void *self, const struct core_special *special)
{
	struct buckets *b = self;
	if (special->kind == SPECIAL_PROFILE)
		b->sampled = rt_field(b->rt, special->structure, RT_SPECIALPROFILE_B);
}

static void sample_tell(void *self, const struct core_special *special)
{
	struct buckets *b = self;
	if (special->kind != SPECIAL_PROFILE)
		return;
	const struct sample_record record = {
		.offset = memory_offset(&b->rt->memory, special->structure),
		.object = special->object,
		.profile = rt_field(b->rt, special->structure, RT_SPECIALPROFILE_B),
	};
	b->sink->record(b->sink->self, RECORD_SAMPLE, &record);
}

static void samples_visit(const struct core_spans *spans, struct buckets *b,
                          void (*visit)(void *self, const struct core_special *special))
{
	for (size_t i = 0; i < spans->count; i++)
		core_span_specials(spans->rt, &spans->span[i], visit, b);
}

void core_tell_profile(const struct core_spans *spans, const struct sink *sink,
                       struct core_store *store)
{
	const struct core_runtime *rt = spans->rt;
	uint64_t most = CALLS_LEAST + rt->memory.file.size / FILE_PART;
	struct buckets b = {.rt = rt, .sink = sink, .store = store, .calls = most};
	uint64_t first = rt->mbuckets ? memory_word(&rt->memory, rt->mbuckets) : 0;
	if (!rt->mbuckets) {
		samples_visit(spans, &b, sample_note);
		first = buckets_find(&b);
		b.calls = most;
	}
	buckets_tell(&b, first);
	samples_visit(spans, &b, sample_tell);
}
