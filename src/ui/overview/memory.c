/* Overview: the sizes of slots, and what the runtime says of its memory. */
#include "ui/overview.h"

#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 4 }; /* lines */

static int most_bytes_first(const void *a, const void *b)
{
	const struct objects_size_row *x = a, *y = b;
	uint64_t left = x->size * x->count, right = y->size * y->count;
	if (left != right)
		return left < right ? 1 : -1;
	return x->size < y->size ? -1 : x->size > y->size;
}

static void overview_memory_add_size(struct section *section, const struct objects_size_row *row,
                                     uint64_t whole)
{
	struct buf name = {0}, link = {0};
	text_add_count(&name, row->count);
	buf_add(&name, " of ");
	text_add_size(&name, row->size);
	buf_addf(&link, "objects size=%" PRIu64, row->size);
	overview_bytes(section, buf_text(&link), row->size * row->count, whole, buf_text(&name));
	buf_free(&name);
	buf_free(&link);
}

void overview_sizes(struct overview *overview)
{
	const struct heap *heap = analysis_heap(overview->analysis);
	struct section section = {&overview->page, "SIZES"};
	size_t count = objects_sizes(heap->objects, NULL, 0);
	struct objects_size_row *rows = mem_alloc((count + 1) * sizeof *rows);
	objects_sizes(heap->objects, rows, count);
	qsort(rows, count, sizeof *rows, most_bytes_first);
	for (size_t i = 0; i < count && i < SIZES; i++)
		overview_memory_add_size(&section, &rows[i], objects_bytes(heap->objects));
	overview_more(&section, "sizes", count, SIZES, "more sizes …");
	free(rows);
}

static uint64_t statistic(const struct memstats_record *stats, const char *name)
{
	for (size_t i = 0; i < sizeof stats->field / sizeof *stats->field; i++)
		if (strcmp(memstats_names[i], name) == 0)
			return stats->field[i];
	return 0;
}

/* Sys, and the parts that make it up. */
void overview_memory(struct overview *overview)
{
	const struct memstats_record *stats = &analysis_heap(overview->analysis)->memstats;
	enum { SUMMANDS = 4 };
	static const struct {
		const char *label, *field[SUMMANDS];
	} parts[] = {
		{"heap in use", {"HeapInuse"}},
		{"heap idle", {"HeapIdle"}},
		{"stacks", {"StackSys"}},
		{"spans, caches, GC", {"MSpanSys", "MCacheSys", "BuckHashSys", "GCSys"}},
		{"other", {"OtherSys"}},
	};
	struct section section = {&overview->page, "MEMORY"};
	uint64_t whole = statistic(stats, "Sys");
	if (!stats->present)
		return;
	overview_bytes(&section, "memstats", whole, 0, "from the system (memstats: Sys)");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		uint64_t bytes = 0;
		for (size_t k = 0; k < SUMMANDS && parts[i].field[k]; k++)
			bytes += statistic(stats, parts[i].field[k]);
		overview_bytes(&section, "memstats", bytes, whole, parts[i].label);
	}
}
