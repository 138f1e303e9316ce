/* One opened dump with all that is known of it. Stages are published one after the other, all by a
   task, or those that are asked for by the caller; each whole by one atomic store, and it never
   changes afterwards. Types are worked out in a thread of their own meanwhile. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "analysis/dominator_children.h"
#include "analysis/dominators.h"
#include "analysis/groups.h"
#include "analysis/owners.h"
#include "analysis/paths.h"
#include "analysis/reach.h"
#include "analysis/structures.h"
#include "analysis/suspects.h"
#include "base/task.h"
#include "goruntime/gowait.h"
#include "types/label.h"
#include "types/locals.h"
#include "types/names.h"
#include "types/statics.h"
#include "types/typing.h"

/* What can be worked out, a bit each, in the order in which they are done. A set of stages is
   what is there, or what somebody needs; each takes others before it (stages_with). None: the file
   is not open yet, or is being unpacked. */
enum stage {
	STAGE_NONE = 0,
	STAGE_READ = 1 << 0,     /* heap: objects, goroutines, frames, records; groups */
	STAGE_NAMED = 1 << 1,    /* names: what the executable tells, if there is one */
	STAGE_LINKED = 1 << 2,   /* references, roots */
	STAGE_REACHED = 1 << 3,  /* reach */
	STAGE_RETAINED = 1 << 4, /* root nodes, dominators, retained sizes */
	STAGE_OWNED = 1 << 5,    /* the same for owners */
	STAGE_REVERSED = 1 << 6, /* referrers, other paths */
	STAGE_TYPED = 1 << 7,    /* types of objects, if there is an executable; labels */
	STAGE_ALL = (1 << 8) - 1,
	STAGE_DOMINATED = STAGE_RETAINED | STAGE_REVERSED, /* and the ways that lead there */
};
enum { STAGE_COUNT = 8 };

/* The stages with all that they take. */
unsigned stages_with(unsigned stages);

struct analysis;

struct analysis *analysis_new(const char *path);
const char *analysis_path(const struct analysis *analysis); /* as given */
/* The same, to be named before a sentence; NULL: a process, which sentences name themselves. */
const char *analysis_about(const struct analysis *analysis);
/* Before anything is run: the executable that the user has named. NULL, or without this call: the
   one that is found by itself. */
void analysis_use_executable(struct analysis *analysis, const char *exe);
/* A new one of the same files, as they are now; nothing has been run. */
struct analysis *analysis_again(const struct analysis *analysis);
/* Runs the stages that are not there yet, and what they take, in this thread (batch use). False:
 *err says why. */
bool analysis_run(struct analysis *analysis, unsigned stages, struct err *err);
/* The same; `progress` (may be NULL) tells how far it is, and may cancel it. Stages of the earlier
   dumps behind it come before its own. */
bool analysis_run_watched(struct analysis *analysis, unsigned stages, struct progress *progress,
                          struct err *err);
/* Before any is run: these will be asked for, be it by later calls. What one makes and another can
   use is kept for that one then; otherwise it is only kept where both are asked for at once. */
void analysis_expect(struct analysis *analysis, unsigned stages);
/* After STAGE_READ, before STAGE_RETAINED: of that nobody will ask for more than what one object
   retains and what dominates it, nor for STAGE_OWNED. Where no index is kept, which would want all,
   nothing else is worked out. */
void analysis_expect_only(struct analysis *analysis, uint32_t object);
/* Starts a task that runs all stages; it wakes who waits after each of them and at its end. */
void analysis_start(struct analysis *analysis, const struct wake *wake);
/* Of the stage that the task works on; NULL: there is no task. */
const struct progress *analysis_progress(const struct analysis *analysis);
/* Ends the task; what is published stays. */
void analysis_stop(struct analysis *analysis);
unsigned analysis_stages(const struct analysis *analysis);           /* those that are there */
bool analysis_has(const struct analysis *analysis, unsigned stages); /* are these there? */
/* The first of the stages, with what they take, that is not there; STAGE_NONE: all are. */
enum stage analysis_lacks(const struct analysis *analysis, unsigned stages);
/* True when a stage could not be done; *err (may be NULL) is filled. */
bool analysis_failed(const struct analysis *analysis, struct err *err);
bool analysis_done(const struct analysis *analysis); /* nothing more will come */
void analysis_free(struct analysis *analysis);       /* after analysis_stop() */

