#include "ui/cutting.h"

#include "base/text.h"
#include "table/cut.h"
#include "ui/state.h"

#include <string.h>

enum { AT_ONCE_MS = 40, SLICE_MS = 20 };

void cutting_fini(struct cutting *cutting)
{
	cutting_cancel(cutting);
	buf_free(&cutting->cuts);
}

void cutting_cancel(struct cutting *cutting)
{
	rows_close(opening_end(cutting->opening, NULL));
	cutting->opening = NULL;
}

bool cutting_busy(const struct cutting *cutting)
{
	return cutting->opening != NULL;
}

static void keep(struct cutting *cutting, size_t length)
{
	cutting->cuts.len = length;
	if (cutting->cuts.data)
		cutting->cuts.data[length] = '\0';
}

/* "Without these 2, 1.1 MB in 1,254 objects would be freed. :cuts lists them." */
static void tell(struct explorer *explorer, const struct rows *rows)
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
	buf_add(&text, " objects. :cuts lists, :uncut takes back.");
	explorer_message(explorer, "%s", buf_text(&text));
	buf_free(&text);
}

/* The table is open. What cannot be understood is no cut. */
static bool take(struct explorer *explorer, struct err *err)
{
	struct cutting *cutting = &explorer->cutting;
	struct rows *rows = opening_end(cutting->opening, err);
	cutting->opening = NULL;
	if (rows)
		tell(explorer, rows);
	else
		keep(cutting, cutting->kept);
	rows_close(rows);
	return rows != NULL;
}

static bool count(struct explorer *explorer, struct err *err)
{
	struct cutting *cutting = &explorer->cutting;
	cutting_cancel(cutting);
	cutting->opening = opening_begin(table_find("cuts"), explorer->analysis,
	                                 buf_text(&cutting->cuts));
	return !opening_wait(cutting->opening, AT_ONCE_MS) || take(explorer, err);
}

bool cutting_add(struct explorer *explorer, const char *cuts, struct err *err)
{
	struct buf *all = &explorer->cutting.cuts;
	if (!analysis_has(explorer->analysis, table_find("cuts")->needs))
		return err_set(err, "What would be freed is known when dominators are");
	explorer->cutting.kept = all->len;
	buf_addf(all, "%s%s", all->len ? " " : "", cuts);
	return count(explorer, err);
}

/* Where the last of some cuts begins, with the blanks before it: names have blanks, too. */
static size_t start_of_last(const struct analysis *analysis, const char *cuts)
{
	const char *at = cuts, *last = cuts;
	struct cut ignored;
	while (*at) {
		last = at;
		if (!cut_read(analysis, &at, &ignored, NULL))
			break;
	}
	while (last > cuts && last[-1] == ' ')
		last--;
	return (size_t)(last - cuts);
}

bool cutting_undo(struct explorer *explorer, bool all, struct err *err)
{
	struct cutting *cutting = &explorer->cutting;
	if (!cutting->cuts.len)
		return err_set(err, "Nothing is cut");
	cutting->kept = all ? 0 : start_of_last(explorer->analysis, buf_text(&cutting->cuts));
	keep(cutting, cutting->kept);
	if (cutting->cuts.len)
		return count(explorer, err);
	explorer_message(explorer, "Nothing is cut any more.");
	return true;
}

void cutting_work(struct explorer *explorer)
{
	struct cutting *cutting = &explorer->cutting;
	struct err err = {0};
	if (opening_wait(cutting->opening, SLICE_MS)) {
		if (!take(explorer, &err))
			explorer_fail(explorer, &err);
		return;
	}
	struct buf text = {0};
	opening_progress(cutting->opening, &text);
	explorer_message(explorer, "%s. Esc stops it.", buf_text(&text));
	buf_free(&text);
}
