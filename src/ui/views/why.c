/* Why an object is alive, in sentences, and who holds it together with others. What takes its time
   is found beside the screen. */
#include "ui/view.h"

#include "analysis/job.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/argument.h"
#include "table/node_kind.h"
#include "table/why.h"
#include "ui/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE_MS = 40, SLICE_MS = 20, BYTES_END = 78, TEXT = 1, PATH_DOMINATORS_SHOWN = 6 };

struct why_view {
	struct page page; /* the first member: what page_view_... work on */
	const struct analysis *analysis;
	uint32_t object;
	struct job *job; /* NULL: ended */
	/* Of the job, until that has ended. */
	struct why why;
	bool done;
};

static void why_view_work(void *arg, struct progress *progress)
{
	struct why_view *data = arg;
	data->done = why_init(&data->why, data->analysis, data->object, progress);
}

static void add_paragraphs(struct page *page, const struct why *why)
{
	struct buf text = {0}, line = {0};
	why_add_text(why, &text);
	for (const char *at = buf_text(&text); *at; at += strcspn(at, "\n") + 1) {
		buf_clear(&line);
		buf_add_bytes(&line, at, strcspn(at, "\n"));
		page_line(page, NULL);
		page_paragraph(page, TEXT, STYLE_PLAIN, buf_text(&line));
		page_line(page, NULL);
	}
	buf_free(&text);
	buf_free(&line);
}

static void why_view_add_node(struct page *page, const struct why *why, uint32_t node,
                              const char *name, uint64_t bytes)
{
	struct buf link = {0};
	node_link(why->analysis, node, &link);
	page_line(page, buf_text(&link));
	page_address(page, node_address(why->analysis, node));
	page_put(page, PAGE_LEFT, TEXT, STYLE_LINK, name);
	page_size(page, BYTES_END, bytes);
	buf_free(&link);
}

static void why_view_add_holders(struct page *page, const struct why *why,
                                 const struct why_co_holders *co_holders)
{
	struct buf name = {0};
	page_section(page, "HELD TOGETHER BY", NULL);
	page_put(page, PAGE_RIGHT, BYTES_END, STYLE_HEAD, "retained");
	for (size_t i = 0; i < co_holders->holders; i++) {
		buf_clear(&name);
		why_add_holder(why, &co_holders->holder[i], &name);
		why_view_add_node(page, why, co_holders->holder[i].node, buf_text(&name),
		                  co_holders->holder[i].bytes);
	}
	page_line(page, NULL);
	page_put(page, PAGE_LEFT, TEXT, STYLE_PLAIN, "freed when all of them go");
	page_size(page, BYTES_END, co_holders->freed.bytes);
	buf_free(&name);
}

/* The nearest first. */
static void why_view_add_path_dominators(struct page *page, const struct why *why)
{
	struct buf name = {0};
	size_t shown = 0;
	if (why->path_dominators.count > 2)
		page_section(page, "EVERY WAY LEADS THROUGH", NULL);
	for (size_t i = why->path_dominators.count - 1; i-- > 1 && shown < PATH_DOMINATORS_SHOWN;
	     shown++) {
		uint32_t node = why->path_dominators.path_dominator[i].node;
		buf_clear(&name);
		node_add_label(why->analysis, node, &name);
		why_view_add_node(page, why, node, buf_text(&name),
		                  why->path_dominators.dominators->bytes[node]);
	}
	buf_free(&name);
}

static void why_view_build(struct why_view *data)
{
	const struct why *why = &data->why;
	struct page *page = &data->page;
	page_clear(page);
	add_paragraphs(page, why);
	if (!why->path)
		return;
	page_linef(page, "path 0x%" PRIx64, heap_address(why->analysis->heap, why->object));
	page_put(page, PAGE_LEFT, TEXT, STYLE_HEAD, "PATH");
	page_put(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_LINK, "step by step, and the other ways");
	for (size_t i = 0; i < why->co_holders_count; i++)
		why_view_add_holders(page, why, &why->co_holders[i]);
	why_view_add_path_dominators(page, why);
}

/* The search has ended, or is given up. */
static void why_view_take(struct view *view)
{
	struct why_view *data = view->data;
	job_end(data->job);
	data->job = NULL;
	buf_clear(&view->side);
	page_clear(&data->page);
	if (data->done)
		why_view_build(data);
	else
		page_field(&data->page, "why", "It has been given up.");
	view->cursor = page_first_link(&data->page);
}

static void why_close(struct view *view)
{
	struct why_view *data = view->data;
	if (!data)
		return;
	job_end(data->job);
	why_fini(&data->why);
	page_fini(&data->page);
	free(data);
	view->data = NULL;
}

static bool why_open(struct view *view, struct err *err)
{
	const struct analysis *analysis = view->analysis;
	uint32_t object;
	if (!argument_object(analysis, view->argument ? view->argument : "", &object, err)
	    || !reach_must_be_known(analysis, err))
		return false;
	struct why_view *data = view->data = mem_alloc(sizeof *data);
	data->analysis = analysis;
	data->object = object;
	buf_addf(&view->title, "why 0x%" PRIx64 ", in words", heap_address(analysis->heap, object));
	page_field(&data->page, "why", "This takes a moment to find out. Esc gives it up.");
	data->job = job_start(why_view_work, data);
	if (job_wait(data->job, AT_ONCE_MS))
		why_view_take(view);
	return true;
}

static bool why_busy(const struct view *view)
{
	const struct why_view *data = view->data;
	return data->job != NULL;
}

static void why_work(struct view *view)
{
	struct why_view *data = view->data;
	if (job_wait(data->job, SLICE_MS)) {
		why_view_take(view);
		return;
	}
	buf_clear(&view->side);
	job_tell(data->job, "looking", &view->side);
}

static void why_cancel(struct view *view)
{
	if (why_busy(view))
		why_view_take(view);
}

static uint64_t why_address(const struct view *view, size_t row)
{
	const struct why_view *data = view->data;
	uint64_t address = page_view_address(view, row);
	return address ? address : heap_address(data->analysis->heap, data->object);
}

const struct view_ops view_why = {
	.name = "why",
	.help = "Why an object is alive, in sentences: what alone keeps it, who holds it together, and "
			"what would free it",
	.argument = "ADDR",
	.needs = STAGE_OWNED,
	.open = why_open,
	.close = why_close,
	.rows = page_view_rows,
	.draw = page_view_draw,
	.selectable = page_view_selectable,
	.link = page_view_link,
	.address = why_address,
	.busy = why_busy,
	.work = why_work,
	.cancel = why_cancel,
};
