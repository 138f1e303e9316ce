/* The list of views, which includes every report (report/report.h). */
#include "ui/view.h"

#include "base/buf.h"
#include "report/report.h"
#include "table/table.h"
#include "ui/state.h"

#include <string.h>

enum { MOST_VIEWS = 32, REPORTS = 16 /* maximum */ };

static const struct view_ops *views[MOST_VIEWS];

PLUGINS(views);

static unsigned views_rank(const void *ops)
{
	return ((const struct view_ops *)ops)->rank;
}

__attribute__((constructor)) static void list_views(void)
{
	plugins_list(PLUGINS_OF(views), views_rank, (const void **)views, MOST_VIEWS);
}

/* Returns the view of a report: its properties, and the functions that all reports share. */
static const struct view_ops *views_of_report(size_t number)
{
	static struct view_ops ops[REPORTS];
	const struct report *report = report_at(number);
	if (!report || number >= REPORTS)
		return NULL;
	if (!ops[number].name) {
		ops[number] = view_report;
		ops[number].report = report;
		ops[number].name = report->name;
		ops[number].help = report->help;
		ops[number].argument = report->argument;
		ops[number].takes = report->takes;
		ops[number].needs = report->needs;
		ops[number].parts = report->parts;
	}
	return &ops[number];
}

const struct view_ops *view_at(size_t number)
{
	size_t count = 0;
	while (views[count])
		count++;
	return number < count ? views[number] : views_of_report(number - count);
}

void view_begin(struct view *view, const struct task_kind *kind)
{
	(view->beside ? tasks_begin_beside : tasks_begin)(&view->explorer->tasks, kind, view);
}

void view_drop(struct view *view)
{
	tasks_drop(&view->explorer->tasks, view);
}

const struct view_ops *view_find(const char *name)
{
	const struct view_ops *ops;
	for (size_t i = 0; (ops = view_at(i)); i++)
		if (ops->name && strcmp(ops->name, name) == 0)
			return ops;
	return NULL;
}

const struct view_ops *view_of_table(const struct table *table)
{
	return view_find(table->tree ? "tree" : "list");
}

const struct table *view_table_shown(const struct view_ops *ops, const char *argument)
{
	if (!ops->of_table || !argument)
		return NULL;
	SCOPED_BUF name = {0};
	buf_add_bytes(&name, argument, strcspn(argument, " "));
	return table_find(buf_text(&name));
}
