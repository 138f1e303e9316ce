/* The computation of each stage from the results of earlier ones. */
#include "analysis/stages.h"
#include "analysis/redact_input.h"

#include "analysis/structures.h"
#include "base/mem.h"
#include "base/process.h"
#include "base/redaction.h"
#include "format/format.h"
#include "format/running.h"
#include "goruntime/goplumbing.h"
#include "heap/heap.h"
#include "heap/heap_index.h"
#include "heap/stack_words.h"
#include "types/govalue.h"

enum { SAMPLED_FROM = 64 << 20, SAMPLING_MS = 50 };

/* Publishes an estimate of a large file before all of it is read, for the explorer. The time is
   limited, because a slow disk would delay both. */
static void stages_estimate(struct analysis *a)
{
	const struct format *format = a->wake ? format_find(&a->input, NULL) : NULL;
	if (!format || !format->estimate || a->input.size < SAMPLED_FROM)
		return;
	if (!format->estimate(format, &a->input, SAMPLING_MS, &a->estimate))
		return;
	atomic_store_explicit(&a->estimated, true, memory_order_release);
	wake_up(a->wake);
}

static bool redact_opened(struct analysis *a, struct progress *progress, struct err *err)
{
	struct redaction redaction;
	bool done = redact_input(&a->input, a->exe, &redaction, progress, err);
	redaction_fini(&redaction);
	return done;
}

/* Opens and reads the input. Checks that a process can be analyzed before it is stopped. */
static bool run_read(struct analysis *a, struct progress *progress, struct err *err)
{
	pid_t pid = process_named(a->path, true, NULL);
	if (pid && !running_check(pid, a->exe, err))
		return false;
	if (!input_open(&a->input, a->path, format_known, progress, err))
		return false;
	if (a->exe)
		a->input.executable = a->exe;
	if (redact_input_wanted() && !redact_opened(a, progress, err))
		return false;
	analysis_index_open(a);
	if (!a->index)
		stages_estimate(a);
	a->heap = heap_read_indexed(&a->input, a->index, progress, err);
	if (a->heap)
		a->groups = groups_new(a->heap);
	if (a->heap && a->heap->params.redacted)
		govalue_hide_keys(true); /* a key of zeros is none of the program's */
	return a->heap != NULL;
}

/* Opens the names. A missing or wrong executable is not an error. */
static bool run_name(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)progress, (void)err;
	a->names = names_open(a->heap, a->exe);
	heap_use_program(a->heap, a->names->exe, a->names->fit.bias);
	analysis_index_check(a);
	return true;
}

static bool analysis_run_link(struct analysis *a, struct progress *progress, struct err *err)
{
	if (!heap_link(a->heap, progress, err))
		return false;
	a->waits = gowaits_new(a->heap);
	a->plumbing = goplumbing_new(a->heap, a->waits, a->names->runtime);
	return true;
}

static bool link_index(struct analysis *a, const struct index_io *io)
{
	if (!heap_link_index(a->heap, io))
		return false;
	if (io->writer)
		return gowaits_index(a->waits, a->heap, io);
	a->waits = mem_alloc(sizeof *a->waits);
	if (!gowaits_index(a->waits, a->heap, io)) {
		gowaits_free(a->waits);
		a->waits = gowaits_new(a->heap);
	}
	a->plumbing = goplumbing_new(a->heap, a->waits, a->names->runtime);
	return true;
}

static bool run_reach(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)err;
	a->reach = reach_new(a->heap, a->names, a->plumbing, progress);
	return a->reach != NULL;
}

static bool stage_reach_index(struct analysis *a, const struct index_io *io)
{
	if (io->writer)
		return reach_index(a->reach, io);
	a->reach = reach_load(a->heap, a->names, a->plumbing, io);
	return a->reach != NULL;
}

/* Commands ask about the referrers of few objects, if any, so the first question builds them. The
   explorer must not wait for that when a key is pressed, and an index holds them. */
static bool run_reverse(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)err;
	bool asked = a->wake || analysis_index_is_asked_for(a);
	return !asked || heap_reverse(a->heap, progress);
}

