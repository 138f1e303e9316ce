/* The analysis as its stages see it; it is opaque elsewhere (analysis/analysis.h). */
#pragma once

#include "analysis/analysis.h"
#include "analysis/series.h"
#include "base/index_io.h"
#include "base/input.h"
#include "format/estimate.h"

/* Another way to ask the same dump is another of these (analysis_with_parts). None ever changes. */
struct analysis {
	struct dump *dump;
	bool parts;
	enum retain retain; /* RETAIN_COUNT: not set */
};

/* A dump and its results. */
struct dump {
	struct analysis ways[2][RETAIN_COUNT + 1]; /* by parts and retain */
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
	struct kept *kept;                           /* see analysis/kept.h */
	struct gotypes *types;                       /* from STAGE_TYPED, as are those that follow */
	struct typing *typing;
	struct locals *locals;
	struct statics *statics;
	struct buf exe_damage; /* see analysis_executable_damage */
	struct labels *labels;
	struct series *series; /* earlier dumps; NULL: none */
	struct structures *structures;

	char *path, *exe, *debug_file, *index_file;
	struct analysis_options options;
	struct task *task;        /* NULL: not started */
	atomic_uint stages;       /* finished stages; publishes their results */
	unsigned expected;        /* stages that will be requested */
	uint32_t only;            /* see analysis_expect_only; OBJECT_NONE: not set */
	atomic_bool failed, done; /* failed publishes err */
	atomic_bool estimated;    /* publishes estimate */
	struct err err;
	uint64_t cpu[STAGE_COUNT];
	struct index_file *index; /* from STAGE_READ; NULL: none */
	struct err index_err;
	uint64_t index_bytes;
	bool indexed;            /* may have an index */
	bool index_of_other;     /* the first index of the dump is of another executable */
	atomic_uint computed;    /* stages that an index could hold, but were computed */
	const struct wake *wake; /* of the caller that started the task */
};

int stage_index(enum stage stage); /* returns the number of the stage's bit */
/* Computes the results of a stage, in any thread; they are private until the stage is published.
   False: *err or cancelled. */
bool stage_make(struct dump *dump, enum stage stage, struct progress *progress, struct err *err);
/* Adds the results of a stage to an index. */
void stage_save(struct dump *dump, enum stage stage, const struct index_io *io);

/* Finds the index of a dump, if any, after the input is opened (src/analysis/index.c). */
void index_of_dump_open(struct dump *dump);
/* Drops an index made with another executable, after the names are opened. */
void index_of_dump_check(struct dump *dump);
/* Returns true if the user has asked for an index, whatever it costs. */
bool index_of_dump_is_asked_for(const struct dump *dump);
/* Returns false, and gives the index up, if there is no folder where it could be kept. */
bool index_of_dump_may_be_kept(struct dump *dump);

/* Returns true if `stages` fit into memory; those before STAGE_LINKED are finished. False: *first
   is the first stage that does not fit, *err says so. */
bool memory_need_fits(const struct heap *heap, const struct exe *exe, unsigned stages,
                      enum stage *first, struct err *err);
