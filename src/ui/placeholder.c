/* The placeholder view: the stage or task that it waits for, and its progress. */
#include "analysis/analysis.h"
#include "base/mem.h"
#include "ui/state.h"

#include <stdlib.h>

enum { FIRST_STAGE_ROW = 2, BAR_COLUMN = 40 };

struct wait {
	char *command;
	unsigned stages;        /* together with all that they require */
	struct loading loading; /* no stages: it waits for this */
};

void placeholder_for(struct view *view, const struct location *location, unsigned stages)
{
	struct wait *wait = mem_alloc(sizeof *wait);
	SCOPED_BUF command = {0};
	if (!location->ops->of_table)
		buf_add(&command, location->ops->name);
	if (location->argument)
		buf_addf(&command, "%s%s", command.len ? " " : "", location->argument);
	wait->command = mem_strdup(buf_text(&command));
	wait->stages = stages_with(stages);
	buf_addf(&view->title, "%s", wait->command);
	buf_add(&view->side, "waiting");
	view->data = wait;
}

static void placeholder_work(void *self, struct progress *progress)
{
	struct loading *loading = placeholder_loading(self);
	struct view *view = loading->view;
	progress_begin(progress, "opening", 0);
	loading->loaded = view->ops->load(view, progress, &loading->err);
}

static void placeholder_loaded(void *self)
{
	placeholder_loading(self)->ended = true;
}

void placeholder_load(struct view *placeholder, struct view *view)
{
	static const struct task_kind task = {placeholder_work, placeholder_loaded};
	struct wait *wait = placeholder->data;
	wait->loading.view = view;
	view_begin(placeholder, &task);
}

struct loading *placeholder_loading(const struct view *placeholder)
{
	struct wait *wait = placeholder->data;
	return wait->stages ? NULL : &wait->loading;
}

static void placeholder_close(struct view *view)
{
	struct wait *wait = view->data;
	view_close(wait->loading.view);
	free(wait->command);
}

/* Returns the number of stages up to the last required one. */
static size_t last_stage(const struct wait *wait)
{
	size_t count = 0;
	while (wait->stages >> count)
		count++;
	return count;
}

/* Returns the number of rows: a sentence, a blank row, the stages up to the last required one, a
   blank row, advice. The analysis runs the stages in this order. */
static size_t placeholder_rows(const struct view *view)
{
	const struct wait *wait = view->data;
	return FIRST_STAGE_ROW + last_stage(wait) + 2;
}

/* Draws the current activity and its progress. */
static void draw_progress(const struct progress *progress, int x, struct canvas *canvas, int y)
{
	SCOPED_BUF text = {0};
	if (!progress)
		return;
	progress_add(progress, "opening", &text);
	canvas_text(canvas, y, x, -1, STYLE_HEAD, buf_text(&text));
	canvas_bar(canvas, y, BAR_COLUMN + 6, canvas->width - BAR_COLUMN - 8, progress_share(progress));
}

static void placeholder_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct wait *wait = view->data;
	size_t stage = row - FIRST_STAGE_ROW;
	if (!wait->stages) {
		if (row == 0)
			canvas_text(canvas, y, 1, -1, STYLE_PLAIN, "This takes a moment to put together.");
		else if (row == FIRST_STAGE_ROW)
			draw_progress(tasks_progress(&view->explorer->tasks, view), 3, canvas, y);
		else if (row + 1 == placeholder_rows(view))
			canvas_text(canvas, y, 1, -1, STYLE_FAINT, "It opens by itself. Esc gives it up.");
	} else if (row == 0)
		canvas_textf(canvas, y, 1, -1, STYLE_PLAIN, "This view needs the %s of the dump.",
		             stage_name((enum stage)(1U << (last_stage(wait) - 1))));
	else if (row + 1 == placeholder_rows(view))
		canvas_text(canvas, y, 1, -1, STYLE_FAINT,
		            "It opens by itself. Until then, go back or use any other view.");
	else if (row >= FIRST_STAGE_ROW && stage < last_stage(wait)) {
		enum stage shown = (enum stage)(1U << stage);
		bool done = analysis_has(view->analysis, shown);
		bool running = shown == analysis_lacks(view->analysis, STAGE_ALL);
		enum style style = done ? STYLE_PLAIN : running ? STYLE_HEAD : STYLE_FAINT;
		canvas_text(canvas, y, 3, 18, style, stage_name(shown));
		if (running)
			draw_progress(analysis_progress(view->analysis), 21, canvas, y);
		else
			canvas_text(canvas, y, 21, -1, style, done ? "done" : "later");
	}
}

static bool placeholder_selectable(const struct view *view, size_t row)
{
	(void)view, (void)row;
	return false;
}

/* Returns false: a search must not read what a task changes. */
static bool placeholder_matches(const struct view *view, size_t row, struct row_search *search)
{
	(void)view, (void)row, (void)search;
	return false;
}

const struct view_ops placeholder_view = {
	.name = "waiting",
	.help = "What a view waits for before it can open",
	.close = placeholder_close,
	.rows = placeholder_rows,
	.draw = placeholder_draw,
	.selectable = placeholder_selectable,
	.matches = placeholder_matches,
};
