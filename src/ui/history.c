/* Where the user has been. */
#include "ui/history.h"

#include "base/mem.h"
#include "table/table.h"
#include "ui/waiting.h"

#include <stdlib.h>
#include <string.h>

enum { LIVE_VIEWS = 50, LIVE_ROWS = 30000000 }; /* an ordered list takes 4 bytes a row */

void spot_copy(struct spot *copy, const struct spot *spot)
{
	*copy = *spot;
	copy->argument = spot->argument ? mem_strdup(spot->argument) : NULL;
	copy->words = (struct buf){0};
	buf_add(&copy->words, buf_text(&spot->words));
}

void spot_fini(struct spot *spot)
{
	free(spot->argument);
	buf_free(&spot->words);
	*spot = (struct spot){0};
}

void history_init(struct history *history, struct explorer *explorer,
                  const struct analysis *analysis)
{
	*history = (struct history){.explorer = explorer, .analysis = analysis};
}

static void close_view(struct view *view)
{
	if (!view)
		return;
	if (view->ops->close)
		view->ops->close(view);
	free(view->argument);
	buf_free(&view->title);
	buf_free(&view->side);
	free(view);
}

static void save(struct place *place)
{
	if (!place->view || place->view->ops != place->spot.ops)
		return;
	place->spot.cursor = place->view->cursor;
	place->spot.top = place->view->top;
	place->spot.left = place->view->left;
}

static void close_place(struct place *place)
{
	save(place);
	close_view(place->view);
	place->view = NULL;
}

/* Forgets the places from `first` on. */
static void cut(struct history *history, size_t first)
{
	while (history->count > first) {
		struct place *place = &history->places[--history->count];
		close_place(place);
		spot_fini(&place->spot);
	}
}

void history_fini(struct history *history)
{
	cut(history, 0);
	free(history->places);
}

static struct view *new_view(const struct history *history, const struct view_ops *ops,
                             const char *argument)
{
	struct view *view = mem_alloc(sizeof *view);
	view->ops = ops;
	view->explorer = history->explorer;
	view->analysis = history->analysis;
	view->argument = argument && *argument ? mem_strdup(argument) : NULL;
	return view;
}

/* What comes next is about what the view is still busy with. */
static void settle(struct view *view)
{
	while (view->ops->busy && view->ops->busy(view))
		view->ops->work(view);
}

/* Gives the view again what it was given before, and puts the cursor where it was. */
static void replay(struct view *view, const struct spot *spot)
{
	const char *line = buf_text(&spot->words);
	while (*line) {
		char *rest;
		settle(view);
		view->cursor = strtoul(line, &rest, 10);
		line = rest + 1;
		size_t word = strcspn(line, " \n"), all = strcspn(line, "\n");
		struct buf name = {0}, argument = {0};
		struct err ignored = {0};
		buf_add_bytes(&name, line, word);
		if (all > word)
			buf_add_bytes(&argument, line + word + 1, all - word - 1);
		view->ops->command(view, buf_text(&name), buf_text(&argument), &ignored);
		buf_free(&name);
		buf_free(&argument);
		line += all + (line[all] == '\n');
	}
	if (spot->words.len)
		settle(view);
	view->cursor = spot->cursor;
	view->top = spot->top;
	view->left = spot->left;
}

/* A table says for itself what it needs; the view that shows it needs nothing more. */
static unsigned needed_stages(const struct spot *spot)
{
	const struct table *table = view_table_shown(spot->ops, spot->argument);
	const char *argument = spot->argument ? spot->argument + strcspn(spot->argument, " ") : "";
	argument += strspn(argument, " ");
	return spot->ops->needs | (table ? table_needs(table, argument) : STAGE_NONE);
}

static struct view *open_waiting(const struct history *history, const struct spot *spot,
                                 unsigned stages)
{
	struct view *view = new_view(history, &waiting_view, NULL);
	waiting_for(view, spot->ops->name, spot->argument, stages);
	return view;
}

/* The view of a spot, or its stand-in; NULL: it cannot be opened. */
static struct view *open_view(const struct history *history, const struct spot *spot,
                              struct err *err)
{
	unsigned stages = needed_stages(spot);
	enum stage lacks = analysis_lacks(history->analysis, stages);
	if (lacks) {
		if (!analysis_done(history->analysis))
			return open_waiting(history, spot, stages);
		err_set(err, "There are no %s: the analysis was stopped before", stage_name(lacks));
		return NULL;
	}
	if (spot->ops->parts && !format_has(history->analysis->heap->format, spot->ops->parts, err))
		return NULL;
	struct view *view = new_view(history, spot->ops, spot->argument);
	if (spot->ops->open && !spot->ops->open(view, err)) {
		err_set(err, "This view cannot be opened");
		close_view(view);
		return NULL;
	}
	replay(view, spot);
	return view;
}

