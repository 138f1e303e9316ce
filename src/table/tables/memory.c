/* The memory of the process by what it is used for: rows that add up to all that is mapped. */
#include "table/cell.h"

#include "base/mem.h"

#include <string.h>

enum use {
	USE_OBJECTS,
	USE_FREE_SLOTS,
	USE_SPAN_REST,
	USE_GOROUTINE_STACKS,
	USE_OTHER_STACKS,
	USE_WORK,
	USE_FREE,
	USE_RELEASED,
	USE_HEAP,
	USE_SPAN_RECORDS,
	USE_CACHES,
	USE_PROFILE,
	USE_COLLECTOR,
	USE_RUNTIME_OTHER,
	USE_RUNTIME,
	USE_EXECUTABLE,
	USE_FILES,
	USE_STACK,
	USE_OTHER,
	USE_RESERVED,
	USES
};

static const struct {
	const char *name, *meaning, *link;
} uses[USES] = {
	[USE_OBJECTS] = {"objects", "Objects, garbage that is not swept yet left out", "objects"},
	[USE_FREE_SLOTS] = {"free slots", "Slots without an object in spans that have objects",
                        "spans in use"},
	[USE_SPAN_REST] = {"rest of spans", "Ends of these spans: pointer masks, and less than a slot",
                       "spans in use"},
	[USE_GOROUTINE_STACKS] = {"goroutine stacks", "Stacks that goroutines have now", "goroutines"},
	[USE_OTHER_STACKS] = {"other stacks", "Free stacks, and those of the runtime's own threads",
                          "spans stack"},
	[USE_WORK] = {"work of the collector", "Lists of objects that the collector looks at",
                  "spans runtime"},
	[USE_FREE] = {"free spans", "Pages in no span that the operating system does not have back",
                  "spans free"},
	[USE_RELEASED] = {"released", "Pages in no span that the operating system has back",
                      "spans released"},
	[USE_HEAP] = {"heap", "All of the heap, whose parts do not fit together", "spans"},
	[USE_SPAN_RECORDS] = {"span records", "What the runtime notes of each span", ""},
	[USE_CACHES] = {"thread caches", "What threads allocate from", ""},
	[USE_PROFILE] = {"profile", "The allocation profile's stacks and counts", "profiles"},
	[USE_COLLECTOR] = {"marks and maps", "The collector's mark bits, and maps of the heap's pages",
                       ""},
	[USE_RUNTIME_OTHER] = {"other records", "Finalizers, profiles of the runtime and the like", ""},
	[USE_RUNTIME] = {"rest of the runtime",
                     "Other memory that the runtime has from the system, "
                     "used or not",
                     ""},
	[USE_EXECUTABLE] = {"executable", "The program's code, constants and global variables",
                        "segments"},
	[USE_FILES] = {"other files", "Libraries and other files that are mapped", ""},
	[USE_STACK] = {"first stack", "The stack that the system has given to the first thread", ""},
	[USE_OTHER] = {"other mappings", "The kernel's, and memory of C libraries and threads", ""},
	[USE_RESERVED] = {"reserved", "Address space only, which nobody can use yet", ""},
};

struct memory_use {
	enum use use;
	uint64_t bytes;
};
struct memory {
	struct memory_use row[USES];
	uint64_t total, reserved; /* reserved: of the total */
};

/* ---- The heap's part */

static void memory_count_spans(const struct heap *heap, uint64_t bytes[USES])
{
	static const enum use of_state[SPAN_STATES] = {
		[SPAN_STACK] = USE_OTHER_STACKS,
		[SPAN_RUNTIME] = USE_WORK,
		[SPAN_FREE] = USE_FREE,
		[SPAN_RELEASED] = USE_RELEASED,
	};
	for (uint32_t i = 0; i < heap->span_count; i++) {
		const struct span_record *span = &heap->spans[i];
		if (span->state != SPAN_IN_USE) {
			bytes[of_state[span->state]] += span->bytes;
			continue;
		}
		bytes[USE_OBJECTS] += span->objects * span->size;
		bytes[USE_FREE_SLOTS] += (span->slots - span->objects) * span->size;
		bytes[USE_SPAN_REST] += span->bytes - span->slots * span->size;
	}
	uint64_t stacks = 0;
	for (uint32_t i = 0; i < heap->goroutine_count; i++) {
		struct goroutine_stack stack = heap_goroutine_stack(heap, i);
		stacks += stack.exact ? stack.bytes : 0;
	}
	if (stacks > bytes[USE_OTHER_STACKS])
		stacks = bytes[USE_OTHER_STACKS];
	bytes[USE_GOROUTINE_STACKS] = stacks;
	bytes[USE_OTHER_STACKS] -= stacks;
}

static bool memory_spans_fit(const struct heap *heap, uint64_t mapped)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < heap->span_count; i++) {
		const struct span_record *span = &heap->spans[i];
		bool slots = !span->size || span->slots <= span->bytes / span->size;
		if (!slots || span->objects > span->slots)
			return false;
		sum += span->bytes;
	}
	return sum == mapped;
}

