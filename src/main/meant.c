#include "main/meant.h"

#include <string.h>

enum { SHORTEST = 3, SHORT = 6 };

void meant_add(struct nearest *nearest, const char *before_name, struct buf *out)
{
	size_t length = strlen(nearest->wanted);
	nearest_keep(nearest, length < SHORTEST ? 0 : length < SHORT ? 1 : 2);
	if (nearest->count)
		buf_addf(out, ", perhaps %s%s is meant", before_name, nearest->name[0].text);
}
