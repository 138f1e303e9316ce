/* What each stage of the analysis makes, of what those before it have made. */
#include "analysis/stages.h"

#include "base/process.h"
#include "format/running.h"

/* A process is not stopped for what its memory cannot tell. */
static bool run_read(struct analysis *a, struct progress *progress, struct err *err)
{
	pid_t pid = process_named(a->path, true, NULL);
	if (pid && !running_check(pid, err))
		return false;
	if (!input_open(&a->input, a->path, format_known, progress, err))
		return false;
	if (a->exe)
		a->input.executable = a->exe;
	a->heap = heap_read(&a->input, progress, err);
	if (a->heap)
		a->groups = groups_new(a->heap);
	return a->heap != NULL;
}

/* That there is no executable, or not the right one, is no failure. */
static bool run_name(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)progress, (void)err;
	a->names = names_open(a->heap, a->exe);
	return true;
}

static bool analysis_run_link(struct analysis *a, struct progress *progress, struct err *err)
{
	if (!heap_link(a->heap, progress, err))
		return false;
	a->waits = gowaits_new(a->heap);
	return true;
}

static bool run_reach(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)err;
	a->reach = reach_new(a->heap, a->names, progress);
	return a->reach != NULL;
}

static bool run_reverse(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)err;
	return heap_reverse(a->heap, progress);
}

static bool dominate(struct analysis *a, enum retain retain, struct progress *progress,
                     struct err *err)
{
	a->dominators[retain] = dominators_new_after(a->root_nodes, retain, &a->search, progress, err);
	return a->dominators[retain] != NULL;
}

static bool run_dominate(struct analysis *a, struct progress *progress, struct err *err)
{
	const struct image *image = a->names->exe ? exe_image(a->names->exe) : NULL;
	struct sync_pools pools = sync_pools_find(a->heap, image, a->names->fit.data_bias);
	a->root_nodes = root_nodes_new(a->heap, a->names, pools);
	return dominate(a, RETAIN_ALIVE, progress, err)
	       && (!a->reach->weak_roots || dominate(a, RETAIN_WEAK, progress, err));
}

static bool run_own(struct analysis *a, struct progress *progress, struct err *err)
{
	return dominate(a, RETAIN_STRONGEST, progress, err);
}

/* Once, when every type and every variable of a frame has been asked for. */
static void note_damage(struct analysis *a)
{
	struct buf what = {0};
	exe_explain_damage(a->names->exe, &what);
	buf_add(&what, what.len ? "; " : "");
	size_t len = what.len;
	gotypes_explain_damage(a->types, &what);
	if (what.len > len)
		names_add_damage(a->names, buf_text(&what), &a->exe_damage);
	else
		buf_add(&a->exe_damage, buf_text(&a->names->damage));
	buf_free(&what);
}

static bool run_infer(struct analysis *a, const struct exe *exe, struct progress *progress)
{
	struct typing_options options = {a->names->fit.bias, a->names->fit.data_bias, false};
	a->types = gotypes_new(exe_image(exe), exe_pclntab(exe)->module.address);
	gotypes_use_functions(a->types, exe_pclntab(exe));
	a->typing = typing_new(a->heap, a->types, options, progress);
	a->locals = a->typing ? locals_new(a->types, options.bias) : NULL;
	a->statics = a->typing ? statics_new(a->typing, a->types) : NULL;
	note_damage(a);
	return a->typing != NULL;
}

static bool run_type(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)err;
	const struct exe *exe = a->names->exe;
	if (heap_has(a->heap, HAS_TYPES)) /* a log tells the types itself */
		return true;
	if (exe && !run_infer(a, exe, progress))
		return false;
	a->labels = labels_new(a->heap, a->typing, progress);
	if (a->labels)
		a->structures = structures_new(a->heap, a->typing, a->labels, progress);
	return a->structures != NULL;
}

/* In the order of their bits. */
static const struct stage_kind {
	const char *name;
	unsigned after; /* what it takes */
	bool (*run)(struct analysis *, struct progress *, struct err *);
} stage_kinds[STAGE_COUNT] = {
	{"objects", STAGE_NONE, run_read},
	{"names", STAGE_READ, run_name},
	{"references", STAGE_READ, analysis_run_link},
	{"reachability", STAGE_NAMED | STAGE_LINKED, run_reach},
	{"referrers", STAGE_REACHED, run_reverse},
	{"dominators", STAGE_NAMED | STAGE_REVERSED, run_dominate},
	{"owners", STAGE_DOMINATED, run_own},
	{"types", STAGE_NAMED | STAGE_LINKED, run_type},
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
	return stage_kinds[stage_index(stage)].run(analysis, progress, err);
}