static bool reverse_index(struct analysis *a, const struct index_io *io)
{
	return heap_reverse_index(a->heap, io);
}

static bool dominate(struct analysis *a, enum retain retain, struct progress *progress,
                     struct err *err)
{
	a->dominators[retain] = dominators_new(a->root_nodes, retain, progress, err);
	return a->dominators[retain] != NULL;
}

static void number_roots(struct analysis *a)
{
	const struct image *image = a->names->exe ? exe_image(a->names->exe) : NULL;
	struct sync_pools pools =
		sync_pools_find(a->heap, image, a->names->fit.data_bias, a->names->runtime);
	a->root_nodes = root_nodes_new(a->heap, a->names, pools, a->reach);
}

/* Computes the dominators of one object only. False: the whole tree is needed. */
static bool dominate_one(struct analysis *a, struct progress *progress)
{
	if (a->only == OBJECT_NONE || !a->reach || a->expected & STAGE_OWNED
	    || root_nodes_has_weak(a->root_nodes) || root_has_page(a->heap))
		return false;
	a->dominators[RETAIN_ALIVE] = dominators_new_of(a->root_nodes, a->reach, a->only, progress);
	return a->dominators[RETAIN_ALIVE] != NULL;
}

static bool run_dominate(struct analysis *a, struct progress *progress, struct err *err)
{
	if (!a->root_nodes) /* else it is partly from an index */
		number_roots(a);
	if (dominate_one(a, progress))
		return true;
	return dominate(a, RETAIN_ALIVE, progress, err)
	       && (!root_nodes_has_weak(a->root_nodes) || dominate(a, RETAIN_WEAK, progress, err));
}

/* Writes or reads one tree; RETAIN_ALIVE is the first that is read. */
static bool tree_index(struct analysis *a, enum retain retain, const struct index_io *io)
{
	if (io->writer)
		return dominators_index(a->dominators[retain], io);
	a->dominators[retain] = dominators_load(a->root_nodes, retain, a->dominators[RETAIN_ALIVE], io);
	return a->dominators[retain] != NULL;
}

static bool dominate_index(struct analysis *a, const struct index_io *io)
{
	if (io->file)
		number_roots(a);
	if (tree_index(a, RETAIN_ALIVE, io)
	    && (!root_nodes_has_weak(a->root_nodes) || tree_index(a, RETAIN_WEAK, io)))
		return true;
	dominators_free(a->dominators[RETAIN_ALIVE]);
	a->dominators[RETAIN_ALIVE] = NULL;
	return false;
}

static bool run_own(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)err;
	a->dominators[RETAIN_STRONGEST] =
		dominators_new_strongest(a->dominators[RETAIN_ALIVE], progress);
	return a->dominators[RETAIN_STRONGEST] != NULL;
}

static bool own_index(struct analysis *a, const struct index_io *io)
{
	return tree_index(a, RETAIN_STRONGEST, io);
}

/* Records damage of the executable, after all types and variables have been requested once. */
static void note_damage(struct analysis *a)
{
	SCOPED_BUF what = {0};
	exe_explain_damage(a->names->exe, &what);
	buf_add(&what, what.len ? "; " : "");
	size_t len = what.len;
	gotypes_explain_damage(a->types, &what);
	if (what.len > len)
		names_add_damage(a->names, buf_text(&what), &a->exe_damage);
	else
		buf_add(&a->exe_damage, buf_text(&a->names->damage));
}

static struct typing_options infer_begin(struct analysis *a)
{
	const struct exe *exe = a->names->exe;
	a->types = gotypes_new(exe_image(exe), exe_pclntab(exe)->module.address);
	gotypes_use_functions(a->types, exe_pclntab(exe));
	return (struct typing_options){a->names->fit.bias, a->names->fit.data_bias, false};
}

static void infer_end(struct analysis *a)
{
	a->locals = a->typing ? locals_new(a->types, a->names->fit.bias) : NULL;
	a->statics = a->typing ? statics_new(a->typing, a->types, a->names->exe) : NULL;
	note_damage(a);
}

