/* The objects of a span, for the tables that take "span=ADDR". */
#ifndef TABLE_SPAN_H
#define TABLE_SPAN_H

#include "analysis/analysis.h"

/* Those in the span that begins at an address: free() them. NULL: *err. */
uint32_t *span_select(const struct analysis *analysis, uint64_t address, size_t *count,
                      struct err *err);

/* Appends that slots of objects that a damaged file has lost seem to be free, if it has. */
void span_doubt(const struct heap *heap, struct buf *out);

#endif
