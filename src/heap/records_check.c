#include "records_check.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A kind of record of which there is one at an address. */
struct single {
	enum record_kind kind;
	uint16_t address; /* offset of that field */
	const char *many; /* after their number */
};
static const struct single singles[] = {
	{RECORD_GOROUTINE, offsetof(struct goroutine_record, address), "goroutines have the address"},
	{RECORD_OS_THREAD, offsetof(struct os_thread_record, address), "OS threads have the address"},
	{RECORD_FINALIZER, offsetof(struct finalizer_record, object), "finalizers are of the object"},
	{RECORD_QUEUED_FINALIZER, offsetof(struct finalizer_record, object),
     "queued finalizers are of the object"},
	{RECORD_ITAB, offsetof(struct itab_record, address), "itabs have the address"},
	{RECORD_DEFER, offsetof(struct defer_record, address), "deferred calls have the address"},
	{RECORD_PANIC, offsetof(struct panic_record, address), "panics have the address"},
	{RECORD_PROFILE, offsetof(struct profile_record, id), "allocation profiles have the number"},
	{RECORD_SAMPLE, offsetof(struct sample_record, object), "samples are of the object"},
};

/* Copies the addresses of all records of a kind, ascending. Returns their number. */
static size_t records_addresses(const struct heap *heap, const struct single *single,
                                uint64_t *address)
{
	struct heap_records records = heap_records(heap, single->kind);
	size_t count = 0;
	for (size_t i = 0; i < records.count; i++) {
		const char *item = (const char *)records.items + i * records.stride;
		const struct finalizer_record *finalizer = (const void *)item;
		bool queued = single->kind == RECORD_QUEUED_FINALIZER;
		if ((single->kind == RECORD_FINALIZER || queued) && finalizer->queued != queued)
			continue;
		memcpy(&address[count++], item + single->address, sizeof *address);
	}
	bound_sort(address, count, BOUND_ITSELF(uint64_t));
	return count;
}

/* Warns of the first address of several records. */
static void records_check_single(const struct heap *heap, const struct single *single,
                                 records_warn *warn, void *self)
{
	size_t most = heap_records(heap, single->kind).count;
	SCOPED_FREE uint64_t *address = mem_alloc((most + 1) * sizeof *address);
	size_t count = records_addresses(heap, single, address), same = 1;
	char text[200];
	for (size_t i = 1; i <= count; i++) {
		if (i < count && address[i] == address[i - 1]) {
			same++;
			continue;
		}
		if (same > 1) {
			snprintf(text, sizeof text,
			         "%zu %s 0x%" PRIx64 ", where an intact dump has one: it is damaged", same,
			         single->many, address[i - 1]);
			warn(self, ERR_NO_OFFSET, text);
			return;
		}
	}
}

/* The runtime may write a type again, as it remembers 1,024 at most: then it is the same. */
static void records_check_types(const struct heap *heap, records_warn *warn, void *self)
{
	SCOPED_MAP first = {0};
	char text[200];
	for (uint32_t i = 0; i < heap->type_count; i++) {
		const struct type_record *type = &heap->types[i];
		uint64_t at = i;
		if (map_add(&first, type->address, &at)
		    || (heap->types[at].size == type->size && heap->types[at].pointer == type->pointer
		        && text_equal(heap->types[at].name, type->name)))
			continue;
		snprintf(text, sizeof text,
		         "Two records of the type 0x%" PRIx64 " differ, where an intact dump has the same: "
		         "it is damaged",
		         type->address);
		warn(self, type->offset, text);
		return;
	}
}

/* ---- Variables of the program */

static void records_check_segments(const struct heap *heap, records_warn *warn, void *self)
{
	static const char *const names[] = {"with initial values (data)",
	                                    "without initial values (bss)"};
	uint32_t count[2] = {0};
	char text[200];
	for (uint32_t i = 0; i < heap->segment_count; i++)
		count[heap->segments[i].bss]++;
	for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
		if (count[i] == 1)
			continue;
		if (count[i])
			snprintf(text, sizeof text,
			         "%" PRIu32 " records have the variables %s, where an intact dump has one: it "
			         "is damaged",
			         count[i], names[i]);
		else
			snprintf(text, sizeof text,
			         "No record has the variables %s, which an intact dump has: what only they "
			         "lead to counts as unreachable",
			         names[i]);
		warn(self, ERR_NO_OFFSET, text);
	}
}

void records_check(const struct heap *heap, records_warn *warn, void *self)
{
	for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
		records_check_single(heap, &singles[i], warn, self);
	if (heap_has(heap, PART_GO))
		records_check_types(heap, warn, self);
	/* Else single variables are listed, or it is no whole dump. */
	if (!heap->foundroot_count && heap->memstats.offset)
		records_check_segments(heap, warn, self);
}
