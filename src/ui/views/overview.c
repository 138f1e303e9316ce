/* The first screen: what uses the memory, what the goroutines do, and what is wrong with the file.
   It is up before anything has been read, and fills as the stages of the analysis arrive. */
#include "ui/overview.h"

#include "base/mem.h"

#include <stdlib.h>

/* From top to bottom, each from its stage on, and only where the dump has such parts. */
static const struct {
	unsigned needs;
	unsigned parts; /* enum format_part */
	void (*add)(struct overview *overview);
} sections[] = {
	{STAGE_READ, 0, overview_file},
	{STAGE_NAMED, 0, overview_names},
	{STAGE_NONE, 0, overview_progress},
	{STAGE_READ, HAS_DOMAINS, overview_domains},
	{STAGE_READ, 0, overview_heaps},
	{STAGE_ALL, HAS_OBJECTS, overview_sentence},
	{STAGE_READ, HAS_OBJECTS, overview_heap},
	{STAGE_ALL, HAS_OBJECTS, overview_owners},
	{STAGE_ALL, HAS_OBJECTS, overview_piles},
	{STAGE_READ, HAS_RUNTIME, overview_goroutines},
	{STAGE_NAMED, HAS_RUNTIME, overview_groups},
	{STAGE_REACHED, HAS_OBJECTS, overview_types},
	{STAGE_READ, HAS_OBJECTS, overview_sizes},
	{STAGE_LINKED, HAS_OBJECTS, overview_roots},
	{STAGE_READ, 0, overview_memory},
	{STAGE_READ, 0, overview_condition},
};

/* A dump that is not read yet has nothing that could be missing. */
static bool overview_has(const struct analysis *analysis, unsigned parts)
{
	return !parts || (analysis_heap(analysis)->format->has & parts) == parts;
}

static void overview_build(struct view *view)
{
	struct overview *overview = view->data;
	page_clear(&overview->page);
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (analysis_has(view->analysis, sections[i].needs)
		    && overview_has(view->analysis, sections[i].parts))
			sections[i].add(overview);
}

/* Some tenths of a second, which are not worth giving up. */
static void overview_count_work(void *self, struct progress *progress)
{
	struct overview *overview = ((struct view *)self)->data;
	progress_begin(progress, "counting types", 0);
	type_counts_make(&overview->types);
}

static void overview_count_ended(void *self)
{
	struct overview *overview = ((struct view *)self)->data;
	overview->types.done = true;
	page_view_rebuild(self, overview_build);
}

static const struct task_kind overview_count_task = {overview_count_work, overview_count_ended};

static void overview_count_types(struct view *view)
{
	struct overview *overview = view->data;
	bool wanted = analysis_has(view->analysis, STAGE_REACHED)
	              && overview_has(view->analysis, HAS_OBJECTS) && typed_any(view->analysis);
	if (!wanted || overview->types.begun)
		return;
	overview->types.begun = true;
	view_begin(view, &overview_count_task);
}

static bool overview_open(struct view *view, struct err *err)
{
	(void)err;
	struct overview *overview = view->data = mem_alloc(sizeof *overview);
	overview->analysis = overview->types.analysis = view->analysis;
	buf_add(&view->title, "Overview");
	overview_build(view);
	overview_count_types(view);
	return true;
}

static void overview_close(struct view *view)
{
	struct overview *overview = view->data;
	if (!overview)
		return;
	rows_close(overview->groups);
	rows_close(overview->heaps);
	rows_close(overview->owners);
	type_counts_fini(&overview->types);
	page_fini(&overview->page);
	free(overview);
	view->data = NULL;
}

static void overview_refresh(struct view *view)
{
	page_view_rebuild(view, overview_build);
	overview_count_types(view);
}

static void overview_explain(const struct view *view, struct buf *out)
{
	(void)view;
	buf_add(
		out,
		"HEAP: all objects in the dump, by the whole slot that each takes\n"
		"reachable: a path leads to it from a root that the dump tells of\n"
		"no root in the dump: what the collector will free, or what is held in a way that no dump "
		"tells of: arguments of runtime.AddCleanup and weak handles, since Go 1.24\n"
		"OWNERS: variables, goroutines and others, with the bytes that would go with each; what "
		"several hold jointly goes only when all of them go\n"
		"PILES UP: from a big owner down to where its bytes fan out, each step keeping 70 % of the "
		"one before\n"
		"GOROUTINES: by state, or by what they wait for\n"
		"STACKS: goroutines with the same stack, state and wait reason: how many, how long the "
		"first of them has waited at least, for what, and where\n"
		"TYPES: the types whose objects take most bytes\n"
		"SIZES: the slot sizes that take most bytes\n"
		"ROOTS: pointers to objects from global variables (data, bss), stack frames, "
		"finalizers, deferred calls and panics\n"
		"MEMORY: what the runtime had from the system when the dump began, and what for\n"
		"FILE: what was wrong with it, where, what was skipped, and what that means\n");
}

const struct view_ops view_overview = {
	.name = "overview",
	.help = "What uses the memory, what the goroutines do, and what is wrong with the file",
	.needs = STAGE_NONE,
	.open = overview_open,
	.close = overview_close,
	.rows = page_view_rows,
	.draw = page_view_draw,
	.selectable = page_view_selectable,
	.link = page_view_link,
	.refresh = overview_refresh,
	.explain = overview_explain,
};
