#include "ui/what_if_list.h"

#include "base/text.h"
#include "table/what_if_part.h"
#include "ui/state.h"

#include <string.h>

enum { AT_ONCE_MS = 40, SLICE_MS = 20 };

void what_if_list_fini(struct what_if_list *what_if_list)
{
	what_if_list_cancel(what_if_list);
	buf_free(&what_if_list->cuts);
}

void what_if_list_cancel(struct what_if_list *what_if_list)
{
	rows_close(table_loader_end(what_if_list->loader, NULL));
	what_if_list->loader = NULL;
}

bool what_if_list_busy(const struct what_if_list *what_if_list)
{
	return what_if_list->loader != NULL;
}

static void what_if_list_keep(struct what_if_list *what_if_list, size_t length)
{
	what_if_list->cuts.len = length;
	if (what_if_list->cuts.data)
		what_if_list->cuts.data[length] = '\0';
}

/* "Without these 2, 1.1 MB in 1,254 objects would be freed. :what-if lists them." */
static void what_if_list_tell(struct explorer *explorer, const struct rows *rows)
{
	struct buf text = {0};
	size_t last = rows->count - 1;
	if (rows->count == 1)
		buf_add(&text, "Without ");
	else
		buf_addf(&text, "Without these %zu, the last being ", rows->count);
	rows_text(rows, last, table_column(rows->table, "name"), &text);
	buf_add(&text, ": ");
	rows_text(rows, last, table_column(rows->table, "freed_bytes"), &text);
	buf_add(&text, " freed, ");
	rows_text(rows, last, table_column(rows->table, "freed_objects"), &text);
	buf_add(&text, " objects. :what-if lists, :uncut takes back.");
	explorer_message(explorer, "%s", buf_text(&text));
	buf_free(&text);
}

/* The table is open. What cannot be understood is no cut. */
static bool what_if_list_take(struct explorer *explorer, struct err *err)
{
	struct what_if_list *what_if_list = &explorer->what_if_list;
	struct rows *rows = table_loader_end(what_if_list->loader, err);
	what_if_list->loader = NULL;
	if (rows)
		what_if_list_tell(explorer, rows);
	else
		what_if_list_keep(what_if_list, what_if_list->kept);
	rows_close(rows);
	return rows != NULL;
}

static bool what_if_list_count(struct explorer *explorer, struct err *err)
{
	struct what_if_list *what_if_list = &explorer->what_if_list;
	what_if_list_cancel(what_if_list);
	what_if_list->loader = table_loader_begin(table_find("what-if"), explorer->analysis,
	                                          buf_text(&what_if_list->cuts));
	return !table_loader_wait(what_if_list->loader, AT_ONCE_MS) || what_if_list_take(explorer, err);
}

bool what_if_list_add(struct explorer *explorer, const char *cuts, struct err *err)
{
	struct buf *all = &explorer->what_if_list.cuts;
	if (!analysis_has(explorer->analysis, table_find("what-if")->needs))
		return err_set(err, "What would be freed is known when dominators are");
	explorer->what_if_list.kept = all->len;
	buf_addf(all, "%s%s", all->len ? " " : "", cuts);
	return what_if_list_count(explorer, err);
}

/* Where the last of some cuts begins, with the blanks before it: names have blanks, too. */
static size_t start_of_last(const struct analysis *analysis, const char *cuts)
{
	const char *at = cuts, *last = cuts;
	struct entity ignored;
	while (*at) {
		last = at;
		if (!what_if_part_read(analysis, &at, &ignored, NULL))
			break;
	}
	while (last > cuts && last[-1] == ' ')
		last--;
	return (size_t)(last - cuts);
}

bool what_if_list_undo(struct explorer *explorer, bool all, struct err *err)
{
	struct what_if_list *what_if_list = &explorer->what_if_list;
	if (!what_if_list->cuts.len)
		return err_set(err, "Nothing is cut");
	what_if_list->kept = all ? 0 : start_of_last(explorer->analysis, buf_text(&what_if_list->cuts));
	what_if_list_keep(what_if_list, what_if_list->kept);
	if (what_if_list->cuts.len)
		return what_if_list_count(explorer, err);
	explorer_message(explorer, "Nothing is cut any more.");
	return true;
}

void what_if_list_work(struct explorer *explorer)
{
	struct what_if_list *what_if_list = &explorer->what_if_list;
	struct err err = {0};
	if (table_loader_wait(what_if_list->loader, SLICE_MS)) {
		if (!what_if_list_take(explorer, &err))
			explorer_fail(explorer, &err);
		return;
	}
	struct buf text = {0};
	table_loader_progress(what_if_list->loader, &text);
	explorer_message(explorer, "%s. Esc stops it.", buf_text(&text));
	buf_free(&text);
}
