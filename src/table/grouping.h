/* Rows of a table put together by the value of one of their columns, counted and summed. */
#ifndef TABLE_GROUPING_H
#define TABLE_GROUPING_H

#include "base/map.h"
#include "table/table.h"

enum { GROUPING_SUMS = 4 };

struct grouping {
	const struct rows *rows;
	int key;                /* column that they are put together by; -1: all are one */
	int sum[GROUPING_SUMS]; /* columns that are added up */
	int sums;
	struct group_row {
		enum value_kind kind; /* of its value: VALUE_NONE where rows have none */
		bool negative, others;
		uint64_t number, whole;
		size_t text; /* in `text` */
		uint64_t count, bytes;
		struct { /* of the numbers above and below zero */
			uint64_t plus, minus;
			double real; /* of those that are not whole */
		} sum[GROUPING_SUMS];
	} * group;
	size_t count, capacity;
	struct buf text;    /* of all values, with a zero at their end */
	struct map places;  /* hash of a value -> its group */
	uint64_t left_out;  /* rows without the field they are grouped by */
	uint64_t no_number; /* values that cannot be added: texts, guesses */
	bool objects;       /* rows are about objects */
	bool real[GROUPING_SUMS];
};

/* `count` rows by number, NULL: all. False: cancelled. */
bool grouping_make(struct grouping *grouping, const uint32_t *row, size_t count,
                   struct progress *progress);
void grouping_fini(struct grouping *grouping);
/* The value of a group as the cell of a column. */
void grouping_value(const struct grouping *grouping, size_t group, struct value *value);
void grouping_sum(const struct grouping *grouping, size_t group, int sum, struct value *value);

#endif
