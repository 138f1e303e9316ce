/* Reports (report/report.h) as views: a page that grows with the stages of the analysis, and what
   takes its time is prepared beside the screen, one section after the other. */
#include "report/report.h"

#include "analysis/job.h"
#include "base/mem.h"
#include "ui/page_view.h"
#include "ui/view.h"

#include <stdlib.h>

enum { AT_ONCE_MS = 40, SLICE_MS = 20 };

struct report_view {
	struct page page; /* the first member: what page_view_... work on */
	const struct report *report;
	struct job *job; /* NULL: nothing is being prepared */
	/* By the first section of those alike. `done` is the job's until that has ended. */
	size_t preparing;
	bool done[REPORT_SECTIONS], ended[REPORT_SECTIONS];
};

static void report_view_prepare(void *arg, struct progress *progress)
{
	struct report_view *data = arg;
	size_t i = data->preparing;
	data->done[i] = data->report->sections[i].prepare(&data->page, progress);
}

static void report_view_take(struct report_view *data)
{
	job_end(data->job);
	data->job = NULL;
	data->ended[data->preparing] = true;
}

/* True: the section can be added. */
static bool report_view_is_ready(struct report_view *data, size_t section)
{
	if (!data->report->sections[section].prepare)
		return true;
	size_t first = report_first_alike(data->report, section);
	if (!data->ended[first] && !data->job) {
		data->preparing = first;
		data->job = job_start(report_view_prepare, data);
		if (job_wait(data->job, AT_ONCE_MS))
			report_view_take(data);
	}
	return data->ended[first] && data->done[first];
}

static void report_view_build(struct view *view)
{
	struct report_view *data = view->data;
	const struct report_section *section = data->report->sections;
	page_clear(&data->page);
	for (size_t i = 0; section[i].add; i++) {
		if (!report_has(&data->page, &section[i]))
			continue;
		if (report_view_is_ready(data, i))
			section[i].add(&data->page);
		else if (section[i].wait)
			section[i].wait(&data->page, data->ended[report_first_alike(data->report, i)]);
	}
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
	buf_add(&view->side, buf_text(&page->side));
	report_view_build(view);
	view->cursor = page->cursor ? page->cursor : page_first_link(page);
	return true;
}

static void report_view_close(struct view *view)
{
	struct report_view *data = view->data;
	if (!data)
		return;
	job_end(data->job);
	report_close(data->report, &data->page);
	free(data);
	view->data = NULL;
}

static void report_view_refresh(struct view *view)
{
	page_view_rebuild(view, report_view_build);
}

static bool report_view_busy(const struct view *view)
{
	const struct report_view *data = view->data;
	return data->job;
}

static void report_view_cancel(struct view *view)
{
	struct report_view *data = view->data;
	if (!data->job)
		return;
	report_view_take(data);
	buf_clear(&view->side);
	buf_add(&view->side, buf_text(&data->page.side));
	report_view_refresh(view);
}

static void report_view_work(struct view *view)
{
	struct report_view *data = view->data;
	if (job_wait(data->job, SLICE_MS)) {
		report_view_cancel(view);
		return;
	}
	buf_clear(&view->side);
	job_tell(data->job, "looking", &view->side);
}

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
	.busy = report_view_busy,
	.work = report_view_work,
	.cancel = report_view_cancel,
	.explain = report_view_explain,
};
