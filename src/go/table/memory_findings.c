/* Finds resident memory that is not the heap, where it is most of what is resident. */
#include "table/findings/finding.h"

#include "base/text.h"
#include "format/format.h"
#include "go/table/memory_use.h"
#include "heap/heap.h"
#include "table/table.h"

enum { MOST = 50, PART = 10, PARTS = 4 }; /* percent of what is resident; rows */
/* The table that leads to them has 1.4 MB, of which few stacks touch little. */
enum { PROFILE_LEAST = 3 << 20 };

static const struct finding_kind memory_kind = {
	FINDING_USUAL, "memory", "", "It is most of the resident memory, and not Go's",
	"Most of the resident memory is not Go's: {bytes} {name}."};
static const struct finding_kind mapping_kind = {
	FINDING_USUAL, "mapping", "",
	"Much of the resident memory that is not Go's; a variable or an object that points there names "
	"it",
	NULL};

static const struct finding_kind malloc_kind = {
	FINDING_USUAL, "malloc", "",
	"C code has it from malloc, which keeps what is free for its next calls", NULL};
static const struct finding_kind allocator_kind = {
	FINDING_USUAL, "allocator", "",
	"The process has loaded an allocator of C; what is free in its memory is not known", NULL};
static const struct finding_kind profile_kind = {
	FINDING_USUAL, "profile", "",
	"The runtime keeps each call stack of an allocation, block or lock that its profiles have "
	"seen, "
	"until the process ends",
	"Call stacks of profiles take {bytes}, {name}: the runtime keeps them until the process ends."};

/* Returns the largest use outside, or NULL. */
static const struct memory_row *memory_largest(const struct rows *rows)
{
	const struct memory_row *largest = NULL;
	for (size_t i = 0; i < rows->count; i++) {
		const struct memory_row *row = rows_record(rows, i);
		if (row->outside && row->resident && (!largest || row->resident > largest->resident))
			largest = row;
	}
	return largest;
}

/* Adds the memory of glibc's malloc, with what is free in it. */
static void memory_report_malloc(struct findings *findings, const struct rows *mappings,
                                 uint64_t all)
{
	const char *name = memory_row_of(MAPPING_MALLOC).words.name;
	uint64_t bytes = 0, resident = 0, free = 0, unknown = 0;
	for (size_t i = 0; i < mappings->count; i++) {
		const struct memory_row *row = rows_record(mappings, i);
		if (row->words.name != name)
			continue;
		struct value value = rows_number(mappings, i, "malloc_free");
		bytes += row->bytes;
		resident += row->resident;
		free += value.kind == VALUE_NONE ? 0 : value.number;
		unknown += value.kind == VALUE_NONE ? row->bytes : 0;
	}
	if (resident * 100 < all * PART || !bytes)
		return;
	struct finding *finding = findings_add(findings, &malloc_kind);
	finding->bytes = resident;
	buf_add(&finding->what, "malloc of glibc");
	if (unknown < bytes)
		buf_addf(&finding->name, "free: %s of %s%s", text_size(free).text,
		         text_size(bytes - unknown).text, unknown ? "; " : "");
	if (unknown)
		buf_addf(&finding->name, "%s not read", text_size(unknown).text);
	buf_addf(&finding->link, "mappings %s", name);
}

/* Adds the allocator that is not read, with the use that may be its, if that is most of what is
   resident: other mappings, or those of the runtime, which the kernel has joined it with. */
static void memory_report_allocator(struct findings *findings, const struct rows *memory,
                                    uint64_t all)
{
	const char *allocator = memory_allocator(analysis_heap(findings->analysis));
	const char *other = memory_row_of(MAPPING_OTHER).words.name;
	const char *runtime = memory_row_of(MAPPING_RUNTIME).words.name;
	for (size_t i = 0; allocator && i < memory->count; i++) {
		const struct memory_row *row = rows_record(memory, i);
		if ((row->words.name != other && row->words.name != runtime)
		    || row->resident <= findings->whole || row->resident * 100 < all * MOST)
			continue;
		struct finding *finding = findings_add(findings, &allocator_kind);
		finding->bytes = row->resident;
		buf_add(&finding->what, row->words.name);
		buf_addf(&finding->name, "maybe of %s, which is not read", allocator);
		buf_addf(&finding->link, "mappings %s", row->words.name);
	}
}

/* Adds what profiles take, if that is more than the heap and much of what is resident (all: 0,
   where that is not known). */
static void memory_report_profile(struct findings *findings, uint64_t all)
{
	const struct heap *heap = analysis_heap(findings->analysis);
	uint64_t bytes;
	if (!memstats_value(&heap->memstats, "BuckHashSys", &bytes) || bytes < PROFILE_LEAST
	    || bytes <= findings->whole || bytes * 100 < all * PART)
		return;
	struct finding *finding = findings_add(findings, &profile_kind);
	finding->bytes = bytes;
	buf_add(&finding->what, "stacks of profiles");
	buf_add(&finding->name, "of allocations: ");
	text_add_number_of(&finding->name, heap->profiles.count, "stack", "stacks");
	buf_add(&finding->link, "profiles");
}

/* Adds the largest mappings outside, with what points there. */
static bool memory_report_mappings(struct findings *findings, uint64_t all,
                                   struct progress *progress, struct err *err)
{
	struct rows *rows =
		rows_open_watched(table_find("mappings"), findings->analysis, NULL, progress, err);
	bool other = heap_unread(analysis_heap(findings->analysis));
	size_t parts = 0;
	if (rows)
		memory_report_malloc(findings, rows, all);
	for (size_t i = 0; rows && i < rows->count && parts < PARTS; i++) {
		const struct memory_row *row = rows_record(rows, i);
		if (!row->outside || row->resident * 100 < all * PART)
			continue;
		struct finding *finding = findings_add(findings, &mapping_kind);
		finding->bytes = row->resident;
		rows_text(rows, i, table_column(rows->table, "name"), &finding->what);
		rows_text(rows, i, table_column(rows->table, "pointed_from"), &finding->name);
		if (rows_number(rows, i, "pointers").kind == VALUE_NONE)
			buf_addf(&finding->name, "no pointer in a variable, object or Go frame%s leads there",
			         other ? " of the runtime that is read" : "");
		buf_addf(&finding->link, "mappings %s", row->words.name);
		parts++;
	}
	rows_close(rows);
	return rows;
}

static bool memory_find(struct findings *findings, struct progress *progress, struct err *err)
{
	struct rows *rows =
		rows_open_watched(table_find("memory"), findings->analysis, NULL, progress, err);
	struct memory_residence sum;
	if (!rows)
		return false;
	bool known = memory_residence(analysis_heap(findings->analysis), &sum);
	bool most = known && sum.outside > findings->whole && sum.outside * 100 >= sum.all * MOST;
	if (most) {
		struct finding *finding = findings_add(findings, &memory_kind);
		finding->bytes = sum.outside;
		buf_add(&finding->what, "resident, not Go's");
		buf_addf(&finding->name, "of %s", text_size(sum.all).text);
		const struct memory_row *row = memory_largest(rows);
		if (row)
			buf_addf(&finding->name, ", %s %s", row->words.name, text_size(row->resident).text);
		buf_add(&finding->link, "memory");
	}
	if (known)
		memory_report_allocator(findings, rows, sum.all);
	memory_report_profile(findings, sum.all);
	rows_close(rows);
	return !most || memory_report_mappings(findings, sum.all, progress, err);
}

DEFINE_PLUGIN(finders, struct finder, memory_finder) = {.parts = PART_PROCESS, .find = memory_find};
