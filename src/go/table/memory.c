/* The memory of a process by use: the uses add up to all mapped memory. */
#include "base/buf.h"
#include "format/format.h"
#include "format/record.h"
#include "go/table/memory_count.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

enum use {
	USE_OBJECTS,
	USE_FREE_SLOTS,
	USE_SPAN_REST,
	USE_THREAD_STACKS,
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
	USE_FILES, /* from here to USE_OTHER: outside, see struct memory_row */
	USE_STATIC,
	USE_STACK,
	USE_PTHREADS,
	USE_MALLOC,
	USE_OTHER,
	USE_RESERVED,
	USES
};

static const struct memory_words uses[USES] = {
	[USE_OBJECTS] = {"objects",
                     "Objects; those that were freed and are not swept yet are free slots",
                     "objects", MEMORY_BY_OWNER},
	[USE_FREE_SLOTS] = {"free slots", "Slots without an object in spans that have objects",
                        "spans in use", MEMORY_BY_CLASS},
	[USE_SPAN_REST] = {"rest of spans",
                       "Ends of these spans: pointer masks, and rests smaller "
                       "than a slot",
                       "spans in use", MEMORY_WHOLE},
	[USE_THREAD_STACKS] = {"goroutine stacks", "Stacks that goroutines have now", "goroutines",
                           MEMORY_BY_THREAD},
	[USE_OTHER_STACKS] = {"other stacks", "Free stacks, and those of the runtime's own threads",
                          "spans stack", MEMORY_WHOLE},
	[USE_WORK] = {"work of the collector", "The collector's lists of objects to scan",
                  "spans runtime", MEMORY_WHOLE},
	[USE_FREE] = {"free spans", "Free pages that are not returned to the operating system",
                  "spans free", MEMORY_WHOLE},
	[USE_RELEASED] = {"released", "Free pages that are returned to the operating system",
                      "spans released", MEMORY_WHOLE},
	[USE_HEAP] = {"heap", "The whole heap: its parts are inconsistent", "spans", MEMORY_WHOLE},
	[USE_SPAN_RECORDS] = {"span records", "The runtime's records of spans", "", MEMORY_WHOLE},
	[USE_CACHES] = {"thread caches", "The threads' caches for allocation", "", MEMORY_WHOLE},
	[USE_PROFILE] = {"profile", "The allocation profile's stacks and counts", "profiles",
                     MEMORY_WHOLE},
	[USE_COLLECTOR] = {"marks and maps", "The collector's mark bits, and maps of the heap's pages",
                       "", MEMORY_WHOLE},
	[USE_RUNTIME_OTHER] = {"other records", "Finalizers, profiles of the runtime and the like", "",
                           MEMORY_WHOLE},
	[USE_RUNTIME] = {"rest of the runtime",
                     "Other memory that the runtime has from the operating system, used or not; "
                     "parts of others of at most 64 KB that the kernel has joined with it, too",
                     "mappings rest of the runtime", MEMORY_WHOLE},
	[USE_EXECUTABLE] = {"executable", "The program's code, constants and global variables",
                        "variables", MEMORY_WHOLE},
	[USE_FILES] = {"other files", "Libraries and other files that are mapped",
                   "mappings other files", MEMORY_BY_MAPPING},
	[USE_STATIC] = {"static data", "Variables of libraries, and of C code in the executable",
                    "mappings static data", MEMORY_BY_MAPPING},
	[USE_STACK] = {"first stack", "The first thread's stack, from the operating system", "",
                   MEMORY_WHOLE},
	[USE_PTHREADS] = {"thread stacks", "Stacks of threads, from a C library",
                      "mappings thread stacks", MEMORY_BY_MAPPING},
	[USE_MALLOC] = {"malloc", "What C code has from malloc, and what malloc keeps for it",
                    "mappings malloc", MEMORY_BY_MAPPING},
	[USE_OTHER] = {"other mappings",
                   "Mapped by the program, a C library or the kernel, without a file",
                   "mappings other mappings", MEMORY_BY_MAPPING},
	[USE_RESERVED] = {"reserved", "Reserved address space without memory", "", MEMORY_WHOLE},
};

/* The size of each use, and its resident part. */
struct memory_count {
	const struct heap *heap;
	uint64_t bytes[USES], resident[USES];
	bool knows_resident;
};
_Static_assert((int)USES <= (int)MEMORY_USES_MOST, "there is room for each use");

