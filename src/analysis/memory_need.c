#include "analysis/stages.h"

#include "base/memory_left.h"
#include "base/text.h"
#include "go/exe/gotypes.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	REFERENCES = 3,   /* per object, until they are counted */
	LEAST = 16 << 20, /* bytes that need no check */
	SPACE = 4 /* times the file size: address space for the maximum number of references, in two
	             parts */
};

/* Measured bytes per object and per reference that a stage allocates (or frees), and bytes per
   object that it needs temporarily in addition. STAGE_TYPED includes the sums of owners. */
static const struct {
	enum stage stage;
	int object, reference, meanwhile;
} needs[] = {
	{STAGE_LINKED, 2, 4, 8}, {STAGE_REACHED, 4, 0, 4},  {STAGE_RETAINED, 16, 0, 14},
	{STAGE_OWNED, 0, 0, 6},  {STAGE_REVERSED, 2, 4, 4}, {STAGE_TYPED, 5, 0, 19},
};
enum {
	NEEDS = sizeof needs / sizeof *needs,
	EXECUTABLE = 17, /* bytes per object for types from an executable */
	GUESSED = 17     /* and meanwhile for guesses: a queue that doubles, a bit */
};

static uint64_t memory_need_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool memory_need_lacks(enum stage stage, unsigned before, uint64_t need, uint64_t left,
                              struct err *err)
{
	SCOPED_BUF text = {0};
	buf_addf(&text,
	         "Not enough memory for the %s: about %s more are needed, %s are available, which is "
	         "enough for objects",
	         stage_name(stage), text_size(need).text, text_size(left).text);
	for (unsigned bit = STAGE_LINKED; bit < STAGE_ALL; bit <<= 1)
		if (before & bit)
			buf_addf(&text, ", %s", stage_name((enum stage)bit));
	err_set(err, "%s", buf_text(&text));
	return false;
}

/* Returns what the debug information takes: unpacked, and half of that for the types that are read
   from it. */
static int64_t memory_need_of_debug(const struct exe *exe)
{
	uint64_t size = image_packed_size(exe_image(exe));
	return (int64_t)(size + size / 2);
}

/* Returns the sum of memory after a stage; *need is the peak during the stage, including earlier
   ones. */
static int64_t memory_need_of(const struct heap *heap, size_t i, const struct exe *exe, int64_t sum,
                              uint64_t *need)
{
	int64_t objects = heap_object_count(heap);
	int64_t references = heap->edge_count ? (int64_t)heap->edge_count : objects * REFERENCES;
	bool typed = exe && needs[i].stage == STAGE_TYPED;
	if (typed)
		sum += memory_need_of_debug(exe);
	sum += objects * (needs[i].object + (typed ? EXECUTABLE : 0));
	sum += references * needs[i].reference;
	int64_t most = sum + objects * (needs[i].meanwhile + (typed ? GUESSED : 0));
	*need = most > 0 ? (uint64_t)most : 0;
	return sum;
}

/* Returns true if stages need so little that there is no need to ask what is free. */
static bool memory_need_is_small(const struct heap *heap, const struct exe *exe, unsigned stages)
{
	int64_t sum = (int64_t)heap->input->size * SPACE;
	uint64_t need;
	for (size_t i = 0; i < NEEDS; i++)
		if (needs[i].stage & stages) {
			sum = memory_need_of(heap, i, exe, sum, &need);
			if (need >= LEAST)
				return false;
		}
	return true;
}

bool memory_need_fits(const struct heap *heap, const struct exe *exe, unsigned stages,
                      enum stage *first, struct err *err)
{
	if (memory_need_is_small(heap, exe, stages))
		return true;
	int64_t sum = 0;
	uint64_t memory = memory_left_line("/proc/meminfo", "MemAvailable"), need;
	uint64_t swap = memory_left_line("/proc/meminfo", "SwapFree"), space = memory_left_in_space();
	bool known = memory < UINT64_MAX / 2 && swap < UINT64_MAX / 2;
	uint64_t left = memory_need_least(known ? memory + swap : UINT64_MAX, space);
	left = memory_need_least(left, memory_left_in_groups());
	unsigned before = STAGE_NONE;
	for (size_t i = 0; i < NEEDS; i++) {
		enum stage stage = needs[i].stage;
		if (stage & stages) {
			if (stage == STAGE_LINKED && space < UINT64_MAX)
				sum += (int64_t)heap->input->size * SPACE;
			if (stage == STAGE_TYPED && exe && space < UINT64_MAX)
				sum += (int64_t)gotypes_space();
			sum = memory_need_of(heap, i, exe, sum, &need);
			if (need > left && need >= LEAST) {
				*first = stage;
				return memory_need_lacks(stage, before, need, left, err);
			}
		}
		before |= stage;
	}
	return true;
}
