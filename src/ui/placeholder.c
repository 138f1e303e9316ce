/* What waits for the analysis: which stage, and how far that is. */
#include "ui/placeholder.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_STAGE_ROW = 2, BAR_COLUMN = 40 };

struct wait {
	char *command;
	unsigned stages; /* with all that they take */
};

void placeholder_for(struct view *view, const char *name, const char *argument, unsigned stages)
{
	struct wait *wait = mem_alloc(sizeof *wait);
	struct buf command = {0};
	if (!view_find(name)->of_table)
		buf_add(&command, name);
	if (argument)
		buf_addf(&command, "%s%s", command.len ? " " : "", argument);
	wait->command = mem_strdup(buf_text(&command));
	wait->stages = stages_with(stages);
	buf_addf(&view->title, "%s", wait->command);
	buf_add(&view->side, "waiting");
	buf_free(&command);
	view->data = wait;
}

static void placeholder_close(struct view *view)
{
	struct wait *wait = view->data;
	free(wait->command);
	free(wait);
}

double placeholder_share(const struct analysis *analysis)
{
	uint64_t done = atomic_load(&analysis->progress.done);
	uint64_t total = atomic_load(&analysis->progress.total);
	if (total == 0)
		return -1;
	return done < total ? (double)done / (double)total : 1;
}

void placeholder_progress(const struct analysis *analysis, struct buf *out)
{
	if (!analysis_done(analysis))
		progress_add(&analysis->progress, "opening", out);
}

/* How many stages there are up to the last that is waited for. */
static size_t last_stage(const struct wait *wait)
{
	size_t count = 0;
	while (wait->stages >> count)
		count++;
	return count;
}

/* The sentence, a blank row, the stages up to the last that is waited for, a blank row, advice: the
   worker goes through all of them in their order. */
static size_t placeholder_rows(const struct view *view)
{
	const struct wait *wait = view->data;
	return FIRST_STAGE_ROW + last_stage(wait) + 2;
}

static void draw_stage(const struct view *view, enum stage stage, struct canvas *canvas, int y)
{
	bool done = analysis_has(view->analysis, stage);
	bool running = stage == analysis_lacks(view->analysis, STAGE_ALL);
	enum style style = done ? STYLE_PLAIN : running ? STYLE_HEAD : STYLE_FAINT;
	canvas_text(canvas, y, 3, 18, style, stage_name(stage));
	if (!running) {
		canvas_text(canvas, y, 21, -1, style, done ? "done" : "later");
		return;
	}
	struct buf text = {0};
	placeholder_progress(view->analysis, &text);
	canvas_text(canvas, y, 21, -1, style, buf_text(&text));
	buf_free(&text);
	canvas_bar(canvas, y, BAR_COLUMN + 6, canvas->width - BAR_COLUMN - 8,
	           placeholder_share(view->analysis));
}

static void placeholder_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct wait *wait = view->data;
	size_t stage = row - FIRST_STAGE_ROW;
	if (row == 0)
		canvas_textf(canvas, y, 1, -1, STYLE_PLAIN, "This view needs the %s of the dump.",
		             stage_name((enum stage)(1U << (last_stage(wait) - 1))));
	else if (row + 1 == placeholder_rows(view))
		canvas_text(canvas, y, 1, -1, STYLE_FAINT,
		            "It opens by itself. Until then, go back or use any other view.");
	else if (row >= FIRST_STAGE_ROW && stage < last_stage(wait))
		draw_stage(view, (enum stage)(1U << stage), canvas, y);
}

static bool placeholder_selectable(const struct view *view, size_t row)
{
	(void)view;
	(void)row;
	return false;
}

const struct view_ops placeholder_view = {
	.name = "waiting",
	.help = "What a view waits for before it can open",
	.close = placeholder_close,
	.rows = placeholder_rows,
	.draw = placeholder_draw,
	.selectable = placeholder_selectable,
};
