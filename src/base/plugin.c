#include "base/plugin.h"

#include <stdio.h>
#include <stdlib.h>

void plugins_list(const void *const *start, const void *const *stop, unsigned (*rank)(const void *),
                  const void **out, size_t room)
{
	size_t count = 0;
	for (; start < stop; start++) {
		size_t place = count++;
		if (count >= room) {
			fprintf(stderr, "goheapx: more plug-ins than %zu\n", room - 1);
			abort();
		}
		for (; place && rank(out[place - 1]) > rank(*start); place--)
			out[place] = out[place - 1];
		out[place] = *start;
	}
	out[count] = NULL;
}
