/* The argument of the table and the view breakdown: selects the heaps of a dump and how to break
   them down.

     [process=N] [dump=ID] [allocator=NAME] [compare=ID] [min=BYTES|min=P%] [bottom-up]

   The heap profiles come from the file, or are computed from Go's allocation profile. */
#pragma once

#include "analysis/breakdown.h"
#include "base/map.h"
#include "table/table.h"

struct heap_profile_set {
	const struct heap_profiles *heap_profiles;
	struct heap_profiles *own;
	uint32_t *stack; /* for Go: the last frame of each record of the allocation profile; or NULL */
	/* for Go, by the hash of a type's name: recorded objects, and those of them that have the type
	   by a guess */
	struct map objects, guessed;
};
/* Initializes the set for a dump with PART_BREAKDOWN, after STAGE_READ, with the types that are
   known. The caller calls heap_profile_set_fini. */
void heap_profile_set_init(struct heap_profile_set *set, const struct analysis *analysis);
void heap_profile_set_fini(struct heap_profile_set *set);
/* Returns true if it is a guess that objects have the type of this name. */
bool heap_profile_set_is_guess(const struct heap_profile_set *set, struct text type);
/* Appends the command that shows the objects that exactly this stack allocated; nothing if none are
   known. */
void heap_profile_set_link(const struct heap_profile_set *set, const struct analysis *analysis,
                           uint32_t frame, struct buf *command);

struct breakdown_query {
	struct buf process, dump, allocator, compare; /* empty: any, none */
	uint64_t least;                               /* bytes, or millionths of the total */
	bool has_least, relative, bottom_up;          /* has_least: the query gives a minimum */
};
/* False: *err. Give back with breakdown_query_fini either way. */
bool breakdown_query_parse(struct breakdown_query *query, const char *argument, struct err *err);
void breakdown_query_fini(struct breakdown_query *query);
/* Sets the minimum from "77" or "5%". False: *err. */
bool breakdown_query_set_least(struct breakdown_query *query, const char *text, struct err *err);
void breakdown_query_usual_least(struct breakdown_query *query); /* sets the default: 0.5% */
void breakdown_query_next_least(struct breakdown_query *query);  /* sets the next usual value */
void breakdown_query_add_least(const struct breakdown_query *query, struct buf *out); /* "77 B",
                                                                                         "5%" */
/* Appends the words of the query, each after a blank; parsing them gives the same query. */
void breakdown_query_add(const struct breakdown_query *query, struct buf *out);

bool breakdown_query_has(const struct breakdown_query *query,
                         const struct heap_profiles *heap_profiles,
                         const struct heap_profile *heap_profile);
/* Returns true if both are of the same process and allocator; their dumps may differ. */
bool heap_profile_is_same_heap(const struct heap_profile *a, const struct heap_profile *b);
/* Makes the query select this heap profile; its other settings stay. */
void breakdown_query_set_profile(struct breakdown_query *query,
                                 const struct heap_profiles *heap_profiles,
                                 const struct heap_profile *heap_profile);
/* Returns the heap profile to compare with; NULL: none. */
const struct heap_profile *breakdown_query_base(const struct breakdown_query *query,
                                                const struct heap_profiles *heap_profiles,
                                                const struct heap_profile *heap_profile);
/* Returns the minimum size in bytes; smaller parts are folded into <other>. */
uint64_t breakdown_query_least(const struct breakdown_query *query, uint64_t total);
/* Appends the counts of a trace: "2 events, 1 memory dump and 1 process". */
void trace_add(const struct trace_record *trace, struct buf *out);
/* Returns an addition to the sentence that a dump has no allocation profile: the reason, if
   known. */
const char *breakdown_query_no_profile(const struct heap *heap);
/* Appends the scaling of Go's allocation profile to the title of a table, and a sentence about it
   to the note. */
void breakdown_query_say_rate(struct rows *rows);
/* Sets *err to a message that lists the existing heaps, for a query that matches none. Returns
   false. */
bool breakdown_query_none(const struct analysis *analysis, struct err *err);

void heap_profile_add_process(const struct heap_profile *heap_profile, struct buf *out); /* "21" */
/* Appends the command that breaks down the heap profile. */
void heap_profile_link(const struct heap_profiles *heap_profiles,
                       const struct heap_profile *heap_profile, struct buf *command);
