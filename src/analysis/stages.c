/* The computation of each stage from the results of earlier ones. */
#include "analysis/stages.h"
#include "analysis/redact_input.h"

#include "analysis/structures.h"
#include "base/mem.h"
#include "base/process.h"
#include "base/redaction.h"
#include "format/format.h"
#include "go/format/core/running.h"
#include "go/runtime/goplumbing.h"
#include "heap/heap.h"
#include "heap/heap_index.h"
#include "heap/stack_words.h"

enum { SAMPLED_FROM = 64 << 20, SAMPLING_MS = 50 };

/* Publishes an estimate of a large file before all of it is read, for the explorer. The time is
   limited, because a slow disk would delay both. */
static void stages_estimate(struct dump *dump)
{
	const struct format *format = dump->wake ? format_find(&dump->input, NULL) : NULL;
	if (!format || !format->estimate || dump->input.size < SAMPLED_FROM)
		return;
	if (!format->estimate(format, &dump->input, SAMPLING_MS, &dump->estimate))
		return;
	atomic_store_explicit(&dump->estimated, true, memory_order_release);
	wake_up(dump->wake);
}

static bool redact_opened(struct dump *dump, struct progress *progress, struct err *err)
{
	struct redaction redaction;
	bool done = redact_input(&dump->input, dump->exe, &redaction, progress, err);
	redaction_fini(&redaction);
	return done;
}

/* Opens and reads the input. Checks that a process can be analyzed before it is stopped. */
static bool run_read(struct dump *dump, struct progress *progress, struct err *err)
{
	pid_t pid = process_named(dump->path, true, NULL);
	bool hide = dump->options.hide;
	struct input_options options = input_options_for(&dump->options.input, format_known);
	options.in_memory = hide;
	if ((pid && !running_check(pid, dump->exe, &options, err))
	    || !input_open(&dump->input, dump->path, &options, progress, err))
		return false;
	if (dump->exe)
		dump->input.executable = dump->exe;
	if (hide && !redact_opened(dump, progress, err))
		return false;
	index_of_dump_open(dump);
	if (!dump->index)
		stages_estimate(dump);
	dump->heap = heap_read_indexed(&dump->input, dump->index, progress, err);
	if (dump->heap)
		dump->groups = groups_new(dump->heap);
	return dump->heap != NULL;
}

/* Opens the names. A missing or wrong executable is not an error. */
static bool run_name(struct dump *dump, struct progress *progress, struct err *err)
{
	(void)progress, (void)err;
	dump->names = names_open(dump->heap, dump->exe);
	heap_use_program(dump->heap, dump->names->exe, dump->names->fit.bias);
	index_of_dump_check(dump);
	return true;
}

static bool analysis_run_link(struct dump *dump, struct progress *progress, struct err *err)
{
	if (!heap_link(dump->heap, progress, err))
		return false;
	dump->waits = gowaits_new(dump->heap);
	dump->plumbing = goplumbing_new(dump->heap, dump->waits, dump->names->runtime);
	return true;
}

static bool link_index(struct dump *dump, const struct index_io *io)
{
	if (!heap_link_index(dump->heap, io))
		return false;
	if (io->writer)
		return gowaits_index(dump->waits, dump->heap, io);
	dump->waits = mem_alloc(sizeof *dump->waits);
	if (!gowaits_index(dump->waits, dump->heap, io)) {
		gowaits_free(dump->waits);
		dump->waits = gowaits_new(dump->heap);
	}
	dump->plumbing = goplumbing_new(dump->heap, dump->waits, dump->names->runtime);
	return true;
}

static bool run_reach(struct dump *dump, struct progress *progress, struct err *err)
{
	(void)err;
	dump->reach = reach_new(dump->heap, dump->names, dump->plumbing, progress);
	return dump->reach != NULL;
}

