/* Reports (report/report.h) as views: a page that grows with the stages of the analysis. Sections
   that take long are prepared in background tasks, one after the other. */
#include "report/report.h"

#include "base/mem.h"
#include "ui/page_view.h"
#include "ui/state.h"
#include "ui/view.h"

struct report_view {
	struct page page; /* the first member, as the page_view_... functions require */
	const struct report *report;
	bool building, working; /* the page is being built; a task prepares a section */
	/* Indexed by the first section with the same `prepare`. A task owns `done` until it ends. */
	size_t preparing;
	bool done[REPORT_SECTIONS], ended[REPORT_SECTIONS];
};

static void report_view_build(struct view *view);

static void report_view_work(void *self, struct progress *progress)
{
	struct report_view *data = ((struct view *)self)->data;
	size_t i = data->preparing;
	progress_begin(progress, "looking", 0);
	data->done[i] = data->report->sections[i].prepare(&data->page, progress);
}

static void report_view_ended(void *self)
{
	struct report_view *data = ((struct view *)self)->data;
	data->working = false;
	data->ended[data->preparing] = true;
	if (!data->building)
		page_view_rebuild(self, report_view_build);
}

static const struct task_kind report_task = {report_view_work, report_view_ended};

static void report_view_put(struct view *view)
{
	struct report_view *data = view->data;
	const struct report_section *section = data->report->sections;
	page_clear(&data->page);
	data->building = true;
	for (size_t i = 0; section[i].add; i++) {
		if (!report_has(&data->page, &section[i]))
			continue;
		size_t first = report_first_alike(data->report, i);
		if (section[i].prepare && !data->ended[first] && !data->working) {
			data->preparing = first;
			data->working = true;
			view_begin(view, &report_task);
		}
		if (!section[i].prepare || (data->ended[first] && data->done[first]))
			section[i].add(&data->page);
		else if (section[i].wait)
			section[i].wait(&section[i], &data->page, data->ended[first]);
	}
	data->building = false;
	buf_clear(&view->side);
	buf_add(&view->side, buf_text(&data->page.side));
}

/* Builds the page; once all sections are there, extends lists to fill the screen. */
static void report_view_build(struct view *view)
{
	enum { MOST = 32 };
	struct report_view *data = view->data;
	size_t room = (size_t)screen_layout(view->explorer->height).body_height;
	data->page.spare = 0;
	report_view_put(view);
	if (data->page.count >= room || data->working || !analysis_done(view->analysis))
		return;
	for (size_t step = MOST; step; step /= 2) {
		data->page.spare += step;
		report_view_put(view);
		data->page.spare -= data->page.count > room ? step : 0;
	}
	report_view_put(view);
}

static bool report_view_open(struct view *view, struct err *err)
{
	struct report_view *data = view->data = mem_alloc(sizeof *data);
	struct page *page = &data->page;
	data->report = view->ops->report;
	page->analysis = view->analysis;
	page->form = FORM_SCREEN;
	if (!data->report->open(page, view->argument ? view->argument : "", err))
		return false;
	buf_add(&view->title, buf_text(&page->title));
	report_view_build(view);
	view->cursor = page->cursor ? page->cursor : page_first_link(page);
	return true;
}

static void report_view_close(struct view *view)
{
	struct report_view *data = view->data;
	report_close(data->report, &data->page);
}

static void report_view_refresh(struct view *view)
{
	page_view_rebuild(view, report_view_build);
}

/* ---- Rows of the page's tables that are not shown: a search covers them, too */

/* Returns the list that contains the n-th of all rows; *n becomes its number there. NULL: there are
   no more. */
static const struct page_list *report_view_list(const struct page *page, size_t *n)
{
	for (size_t i = 0; i < page->list_count; i++) {
		if (*n < page->lists[i].rows->count)
			return &page->lists[i];
		*n -= page->lists[i].rows->count;
	}
	return NULL;
}

static size_t report_view_more(const struct view *view)
{
	size_t all = SIZE_MAX;
	report_view_list(view->data, &all);
	return SIZE_MAX - all;
}

static bool report_view_more_matches(const struct view *view, size_t n, struct row_search *search)
{
	const struct page *page = view->data;
	const struct page_list *list = report_view_list(page, &n);
	bool matches = list && row_search_matches(search, list->rows, n);
	for (size_t i = 0; matches && i < page->count; i++) /* rows of the page itself do not count */
		matches = page->lines[i].rows != list->rows || page->lines[i].row != n;
	return matches;
}

static size_t report_view_more_link(const struct view *view, size_t n, struct buf *command)
{
	const struct page *page = view->data;
	const struct page_list *list = report_view_list(page, &n);
	if (list)
		buf_add(command, page->text.data + list->link);
	return n;
}

static const struct view_more report_more = {
	.count = report_view_more,
	.matches = report_view_more_matches,
	.link = report_view_more_link,
};

/* ---- View */

static uint64_t report_view_address(const struct view *view, size_t row)
{
	const struct report_view *data = view->data;
	uint64_t address = page_view_address(view, row);
	return address ? address : data->page.address;
}

static void report_view_explain(const struct view *view, struct buf *out)
{
	const struct report *report = view->ops->report;
	buf_add(out, report->explain ? report->explain : report->help);
}

const struct view_ops view_report = {
	.open = report_view_open,
	.close = report_view_close,
	.rows = page_view_rows,
	.draw = page_view_draw,
	.selectable = page_view_selectable,
	.link = page_view_link,
	.address = report_view_address,
	.refresh = report_view_refresh,
	.more = &report_more,
	.explain = report_view_explain,
	.table_row = page_view_table_row,
};
