/* Descriptions of goroutines besides their ids. */
#ifndef RUNTIMES_GO_GOROUTINE_H
#define RUNTIMES_GO_GOROUTINE_H

#include "runtimes/go/analysis/goroutine_place.h"
#include "table/cell.h"

/* The function that contains the go statement. */
void cell_creator(struct value *value, const struct analysis *analysis,
                  const struct thread *thread);

/* Calls goroutine_place (runtimes/go/analysis/goroutine_place.h) with the names that are available.
 */
bool goroutine_place_of(const struct analysis *analysis, const struct thread *thread,
                        struct goroutine_place *place);
/* Appends " main.serve", the function of that place; nothing if there is none. */
void goroutine_add_function(const struct analysis *analysis, const struct thread *thread,
                            struct buf *out);
/* Appends "goroutine 17 main.serve server.go:42". */
void goroutine_add_place(const struct analysis *analysis, const struct thread *thread,
                         struct buf *out);
/* Append the name by which goroutines are grouped: "main.worker" or "(none)" for creators; "chan
   receive", or the status of a goroutine that does not wait, for reasons. */
typedef void thread_name(const struct analysis *, const struct thread *, struct buf *);
thread_name goroutine_add_creator, goroutine_add_reason;

#endif