static bool stage_reach_index(struct dump *dump, const struct index_io *io)
{
	if (io->writer)
		return reach_index(dump->reach, io);
	dump->reach = reach_load(dump->heap, dump->names, dump->plumbing, io);
	return dump->reach != NULL;
}

/* Commands ask about the referrers of few objects, if any, so the first question builds them. The
   explorer must not wait for that when a key is pressed, and an index holds them. */
static bool run_reverse(struct dump *dump, struct progress *progress, struct err *err)
{
	(void)err;
	bool asked = dump->wake || index_of_dump_is_asked_for(dump);
	return !asked || heap_reverse(dump->heap, progress);
}

static bool reverse_index(struct dump *dump, const struct index_io *io)
{
	return heap_reverse_index(dump->heap, io);
}

static bool dominate(struct dump *dump, enum retain retain, struct progress *progress,
                     struct err *err)
{
	dump->dominators[retain] = dominators_new(dump->root_nodes, retain, progress, err);
	return dump->dominators[retain] != NULL;
}

static void number_roots(struct dump *dump)
{
	const struct image *image = dump->names->exe ? exe_image(dump->names->exe) : NULL;
	struct sync_pools pools =
		sync_pools_find(dump->heap, image, dump->names->fit.data_bias, dump->names->runtime);
	dump->root_nodes = root_nodes_new(dump->heap, dump->names, pools, dump->reach);
}

/* Computes the dominators of one object only. False: the whole tree is needed. */
static bool dominate_one(struct dump *dump, struct progress *progress)
{
	if (dump->only == OBJECT_NONE || !dump->reach || dump->expected & STAGE_OWNED
	    || root_nodes_has_weak(dump->root_nodes) || root_has_page(dump->heap))
		return false;
	dump->dominators[RETAIN_ALIVE] =
		dominators_new_of(dump->root_nodes, dump->reach, dump->only, progress);
	return dump->dominators[RETAIN_ALIVE] != NULL;
}

static bool run_dominate(struct dump *dump, struct progress *progress, struct err *err)
{
	if (!dump->root_nodes) /* else it is partly from an index */
		number_roots(dump);
	if (dominate_one(dump, progress))
		return true;
	return dominate(dump, RETAIN_ALIVE, progress, err)
	       && (!root_nodes_has_weak(dump->root_nodes)
	           || dominate(dump, RETAIN_WEAK, progress, err));
}

/* Writes or reads one tree; RETAIN_ALIVE is the first that is read. */
static bool tree_index(struct dump *dump, enum retain retain, const struct index_io *io)
{
	if (io->writer)
		return dominators_index(dump->dominators[retain], io);
	dump->dominators[retain] =
		dominators_load(dump->root_nodes, retain, dump->dominators[RETAIN_ALIVE], io);
	return dump->dominators[retain] != NULL;
}

static bool dominate_index(struct dump *dump, const struct index_io *io)
{
	if (io->file)
		number_roots(dump);
	if (tree_index(dump, RETAIN_ALIVE, io)
	    && (!root_nodes_has_weak(dump->root_nodes) || tree_index(dump, RETAIN_WEAK, io)))
		return true;
	dominators_free(dump->dominators[RETAIN_ALIVE]);
	dump->dominators[RETAIN_ALIVE] = NULL;
	return false;
}

static bool run_own(struct dump *dump, struct progress *progress, struct err *err)
{
	(void)err;
	dump->dominators[RETAIN_STRONGEST] =
		dominators_new_strongest(dump->dominators[RETAIN_ALIVE], progress);
	return dump->dominators[RETAIN_STRONGEST] != NULL;
}

static bool own_index(struct dump *dump, const struct index_io *io)
{
	return tree_index(dump, RETAIN_STRONGEST, io);
}

/* Records damage of the executable, after all types and variables have been requested once. */
static void note_damage(struct dump *dump)
{
	names_add_damage(dump->names, dump->types, &dump->exe_damage);
}

