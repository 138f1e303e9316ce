#include "table/contents/outside_spans.h"

#include "base/mem.h"
#include "table/contents/collections.h"
#include "table/contents/windows.h"

#include <stdlib.h>

struct outside_spans {
	uint32_t *object; /* sorted: arrays with elements in no slice */
	size_t count;
	struct window *window; /* by object, then by start; each ends where all before it have ended */
	size_t windows;
};

static bool outside_spans_wants(void *self, const struct collection *item)
{
	(void)self;
	return item->outside && item->object != OBJECT_NONE;
}

static int outside_spans_in_order(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static void outside_spans_add_windows(struct outside_spans *spans, const struct analysis *analysis)
{
	spans->window = windows_of(analysis, spans->object, spans->count, &spans->windows);
	for (size_t i = 1; i < spans->windows; i++)
		if (spans->window[i].object == spans->window[i - 1].object
		    && spans->window[i].end < spans->window[i - 1].end)
			spans->window[i].end = spans->window[i - 1].end;
}

struct outside_spans *outside_spans_new(const struct analysis *analysis, struct progress *progress)
{
	struct outside_spans *spans = mem_alloc(sizeof *spans);
	struct collections found;
	bool done = collections_find(&found, analysis, 1U << COLLECTION_SLICE, outside_spans_wants,
	                             NULL, progress);
	spans->object = mem_alloc((found.count + 1) * sizeof *spans->object);
	for (size_t i = 0; done && i < found.count; i++)
		spans->object[spans->count++] = found.item[i].object;
	collections_fini(&found);
	if (spans->count) {
		qsort(spans->object, spans->count, sizeof *spans->object, outside_spans_in_order);
		outside_spans_add_windows(spans, analysis);
	}
	if (done)
		return spans;
	outside_spans_free(spans);
	return NULL;
}

void outside_spans_free(struct outside_spans *spans)
{
	if (!spans)
		return;
	free(spans->object);
	free(spans->window);
	free(spans);
}

/* Returns true if a window begins at or before an offset of an object. */
static bool outside_spans_is_before(const struct window *window, uint32_t object, uint64_t offset)
{
	return window->object != object ? window->object < object : window->start <= offset;
}

bool outside_spans_has(const struct outside_spans *spans, uint32_t object, uint64_t offset)
{
	size_t first = 0, end = spans->windows;
	if (!spans->count
	    || !bsearch(&object, spans->object, spans->count, sizeof object, outside_spans_in_order))
		return false;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		if (outside_spans_is_before(&spans->window[middle], object, offset))
			first = middle + 1;
		else
			end = middle;
	}
	return !first || spans->window[first - 1].object != object
	       || spans->window[first - 1].end <= offset;
}
