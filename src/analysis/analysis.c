#include "analysis/analysis.h"

#include "base/mem.h"

#include <stdlib.h>
#include <time.h>

struct analysis {
	struct input input;
	struct heap *heap;                           /* from STAGE_READ */
	struct groups *groups;                       /* from STAGE_READ */
	struct names *names;                         /* from STAGE_NAMED */
	struct reach *reach;                         /* from STAGE_REACHED */
	struct root_nodes *root_nodes;               /* from STAGE_DOMINATED */
	struct dominators *dominators[RETAIN_COUNT]; /* see analysis_dominators */
	struct owners_shared *owners;                /* see analysis_owners */
	struct suspects *suspects;                   /* see analysis_suspects */
	struct gotypes *types;                       /* from STAGE_TYPED, as those after it */
	struct typing *typing;
	struct locals *locals;
	struct statics *statics;
	struct buf exe_damage; /* see analysis_executable_damage */
	struct labels *labels;

	char *path, *exe;
	struct task *task;        /* NULL: nothing has been started */
	atomic_uint stages;       /* done; publishes what they made */
	atomic_bool failed, done; /* failed publishes err */
	struct err err;
	_Atomic enum retain retain;
	uint64_t cpu[STAGE_COUNT];
	const struct wake *wake; /* of the one who started the task */
};

struct analysis *analysis_new(const char *path)
{
	struct analysis *analysis = mem_alloc(sizeof *analysis);
	analysis->path = mem_strdup(path);
	analysis->owners = owners_shared_new();
	analysis->input.fd = -1;
	return analysis;
}

const char *analysis_path(const struct analysis *analysis)
{
	return analysis->path;
}

static bool run_read(struct analysis *a, struct progress *progress, struct err *err)
{
	if (!input_open(&a->input, a->path, format_known, progress, err))
		return false;
	if (a->exe)
		a->input.executable = a->exe;
	a->heap = heap_read(&a->input, progress, err);
	if (a->heap)
		a->groups = groups_new(a->heap);
	return a->heap != NULL;
}

void analysis_use_executable(struct analysis *analysis, const char *exe)
{
	free(analysis->exe);
	analysis->exe = exe ? mem_strdup(exe) : NULL;
}

struct analysis *analysis_again(const struct analysis *analysis)
{
	struct analysis *again = analysis_new(analysis->path);
	analysis_use_executable(again, analysis->exe);
	return again;
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
	return heap_link(a->heap, progress, err);
}

static bool run_reach(struct analysis *a, struct progress *progress, struct err *err)
{
	(void)err;
	a->reach = reach_new(a->heap, progress);
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
	a->dominators[retain] = dominators_new(a->root_nodes, retain, progress, err);
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
	return a->labels != NULL;
}

static uint64_t thread_cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* In the order of their bits. */
static const struct stage_kind {
	const char *name;
	unsigned after; /* what it takes */
	bool (*run)(struct analysis *, struct progress *, struct err *);
} kinds[STAGE_COUNT] = {
	{"objects", STAGE_NONE, run_read},
	{"names", STAGE_READ, run_name},
	{"references", STAGE_READ, analysis_run_link},
	{"reachability", STAGE_LINKED, run_reach},
	{"referrers", STAGE_REACHED, run_reverse},
	{"dominators", STAGE_NAMED | STAGE_REVERSED, run_dominate},
	{"owners", STAGE_DOMINATED, run_own},
	{"types", STAGE_NAMED | STAGE_LINKED, run_type},
};

static int stage_index(enum stage stage)
{
	return __builtin_ctz(stage);
}

const char *stage_name(enum stage stage)
{
	return stage == STAGE_NONE ? "the file" : kinds[stage_index(stage)].name;
}

unsigned stages_with(unsigned stages)
{
	for (int i = STAGE_COUNT - 1; i >= 0; i--)
		if (stages >> i & 1)
			stages |= kinds[i].after;
	return stages;
}

/* False: failed or cancelled. */
static bool run_stage(struct analysis *a, enum stage stage, struct progress *progress)
{
	uint64_t before = thread_cpu();
	if (!kinds[stage_index(stage)].run(a, progress, &a->err)) {
		err_set(&a->err, "Cancelled while looking for %s", stage_name(stage));
		atomic_store_explicit(&a->failed, true, memory_order_release);
		return false;
	}
	a->cpu[stage_index(stage)] = thread_cpu() - before;
	progress_begin(progress, NULL, 0);
	atomic_fetch_or_explicit(&a->stages, stage, memory_order_release);
	return true;
}

bool analysis_run(struct analysis *analysis, unsigned stages, struct err *err)
{
	enum stage next;
	while ((next = analysis_lacks(analysis, stages)) != STAGE_NONE)
		if (analysis_failed(analysis, err) || !run_stage(analysis, next, NULL))
			return analysis_failed(analysis, err), false;
	return true;
}

enum { SUSPECTS = 8 };

static void sum_up(struct analysis *a, struct progress *progress)
{
	if (a->suspects || !a->reach->known)
		return;
	analysis_owners(a, progress);
	a->suspects = suspects_new(a->dominators[RETAIN_ALIVE], SUSPECTS, progress);
}

void analysis_sum_up(struct analysis *analysis)
{
	sum_up(analysis, NULL);
}

/* All stages, one after the other. */
static void analysis_work(void *self, struct progress *progress)
{
	struct analysis *a = self;
	enum stage next;
	bool more = true;
	while (more && (next = analysis_lacks(a, STAGE_ALL)) != STAGE_NONE) {
		if (next == STAGE_TYPED)
			sum_up(a, progress);
		more = run_stage(a, next, progress);
		wake_up(a->wake);
	}
	atomic_store(&a->done, true); /* the task's end tells of it */
}