/* Closes what is too far from the present place, or too large all together. */
static void close_distant(struct history *history)
{
	size_t rows = 0;
	for (size_t distance = 1; distance < history->count; distance++)
		for (int side = -1; side <= 1; side += 2) {
			if (side < 0 ? distance > history->at : distance >= history->count - history->at)
				continue;
			size_t i = side < 0 ? history->at - distance : history->at + distance;
			struct place *place = &history->places[i];
			if (place->view)
				rows += place->view->ops->rows(place->view);
			if (distance > LIVE_VIEWS / 2 || rows > LIVE_ROWS)
				close_place(place);
		}
}

bool history_open(struct history *history, const struct spot *spot, struct err *err)
{
	struct view *view = open_view(history, spot, err);
	if (!view)
		return false;
	struct place place = {.view = view};
	spot_copy(&place.spot, spot);
	cut(history, history->count ? history->at + 1 : 0);
	history->places = mem_grow(history->places, history->count, &history->capacity,
	                           sizeof *history->places);
	history->at = history->count;
	history->places[history->count++] = place;
	close_distant(history);
	return true;
}

static bool is_waiting(const struct place *place)
{
	return place->view && place->view->ops == &waiting_view;
}

/* Makes sure that a place has its view, if the analysis allows, and that it is up to date. */
static bool revive(struct history *history, struct place *place, struct err *err)
{
	bool ready = analysis_has(history->analysis, needed_stages(&place->spot));
	if (place->view && !(is_waiting(place) && ready)) {
		if (place->stale && place->view->ops->refresh)
			place->view->ops->refresh(place->view);
		place->stale = false;
		return true;
	}
	struct view *view = open_view(history, &place->spot, err);
	if (!view)
		return false;
	close_view(place->view);
	place->view = view;
	place->stale = false;
	return true;
}

bool history_go(struct history *history, int step, struct err *err)
{
	if (step < 0 && history->at == 0)
		return err_set(err, "This is where it began: nothing to go back to");
	if (step > 0 && history->at + 1 >= history->count)
		return err_set(err, "This is the latest view: nothing to go forward to");
	size_t at = step < 0 ? history->at - 1 : history->at + 1;
	if (!revive(history, &history->places[at], err))
		return false;
	history->at = at;
	close_distant(history);
	return true;
}

/* The present view; when it does not open, we are where we came from. */
static bool revive_here(struct history *history, struct err *err)
{
	if (revive(history, &history->places[history->at], err))
		return true;
	if (history->at > 0) {
		history->at--;
		cut(history, history->at + 1);
		struct err ignored = {0};
		revive(history, &history->places[history->at], &ignored);
	}
	return false;
}

bool history_reopen(struct history *history, struct err *err)
{
	for (size_t i = 0; i < history->count; i++)
		close_place(&history->places[i]);
	return revive_here(history, err);
}

bool history_refresh(struct history *history, struct err *err)
{
	for (size_t i = 0; i < history->count; i++) /* the others look when they are shown again */
		history->places[i].stale = true;
	return revive_here(history, err);
}

struct view *history_view(const struct history *history)
{
	return history->places[history->at].view;
}

bool history_waits(const struct history *history)
{
	return is_waiting(&history->places[history->at]);
}

const struct spot *history_here(struct history *history)
{
	struct place *place = &history->places[history->at];
	save(place);
	return &place->spot;
}

/* Of a word that says all of what it is about, only the last one counts. */
static void forget_word(struct buf *words, const char *word)
{
	struct buf kept = {0};
	size_t length = strlen(word);
	for (const char *line = buf_text(words); *line;) {
		size_t all = strcspn(line, "\n") + 1;
		const char *noted = line + strcspn(line, " ") + 1; /* after the cursor */
		if (strncmp(noted, word, length) != 0 || noted[length] != ' ')
			buf_add_bytes(&kept, line, all);
		line += all;
	}
	buf_free(words);
	*words = kept;
}

void history_note(struct history *history, size_t cursor, const char *word, const char *argument)
{
	if (strcmp(word, "filter") == 0)
		forget_word(&history->places[history->at].spot.words, word);
	buf_addf(&history->places[history->at].spot.words, "%zu %s %s\n", cursor, word, argument);
}
