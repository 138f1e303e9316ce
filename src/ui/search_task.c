/* The search of the explorer as a background task. */
#include "ui/scroll.h"
#include "ui/state.h"

#include <string.h>

/* Opens the list that contains a row found in view->ops->more. */
static void open_found(struct explorer *explorer, size_t n)
{
	struct search *search = &explorer->search;
	struct view *view = explorer_view(explorer);
	SCOPED_BUF line = {0};
	if (view->ops->more->reveal) {
		explorer_leave(explorer);
		scroll_to(view, explorer_page(explorer), view->ops->more->reveal(view, n));
		return;
	}
	size_t row = view->ops->more->link(view, n, &line);
	if (explorer_command(explorer, buf_text(&line))) {
		explorer_finish(explorer);
		view = explorer_view(explorer);
		search->shown = true;
		if (row < view->ops->rows(view)) {
			scroll_to(view, explorer_page(explorer), row);
		} else {
			search_again(search, view, false);
			search_task_begin(explorer);
		}
	}
}

/* Shows a row that has what was typed, or the one where the search began. */
static void show_typed(struct explorer *explorer)
{
	struct view *view = explorer_view(explorer);
	bool found = explorer->searched == SEARCH_FOUND && explorer->search.row < view->ops->rows(view);
	scroll_to(view, explorer_page(explorer), found ? explorer->search.row : explorer->typed.cursor);
}

static void tell_found(struct explorer *explorer)
{
	struct search *search = &explorer->search;
	struct view *view = explorer_view(explorer);
	size_t own = view->ops->rows(view);
	explorer_message(explorer, "%s", ""); /* it was about searching */
	if (search->row >= own) {
		/* The rows may have become fewer since. */
		if (view->ops->more && search->row - own < view->ops->more->count(view))
			open_found(explorer, search->row - own);
		return;
	}
	explorer_leave(explorer);
	scroll_to(view, explorer_page(explorer), search->row);
	if (search->wrapped)
		explorer_message(explorer,
		                 search->step > 0 ? "Wrapped to the top." : "Wrapped to the bottom.");
}

static void search_task_work(void *self, struct progress *progress)
{
	struct explorer *explorer = self;
	explorer->searched = search_work(&explorer->search, explorer_view(explorer), progress);
}

static void search_task_ended(void *self)
{
	struct explorer *explorer = self;
	explorer->search.running = explorer->searched == SEARCH_GOES_ON;
	if (explorer->typed.text.len) {
		if (!explorer->search.running)
			show_typed(explorer);
	} else if (explorer->searched == SEARCH_FOUND) {
		tell_found(explorer);
	} else if (explorer->searched == SEARCH_NOT_FOUND) {
		/* A tree whose rows are created on demand was searched only as far as it is open. */
		const struct view *view = explorer_view(explorer);
		const struct view_more *more = view->ops->more;
		bool whole = !more || !more->whole || more->whole(view);
		explorer_message(explorer,
		                 whole ? "Nothing here contains %s."
		                       : "No open row contains %s. * opens all that is below a row.",
		                 buf_text(&explorer->search.needle));
		explorer->alarm = true;
	}
}

static const struct task_kind search_task = {search_task_work, search_task_ended};

void search_task_begin(struct explorer *explorer)
{
	explorer_message(explorer, "Searching for %s. Esc stops it.",
	                 buf_text(&explorer->search.needle));
	tasks_begin(&explorer->tasks, &search_task, explorer);
}

void search_task_rest(struct explorer *explorer)
{
	tasks_drop(&explorer->tasks, explorer);
}

bool search_task_tell(struct explorer *explorer)
{
	bool ended = explorer->search.running && explorer->searched != SEARCH_GOES_ON;
	if (ended)
		search_task_ended(explorer);
	return ended;
}

void search_task_go_on(struct explorer *explorer)
{
	if (explorer->search.running && explorer->searched == SEARCH_GOES_ON)
		tasks_start(&explorer->tasks, &search_task, explorer);
	else if (explorer->search.running)
		wake_up(explorer->tasks.wake);
}

void search_task_stop(struct explorer *explorer)
{
	search_task_rest(explorer);
	explorer->search.running = false;
}

void search_task_untype(struct explorer *explorer)
{
	struct typed_search *typed = &explorer->typed;
	struct view *view = explorer_view(explorer);
	if (!typed->text.len)
		return;
	search_task_stop(explorer);
	search_note(&explorer->search, buf_text(&typed->needle));
	explorer->search.shown = typed->shown;
	explorer->search.direction = typed->direction;
	if (view == typed->view) {
		view->cursor = typed->cursor;
		view->top = typed->top;
	}
	buf_clear(&typed->text);
}

void explorer_typed(struct explorer *explorer, const char *line)
{
	struct typed_search *typed = &explorer->typed;
	struct view *view = explorer_view(explorer);
	if (explorer->wants_line != '/' || strcmp(line, buf_text(&typed->text)) == 0)
		return;
	search_task_untype(explorer);
	if (!*line || view_stack_waits(&explorer->view_stack))
		return;
	buf_add(&typed->text, line);
	buf_clear(&typed->needle);
	buf_add(&typed->needle, buf_text(&explorer->search.needle));
	typed->view = view;
	typed->cursor = view->cursor;
	typed->top = view->top;
	typed->shown = explorer->search.shown;
	typed->direction = explorer->search.direction;
	search_start(&explorer->search, view, line, 1);
	tasks_begin(&explorer->tasks, &search_task, explorer);
}
