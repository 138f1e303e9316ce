/* Descriptions of goroutines besides their ids. */
#ifndef TABLE_GOROUTINE_H
#define TABLE_GOROUTINE_H

#include "analysis/goroutine_place.h"
#include "table/cell.h"

/* The function that contains the go statement. */
void cell_creator(struct value *value, const struct analysis *analysis,
                  const struct goroutine *goroutine);

/* Calls goroutine_place (analysis/goroutine_place.h) with the names that are available. */
bool goroutine_place_of(const struct analysis *analysis, const struct goroutine *goroutine,
                        struct goroutine_place *place);
/* Appends " main.serve", the function of that place; nothing if there is none. */
void goroutine_add_function(const struct analysis *analysis, const struct goroutine *goroutine,
                            struct buf *out);
/* Appends "goroutine 17 main.serve server.go:42". */
void goroutine_add_place(const struct analysis *analysis, const struct goroutine *goroutine,
                         struct buf *out);
/* Append the name by which goroutines are grouped: "main.worker" or "(none)" for creators; "chan
   receive", or the status of a goroutine that does not wait, for reasons. */
typedef void goroutine_name(const struct analysis *, const struct goroutine *, struct buf *);
goroutine_name goroutine_add_creator, goroutine_add_reason;

#endif
