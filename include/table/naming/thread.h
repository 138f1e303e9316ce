/* Descriptions of threads besides their ids. */
#pragma once

#include "analysis/thread_place.h"

struct value;
struct analysis;
struct buf;
struct thread;

/* The function that started the thread. */
void cell_creator(struct value *value, const struct analysis *analysis,
                  const struct thread *thread);

/* Calls thread_place (analysis/thread_place.h) with the names that are available. */
bool thread_place_of(const struct analysis *analysis, const struct thread *thread,
                     struct thread_place *place);
/* Appends " main.serve", the function of that place; nothing if there is none. */
void thread_add_function(const struct analysis *analysis, const struct thread *thread,
                         struct buf *out);
/* Appends the thread's name and its place, as in "... 17 main.serve server.go:42". */
void thread_add_place(const struct analysis *analysis, const struct thread *thread,
                      struct buf *out);
/* Append the name by which threads are grouped: "main.worker" or "(none)" for creators; "chan
   receive", or the status of a thread that does not wait, for reasons. */
typedef void thread_name(const struct analysis *, const struct thread *, struct buf *);
thread_name thread_add_creator, thread_add_reason;
