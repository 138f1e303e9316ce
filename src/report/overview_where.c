/* The memory by path, in a few lines: the places at which it branches or accumulates. The lines do
   not overlap. */
#include "report/overview.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>

enum {
	LINES = 6,
	LEAST = 1,  /* percent of the whole: the minimum for a line */
	MOST = 60,  /* percent of a place that one child must have for a descent to it, */
	MANY = 10,  /* unless the child has so many times as many objects */
	PLACES = 64 /* maximum number of places examined */
};

/* A row of the table where; `above` is 1 + the number of the parent place, 0: a topmost row. */
struct place {
	size_t row, above;
	bool done;
};

struct where_search {
	struct rows *rows;
	uint64_t whole;
	struct place place[PLACES];
	size_t places;
};

static uint64_t where_bytes(const struct rows *rows, size_t row)
{
	return rows_number(rows, row, "bytes").number;
}

static uint64_t where_count(const struct rows *rows, size_t row)
{
	return rows_number(rows, row, "count").number;
}

static void where_add(struct where_search *w, size_t row, size_t above)
{
	if (w->places < PLACES && where_bytes(w->rows, row) * 100 >= w->whole * LEAST)
		w->place[w->places++] = (struct place){.row = row, .above = above};
}

/* Returns the biggest place without a line; PLACES: none. */
static size_t where_next(const struct where_search *w)
{
	size_t best = PLACES;
	for (size_t i = 0; i < w->places; i++)
		if (!w->place[i].done
		    && (best == PLACES
		        || where_bytes(w->rows, w->place[i].row)
		               > where_bytes(w->rows, w->place[best].row)))
			best = i;
	return best;
}

/* Descends from a place to where it branches, and adds the siblings that it passes. Returns the
   last place. */
static size_t where_descend(struct where_search *w, size_t at)
{
	const struct table_tree *tree = w->rows->table->tree;
	for (;;) {
		size_t row = w->place[at].row, first, heaviest;
		w->place[at].done = true;
		if (!tree->has_below(w->rows, row) || w->places == PLACES)
			return at;
		size_t below = tree->below(w->rows, row, &first);
		heaviest = first; /* they are sorted by bytes */
		if (where_bytes(w->rows, heaviest) * 100 < where_bytes(w->rows, row) * MOST
		    || where_count(w->rows, heaviest) >= where_count(w->rows, row) * MANY)
			return at;
		size_t next = w->places;
		for (size_t i = 0; i < below; i++)
			where_add(w, first + i, at + 1);
		if (next == w->places)
			return at;
		at = next;
	}
}

/* Appends "main.gw.Metrics.Requests", joined from the names of the steps. */
static void where_add_name(const struct where_search *w, size_t at, struct buf *out)
{
	size_t chain[PLACES], count = 0;
	struct buf step = {0};
	for (size_t next = at + 1; next; next = w->place[next - 1].above)
		chain[count++] = next - 1;
	while (count) {
		size_t row = w->place[chain[--count]].row;
		step.without = count ? NAME_NOTE : 0; /* the path goes on */
		if (!*overview_cell(w->rows, row, "name", &step)) {
			buf_add(out, " > "); /* steps without a name are shown by type */
			overview_cell(w->rows, row, "type", &step);
		}
		buf_add(out, buf_text(&step));
	}
	buf_free(&step);
}

static void where_add_line(struct section *section, const struct where_search *w, size_t at)
{
	struct buf name = {0}, link = {0};
	size_t row = w->place[at].row;
	uint64_t count = where_count(w->rows, row);
	where_add_name(w, at, &name);
	if (count > 1) {
		buf_add(&name, "  × ");
		text_add_count(&name, count);
		buf_add(&link, "where");
	} else {
		entity_link(w->rows->analysis, rows_entity(w->rows, row), &link);
	}
	overview_part(section, buf_text(&link), where_bytes(w->rows, row), w->whole, buf_text(&name));
	buf_free(&name);
	buf_free(&link);
}

static int where_biggest_first(const void *a, const void *b, void *search)
{
	const struct where_search *w = search;
	const size_t *x = a, *y = b;
	uint64_t left = where_bytes(w->rows, w->place[*x].row);
	uint64_t right = where_bytes(w->rows, w->place[*y].row);
	if (left != right)
		return left < right ? 1 : -1;
	return *x < *y ? -1 : *x > *y;
}

bool overview_find_where(struct page *page, struct progress *progress)
{
	struct overview *own = page->own;
	struct err err = {0};
	if (!analysis_has_roots(page->analysis))
		return true;
	own->where = rows_open_watched(table_find("where"), page->analysis, NULL, progress, &err);
	return own->where != NULL;
}

void overview_where(struct page *page)
{
	struct overview *own = page->own;
	struct section section = {page, "WHERE"};
	struct where_search w = {.rows = own->where, .whole = analysis_reach(page->analysis)->bytes};
	if (!w.rows || !w.whole)
		return;
	size_t topmost = w.rows->count;
	for (size_t row = 0; row < topmost && row < PLACES / 2; row++)
		where_add(&w, row, 0);
	size_t end[PLACES], ends = 0, next, most = LINES + page->spare;
	while (ends < most && ends < PLACES && (next = where_next(&w)) != PLACES)
		end[ends++] = where_descend(&w, next);
	qsort_r(end, ends, sizeof *end, where_biggest_first, &w);
	for (size_t i = 0; i < ends; i++)
		where_add_line(&section, &w, end[i]);
	struct page *more = overview_line(&section, "where");
	page_put(more, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, "the heap by path …");
}
