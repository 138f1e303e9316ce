/* Rows of a table grouped by the value of one column, counted and summed. */
#pragma once

#include "base/map.h"
#include "table/table.h"

enum { GROUPING_SUMS = 4 };

struct grouping {
	const struct rows *rows;
	int key;                /* column to group by; -1: one group */
	int sum[GROUPING_SUMS]; /* columns to add up */
	int sums;
	struct group_row {
		enum value_kind kind; /* of its value: VALUE_NONE for rows without one */
		bool negative, others;
		uint64_t number, whole;
		size_t text; /* offset in grouping->text */
		uint64_t count, bytes;
		struct { /* sums of positive and of negative numbers */
			uint64_t plus, minus;
			double real; /* sum of floating-point numbers */
		} sum[GROUPING_SUMS];
	} * group;
	size_t count, capacity;
	struct buf text;    /* of all values, NUL-terminated */
	struct map by_key;  /* key of a cell -> group */
	struct map places;  /* hash of a value -> its group */
	uint64_t left_out;  /* rows without the field to group by */
	uint64_t no_number; /* values that cannot be added: texts, guesses */
	bool objects;       /* rows are about objects */
	bool real[GROUPING_SUMS];
};

/* Groups `count` rows by number, NULL: all. False: cancelled. */
bool grouping_make(struct grouping *grouping, const uint32_t *row, size_t count,
                   struct progress *progress);
void grouping_fini(struct grouping *grouping);
/* Stores the value of a group as the cell of a column. */
void grouping_value(const struct grouping *grouping, size_t group, struct value *value);
void grouping_sum(const struct grouping *grouping, size_t group, int sum, struct value *value);