static bool run_infer(struct analysis *a, struct progress *progress)
{
	struct typing_options options = infer_begin(a);
	a->typing = typing_new(a->heap, a->types, options, progress);
	infer_end(a);
	return a->typing != NULL;
}

static bool run_type(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)err;
	if (heap_has(a->heap, PART_TYPES)) /* a log records the types itself */
		return true;
	if (a->names->exe && !run_infer(a, progress))
		return false;
	a->labels = labels_new(a->heap, a->typing, progress);
	if (a->typing)
		typing_settle(a->typing);
	if (a->labels)
		a->structures = structures_new(a->heap, a->typing, a->labels, progress);
	return a->structures != NULL;
}

static bool type_save(struct analysis *a, const struct index_io *io)
{
	if (a->structures && a->typing) {
		locals_save_types(a->locals, io);
		typing_index(a->typing, io);
	}
	return a->structures && labels_index(a->labels, io) && structures_index(a->structures, io);
}

static bool infer_load(struct analysis *a, const struct index_io *io)
{
	struct typing_options options = infer_begin(a);
	a->typing = gotypes_index(a->types, io) ? typing_load(a->heap, a->types, options, io) : NULL;
	return a->typing != NULL;
}

static void type_unload(struct analysis *a)
{
	structures_free(a->structures);
	labels_free(a->labels);
	typing_free(a->typing);
	gotypes_free(a->types);
	a->structures = NULL;
	a->labels = NULL;
	a->typing = NULL;
	a->types = NULL;
}

static bool type_index(struct analysis *a, const struct index_io *io)
{
	if (io->writer)
		return type_save(a, io);
	if (heap_has(a->heap, PART_TYPES))
		return false;
	if (!a->names->exe || infer_load(a, io))
		a->labels = labels_load(a->heap, a->typing, io);
	if (a->labels)
		a->structures = structures_load(a->heap, a->typing, a->labels, io);
	if (!a->structures)
		type_unload(a);
	else if (a->typing)
		infer_end(a);
	return a->structures != NULL;
}

/* In the order of their bits, in which they run. */
static const struct stage_kind {
	const char *name;
	/* required stages, also for stages that run later; owners require referrers, see
	   analysis_has */
	unsigned after;
	bool (*run)(struct analysis *, struct progress *, struct err *);
	/* Writes the results to an index or reads them; NULL: computed each time. */
	bool (*index)(struct analysis *, const struct index_io *);
} stage_kinds[STAGE_COUNT] = {
	{"objects", STAGE_NONE, run_read, NULL},
	{"names", STAGE_READ, run_name, NULL},
	{"references", STAGE_NAMED, analysis_run_link, link_index},
	{"reachability", STAGE_NAMED | STAGE_LINKED, run_reach, stage_reach_index},
	{"dominators", STAGE_REACHED, run_dominate, dominate_index},
	{"owners", STAGE_DOMINATED | STAGE_REACHED, run_own, own_index},
	{"referrers", STAGE_REACHED, run_reverse, reverse_index},
	{"types", STAGE_NAMED | STAGE_LINKED, run_type, type_index},
};

int stage_index(enum stage stage)
{
	return __builtin_ctz(stage);
}

const char *stage_name(enum stage stage)
{
	return stage == STAGE_NONE ? "the file" : stage_kinds[stage_index(stage)].name;
}

unsigned stages_with(unsigned stages)
{
	for (int i = STAGE_COUNT - 1; i >= 0; i--)
		if (stages >> i & 1)
			stages |= stage_kinds[i].after;
	return stages;
}

bool stage_make(struct analysis *analysis, enum stage stage, struct progress *progress,
                struct err *err)
{
	const struct stage_kind *kind = &stage_kinds[stage_index(stage)];
	const struct index_io io = {.file = analysis->index};
	if (analysis->index && kind->index && kind->index(analysis, &io))
		return true;
	if (kind->index)
		atomic_fetch_or(&analysis->computed, stage);
	return kind->run(analysis, progress, err);
}

void stage_save(struct analysis *analysis, enum stage stage, const struct index_io *io)
{
	const struct stage_kind *kind = &stage_kinds[stage_index(stage)];
	if (kind->index)
		kind->index(analysis, io);
}
