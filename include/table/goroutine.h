/* What goroutines are called by, besides their numbers. */
#ifndef TABLE_GOROUTINE_H
#define TABLE_GOROUTINE_H

#include "analysis/goroutine_place.h"
#include "table/cell.h"

/* The function with the go statement. */
void cell_creator(struct value *value, const struct analysis *analysis,
                  const struct goroutine *goroutine);

/* analysis/goroutine_place.h, with the names that are there. */
bool goroutine_place_of(const struct analysis *analysis, const struct goroutine *goroutine,
                        struct goroutine_place *place);
/* Appends " main.serve", of the innermost call that says what it does; nothing without one. */
void goroutine_add_function(const struct analysis *analysis, const struct goroutine *goroutine,
                            struct buf *out);
/* "goroutine 17 main.serve server.go:42", of that call. */
void goroutine_add_place(const struct analysis *analysis, const struct goroutine *goroutine,
                         struct buf *out);
/* What they are put together by: "main.worker", "(none)"; "chan receive", or the state of one that
   does not wait. */
typedef void goroutine_name(const struct analysis *, const struct goroutine *, struct buf *);
goroutine_name goroutine_add_creator, goroutine_add_reason;

#endif
