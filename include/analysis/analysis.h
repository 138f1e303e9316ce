/* The analysis of one opened dump, and all of its results. A task, or the caller on demand, runs
   the stages one after the other. One atomic store publishes the results of a stage, which never
   change afterwards. Types are computed in a separate thread at the same time. */
#pragma once

#include "analysis/dominators.h"
#include "analysis/groups.h"
#include "analysis/paths.h"
#include "analysis/reach.h"
#include "base/input.h"
#include "base/task.h"
#include "go/runtime/gowait.h"
#include "go/types/label.h"
#include "go/types/locals.h"
#include "go/types/names.h"
#include "go/types/statics.h"
#include "go/types/typing.h"

/* The stages of the analysis, one bit each, in the order in which they run. A set of stages says
   what is finished or what a caller needs. Each stage requires earlier ones (stages_with). The
   empty set: the file is not open yet, or is being decompressed. */
enum stage {
	STAGE_NONE = 0,
	STAGE_READ = 1 << 0,     /* heap: objects, threads, frames, records; groups */
	STAGE_NAMED = 1 << 1,    /* names: symbols of the executable, if there is one */
	STAGE_LINKED = 1 << 2,   /* references, roots */
	STAGE_REACHED = 1 << 3,  /* reach */
	STAGE_RETAINED = 1 << 4, /* root nodes, dominators, retained sizes */
	STAGE_OWNED = 1 << 5,    /* root nodes and dominators for the Owners view */
	STAGE_REVERSED = 1 << 6, /* referrers, other paths */
	STAGE_TYPED = 1 << 7,    /* types of objects, if there is an executable; labels */
	STAGE_ALL = (1 << 8) - 1,
	STAGE_DOMINATED = STAGE_RETAINED | STAGE_REVERSED, /* retained sizes and paths */
};
enum { STAGE_COUNT = 8 };

/* Returns the stages together with all that they require. */
unsigned stages_with(unsigned stages);

/* What is kept in an index (analysis/index.h). */
enum index_use {
	INDEX_OFF,
	INDEX_CACHE, /* results that took more than a second, in the cache (base/cache.h) */
	INDEX_FILE,  /* all results, in a file that the user names */
	INDEX_ALWAYS /* all results, in the cache */
};

/* How a dump is opened; all zero by default. Strings are copied. */
struct analysis_options {
	const char *exe; /* the executable that the user names; NULL: goheapx looks for it */
	bool hide;       /* the dump is redacted in memory before anything is computed from it */
	bool hide_keys;  /* no name shows a key of a map; there is no index then */
	enum index_use index;
	const char *index_file;     /* of INDEX_FILE */
	struct input_options input; /* `unpack.known` and `in_memory` follow from the others */
};

struct analysis;
struct owners;
struct structures;

/* A dump, asked in one way: whether parts of maps and channels are shown as objects of their own
   (analysis_parts), and which paths count (analysis_retain). All ways of a dump share its results.
   They exist as long as the dump, and never change, so that each thread keeps the one that it began
   with. analysis_new returns the default; `options` may be NULL. */
struct analysis *analysis_new(const char *path, const struct analysis_options *options);
/* Returns the same dump, asked in another way; RETAIN_COUNT: the default. */
const struct analysis *analysis_with_parts(const struct analysis *analysis, bool parts);
const struct analysis *analysis_with_retain(const struct analysis *analysis, enum retain retain);
/* Returns the dump of `analysis`, asked in the way of `other`. */
const struct analysis *analysis_asked_as(const struct analysis *analysis,
                                         const struct analysis *other);
const char *analysis_path(const struct analysis *analysis); /* as given */
/* Returns the path for a prefix of messages; NULL for a process, which messages name already. */
const char *analysis_about(const struct analysis *analysis);
/* Returns true if names show keys of maps as [key]: by the options, or because the dump is
   redacted, and a key of zeros is none of the program's. After STAGE_READ. */
bool analysis_hides_keys(const struct analysis *analysis);
/* Returns a new analysis of the same files as they are now, with the same options; no stage has
   run. `exe` is another executable for it, "": the same one. */
struct analysis *analysis_again(const struct analysis *analysis, const char *exe);
/* Likewise of another file; an index that the user has named for the first is not used. */
struct analysis *analysis_other(const struct analysis *analysis, const char *path);
/* Runs the stages that are not finished, and those that they require, in the calling thread (batch
   use). False: *err says why. */
bool analysis_run(struct analysis *analysis, unsigned stages, struct err *err);
/* Like analysis_run, with progress. `progress` (may be NULL) receives the progress and can cancel
   the run. The stages of earlier dumps in the series run first. */
bool analysis_run_watched(struct analysis *analysis, unsigned stages, struct progress *progress,
                          struct err *err);
/* Announces the stages that later calls will request; call it before any stage runs. A stage then
   saves intermediate results that another announced stage can use. Without this call, it saves them
   only for stages requested in the same call. */
void analysis_expect(struct analysis *analysis, unsigned stages);
/* Announces, between STAGE_READ and STAGE_RETAINED, that only the dominators and the retained size
   of one object are needed, and STAGE_OWNED is not. The stages then compute nothing else, unless an
   index is written, which requires all results. */
