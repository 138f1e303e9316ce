/* What-if: the list of cuts, and its task. */
#include "analysis/analysis.h"
#include "base/text.h"
#include "table/paths/what_if_part.h"
#include "ui/state.h"

void what_if_list_fini(struct what_if_list *what_if_list)
{
	buf_free(&what_if_list->cuts);
}

static void what_if_list_keep(struct what_if_list *what_if_list, size_t length)
{
	what_if_list->cuts.len = length;
	if (what_if_list->cuts.data)
		what_if_list->cuts.data[length] = '\0';
}

/* Shows "Without these 2, 1.1 MB in 1,254 objects would be freed. :what-if lists them." */
static void what_if_list_tell(struct explorer *explorer, const struct rows *rows)
{
	SCOPED_BUF text = {0};
	size_t last = rows->count - 1;
	if (rows->count == 1)
		buf_add(&text, "Without ");
	else
		buf_addf(&text, "Without these %zu, the last being ", rows->count);
	rows_text(rows, last, table_column(rows->table, "name"), &text);
	buf_add(&text, ": ");
	rows_text(rows, last, table_column(rows->table, "freed_bytes"), &text);
	buf_add(&text, " freed, ");
	uint64_t objects = rows_number(rows, last, "freed_objects").number;
	text_add_number_of(&text, objects, "object", "objects");
	buf_add(&text, ". :what-if lists them, :cut undo restores them.");
	explorer_message(explorer, "%s", buf_text(&text));
}

static void what_if_list_work(void *self, struct progress *progress)
{
	struct what_if_list *list = self;
	list->rows = rows_open_watched(table_find("what-if"), list->analysis, buf_text(&list->cuts),
	                               progress, &list->err);
}

/* Takes the result of the task; removes cuts that are malformed. */
static void what_if_list_ended(void *self)
{
	struct what_if_list *list = self;
	if (list->rows)
		what_if_list_tell(list->explorer, list->rows);
	else if (list->err.set)
		what_if_list_keep(list, list->kept);
	explorer_fail(list->explorer, &list->err);
	rows_close(list->rows);
	list->rows = NULL;
}

static void what_if_list_count(struct explorer *explorer)
{
	static const struct task_kind task = {what_if_list_work, what_if_list_ended};
	struct what_if_list *list = &explorer->what_if_list;
	list->explorer = explorer;
	list->analysis = explorer->analysis;
	list->err = (struct err){0};
	tasks_begin(&explorer->tasks, &task, list);
}

/* Stops the task before the cuts change, because it reads them. */
static void what_if_list_drop(struct explorer *explorer)
{
	struct what_if_list *list = &explorer->what_if_list;
	tasks_drop(&explorer->tasks, list);
	rows_close(list->rows);
	list->rows = NULL;
}

bool what_if_list_add(struct explorer *explorer, const char *cuts, struct err *err)
{
	struct buf *all = &explorer->what_if_list.cuts;
	if (!analysis_has(explorer->analysis, table_find("what-if")->needs))
		return err_set(err, "This needs dominators, which are not known yet");
	what_if_list_drop(explorer);
	explorer->what_if_list.kept = all->len;
	buf_addf(all, "%s%s", all->len ? " " : "", cuts);
	what_if_list_count(explorer);
	return true;
}

bool what_if_list_undo(struct explorer *explorer, bool all, struct err *err)
{
	struct what_if_list *what_if_list = &explorer->what_if_list;
	if (!what_if_list->cuts.len)
		return err_set(err, "No part is removed");
	what_if_list_drop(explorer);
	/* The start of the last cut, with the blanks before it. The cuts are parsed, because names may
	   contain blanks. */
	const char *cuts = buf_text(&what_if_list->cuts), *last = cuts;
	struct entity ignored;
	for (const char *at = cuts; *at && !all;) {
		last = at;
		if (!what_if_part_read(explorer->analysis, &at, &ignored, NULL))
			break;
	}
	while (last > cuts && last[-1] == ' ')
		last--;
	what_if_list->kept = (size_t)(last - cuts);
	what_if_list_keep(what_if_list, what_if_list->kept);
	if (what_if_list->cuts.len)
		what_if_list_count(explorer);
	else
		explorer_message(explorer, "All removed parts are restored.");
	return true;
}