/* Returns how many bytes of a range are resident. Sets knows_resident to false if unknown. */
static uint64_t memory_resident(struct memory_count *count, uint64_t address, uint64_t bytes)
{
	const struct heap *heap = count->heap;
	uint64_t resident = 0;
	count->knows_resident = count->knows_resident && heap_resident(heap, address, bytes, &resident);
	return resident;
}

static void memory_add(struct memory_count *count, enum use use, uint64_t address, uint64_t bytes)
{
	count->bytes[use] += bytes;
	count->resident[use] += memory_resident(count, address, bytes);
}

/* ---- The heap */

/* Returns the resident bytes of the objects in a partly resident span, slot by slot. */
static uint64_t memory_resident_objects(const struct heap *heap, const struct span_record *span)
{
	uint32_t id = heap_first_from(heap, span->address), objects = heap_object_count(heap);
	uint64_t resident = 0, sum = 0;
	for (; id < objects && heap_address(heap, id) - span->address < span->bytes; id++) {
		uint64_t slot = (heap_address(heap, id) - span->address) / span->size;
		heap_resident(heap, span->address + slot * span->size, span->size, &resident);
		sum += resident;
	}
	return sum;
}

void memory_count_slots(const struct heap *heap, const struct span_record *span,
                        struct memory_slots *slots)
{
	uint64_t objects = span->objects * span->size, all = span->slots * span->size, resident = 0;
	heap_resident(heap, span->address, all, &resident);
	*slots = (struct memory_slots){.objects = objects, .free = all - objects};
	slots->objects_resident = resident == all ? objects : memory_resident_objects(heap, span);
	if (slots->objects_resident > resident)
		slots->objects_resident = resident;
	slots->free_resident = resident - slots->objects_resident;
}

static void memory_count_in_use(struct memory_count *count, const struct span_record *span)
{
	struct memory_slots slots;
	uint64_t all = span->slots * span->size;
	memory_count_slots(count->heap, span, &slots);
	count->bytes[USE_OBJECTS] += slots.objects;
	count->bytes[USE_FREE_SLOTS] += slots.free;
	count->resident[USE_OBJECTS] += slots.objects_resident;
	count->resident[USE_FREE_SLOTS] += slots.free_resident;
	memory_add(count, USE_SPAN_REST, span->address + all, span->bytes - all);
}

static void memory_count_stacks(struct memory_count *count)
{
	const struct heap *heap = count->heap;
	uint64_t bytes = 0, resident = 0;
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		struct thread_stack stack = heap_thread_stack(heap, i);
		bytes += stack.exact ? stack.bytes : 0;
		resident += stack.exact ? memory_resident(count, stack.address, stack.bytes) : 0;
	}
	uint64_t *all = &count->bytes[USE_OTHER_STACKS];
	uint64_t *all_resident = &count->resident[USE_OTHER_STACKS];
	count->bytes[USE_THREAD_STACKS] = bytes = bytes < *all ? bytes : *all;
	count->resident[USE_THREAD_STACKS] = resident = resident < *all_resident ? resident
	                                                                         : *all_resident;
	*all -= bytes;
	*all_resident -= resident;
}

