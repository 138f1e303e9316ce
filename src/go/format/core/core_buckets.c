#include "core_tell.h"

#include "core_specials.h"

#include "base/buf.h"
#include "go/exe/exe.h"

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
	OF_MEMORY = 1, /* bucket types; the others are blocking and mutexes */
	TYPES = 3,
	MOST_CALLS = 4096,        /* the runtime records at most 1,024 */
	MEMORY_COUNTS = 128,      /* size of memRecord, */
	MEMORY_COUNTS_LATER = 64, /* since Go 1.27, */
	LATER = 27,
	BLOCK_COUNTS = 16,                    /* of blockRecord */
	TABLE_WORDS = CORE_PROFILE_TABLE / 8, /* buckHashSize: lists of all buckets, by hash */
	TABLE_ALIGNMENT = 4096,
	SEARCHES = 16 /* variables that lead to buckets */
};

struct buckets {
	const struct core_runtime *rt;
	const struct sink *sink;
	struct core_store *store;
	uint64_t sampled; /* a bucket that some object refers to; 0: none */
	uint64_t table;   /* the table of all by hash; 0: not found */
	/* Bytes that buckets may still take: they do not overlap, so together they are no larger than
	   the file, unless it is malformed. */
	uint64_t left;
};

/* ---- One bucket */

/* Returns the bytes of a bucket up to its current counts; 0: it is none. It is asked about many
   words of the program, too. */
static uint64_t bucket_bytes(const struct core_runtime *rt, uint64_t at)
{
	uint64_t calls = memory_peek_word(&rt->memory, at + STACK_SIZE);
	uint64_t type = memory_peek_word(&rt->memory, at + TYPE), bytes = STACK + calls * 8 + COUNTS;
	bool is = at && at % 8 == 0 && type && type <= TYPES && memory_peek_word(&rt->memory, at + HASH)
	          && calls <= MOST_CALLS && memory_peek(&rt->memory, at, bytes);
	return is ? bytes : 0;
}

/* Returns the same for a bucket of the allocation profile. */
static uint64_t bucket_bytes_of_memory(const struct core_runtime *rt, uint64_t at)
{
	return memory_peek_word(&rt->memory, at + TYPE) == OF_MEMORY ? bucket_bytes(rt, at) : 0;
}

static bool buckets_spend(struct buckets *b, uint64_t bytes)
{
	bool enough = bytes <= b->left;
	b->left -= enough ? bytes : b->left;
	return enough;
}

/* ---- The table of all buckets */

/* Returns the bytes of what the table holds at an index; 0: a bucket there belongs elsewhere. */
static uint64_t buckets_row_bytes(struct buckets *b, uint64_t bucket, uint64_t index)
{
	const struct core_memory *memory = &b->rt->memory;
	uint64_t counts = b->rt->layout.minor < LATER ? MEMORY_COUNTS : MEMORY_COUNTS_LATER, sum = 0;
	for (; bucket; bucket = memory_peek_word(memory, bucket)) {
		uint64_t bytes = bucket_bytes(b->rt, bucket);
		if (!bytes || memory_peek_word(memory, bucket + HASH) % TABLE_WORDS != index
		    || !buckets_spend(b, bytes))
			return 0;
		bool of_memory = memory_peek_word(memory, bucket + TYPE) == OF_MEMORY;
		sum += bytes - COUNTS + (of_memory ? counts : BLOCK_COUNTS);
	}
	return sum;
}

/* Returns the bytes of the masks of all modules' variables, which the runtime counts among those of
   profiles (runtime/mbitmap.go: progToPointerMask). */
static uint64_t buckets_mask_bytes(const struct core_runtime *rt)
{
	enum { MOST_MODULES = 1 << 12, EXTRA = 1 };
	static const enum core_field parts[][2] = {{RT_MODULEDATA_DATA, RT_MODULEDATA_EDATA},
	                                           {RT_MODULEDATA_BSS, RT_MODULEDATA_EBSS}};
	uint64_t sum = 0, module = rt->module;
	for (int i = 0; module && i < MOST_MODULES; i++) {
		for (size_t part = 0; part < 2; part++)
			sum +=
				((rt_field(rt, module, parts[part][1]) - rt_field(rt, module, parts[part][0])) / 8
			     + 7)
					/ 8
				+ EXTRA;
		module = rt_field(rt, module, RT_MODULEDATA_NEXT);
	}
	return sum;
}

/* Returns the bytes of the table and of all that is in it, which the runtime counts as BuckHashSys;
   0: it is no such table, or an empty one. */
