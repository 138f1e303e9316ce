/* The history of views. */
#include "ui/view_stack.h"

#include "analysis/analysis.h"
#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/table.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

enum { LIVE_VIEWS = 50, LIVE_ROWS = 30000000 }; /* a sorted list takes 4 bytes per row */

void location_copy(struct location *copy, const struct location *location)
{
	*copy = *location;
	copy->argument = location->argument ? mem_strdup(location->argument) : NULL;
	copy->words = (struct buf){0};
	buf_add(&copy->words, buf_text(&location->words));
}

void location_fini(struct location *location)
{
	free(location->argument);
	buf_free(&location->words);
	*location = (struct location){0};
}

void view_stack_init(struct view_stack *view_stack, struct explorer *explorer,
                     const struct analysis *analysis)
{
	*view_stack = (struct view_stack){.explorer = explorer, .analysis = analysis};
}

void view_close(struct view *view)
{
	if (!view)
		return;
	view_drop(view);
	if (view->ops->close && view->data)
		view->ops->close(view);
	free(view->data);
	free(view->argument);
	buf_free(&view->title);
	buf_free(&view->side);
	free(view);
}

static void save(struct entry *entry)
{
	if (!entry->view || entry->view->ops != entry->location.ops)
		return;
	entry->location.cursor = entry->view->cursor;
	entry->location.top = entry->view->top;
	entry->location.left = entry->view->left;
}

static void close_place(struct entry *entry)
{
	save(entry);
	view_close(entry->view);
	entry->view = NULL;
}

/* Removes the places from `first` on. */
static void view_stack_cut(struct view_stack *view_stack, size_t first)
{
	while (view_stack->count > first) {
		struct entry *entry = &view_stack->entries[--view_stack->count];
		close_place(entry);
		location_fini(&entry->location);
	}
}

void view_stack_fini(struct view_stack *view_stack)
{
	view_stack_cut(view_stack, 0);
	free(view_stack->entries);
}

static struct view *new_view(const struct view_stack *view_stack, const struct view_ops *ops,
                             const char *argument)
{
	struct view *view = mem_alloc(sizeof *view);
	view->ops = ops;
	view->explorer = view_stack->explorer;
	view->analysis = view_stack->analysis;
	view->beside = view_stack->beside;
	view->argument = argument && *argument ? mem_strdup(argument) : NULL;
	return view;
}

/* Returns a row that exists: there may be fewer than when it was recorded. */
static size_t replay_row(const struct view *view, size_t row)
{
	size_t rows = view->ops->rows(view);
	return row < rows ? row : rows ? rows - 1 : 0;
}

/* Replays the commands of a view, and restores the cursor. */
static void replay(struct view *view, const struct location *location)
{
	const char *line = buf_text(&location->words);
	while (*line) {
		char *rest;
		if (!view->beside)
			tasks_finish(&view->explorer->tasks); /* the next command depends on the results */
		view->cursor = replay_row(view, strtoul(line, &rest, 10));
		line = rest + 1;
		size_t word = strcspn(line, " \n"), all = strcspn(line, "\n");
		SCOPED_BUF name = {0}, argument = {0};
		struct err ignored = {0};
		buf_add_bytes(&name, line, word);
		if (all > word)
			buf_add_bytes(&argument, line + word + 1, all - word - 1);
		if (command_in(view, buf_text(&name)))
			command_run_in(view, buf_text(&name), buf_text(&argument), &ignored);
		line += all + (line[all] == '\n');
	}
	if (location->words.len && !view->beside)
		tasks_finish(&view->explorer->tasks);
	view->cursor = replay_row(view, location->cursor);
	view->top = replay_row(view, location->top);
	view->left = location->left;
}

/* Returns the stages that a location requires: those of its view and of its table. */
static unsigned needed_stages(const struct location *location)
{
	const struct table *table = view_table_shown(location->ops, location->argument);
	const char *argument =
		location->argument ? location->argument + strcspn(location->argument, " ") : "";
	argument += strspn(argument, " ");
	/* Which parts there are is known when the file is read. */
	return location->ops->needs | location->stages
	       | (location->ops->parts ? STAGE_READ : STAGE_NONE)
	       | (table ? table_needs(table, argument) : STAGE_NONE);
}

/* Returns the unfinished stages that would add detail to a table. */
static unsigned lacked_stages(const struct view_stack *view_stack, const struct location *location)
{
	const struct table *table = view_table_shown(location->ops, location->argument);
	bool lacks = table && !analysis_has(view_stack->analysis, table->wants);
	return lacks ? table->wants : STAGE_NONE;
}

