/* Sorts arrays by a number, and searches them: binary search. The searches are inline, so that the
   compiler specializes each use for one field. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Describes the field by which rows ascend: an unsigned number of 4 or 8 bytes. */
struct bound_by {
	size_t stride, offset, width;
};
#define BOUND_BY(type, field)                                                     \
	(struct bound_by)                                                             \
	{                                                                             \
		sizeof(type), offsetof(type, field), sizeof(((const type *)NULL)->field), \
	}

/* The rows are themselves the numbers. */
#define BOUND_ITSELF(type)             \
	(struct bound_by)                  \
	{                                  \
		sizeof(type), 0, sizeof(type), \
	}

/* Sorts rows so that they ascend by the field. There may be none, and `rows` may then be NULL. */
void bound_sort(void *rows, size_t count, struct bound_by by);

/* Compares two numbers, as qsort wants it: below 0, 0 or above 0. */
static inline int bound_compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Define a function for qsort. ORDER_BY_TWO: ascending by a field, equal ones by a second field. */
#define ORDER_BY_TWO(name, type, field, second)                    \
	static int name(const void *a, const void *b)                  \
	{                                                              \
		const type *x = a, *y = b;                                 \
		if (x->field != y->field)                                  \
			return x->field < y->field ? -1 : 1;                   \
		return x->second < y->second ? -1 : x->second > y->second; \
	}                                                              \
	_Static_assert(1, "takes the semicolon")

/* The largest field first, and equal ones ascending by a second field. */
#define ORDER_MOST_FIRST(name, type, field, second)                \
	static int name(const void *a, const void *b)                  \
	{                                                              \
		const type *x = a, *y = b;                                 \
		if (x->field != y->field)                                  \
			return x->field > y->field ? -1 : 1;                   \
		return x->second < y->second ? -1 : x->second > y->second; \
	}                                                              \
	_Static_assert(1, "takes the semicolon")

static inline uint64_t bound_number(const void *rows, size_t row, struct bound_by by)
{
	const char *at = (const char *)rows + row * by.stride + by.offset;
	uint32_t narrow;
	uint64_t wide;
	if (by.width == sizeof narrow)
		return memcpy(&narrow, at, sizeof narrow), narrow;
	return memcpy(&wide, at, sizeof wide), wide;
}

/* Returns the first of `count` rows whose number is at least `number`, or `count` if there is
   none. */
static inline size_t lower_bound(const void *rows, size_t count, struct bound_by by,
                                 uint64_t number)
{
	size_t low = 0;
	while (low < count) {
		size_t middle = low + (count - low) / 2;
		if (bound_number(rows, middle, by) < number)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

/* Returns the first row whose number is greater than `number`, or `count`. The row before it is the
   last one with a number of at most `number`. */
static inline size_t upper_bound(const void *rows, size_t count, struct bound_by by,
                                 uint64_t number)
{
	return number == UINT64_MAX ? count : lower_bound(rows, count, by, number + 1);
}

/* Like lower_bound and upper_bound over the positions [low, high), with numbers that `key`
   computes. */
static inline size_t lower_bound_of(const void *of, size_t low, size_t high,
                                    uint64_t (*key)(const void *of, size_t at), uint64_t number)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (key(of, middle) < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static inline size_t upper_bound_of(const void *of, size_t low, size_t high,
                                    uint64_t (*key)(const void *of, size_t at), uint64_t number)
{
	return number == UINT64_MAX ? high : lower_bound_of(of, low, high, key, number + 1);
}