static struct typing_options infer_begin(struct dump *dump)
{
	const struct exe *exe = dump->names->exe;
	dump->types = gotypes_new(exe_image(exe), exe_pclntab(exe)->module.address);
	gotypes_use_functions(dump->types, exe_pclntab(exe));
	return (struct typing_options){dump->names->fit.bias, dump->names->fit.data_bias, false};
}

static void infer_end(struct dump *dump)
{
	dump->locals = dump->typing ? locals_new(dump->types, dump->names->fit.bias) : NULL;
	dump->statics = dump->typing ? statics_new(dump->typing, dump->types, dump->names->exe) : NULL;
	note_damage(dump);
}

static bool run_infer(struct dump *dump, struct progress *progress)
{
	struct typing_options options = infer_begin(dump);
	dump->typing = typing_new(dump->heap, dump->types, options, progress);
	infer_end(dump);
	return dump->typing != NULL;
}

static bool run_type(struct dump *dump, struct progress *progress, struct err *err)
{
	(void)err;
	if (heap_has(dump->heap, PART_TYPES)) /* a log records the types itself */
		return true;
	if (dump->names->exe && !run_infer(dump, progress))
		return false;
	dump->labels = labels_new(dump->heap, dump->typing, progress);
	if (dump->typing)
		typing_settle(dump->typing);
	if (dump->labels)
		dump->structures = structures_new(dump->heap, dump->typing, dump->labels, progress);
	return dump->structures != NULL;
}

static bool type_save(struct dump *dump, const struct index_io *io)
{
	if (dump->structures && dump->typing) {
		locals_save_types(dump->locals, io);
		typing_index(dump->typing, io);
	}
	return dump->structures && labels_index(dump->labels, io)
	       && structures_index(dump->structures, io);
}

static bool infer_load(struct dump *dump, const struct index_io *io)
{
	struct typing_options options = infer_begin(dump);
	dump->typing =
		gotypes_index(dump->types, io) ? typing_load(dump->heap, dump->types, options, io) : NULL;
	return dump->typing != NULL;
}

static void type_unload(struct dump *dump)
{
	structures_free(dump->structures);
	labels_free(dump->labels);
	typing_free(dump->typing);
	gotypes_free(dump->types);
	dump->structures = NULL;
	dump->labels = NULL;
	dump->typing = NULL;
	dump->types = NULL;
}

static bool type_index(struct dump *dump, const struct index_io *io)
{
	if (io->writer)
		return type_save(dump, io);
	if (heap_has(dump->heap, PART_TYPES))
		return false;
	if (!dump->names->exe || infer_load(dump, io))
		dump->labels = labels_load(dump->heap, dump->typing, io);
	if (dump->labels)
		dump->structures = structures_load(dump->heap, dump->typing, dump->labels, io);
	if (!dump->structures)
		type_unload(dump);
	else if (dump->typing)
		infer_end(dump);
	return dump->structures != NULL;
}

/* In the order of their bits, in which they run. */
static const struct stage_kind {
	const char *name;
	/* required stages, also for stages that run later; owners require referrers, see
	   analysis_has */
	unsigned after;
	bool (*run)(struct dump *, struct progress *, struct err *);
	/* Writes the results to an index or reads them; NULL: computed each time. */
	bool (*index)(struct dump *, const struct index_io *);
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

bool stage_make(struct dump *dump, enum stage stage, struct progress *progress, struct err *err)
{
	const struct stage_kind *kind = &stage_kinds[stage_index(stage)];
	const struct index_io io = {.file = dump->index};
	if (dump->index && kind->index && kind->index(dump, &io))
		return true;
	if (kind->index)
		atomic_fetch_or(&dump->computed, stage);
	return kind->run(dump, progress, err);
}

void stage_save(struct dump *dump, enum stage stage, const struct index_io *io)
{
	const struct stage_kind *kind = &stage_kinds[stage_index(stage)];
	if (kind->index)
		kind->index(dump, io);
}
