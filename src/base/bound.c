#include "base/bound.h"

#include <stdlib.h>

static int bound_compare_rows(const void *a, const void *b, void *by)
{
	const struct bound_by *field = by;
	return bound_compare(bound_number(a, 0, *field), bound_number(b, 0, *field));
}

void bound_sort(void *rows, size_t count, struct bound_by by)
{
	if (count)
		qsort_r(rows, count, by.stride, bound_compare_rows, &by);
}
