/* Which heaps of a dump are broken down, and how: the argument of the table and the view breakdown.

     [process=N] [dump=ID] [allocator=NAME] [compare=ID] [min=BYTES|min=P%] [bottom-up]

   The heap profiles come from the file, or are made of Go's allocation profile. */
#ifndef TABLE_BREAKDOWN_QUERY_H
#define TABLE_BREAKDOWN_QUERY_H

#include "analysis/breakdown.h"
#include "table/table.h"

struct heap_profile_set {
	const struct heap_profiles *heap_profiles;
	struct heap_profiles *own;
	uint32_t *stack; /* of Go: by allocation profile, the frame that it ends with; or NULL */
};
/* Of a dump with HAS_BREAKDOWN, after STAGE_READ; with types as far as they are known. */
void heap_profile_set_init(struct heap_profile_set *set, const struct analysis *analysis);
void heap_profile_set_fini(struct heap_profile_set *set);
/* Appends the command that shows the objects that are known to be allocated by exactly this stack;
   nothing where there are none. */
void heap_profile_set_link(const struct heap_profile_set *set, const struct analysis *analysis,
                           uint32_t frame, struct buf *command);

struct breakdown_query {
	struct buf process, dump, allocator, compare; /* empty: any, none */
	uint64_t least;                               /* bytes, or millionths of the total */
	bool has_least, relative, bottom_up;          /* has_least: it was said */
};
/* False: *err. Give back with breakdown_query_fini either way. */
bool breakdown_query_parse(struct breakdown_query *query, const char *argument, struct err *err);
void breakdown_query_fini(struct breakdown_query *query);
/* "77" or "5%" */
bool breakdown_query_set_least(struct breakdown_query *query, const char *text, struct err *err);
void breakdown_query_usual_least(struct breakdown_query *query); /* what a person wants to see of a
                                                                    heap: 0.5% */
void breakdown_query_next_least(struct breakdown_query *query);  /* another usual one */
void breakdown_query_add_least(const struct breakdown_query *query, struct buf *out); /* "77 B",
                                                                                         "5%" */
/* Appends the words that parse to the choice, each after a blank. */
void breakdown_query_add(const struct breakdown_query *query, struct buf *out);

bool breakdown_query_has(const struct breakdown_query *query,
                         const struct heap_profiles *heap_profiles,
                         const struct heap_profile *heap_profile);
/* Of the same process and allocator, in whatever dump? */
bool heap_profile_is_same_heap(const struct heap_profile *a, const struct heap_profile *b);
/* Makes the choice that of this heap profile; the rest of it stays. */
void breakdown_query_set_profile(struct breakdown_query *query,
                                 const struct heap_profiles *heap_profiles,
                                 const struct heap_profile *heap_profile);
/* What a heap profile is compared with; NULL: nothing. */
const struct heap_profile *breakdown_query_base(const struct breakdown_query *query,
                                                const struct heap_profiles *heap_profiles,
                                                const struct heap_profile *heap_profile);
/* The least bytes of a part that is not folded into <other>. */
uint64_t breakdown_query_least(const struct breakdown_query *query, uint64_t total);
/* Appends "2 events, 1 memory dump and 1 process", which a trace has. */
void trace_add(const struct trace_record *trace, struct buf *out);
/* What to add to the sentence that a dump has no allocation profile: why, if that can be known. */
const char *breakdown_query_no_profile(const struct heap *heap);
/* Appends how Go's allocation profile is scaled to the title of a table, and says it in its note.
 */
void breakdown_query_say_rate(struct rows *rows);
/* Says which heaps there are when none is like the choice. Returns false. */
bool breakdown_query_none(const struct analysis *analysis, struct err *err);

/* Cells that say which heap profile it is. */
enum heap_profile_part { HEAP_PROFILE_PROCESS, HEAP_PROFILE_DUMP, HEAP_PROFILE_ALLOCATOR };
void cell_heap_profile(struct value *value, const struct heap_profiles *heap_profiles,
                       const struct heap_profile *heap_profile, enum heap_profile_part part);
void heap_profile_add_process(const struct heap_profile *heap_profile, struct buf *out); /* "21" */
/* The command that breaks it down. */
void heap_profile_link(const struct heap_profiles *heap_profiles,
                       const struct heap_profile *heap_profile, struct buf *command);

#endif