/* Opens a loaded view and replays its commands. NULL: *err. */
static struct view *view_stack_open_loaded(struct view *view, const struct location *location,
                                           struct err *err)
{
	if (!view->ops->open || view->ops->open(view, err)) {
		replay(view, location);
		return view;
	}
	err_set(err, "This view cannot be opened");
	view_close(view);
	return NULL;
}

/* Returns the open view that a placeholder has loaded, or the placeholder while it loads. NULL:
 *err, or no message if it was cancelled. */
static struct view *view_stack_take_loaded(struct view *placeholder,
                                           const struct location *location, struct err *err)
{
	struct loading *loading = placeholder_loading(placeholder);
	struct view *view = loading->view;
	if (!loading->ended)
		return placeholder;
	loading->view = NULL;
	if (loading->loaded)
		return view_stack_open_loaded(view, location, err);
	if (err && loading->err.set)
		*err = loading->err;
	view_close(view);
	return NULL;
}

/* Returns the view of a location, or a placeholder; NULL: it cannot be opened. */
static struct view *view_stack_open_view(const struct view_stack *view_stack,
                                         const struct location *location, struct err *err)
{
	unsigned stages = needed_stages(location);
	enum stage lacks = analysis_lacks(view_stack->analysis, stages);
	if (lacks && analysis_done(view_stack->analysis)) {
		err_set(err, "There are no %s: the analysis was stopped before", stage_name(lacks));
		return NULL;
	}
	if (lacks) {
		struct view *placeholder = new_view(view_stack, &placeholder_view, NULL);
		placeholder_for(placeholder, location, stages);
		return placeholder;
	}
	if (location->ops->parts
	    && !format_has(analysis_heap(view_stack->analysis)->format, location->ops->parts, err))
		return NULL;
	struct view *view = new_view(view_stack, location->ops, location->argument);
	if (!location->ops->load)
		return view_stack_open_loaded(view, location, err);
	struct view *placeholder = new_view(view_stack, &placeholder_view, NULL);
	placeholder_for(placeholder, location, STAGE_NONE);
	placeholder_load(placeholder, view);
	view = view_stack_take_loaded(placeholder, location, err);
	if (view != placeholder)
		view_close(placeholder);
	if (!view)
		err_set(err, "This view cannot be opened");
	return view;
}

/* Closes views that are too far from the current place, or have too many rows in total. */
static void close_distant(struct view_stack *view_stack)
{
	size_t rows = 0;
	for (size_t distance = 1; distance < view_stack->count; distance++)
		for (int side = -1; side <= 1; side += 2) {
			if (side < 0 ? distance > view_stack->at
			             : distance >= view_stack->count - view_stack->at)
				continue;
			size_t i = side < 0 ? view_stack->at - distance : view_stack->at + distance;
			struct entry *entry = &view_stack->entries[i];
			if (entry->view)
				rows += entry->view->ops->rows(entry->view);
			if (distance > LIVE_VIEWS / 2 || rows > LIVE_ROWS)
				close_place(entry);
		}
}

static bool is_waiting(const struct entry *entry)
{
	return entry->view && entry->view->ops == &placeholder_view;
}

bool location_is(const struct location *location, const struct view_ops *ops, const char *argument)
{
	return location->ops == ops
	       && strcmp(location->argument ? location->argument : "", argument ? argument : "") == 0;
}

/* Moves the view of a tree that is open elsewhere in the history into a new entry, so that its rows
   stay open; its old entry reopens it if it is returned to. False: there is none. */
static bool view_stack_take_tree(struct view_stack *view_stack, const struct location *location,
                                 struct entry *taken)
{
	if (!location->resume || !(location->ops->commands & COMMANDS_TREE))
		return false;
	for (size_t i = view_stack->count; i-- > 0;) {
		struct entry *entry = &view_stack->entries[i];
		if (!entry->view || entry->stale || entry->lacked || is_waiting(entry)
		    || !location_is(&entry->location, location->ops, location->argument))
			continue;
		save(entry);
		*taken = *entry;
		location_copy(&taken->location, &entry->location);
		entry->view = NULL;
		return true;
	}
	return false;
}

bool view_stack_open(struct view_stack *view_stack, const struct location *location,
                     struct err *err)
{
	struct entry entry = {.lacked = lacked_stages(view_stack, location)};
	if (!view_stack_take_tree(view_stack, location, &entry)) {
		entry.view = view_stack_open_view(view_stack, location, err);
		if (!entry.view)
			return false;
		location_copy(&entry.location, location);
	}
	view_stack_cut(view_stack, view_stack->count ? view_stack->at + 1 : 0);
	view_stack->entries = mem_grow(view_stack->entries, view_stack->count, &view_stack->capacity,
	                               sizeof *view_stack->entries);
	view_stack->at = view_stack->count;
	view_stack->entries[view_stack->count++] = entry;
	close_distant(view_stack);
	return true;
}