void analysis_expect_only(struct analysis *analysis, uint32_t object);
/* Starts a task that runs all stages. It wakes `wake` after each stage and at its end. */
void analysis_start(struct analysis *analysis, const struct wake *wake);
/* Returns the progress of the stage that the task runs; NULL: there is no task. */
const struct progress *analysis_progress(const struct analysis *analysis);
/* Stops the task; published results stay valid. */
void analysis_stop(struct analysis *analysis);
unsigned analysis_stages(const struct analysis *analysis); /* the finished stages */
/* true: all of these are finished */
bool analysis_has(const struct analysis *analysis, unsigned stages);
/* Returns the first unfinished stage of `stages` and of those that they require; STAGE_NONE: all
   are finished. */
enum stage analysis_lacks(const struct analysis *analysis, unsigned stages);
/* Returns true if a stage has failed, and fills *err (may be NULL). */
bool analysis_failed(const struct analysis *analysis, struct err *err);
/* true: the task has ended, no stage will follow */
bool analysis_done(const struct analysis *analysis);
void analysis_free(struct analysis *analysis); /* the dump; after analysis_stop() */

/* Returns an estimate of the contents of a large file, available some milliseconds after the task
   starts; NULL: not known yet, or not possible. */
const struct estimate *analysis_estimate(const struct analysis *analysis);

/* The results of the stages. Each is immutable, and NULL until its stage is finished. */
const struct input *analysis_input(const struct analysis *analysis);   /* STAGE_READ */
struct heap *analysis_heap(const struct analysis *analysis);           /* STAGE_READ */
const struct groups *analysis_groups(const struct analysis *analysis); /* STAGE_READ */
const struct names *analysis_names(const struct analysis *analysis);   /* STAGE_NAMED */
/* Returns what each thread waits for. */
const struct gowaits *analysis_waits(const struct analysis *analysis); /* STAGE_LINKED */
const struct reach *analysis_reach(const struct analysis *analysis);   /* STAGE_REACHED */
/* Returns true if the dump has roots. Without roots, reachability is unknown. After STAGE_READ. */
bool analysis_has_roots(const struct analysis *analysis);
const struct root_nodes *analysis_root_nodes(const struct analysis *analysis); /* STAGE_RETAINED */
/* The results that need an executable, from STAGE_TYPED on; NULL without one: its types, the types
   of objects, the variables of frames, and the contents of global variables. */
struct gotypes *analysis_types(const struct analysis *analysis);
const struct typing *analysis_typing(const struct analysis *analysis);
struct locals *analysis_locals(const struct analysis *analysis);
const struct statics *analysis_statics(const struct analysis *analysis);
/* Returns the labels of objects without a type, from STAGE_TYPED on. */
const struct labels *analysis_labels(const struct analysis *analysis);
/* Returns which objects are parts of maps and channels, from STAGE_TYPED on; NULL for a log, which
   does not record them. */
const struct structures *analysis_structures(const struct analysis *analysis);
/* Returns what is wrong with the executable, as far as it has been read: a printable sentence
   without full stop; NULL: nothing. It covers symbols and code from STAGE_NAMED on, debug
   information from STAGE_TYPED on. No earlier stage depends on them. */
const char *analysis_executable_damage(const struct analysis *analysis);
/* Returns true if parts of maps and channels are shown as separate objects; false by default. */
bool analysis_parts(const struct analysis *analysis);
/* Returns the dominator tree that follows the references of `retain`; NULL: not ready yet. Without
   weak roots, RETAIN_WEAK returns the tree of RETAIN_ALIVE. */
const struct dominators *analysis_dominators(const struct analysis *analysis, enum retain retain);
/* Returns the dominator tree of the references that the paths of the object follow
   (analysis/paths.h). */
const struct dominators *analysis_dominators_of(const struct analysis *analysis, uint32_t object);
/* Returns the kind of retained size that is shown: RETAIN_ALIVE by default. */
enum retain analysis_retain(const struct analysis *analysis);
/* Returns the kind of dominator tree that owners are listed by. The default for a program is
   RETAIN_STRONGEST, because a thread that runs a method of an object does not own it. After
   STAGE_READ. */
enum retain analysis_owner_retain(const struct analysis *analysis);
const struct dominators *analysis_retained(const struct analysis *analysis);
/* Returns the owners of the memory by the dominator tree of `retain`, after its stage. The first
   call computes them, some tenths of a second for ten million objects; later calls return the
   cached result. NULL: cancelled. */
const struct owners *analysis_owners(const struct analysis *analysis, enum retain retain,
                                     struct progress *progress);
/* Returns an index of the immediate dominator tree's children by node, computed by the first call
   and cached. NULL: cancelled. */
const struct dominator_children *analysis_children(const struct analysis *analysis,
                                                   enum retain retain, struct progress *progress);
/* Returns the cached owners; NULL: not computed yet. */
const struct owners *analysis_owners_made(const struct analysis *analysis, enum retain retain);
/* Computes what the first screen shows of owners, after STAGE_OWNED; the task calls it. */
void analysis_sum_up(struct analysis *analysis);
/* Returns what a stage computes, as a noun: "objects", "names", "references", "reachability",
   "referrers", "dominators", "owners", "types". */
const char *stage_name(enum stage stage);
/* Returns the CPU time of a stage in ns, 0 if it has not run; for `bench`. */
uint64_t analysis_cpu(const struct analysis *analysis, enum stage stage);
