/* Slot sizes: objects_sizes of heap/objects.h. */
#include "heap/objects.h"

#include "base/mem.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
	const struct objects_size_row *x = a, *y = b;
	return x->size < y->size ? -1 : x->size > y->size;
}

size_t objects_sizes(const struct objects *objects, struct objects_size_row *rows, size_t max)
{
	size_t runs = objects_run_count(objects), count = 0;
	struct objects_size_row *all = mem_alloc((runs + 1) * sizeof *all);
	struct objects_run_view run;
	for (size_t r = 0; r < runs; r++) {
		objects_run(objects, r, &run);
		all[r] = (struct objects_size_row){run.size, run.count};
	}
	qsort(all, runs, sizeof *all, by_size);
	for (size_t r = 0; r < runs; r++) {
		if (r == 0 || all[r].size != all[r - 1].size)
			count++;
		if (count > max)
			continue;
		if (r == 0 || all[r].size != all[r - 1].size)
			rows[count - 1] = (struct objects_size_row){all[r].size, 0};
		rows[count - 1].count += all[r].count;
	}
	free(all);
	return count;
}
