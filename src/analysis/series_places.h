/* Addresses that hold the same shape or contents in two dumps of a process. */
#ifndef ANALYSIS_SERIES_PLACES_H
#define ANALYSIS_SERIES_PLACES_H

#include "heap/heap.h"

enum {
	PLACE_SHAPE = 1,   /* the same slot, header and pointers at the same words */
	PLACE_CONTENTS = 2 /* and the same bytes, not all of them zero */
};

struct series_places;

struct series_places *series_places_new(void);
void series_places_free(struct series_places *places);
/* Returns flags by object of the newer dump, one byte each, for an earlier dump. The first call
   computes them all; any thread may call. */
const uint8_t *series_places_get(struct series_places *places, const struct heap *older,
                                 const struct heap *newer);

#endif
