/* objects_sizes of heap/objects.h: counts objects by slot size. */
#include "heap/objects.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
	const struct objects_size_row *x = a, *y = b;
	return x->size < y->size ? -1 : x->size > y->size;
}

struct objects_size_row *objects_sizes(const struct objects *objects, size_t *count)
{
	struct objects_size_row *rows = NULL;
	struct objects_run_view run;
	struct map places = {0};
	size_t capacity = 0;
	*count = 0;
	for (size_t r = 0; r < objects_run_count(objects); r++) {
		objects_run(objects, r, &run);
		uint64_t place = *count;
		if (map_add(&places, run.size, &place))
			MEM_PUSH(rows, *count, capacity, (struct objects_size_row){.size = run.size});
		rows[place].count += run.count;
	}
	if (*count)
		qsort(rows, *count, sizeof *rows, by_size);
	map_free(&places);
	return rows;
}