static void memory_count_spans(struct memory_count *count)
{
	static const enum use of_state[SPAN_STATES] = {
		[SPAN_STACK] = USE_OTHER_STACKS,
		[SPAN_RUNTIME] = USE_WORK,
		[SPAN_FREE] = USE_FREE,
		[SPAN_RELEASED] = USE_RELEASED,
	};
	const struct heap *heap = count->heap;
	for (uint32_t i = 0; i < heap->span_count; i++) {
		const struct span_record *span = &heap->spans[i];
		if (span->state == SPAN_IN_USE)
			memory_count_in_use(count, span);
		else
			memory_add(count, of_state[span->state], span->address, span->bytes);
	}
	memory_count_stacks(count);
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

/* ---- The runtime */

static const struct {
	enum use use;
	const char *field;
} runtime_parts[] = {
	{USE_SPAN_RECORDS, "MSpanSys"}, {USE_CACHES, "MCacheSys"},       {USE_PROFILE, "BuckHashSys"},
	{USE_COLLECTOR, "GCSys"},       {USE_RUNTIME_OTHER, "OtherSys"},
};
enum { RUNTIME_PARTS = sizeof runtime_parts / sizeof *runtime_parts };

/* Moves the parts that the statistics report out of the rest of the runtime's memory. Their
   addresses are unknown, and so is their resident part. */
static void memory_count_runtime(const struct heap *heap, uint64_t bytes[USES])
{
	uint64_t value[RUNTIME_PARTS], sum = 0;
	for (size_t i = 0; i < RUNTIME_PARTS; i++) {
		if (!memstats_value(&heap->memstats, runtime_parts[i].field, &value[i]))
			value[i] = 0;
		/* The collector's spans already count as heap. */
		if (runtime_parts[i].use == USE_COLLECTOR)
			value[i] -= value[i] < bytes[USE_WORK] ? value[i] : bytes[USE_WORK];
		sum += value[i];
	}
	if (sum > bytes[USE_RUNTIME])
		return;
	for (size_t i = 0; i < RUNTIME_PARTS; i++)
		bytes[runtime_parts[i].use] = value[i];
	bytes[USE_RUNTIME] -= sum;
}

static bool memory_knows_resident(const struct memory_count *count, enum use use)
{
	for (size_t i = 0; i < RUNTIME_PARTS; i++)
		if (runtime_parts[i].use == use)
			return false;
	return count->knows_resident;
}

/* ---- Totals */

static const enum use memory_use_of_kind[MAPPING_KINDS] = {
	[MAPPING_HEAP] = USE_HEAP,     [MAPPING_RUNTIME] = USE_RUNTIME,
	[MAPPING_FILE] = USE_FILES,    [MAPPING_EXECUTABLE] = USE_EXECUTABLE,
	[MAPPING_STACK] = USE_STACK,   [MAPPING_RESERVED] = USE_RESERVED,
	[MAPPING_OTHER] = USE_OTHER,   [MAPPING_THREAD_STACK] = USE_PTHREADS,
	[MAPPING_MALLOC] = USE_MALLOC, [MAPPING_STATIC] = USE_STATIC,
};

static struct memory_row memory_row(enum use use)
{
	return (struct memory_row){.words = uses[use],
	                           .reserved = use == USE_RESERVED,
	                           .outside = use >= USE_FILES && use <= USE_OTHER};
}

struct memory_row memory_row_of(uint64_t kind)
{
	return memory_row(memory_use_of_kind[kind]);
}

const char *memory_allocator(const struct heap *heap)
{
	return heap->format->allocator && heap->reader ? heap->format->allocator(heap->reader) : NULL;
}

void memory_add_allocator(const struct heap *heap, const char *before, struct buf *out)
{
	const char *name = memory_allocator(heap);
	if (name)
		buf_addf(out, "%s%s: its chunks are not read", before, name);
}

static uint64_t memory_count_all(struct memory_count *count)
{
	const struct heap *heap = count->heap;
	uint64_t total = 0;
	for (uint32_t i = 0; i < heap->mapping_count; i++) {
		const struct mapping_record *mapping = &heap->mappings[i];
		memory_add(count, memory_use_of_kind[mapping->kind], mapping->address, mapping->bytes);
		total += mapping->bytes;
	}
	if (memory_spans_fit(heap, count->bytes[USE_HEAP])) {
		count->bytes[USE_HEAP] = count->resident[USE_HEAP] = 0;
		memory_count_spans(count);
	}
	memory_count_runtime(heap, count->bytes);
	return total;
}

bool memory_residence(const struct heap *heap, struct memory_residence *residence)
{
	struct memory_count count = {.heap = heap, .knows_resident = heap_has(heap, PART_PROCESS)};
	*residence = (struct memory_residence){0};
	if (count.knows_resident)
		memory_count_all(&count);
	for (size_t use = 0; count.knows_resident && use < USES; use++) {
		residence->all += count.resident[use];
		residence->outside += memory_row((enum use)use).outside ? count.resident[use] : 0;
	}
	residence->objects = count.resident[USE_OBJECTS];
	return count.knows_resident;
}

void memory_uses_count(const struct heap *heap, struct memory_uses *all)
{
	struct memory_count count = {.heap = heap, .knows_resident = true};
	*all = (struct memory_uses){.total = memory_count_all(&count)};
	all->reserved = count.bytes[USE_RESERVED];
	all->knows_resident = count.knows_resident;
	for (size_t use = 0; use < USES; use++) {
		all->resident += count.resident[use];
		if (!count.bytes[use] && !count.resident[use])
			continue;
		struct memory_row *row = &all->row[all->count++];
		*row = memory_row((enum use)use);
		row->bytes = count.bytes[use];
		row->resident = count.resident[use];
		row->knows_resident = memory_knows_resident(&count, (enum use)use);
	}
}
