/* The explorer: its views and messages, and how it follows the analysis. */
#include "ui/explorer.h"

#include "analysis/analysis.h"
#include "base/mem.h"
#include "ui/scroll.h"
#include "ui/state.h"

#include <stdlib.h>

struct explorer *explorer_new(const struct analysis *analysis, struct explorer_host host)
{
	struct explorer *explorer = mem_alloc(sizeof *explorer);
	explorer->analysis = analysis;
	explorer->host = host;
	explorer->tasks.wake = host.wake;
	explorer->width = 80;
	explorer->height = 24;
	view_stack_init(&explorer->view_stack, explorer, analysis);
	pane_close(explorer);
	if (!explorer_open(explorer, "overview", NULL))
		explorer_open(explorer, "help", NULL); /* always opens */
	return explorer;
}

void explorer_free(struct explorer *explorer)
{
	if (!explorer)
		return;
	search_task_stop(explorer);
	tasks_drop(&explorer->tasks, &explorer->what_if_list);
	file_task_stop(explorer);
	pane_close(explorer);
	view_stack_fini(&explorer->view_stack);
	for (size_t i = 0; i < MARKS; i++)
		location_fini(&explorer->marks[i]);
	search_fini(&explorer->search);
	what_if_list_fini(&explorer->what_if_list);
	buf_free(&explorer->repeat.line);
	buf_free(&explorer->typed.text);
	buf_free(&explorer->typed.needle);
	buf_free(&explorer->tagged);
	buf_free(&explorer->tagged_before);
	buf_free(&explorer->wants_set);
	keys_fini(explorer);
	notes_fini(&explorer->notes);
	buf_free(&explorer->agent.command);
	buf_free(&explorer->agent.reason);
	buf_free(&explorer->notice);
	buf_free(&explorer->line);
	buf_free(&explorer->message);
	free(explorer);
}

void explorer_rest(struct explorer *explorer)
{
	search_task_stop(explorer);
	tasks_cancel(&explorer->tasks);
	tasks_finish(&explorer->tasks);
}

void explorer_reopen(struct explorer *explorer, const struct analysis *analysis, bool other)
{
	struct location here;
	struct err err = {0};
	search_task_untype(explorer);
	search_task_stop(explorer);
	tasks_drop(&explorer->tasks, &explorer->what_if_list);
	file_task_stop(explorer);
	location_copy(&here, view_stack_here(&explorer->view_stack));
	what_if_list_fini(&explorer->what_if_list);
	buf_clear(&explorer->tagged);
	buf_clear(&explorer->tagged_before);
	explorer->what_if_list = (struct what_if_list){0};
	view_stack_fini(&explorer->view_stack);
	pane_close(explorer);
	analysis = analysis_asked_as(analysis, explorer->analysis);
	explorer->analysis = analysis;
	explorer->seen = STAGE_NONE;
	explorer->notes_stages = 0;
	explorer->agent.at = 0;
	explorer->seen_done = explorer->changed_told = false;
	view_stack_init(&explorer->view_stack, explorer, analysis);
	explorer_open(explorer, "overview", NULL);
	explorer_message(explorer, other ? "The file was opened." : "The file was opened anew.");
	bool there = other || here.ops == view_stack_here(&explorer->view_stack)->ops;
	if (!there && !view_stack_open(&explorer->view_stack, &here, &err))
		explorer_fail(explorer, &err);
	location_fini(&here);
}

const char *explorer_last_message(const struct explorer *explorer)
{
	return buf_text(&explorer->message);
}

bool explorer_show(struct explorer *explorer, const struct view_ops *ops, const char *argument,
                   struct err *err)
{
	return explorer_show_filtered(explorer, ops, argument, NULL, err);
}

bool explorer_show_filtered(struct explorer *explorer, const struct view_ops *ops,
                            const char *argument, const char *filter, struct err *err)
{
	struct location location = {.ops = ops};
	if (!ops)
		return err_set(err, "There is no such view");
	if (!filter && explorer->view_stack.count
	    && location_is(view_stack_here(&explorer->view_stack), ops, argument))
		return true;
	location.resume = explorer->tab;
	if (filter)
		buf_addf(&location.words, "0 filter %s\n", filter);
	if (argument && *argument)
		location.argument = mem_strdup(argument);
	if (explorer->view_stack.count)
		explorer_leave(explorer);
	bool done = view_stack_open(&explorer->view_stack, &location, err);
	location_fini(&location);
	search_task_stop(explorer);
	explorer->search.shown = false;
	return done;
}

bool explorer_open(struct explorer *explorer, const char *view, const char *argument)
{
	struct err err = {0};
	bool done = explorer_show(explorer, view_find(view), argument, &err);
	explorer_fail(explorer, &err);
	return done;
}

bool explorer_has_failed(const struct explorer *explorer)
{
	return explorer->alarm;
}

size_t explorer_page(const struct explorer *explorer)
{
	const struct view *view = view_stack_view(&explorer->view_stack);
	int height = screen_layout(explorer->height).body_height;
	if (view->ops->head)
		height -= view->ops->head(view, NULL, 0);
	return height > 1 ? (size_t)height : 1;
}

/* Opens the current view if it waited for what is now ready. */
static void explorer_settle(struct explorer *explorer, bool news)
{
	struct err err = {0};
	struct view *view;
	bool waited = view_stack_waits(&explorer->view_stack);
	if (!view_stack_refresh(&explorer->view_stack, news, &err))
		explorer_fail(explorer, &err);
	else if (waited && !explorer->alarm && !view_stack_waits(&explorer->view_stack))
		explorer_message(explorer, "%s", ""); /* the message was about waiting */
	pane_refresh(explorer, news);
	view = explorer_view(explorer);
	scroll_settle(view, explorer_page(explorer));
}

void explorer_resize(struct explorer *explorer, int width, int height)
{
	bool other = explorer->height != height || explorer->width != width;
	explorer->width = width;
	explorer->height = height;
	if (other) /* sections of pages have more or fewer lines */
		explorer_settle(explorer, true);
}

bool explorer_refresh(struct explorer *explorer)
{
	search_task_rest(explorer);
	bool ended = tasks_collect(&explorer->tasks);
	ended = search_task_tell(explorer) || ended;
	unsigned estimated = analysis_estimate(explorer->analysis) ? STAGE_ALL + 1 : 0;
	unsigned stages = analysis_stages(explorer->analysis) | estimated;
	bool done = analysis_done(explorer->analysis);
	bool news = stages != explorer->seen || done != explorer->seen_done;
	explorer->seen = stages;
	explorer->seen_done = done;
	if (explorer->wants_set.len && analysis_has(explorer->analysis, STAGE_READ)) {
		struct buf command = explorer->wants_set;
		explorer->wants_set = (struct buf){0};
		explorer_command(explorer, buf_text(&command));
		buf_free(&command);
	}
	if (ended || news)
		explorer_settle(explorer, news);
	if (ended)
		scroll_to(explorer_view(explorer), explorer_page(explorer),
		          explorer_view(explorer)->cursor);
	search_task_go_on(explorer);
	return ended || news || explorer_busy(explorer);
}

bool explorer_busy(const struct explorer *explorer)
{
	return explorer->tasks.running || !analysis_done(explorer->analysis);
}

void explorer_finish(struct explorer *explorer)
{
	tasks_finish(&explorer->tasks);
	explorer_settle(explorer, false);
}
