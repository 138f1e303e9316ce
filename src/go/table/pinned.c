/* The table of arrays of which only parts are used. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/contents/windows.h"
#include "table/naming/typed.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"

static bool pinned_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	SCOPED_BUF cause = {0};
	const struct windows *windows = analysis_windows(rows->analysis, rows->progress);
	if (!windows)
		return err_set(err, "The search for the used parts of arrays was cancelled");
	struct windows *shown = rows->data = mem_alloc(sizeof *shown);
	*shown = *windows; /* the arrays are borrowed */
	rows->count = windows->count;
	buf_addf(&rows->title, "%s unused in arrays",
	         text_size(rows->count ? windows->wasted : 0).text);
	if (!analysis_typing(rows->analysis)) {
		rows->unknown = UINT64_MAX;
		buf_add(&rows->note, "Lengths of slices are not known without the program's executable.");
	} else if (damage_cause(analysis_heap(rows->analysis), DAMAGE_ROOTS, &cause)) {
		rows->unknown = UINT64_MAX;
		buf_addf(&rows->note,
		         "Which parts are in use cannot be told: %s, and slices may be missing that use "
		         "others.",
		         buf_text(&cause));
	} else if (!rows->count && !typed_doubt(rows, "such an array"))
		buf_add(&rows->note, "All of every array may be in use.");
	return true;
}

static const struct column columns[] = {
	{OBJECT_EXPRESSION, .width = 0, .rank = 0},
	{OBJECT_TYPE, .width = 18, .rank = 2},
	{OBJECT_SIZE, .width = 9},
	{"used_bytes", "in use",
     "Bytes that the strings, slices and pointers into it cover, by their lengths; each counted "
     "once",
     VALUE_BYTES, 8, 0, FIELD(struct window_array, used)},
	{"wasted_bytes", "not used", "The other bytes of its slot", VALUE_BYTES, 9, 0,
     FIELD(struct window_array, wasted)},
	{"holders", "holders", "Number of strings, slices and pointers into it", VALUE_COUNT, 7, 1,
     FIELD(struct window_array, holders)},
	{"address", "address", "Its address", VALUE_ADDRESS, 14, 3, .cell = object_address_cell},
	{OBJECT_OWNER, .width = 24, .rank = 5},
};

DEFINE_PLUGIN(tables, struct table, table_pinned) = {
	.rank = 346,
	.name = "pinned",
	.from = DAMAGE_ROOTS,
	.help = "Arrays that strings and slices keep alive although they use only a part of them: a "
			"copy of that part would be smaller. Arrays that a reference of unknown length points "
			"into are left out",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.parts = PART_GO | PART_MEMORY,
	COLUMNS(columns),
	.open = pinned_open,
	RECORDS(struct windows, array),
	.object = ROW_MEMBER(struct window_array, object, uint32_t),
	.sort = "wasted_bytes",
};
