/* Any bytes as a dump, from the probe to retaining paths. The header decides which reader it is;
   FUZZ_HEADER, when it is defined, puts one in front so that every run reaches that reader. */
#include "fuzz.h"

#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_HEADER
#define FUZZ_HEADER ""
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char header[] = FUZZ_HEADER;
	size_t front = sizeof header - 1, total = front + size;
	struct err err = {0};
	if (total == 0)
		return 0;
	uint8_t *file = malloc(total); /* of this size exactly: one byte too far is found */
	memcpy(file, header, front);
	memcpy(file + front, data, size);
	struct input input = {.path = "fuzz", .data = file, .size = total, .fd = -1};
	struct heap *heap = heap_read(&input, NULL, &err);
	fuzz_check(heap || err.set);
	if (heap)
		fuzz_heap(heap);
	heap_free(heap);
	free(file);
	return 0;
}
