/* The objects of a span, for the tables that accept "span=ADDR". */
#pragma once

#include "analysis/analysis.h"

/* Returns the objects in the span that begins at an address. The caller frees the result. NULL:
 *err. */
uint32_t *span_select(const struct analysis *analysis, uint64_t address, size_t *count,
                      struct err *err);

/* Appends a warning if the file is damaged: slots of lost objects look free. */
void span_doubt(const struct heap *heap, struct buf *out);