/* About how much is in a large file, some milliseconds after its task was started; NULL: that is
   not known yet, or cannot be. */
const struct estimate *analysis_estimate(const struct analysis *analysis);

/* What the stages have made, immutable from then on; NULL as long as it is not there, so that
   nobody can read what is not there yet. */
const struct input *analysis_input(const struct analysis *analysis);   /* STAGE_READ */
struct heap *analysis_heap(const struct analysis *analysis);           /* STAGE_READ */
const struct groups *analysis_groups(const struct analysis *analysis); /* STAGE_READ */
const struct names *analysis_names(const struct analysis *analysis);   /* STAGE_NAMED */
/* What goroutines wait for. */
const struct gowaits *analysis_waits(const struct analysis *analysis); /* STAGE_LINKED */
const struct reach *analysis_reach(const struct analysis *analysis);   /* STAGE_REACHED */
/* Has the dump roots? Without any, nothing can be said of what is alive. After STAGE_READ. */
bool analysis_has_roots(const struct analysis *analysis);
const struct root_nodes *analysis_root_nodes(const struct analysis *analysis); /* STAGE_RETAINED */
/* From STAGE_TYPED on, and only where there is an executable to tell them: its types, those of
   objects, the variables of frames, and what global variables hold. */
struct gotypes *analysis_types(const struct analysis *analysis);
const struct typing *analysis_typing(const struct analysis *analysis);
struct locals *analysis_locals(const struct analysis *analysis);
const struct statics *analysis_statics(const struct analysis *analysis);
/* What objects without a type are called, from STAGE_TYPED on. */
const struct labels *analysis_labels(const struct analysis *analysis);
/* Which objects are parts of maps and channels, from STAGE_TYPED on; NULL: a log tells of none. */
const struct structures *analysis_structures(const struct analysis *analysis);
/* What is wrong with the executable in use, as far as it has been read: a visible sentence without
   full stop; NULL: nothing. From STAGE_NAMED on of its symbols and code, from STAGE_TYPED on of its
   debug information, too; earlier than that nothing depends on it. */
const char *analysis_executable_damage(const struct analysis *analysis);
/* Does whoever asks want to see the parts of maps and channels, each for itself? Not until it is
   set. */
bool analysis_parts(const struct analysis *analysis);
void analysis_set_parts(const struct analysis *analysis, bool parts);
/* What every node retains, by the ways that count; NULL as long as that is not there. Where no
   root is weak, RETAIN_WEAK is RETAIN_ALIVE. */
const struct dominators *analysis_dominators(const struct analysis *analysis, enum retain retain);
/* Those of the ways that an object's paths are among (analysis/paths.h). */
const struct dominators *analysis_dominators_of(const struct analysis *analysis, uint32_t object);
/* Which of these whoever asks for sizes is shown: RETAIN_ALIVE until it is set. */
enum retain analysis_retain(const struct analysis *analysis);
/* By which of them owners are listed: until it is set, of a program by the firmest ways, as a
   goroutine that runs a method of an object is no owner of it. After STAGE_READ. */
enum retain analysis_owner_retain(const struct analysis *analysis);
void analysis_set_retain(const struct analysis *analysis, enum retain retain);
const struct dominators *analysis_retained(const struct analysis *analysis);
/* Who owns the memory by some of the ways, after the stage of these; made by the first call, which
   takes some tenths of a second for ten million objects. NULL: cancelled. */
const struct owners *analysis_owners(const struct analysis *analysis, enum retain retain,
                                     struct progress *progress);
/* What each node of their tree dominates immediately, likewise. */
const struct dominator_children *analysis_children(const struct analysis *analysis,
                                                   enum retain retain, struct progress *progress);
/* NULL: not yet. */
const struct owners *analysis_owners_made(const struct analysis *analysis, enum retain retain);
/* Finds what the first screen tells of owners, after STAGE_OWNED; the task does it by itself. */
void analysis_sum_up(struct analysis *analysis);
/* Where memory piles up below the biggest owners; NULL as long as that is not there. */
const struct suspects *analysis_suspects(const struct analysis *analysis);
/* What a stage is waited for, as a noun: "objects", "names", "references", "reachability",
   "referrers", "dominators", "owners", "types". */
const char *stage_name(enum stage stage);
/* CPU ns that a stage took, 0 when not done; for `bench`. */
uint64_t analysis_cpu(const struct analysis *analysis, enum stage stage);

#endif
