/* The order of a list. */
#include "ui/order.h"

#include "analysis/job.h"
#include "base/mem.h"
#include "table/filter.h"

#include <stdlib.h>

enum {
	AT_ONCE = 100000, /* rows that are put in order while the user waits: some 20 ms */
	SLICE_MS = 20
};

/* An order in the making. A thread works on rows of its own: cells may keep marks in theirs. */
struct order_job {
	const struct rows *rows; /* NULL: to be opened */
	const struct order *order;
	struct order_by by;
	uint32_t *row;
	size_t count;
	bool made;       /* false when it was cancelled */
	struct job *job; /* NULL: made at once */
};

static struct order_by copy_by(const struct order_by *by)
{
	struct order_by copy = *by;
	copy.filter = by->filter && *by->filter ? mem_strdup(by->filter) : NULL;
	return copy;
}

void order_init(struct order *order, const struct rows *rows, const char *argument)
{
	*order = (struct order){
		.rows = rows,
		.argument = argument,
		.by = {.sort = -1},
		.count = rows->count,
	};
}

/* Rows are sorted when those that are not wanted are gone. False: cancelled. */
static bool keep_wanted(struct order_job *next, struct progress *progress)
{
	struct filter *filter = filter_new(next->rows->table, next->by.filter, NULL);
	if (!filter)
		return false;
	next->row = rows_filtered(next->rows, filter, SIZE_MAX, &next->count, progress);
	filter_free(filter);
	return next->row != NULL;
}

static void order_make(struct order_job *next, struct progress *progress)
{
	const struct order_by *by = &next->by;
	next->count = next->rows->count;
	if (by->filter && !keep_wanted(next, progress))
		return;
	if (by->sort < 0 || !next->count) {
		next->made = true;
	} else if (next->row) {
		next->made =
			rows_sort(next->rows, next->row, next->count, by->sort, by->descending, progress);
	} else {
		next->row = rows_sorted(next->rows, by->sort, by->descending, progress);
		next->made = next->row != NULL;
	}
}

static void make_beside(void *arg, struct progress *progress)
{
	struct order_job *next = arg;
	const struct rows *shown = next->order->rows;
	struct rows *rows =
		rows_open_watched(shown->table, shown->analysis, next->order->argument, progress, NULL);
	next->rows = rows;
	if (rows)
		order_make(next, progress);
	rows_close(rows);
}

static void free_job(struct order_job *next)
{
	if (!next)
		return;
	job_end(next->job);
	free(next->row);
	free(next->by.filter);
	free(next);
}

/* What has been made becomes the order. */
static void order_take_over(struct order *order)
{
	struct order_job *next = order->job;
	order->job = NULL;
	if (!next->made) {
		free_job(next);
		return;
	}
	job_end(next->job);
	free(order->row);
	free(order->by.filter);
	order->row = next->row;
	order->count = next->count;
	order->by = next->by;
	free(next);
}

bool order_begin(struct order *order, const struct order_by *by)
{
	struct order_job *next = mem_alloc(sizeof *next);
	next->order = order;
	next->by = copy_by(by);
	free_job(order->job); /* after the copy: `by` may be its own */
	order->job = next;
	if (order->rows->count > AT_ONCE) {
		next->job = job_start(make_beside, next);
		return false;
	}
	next->rows = order->rows;
	order_make(next, NULL);
	order_take_over(order);
	return true;
}

const struct order_by *order_wanted(const struct order *order)
{
	return order->job ? &order->job->by : &order->by;
}

bool order_busy(const struct order *order)
{
	return order->job != NULL;
}

bool order_work(struct order *order)
{
	if (!order->job || !job_wait(order->job->job, SLICE_MS))
		return false;
	order_take_over(order);
	return true;
}

void order_cancel(struct order *order)
{
	free_job(order->job);
	order->job = NULL;
}

void order_progress(const struct order *order, struct buf *out)
{
	if (order->job)
		job_tell(order->job->job, "sorting", out);
}

void order_fini(struct order *order)
{
	order_cancel(order);
	free(order->row);
	free(order->by.filter);
	*order = (struct order){0};
}

size_t order_row(const struct order *order, size_t place)
{
	return order->row ? order->row[place] : place;
}

size_t order_place(const struct order *order, size_t row)
{
	if (!order->row)
		return row < order->count ? row : 0;
	for (size_t i = 0; i < order->count; i++)
		if (order->row[i] == row)
			return i;
	return 0;
}
