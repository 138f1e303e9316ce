/* What comparing the dumps of a series needs of each object: columns that are computed at their
   first request, by any thread. */
#pragma once

#include "analysis/reach.h"

struct series_cache;

struct series_cache *series_cache_new(void);
void series_cache_free(struct series_cache *cache);

/* Addresses that hold the same shape or contents in two dumps of a process. */
enum {
	PLACE_SHAPE = 1,   /* the same slot, header and pointers at the same words */
	PLACE_CONTENTS = 2 /* and the same bytes, not all of them zero */
};
/* Returns flags by object of the newer dump, one byte each, for an earlier dump. */
const uint8_t *series_places_get(struct series_cache *cache, const struct heap *older,
                                 const struct heap *newer);

/* Returns by object the root of its path in the dump of `reach`: its number + 2; 1: no path. */
const uint32_t *series_roots_get(struct series_cache *cache, const struct reach *reach);
/* Returns the root of one object; NULL: no path. */
const struct root *series_root_of(struct series_cache *cache, const struct reach *reach,
                                  uint32_t object);
