/* Threads grouped by identical stack (the same pcs), state and wait reason. */
#pragma once

#include "heap/edges.h"

struct heap;
struct thread;

struct group {
	uint32_t first, count; /* members[first ...] are thread indices, ascending by id */
	uint64_t longest_wait; /* ns, relative to the longest waiter; see thread_waited */
};
struct groups {
	struct group *group;
	uint32_t count; /* most threads first, then in file order */
	uint32_t *members;
	uint32_t *of; /* group of each thread */
};
struct groups *groups_new(const struct heap *heap); /* after heap_read */
void groups_free(struct groups *groups);
/* Returns the threads of a group, borrowed. */
static inline struct ids groups_members(const struct groups *groups, uint32_t group)
{
	return (struct ids){groups->members + groups->group[group].first, groups->group[group].count};
}
/* Maps each group to the group with the same stack, state and wait reason in another dump of the
   process; UINT32_MAX: none. The caller frees the result. */
uint32_t *groups_in(const struct heap *heap, const struct groups *groups,
                    const struct heap *other_heap, const struct groups *other);

/* Stores how many ns a thread has waited, at least. wait_since is a monotonic clock with unknown
   zero, so the latest wait_since of all threads stands for now. False: no collection has seen
   the thread waiting. */
bool thread_waited(const struct heap *heap, const struct thread *thread, uint64_t *nanoseconds);

/* Returns the frame with greatest entry_pc such that entry_pc <= pc <= its own pc; NULL: none. */
const struct frame *frame_of_pc(const struct heap *heap, uint64_t pc);