/* Makes sure that a place has its view, if the stages are finished, and refreshes it. */
static bool revive(struct view_stack *view_stack, struct entry *entry, struct err *err)
{
	bool ready = analysis_has(view_stack->analysis, needed_stages(&entry->location));
	if (entry->lacked && analysis_has(view_stack->analysis, entry->lacked))
		close_place(entry); /* reopening adds detail to its rows */
	if (entry->view && !(is_waiting(entry) && ready)) {
		if (entry->stale && entry->view->ops->refresh)
			entry->view->ops->refresh(entry->view);
		entry->stale = false;
		return true;
	}
	unsigned lacked = lacked_stages(view_stack, &entry->location);
	struct err failed = {0};
	struct view *view = NULL;
	if (is_waiting(entry) && placeholder_loading(entry->view))
		view = view_stack_take_loaded(entry->view, &entry->location, &failed);
	if (!view && !failed.set) /* loading was cancelled, or the analysis has progressed */
		view = view_stack_open_view(view_stack, &entry->location, &failed);
	if (!view && err)
		*err = failed;
	if (view != entry->view)
		view_close(entry->view);
	entry->lacked = entry->view ? entry->lacked : lacked;
	entry->view = view;
	entry->stale = false;
	return view != NULL;
}

bool view_stack_go(struct view_stack *view_stack, int step, struct err *err)
{
	if (step < 0 && view_stack->at == 0)
		return err_set(err, "This is the first view: there is nothing to go back to");
	if (step > 0 && view_stack->at + 1 >= view_stack->count)
		return err_set(err, "This is the latest view: nothing to go forward to");
	size_t at = step < 0 ? view_stack->at - 1 : view_stack->at + 1;
	if (!revive(view_stack, &view_stack->entries[at], err))
		return false;
	view_stack->at = at;
	close_distant(view_stack);
	return true;
}

/* Revives the current view. If it cannot be opened, goes back as far as necessary. */
static bool revive_here(struct view_stack *view_stack, struct err *err)
{
	struct err ignored = {0};
	bool opened = revive(view_stack, &view_stack->entries[view_stack->at], err);
	for (bool back = opened; !back && view_stack->at > 0;) {
		view_stack->at--;
		view_stack_cut(view_stack, view_stack->at + 1);
		back = revive(view_stack, &view_stack->entries[view_stack->at], &ignored);
	}
	return opened;
}

bool view_stack_reopen(struct view_stack *view_stack, const struct analysis *analysis,
                       struct err *err)
{
	for (size_t i = 0; i < view_stack->count; i++)
		close_place(&view_stack->entries[i]);
	view_stack->analysis = analysis;
	return revive_here(view_stack, err);
}

bool view_stack_refresh(struct view_stack *view_stack, bool news, struct err *err)
{
	for (size_t i = 0; news && i < view_stack->count; i++) /* most views are refreshed when they are
	                                                          shown again */
		view_stack->entries[i].stale = true;
	return revive_here(view_stack, err);
}

struct view *view_stack_view(const struct view_stack *view_stack)
{
	return view_stack->entries[view_stack->at].view;
}

bool view_stack_waits(const struct view_stack *view_stack)
{
	return is_waiting(&view_stack->entries[view_stack->at]);
}

const struct location *view_stack_here(struct view_stack *view_stack)
{
	struct entry *entry = &view_stack->entries[view_stack->at];
	save(entry);
	return &entry->location;
}

void view_stack_note(struct view_stack *view_stack, size_t cursor, const char *word,
                     const char *argument)
{
	struct location *location = &view_stack->entries[view_stack->at].location;
	/* A new filter of a list replaces the earlier ones; in a tree, rows have been opened by their
	   place under an earlier one. */
	bool replaces = strcmp(word, "filter") == 0 && !(location->ops->commands & COMMANDS_TREE);
	struct buf *words = &location->words, kept = {0};
	for (const char *line = buf_text(words); *line;) {
		size_t all = strcspn(line, "\n") + 1;
		const char *noted = line + strcspn(line, " ") + 1; /* after the row number */
		if (!replaces || strncmp(noted, "filter ", 7) != 0)
			buf_add_bytes(&kept, line, all);
		line += all;
	}
	buf_addf(&kept, "%zu %s %s\n", cursor, word, argument);
	buf_free(words);
	*words = kept;
}
