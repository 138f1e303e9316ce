/* Elements outside of the windows of the slices over their array: after s = s[n:] those before the
   window, after s = s[:n] those behind it. They keep objects alive until the program sets them to
   zero. */
#pragma once

#include "analysis/analysis.h"
#include "base/buf.h"
#include "table/contents/value_set.h"

enum { OUTSIDE_MOST = 4, OUTSIDE_TEXTS = 3 };

/* The places of such arrays that retain most, the largest first. */
struct outside {
	struct outside_place {
		uint64_t count; /* elements with references; 0: there are no more places */
		uint64_t bytes; /* what would be freed if they were zero; */
		uint64_t least; /* not 0: as several arrays may share objects, at least so many */
	} place[OUTSIDE_MOST];
	/* of each place: the elements, the name of the slice, the command that opens these elements */
	struct buf text[OUTSIDE_MOST * OUTSIDE_TEXTS];
};

/* Finds them. An element that a pointer leads
   to is not outside, nor is one behind the target of a pointer of unknown extent. Costs time in
   proportion to what the arrays dominate, but four times the objects of the heap at most. After
   STAGE_TYPED and STAGE_DOMINATED. False: cancelled. */
bool outside_find(struct outside *outside, const struct analysis *analysis,
                  struct progress *progress);

/* Adds the elements with references that are outside at a place: that of one array, or the name of
   a place of several. After the same stages. False: *err. */
bool outside_elements(struct value_set *set, const struct analysis *analysis, const char *place,
                      struct progress *progress, struct err *err);
