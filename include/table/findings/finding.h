/* What is worth a look in a heap: the places that hold most of it, and what is wrong. Finders
   register themselves with PLUGIN(finders, ...); the table findings shows what all of them find. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/kept.h"
#include "base/buf.h"
#include "base/plugin.h"

struct path_tree;

struct finding_kind {
	unsigned rank;    /* findings of lower ranks come first; those of equal ranks by bytes */
	const char *name; /* stable: "place" */
	const char *mark; /* "+" it grew, "!" it can never, "~" it is not used, "" it uses memory */
	const char *why;  /* a sentence without its full stop: why it is worth a look */
	const char *says; /* pattern of the sentence about one (sentence.c); NULL: the usual one */
};
/* Ranks; the last is of what is the runtime's or of libraries, not the program's own. */
enum { FINDING_FIRST, FINDING_USUAL, FINDING_LAST };

struct finding {
	const struct finding_kind *kind;
	uint64_t count; /* number of objects or threads that it is about */
	uint64_t bytes; /* that they take */
	uint64_t frees; /* that are freed if all that it is about goes; of threads: with stacks */
	uint64_t frees_objects;
	bool frees_known;
	uint64_t recoverable; /* of these, the bytes that a change of the program could give back */
	bool of_heap;         /* `bytes` are a part of the reachable bytes */
	bool is_small;        /* the first page folds it into one row with others; these come last */
	bool of_timers;       /* a place of timers, which a row of the kind "timers" replaces */
	struct buf what;      /* "6,000 × main.Call" */
	struct buf name;      /* the place: "main.app.Clients[*].Calls[*]" */
	struct buf link;      /* the command that opens the set of them */
	/* What it is about, as retained by type takes it: "at=main.app.Clients[*].Calls[*]",
	   "object=0xc000012340", "group=3". Empty: nothing that has an expression. */
	struct buf expression;
	uint32_t place;     /* 1 + its node of the tree of shortest paths; 0: it is about none */
	const char *waste;  /* what bytes of its place are: "unused"; NULL: it is not about waste */
	struct buf held_by; /* the place or root that holds most of its objects, too */
	uint32_t *thread;   /* threads that it is about, indices in heap->threads */
	size_t thread_count;
	uint32_t *object; /* objects that it is about; NULL: those of the expression */
	size_t object_count;
};

struct findings {
	const struct analysis *analysis;
	bool of_libraries; /* only the places that the finding "libraries" stands for, each one */
	uint64_t whole;    /* reachable bytes */
	struct finding *finding;
	size_t count, capacity;
	struct buf doubt; /* why what they free was not counted */
};

struct finder {
	unsigned parts; /* required of the dump's format: enum format_part */
	/* Adds what it finds; after STAGE_ALL, in a dump with roots. `progress` may be NULL. False:
	   cancelled, or *err. */
	bool (*find)(struct findings *findings, struct progress *progress, struct err *err);
	/* A result that takes long: made in a second thread, while others find. NULL: none. */
	const struct kept_kind *slow;
	bool libraries; /* it finds places of libraries */
};

/* Adds a finding without texts, which the findings own. The pointer is valid until the next. */
struct finding *findings_add(struct findings *findings, const struct finding_kind *kind);
/* Makes a finding one of a place, a node of the tree of shortest paths: with its name, the set of
   its objects and the command that opens these. */
void finding_place_take(struct finding *finding, const struct analysis *analysis,
                        const struct path_tree *tree, uint32_t place);
/* Returns true if so many bytes are at least `percent` of the reachable ones. */
bool findings_is_much(const struct findings *findings, uint64_t bytes, unsigned percent);
/* Counts what a set of objects frees that a finding has as its expression only, and finds who else
   holds them; of the objects of a place also what stands there, with all below. False: cancelled,
   or it takes too much memory. */
bool finding_count_frees(struct finding *finding, const struct analysis *analysis,
                         struct progress *progress);
void finding_fini(struct finding *finding);
/* Counts what each finding frees. False: cancelled, or *err. */
bool findings_count_frees(struct findings *findings, struct progress *progress, struct err *err);
/* Runs all finders, or finds each place of libraries; sorts what they found, the worst first.
   False: cancelled, or *err. */
bool findings_find(struct findings *findings, const struct analysis *analysis, bool of_libraries,
                   struct progress *progress, struct err *err);
void findings_fini(struct findings *findings);
