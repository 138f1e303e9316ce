/* The analysis as its stages see it; for everyone else it is opaque (analysis/analysis.h). */
#ifndef ANALYSIS_STAGES_H
#define ANALYSIS_STAGES_H

#include "analysis/analysis.h"
#include "analysis/series.h"
#include "base/index_file.h"

struct analysis {
	struct input input;
	struct estimate estimate;                    /* see analysis_estimate */
	struct heap *heap;                           /* from STAGE_READ */
	struct groups *groups;                       /* from STAGE_READ */
	struct names *names;                         /* from STAGE_NAMED */
	struct gowaits *waits;                       /* from STAGE_LINKED */
	struct goplumbing *plumbing;                 /* from STAGE_LINKED */
	struct reach *reach;                         /* from STAGE_REACHED */
	struct root_nodes *root_nodes;               /* from STAGE_DOMINATED */
	struct dominators *dominators[RETAIN_COUNT]; /* see analysis_dominators */
	struct dom_graph *search;                    /* of the first of them, for the others */
	struct kept *kept;                           /* see analysis/kept.h */
	const struct suspects *suspects;             /* see analysis_suspects */
	struct gotypes *types;                       /* from STAGE_TYPED, as those after it */
	struct typing *typing;
	struct locals *locals;
	struct statics *statics;
	struct buf exe_damage; /* see analysis_executable_damage */
	struct labels *labels;
	struct series *series; /* earlier dumps; NULL: there are none */
	struct structures *structures;

	char *path, *exe;
	struct task *task;        /* NULL: nothing has been started */
	atomic_uint stages;       /* done; publishes what they made */
	unsigned expected;        /* that will be asked for */
	uint32_t only;            /* see analysis_expect_only; OBJECT_NONE: nobody has */
	atomic_bool failed, done; /* failed publishes err */
	atomic_bool estimated;    /* publishes estimate */
	struct err err;
	atomic_bool parts;    /* see analysis_parts */
	atomic_int retain;    /* enum retain; RETAIN_COUNT: nobody has set it */
	atomic_uint settings; /* how often one of these was set */
	uint64_t cpu[STAGE_COUNT];
	struct index_file *index; /* from STAGE_READ; NULL: there is none */
	struct index_key index_key, names_key;
	struct err index_err;
	uint64_t index_bytes;
	bool indexed;            /* it may have one, and has index_key */
	atomic_uint computed;    /* stages that were not in it and could be */
	const struct wake *wake; /* of the one who started the task */
};

int stage_index(enum stage stage); /* the number of its bit */
/* Makes what a stage has, in any thread; nobody reads it before the stage is published. False: *err
   or cancelled. */
bool stage_make(struct analysis *analysis, enum stage stage, struct progress *progress,
                struct err *err);
/* Puts what a stage has made into an index. */
void stage_save(const struct analysis *analysis, enum stage stage, struct index_writer *writer);

/* Once the input is open: finds the index of an analysis, if there is one (src/analysis/index.c).
 */
void analysis_index_open(struct analysis *analysis);
/* Once names are open: an index that was made with another executable is none. */
void analysis_index_check(struct analysis *analysis);

#endif