static uint64_t buckets_table_bytes(struct buckets *b, uint64_t table)
{
	const uint8_t *rows = memory_peek(&b->rt->memory, table, TABLE_WORDS * 8ULL);
	uint64_t sum = 0;
	for (uint64_t i = 0; rows && i < TABLE_WORDS; i++) {
		uint64_t bucket, bytes;
		memcpy(&bucket, rows + i * 8, sizeof bucket);
		bytes = bucket ? buckets_row_bytes(b, bucket, i) : 0;
		if (bucket && !bytes)
			return 0;
		sum += bytes;
	}
	return sum ? TABLE_WORDS * 8ULL + sum : 0;
}

/* Finds the table; returns the bytes of it and of what is in it, 0: not found. The runtime has it
   from the system. */
static uint64_t buckets_find_table(struct buckets *b)
{
	const struct core_runtime *rt = b->rt;
	struct core_run range = core_module_variables(rt, rt->module);
	uint64_t bytes = 0, found = 0;
	for (uint64_t at = range.start; !bytes && at + 8 <= range.end; at += 8) {
		b->table = memory_peek_word(&rt->memory, at);
		if (b->table && b->table % TABLE_ALIGNMENT == 0 && buckets_spend(b, TABLE_WORDS)) {
			bytes = buckets_table_bytes(b, b->table);
			found = at;
		}
	}
	b->table = bytes ? b->table : 0;
	if (bytes) { /* it stays in a redacted file */
		memory_word(&rt->memory, found);
		memory_at(&rt->memory, b->table, TABLE_WORDS * 8ULL);
	}
	return bytes;
}

/* Returns true if a bucket is in the table. */
static bool buckets_has(struct buckets *b, uint64_t bucket)
{
	const struct core_memory *memory = &b->rt->memory;
	uint64_t index = memory_peek_word(memory, bucket + HASH) % TABLE_WORDS, bytes;
	uint64_t at = memory_peek_word(memory, b->table + index * 8);
	while (at != bucket && (bytes = bucket_bytes(b->rt, at)) && buckets_spend(b, bytes))
		at = memory_peek_word(memory, at);
	return at == bucket;
}

/* ---- Start of the list */

/* Returns the number of steps from one bucket to another, or with 0 to the end; 0: not
   reachable. */
static uint64_t bucket_steps(struct buckets *b, uint64_t from, uint64_t to)
{
	uint64_t steps = 1, bytes;
	for (; from != to; steps++) {
		bytes = bucket_bytes_of_memory(b->rt, from);
		if (!bytes || !buckets_spend(b, bytes))
			return 0;
		from = memory_peek_word(&b->rt->memory, from + ALL_NEXT);
	}
	return steps;
}

/* Finds the head of the list in a stripped executable: the variable from which most buckets follow
   that are in the table, or without that precede the bucket of a sampled object. */
static uint64_t buckets_find(struct buckets *b)
{
	const struct core_runtime *rt = b->rt;
	struct core_run range = core_module_variables(rt, rt->module);
	uint64_t most = 0, first = 0, found = 0;
	for (uint64_t at = range.start; (b->table || b->sampled) && at + 8 <= range.end; at += 8) {
		uint64_t bucket = memory_peek_word(&rt->memory, at), steps = 0;
		if (bucket_bytes_of_memory(rt, bucket) && (!b->table || buckets_has(b, bucket)))
			steps = bucket_steps(b, bucket, b->table ? 0 : b->sampled);
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
	/* A bucket before, which moves on after 1, 2, 4, 8 ... steps: where the list leads to it again
	   it is a circle (R. Brent). */
	uint64_t before = 0, steps = 0, most = 1, bytes;
	while ((bytes = bucket_bytes_of_memory(b->rt, at)) && at != before && buckets_spend(b, bytes)) {
		bucket_tell(b, at);
		if (++steps == most) {
			before = at;
			most *= 2;
			steps = 0;
		}
		at = memory_word(&b->rt->memory, at + ALL_NEXT);
	}
	if (at)
		b->sink->warning(b->sink->self, memory_offset(&b->rt->memory, at),
		                 "The list of allocation profiles is damaged: some are missing");
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

uint64_t core_tell_profile(const struct core_spans *spans, const struct sink *sink,
                           struct core_store *store, uint64_t *table)
{
	const struct core_runtime *rt = spans->rt;
	uint64_t size = rt->memory.file.size;
	struct buckets b = {.rt = rt, .sink = sink, .store = store, .left = size * SEARCHES};
	uint64_t bytes = buckets_find_table(&b);
	*table = b.table;
	uint64_t first = rt->mbuckets ? memory_word(&rt->memory, rt->mbuckets) : 0;
	if (!rt->mbuckets) {
		samples_visit(spans, &b, sample_note);
		b.left = size * SEARCHES;
		first = buckets_find(&b);
	}
	b.left = size;
	buckets_tell(&b, first);
	samples_visit(spans, &b, sample_tell);
	return bytes ? bytes + buckets_mask_bytes(rt) : 0;
}