void analysis_start(struct analysis *analysis, const struct wake *wake)
{
	analysis->wake = wake;
	analysis->task = task_start(analysis_work, analysis, wake);
}

unsigned analysis_stages(const struct analysis *analysis)
{
	return atomic_load_explicit(&analysis->stages, memory_order_acquire);
}

bool analysis_has(const struct analysis *analysis, unsigned stages)
{
	return !(stages & ~analysis_stages(analysis));
}

enum stage analysis_lacks(const struct analysis *analysis, unsigned stages)
{
	unsigned lacking = stages_with(stages) & ~analysis_stages(analysis);
	return lacking ? (enum stage)(1U << __builtin_ctz(lacking)) : STAGE_NONE;
}

const struct input *analysis_input(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_READ) ? &analysis->input : NULL;
}

struct heap *analysis_heap(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_READ) ? analysis->heap : NULL;
}

const struct groups *analysis_groups(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_READ) ? analysis->groups : NULL;
}

const struct names *analysis_names(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_NAMED) ? analysis->names : NULL;
}

const struct reach *analysis_reach(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_REACHED) ? analysis->reach : NULL;
}

const struct root_nodes *analysis_root_nodes(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_DOMINATED) ? analysis->root_nodes : NULL;
}

struct gotypes *analysis_types(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_TYPED) ? analysis->types : NULL;
}

const struct typing *analysis_typing(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_TYPED) ? analysis->typing : NULL;
}

struct locals *analysis_locals(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_TYPED) ? analysis->locals : NULL;
}

const struct statics *analysis_statics(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_TYPED) ? analysis->statics : NULL;
}

const struct labels *analysis_labels(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_TYPED) ? analysis->labels : NULL;
}

const struct dominators *analysis_dominators(const struct analysis *analysis, enum retain retain)
{
	static const enum stage stages[RETAIN_COUNT] = {
		[RETAIN_ALIVE] = STAGE_DOMINATED,
		[RETAIN_STRONGEST] = STAGE_OWNED,
		[RETAIN_WEAK] = STAGE_DOMINATED,
	};
	if (!analysis_has(analysis, stages[retain]))
		return NULL;
	if (retain == RETAIN_WEAK && !analysis->reach->weak_roots)
		retain = RETAIN_ALIVE;
	return analysis->dominators[retain];
}

const struct dominators *analysis_dominators_of(const struct analysis *analysis, uint32_t object)
{
	bool weak = analysis_has(analysis, STAGE_REACHED) && reach_is_weak(analysis->reach, object);
	return analysis_dominators(analysis, weak ? RETAIN_WEAK : RETAIN_ALIVE);
}

enum retain analysis_retain(const struct analysis *analysis)
{
	return atomic_load(&analysis->retain);
}

void analysis_set_retain(const struct analysis *analysis, enum retain retain)
{
	/* A setting of who asks: nothing that is known changes with it. */
	atomic_store(&((struct analysis *)(uintptr_t)analysis)->retain, retain);
}

const struct dominators *analysis_retained(const struct analysis *analysis)
{
	return analysis_dominators(analysis, analysis_retain(analysis));
}

const struct owners *analysis_owners(const struct analysis *analysis, struct progress *progress)
{
	return owners_shared_get(analysis->owners, analysis_retained(analysis), analysis->groups,
	                         progress);
}

const struct suspects *analysis_suspects(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_TYPED) ? analysis->suspects : NULL;
}

const struct owners *analysis_owners_made(const struct analysis *analysis)
{
	const struct dominators *dominators = analysis_retained(analysis);
	return dominators ? owners_shared_made(analysis->owners, dominators->retain) : NULL;
}

const char *analysis_executable_damage(const struct analysis *analysis)
{
	const struct names *names = analysis_names(analysis);
	if (!names || !names->exe)
		return NULL;
	const struct buf *damage = analysis_has(analysis, STAGE_TYPED) ? &analysis->exe_damage
	                                                               : &names->damage;
	return damage->len ? buf_text(damage) : NULL;
}

bool analysis_failed(const struct analysis *analysis, struct err *err)
{
	if (!atomic_load_explicit(&analysis->failed, memory_order_acquire))
		return false;
	if (err)
		*err = analysis->err;
	return true;
}

bool analysis_done(const struct analysis *analysis)
{
	return atomic_load(&analysis->done) || analysis_has(analysis, STAGE_ALL);
}

const struct progress *analysis_progress(const struct analysis *analysis)
{
	return analysis->task ? task_progress(analysis->task) : NULL;
}

void analysis_stop(struct analysis *analysis)
{
	task_end(analysis->task);
	analysis->task = NULL;
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	analysis_stop(analysis);
	labels_free(analysis->labels);
	buf_free(&analysis->exe_damage);
	statics_free(analysis->statics);
	locals_free(analysis->locals);
	typing_free(analysis->typing);
	gotypes_free(analysis->types);
	suspects_free(analysis->suspects);
	owners_shared_free(analysis->owners);
	for (int retain = 0; retain < RETAIN_COUNT; retain++)
		dominators_free(analysis->dominators[retain]);
	root_nodes_free(analysis->root_nodes);
	reach_free(analysis->reach);
	names_close(analysis->names);
	groups_free(analysis->groups);
	heap_free(analysis->heap);
	input_close(&analysis->input);
	free(analysis->path);
	free(analysis->exe);
	free(analysis);
}

uint64_t analysis_cpu(const struct analysis *analysis, enum stage stage)
{
	return analysis_has(analysis, stage) ? analysis->cpu[stage_index(stage)] : 0;
}