/* ---- The runtime's */

static bool memory_statistic(const struct memstats_record *stats, const char *name, uint64_t *value)
{
	for (size_t i = 0; i < MEMSTATS_FIELDS; i++)
		if (strcmp(memstats_names[i], name) == 0) {
			*value = stats->field[i];
			return stats->present && !(stats->unknown >> i & 1);
		}
	return false;
}

/* What the statistics say of parts of the runtime's memory is taken out of it. */
static void memory_count_runtime(const struct heap *heap, uint64_t bytes[USES])
{
	static const struct {
		enum use use;
		const char *field;
	} parts[] = {
		{USE_SPAN_RECORDS, "MSpanSys"},  {USE_CACHES, "MCacheSys"},
		{USE_PROFILE, "BuckHashSys"},    {USE_COLLECTOR, "GCSys"},
		{USE_RUNTIME_OTHER, "OtherSys"},
	};
	enum { PARTS = sizeof parts / sizeof *parts };
	uint64_t value[PARTS], sum = 0;
	for (size_t i = 0; i < PARTS; i++) {
		if (!memory_statistic(&heap->memstats, parts[i].field, &value[i]))
			return;
		/* The spans that the collector works with are in the heap. */
		if (parts[i].use == USE_COLLECTOR)
			value[i] -= value[i] < bytes[USE_WORK] ? value[i] : bytes[USE_WORK];
		sum += value[i];
	}
	if (sum > bytes[USE_RUNTIME])
		return;
	for (size_t i = 0; i < PARTS; i++)
		bytes[parts[i].use] = value[i];
	bytes[USE_RUNTIME] -= sum;
}

/* ---- All */

static bool memory_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	static const enum use of_kind[MAPPING_KINDS] = {
		[MAPPING_HEAP] = USE_HEAP,   [MAPPING_RUNTIME] = USE_RUNTIME,
		[MAPPING_FILE] = USE_FILES,  [MAPPING_EXECUTABLE] = USE_EXECUTABLE,
		[MAPPING_STACK] = USE_STACK, [MAPPING_RESERVED] = USE_RESERVED,
		[MAPPING_OTHER] = USE_OTHER,
	};
	const struct heap *heap = analysis_heap(rows->analysis);
	struct memory *memory = rows->data = mem_alloc(sizeof *memory);
	uint64_t bytes[USES] = {0};
	for (uint32_t i = 0; i < heap->mapping_count; i++) {
		bytes[of_kind[heap->mappings[i].kind]] += heap->mappings[i].bytes;
		memory->total += heap->mappings[i].bytes;
	}
	if (memory_spans_fit(heap, bytes[USE_HEAP])) {
		bytes[USE_HEAP] = 0;
		memory_count_spans(heap, bytes);
	}
	memory_count_runtime(heap, bytes);
	memory->reserved = bytes[USE_RESERVED];
	for (size_t use = 0; use < USES; use++)
		if (bytes[use])
			memory->row[rows->count++] = (struct memory_use){(enum use)use, bytes[use]};
	buf_add(&rows->title, "memory of the process by use, ");
	text_add_size(&rows->title, memory->total);
	buf_add(&rows->title, " mapped");
	return true;
}

static const struct memory_use *memory_row_of(const struct rows *rows, size_t row)
{
	return &((const struct memory *)rows->data)->row[row];
}

static const void *memory_record(const struct rows *rows, size_t row)
{
	return memory_row_of(rows, row);
}

static void memory_use_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, uses[memory_row_of(rows, row)->use].name);
}

static void memory_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct memory *memory = rows->data;
	if (memory->row[row].use != USE_RESERVED)
		cell_share(value, memory->row[row].bytes, memory->total - memory->reserved);
}

static void memory_meaning_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, uses[memory_row_of(rows, row)->use].meaning);
}

static const struct column columns[] = {
	{"use", "use", "What the memory is used for", VALUE_TEXT, 21, 0, .cell = memory_use_cell},
	{"bytes", "bytes", "Bytes of address space; all rows add up to what is mapped", VALUE_BYTES, 9,
     0, FIELD(struct memory_use, bytes)},
	{"share", "share", "Its part of what is mapped and not only reserved, in percent", VALUE_SHARE,
     7, 1, .cell = memory_share_cell},
	{"meaning", "meaning", "What is in it", VALUE_TEXT, 0, 0, .cell = memory_meaning_cell},
};

static void memory_link(const struct rows *rows, size_t row, struct buf *command)
{
	buf_add(command, uses[memory_row_of(rows, row)->use].link);
}

static const struct table table_memory = {
	.rank = 96,
	.name = "memory",
	.help = "The memory of a core file or a process by what it is used for: objects, free slots, "
			"stacks, free spans, the runtime, the executable",
	.needs = STAGE_READ,
	.parts = HAS_PROCESS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = memory_open,
	.record = memory_record,
	.link = memory_link,
};
PLUGIN(tables, table_memory);
