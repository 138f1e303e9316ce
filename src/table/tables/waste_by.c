/* The forms of the tables pinned, duplicates and slack: what is not used by the place that it
   stands at, or by the call that allocated it. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/contents/windows.h"
#include "table/naming/alloc_site.h"
#include "table/paths/path_tree.h"
#include "table/waste/slack.h"

#include "analysis/duplicates.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

/* Objects of one place, or of one call. */
struct fold {
	uint32_t place, profile; /* OBJECT_NONE, PROFILE_NONE: not known, or it is by the other */
	uint32_t example;        /* the one of which most is not used */
	uint64_t most, count, wasted;
};
struct folds {
	const struct path_tree *tree; /* NULL: by call */
	struct fold *fold;
	size_t count, capacity;
	struct map of; /* place or code of a call -> index */
	uint64_t whole;
};

/* Counts unused bytes of an object, or of several of which it is one. */
static void folds_add(struct folds *f, const struct heap *heap, uint32_t object, uint64_t count,
                      uint64_t wasted)
{
	const struct sample *sample = profiles_of_object(&heap->profiles, object);
	struct fold fold = {
		.place = f->tree ? merged_paths_node(f->tree->merged_paths, object) : OBJECT_NONE,
		.profile = !f->tree && sample ? sample->profile : PROFILE_NONE,
		.example = object,
	};
	uint64_t at = f->count;
	if (!wasted)
		return;
	if (map_add(&f->of, f->tree ? 1 + (uint64_t)fold.place : 1 + site_code(fold.profile), &at))
		MEM_PUSH(f->fold, f->count, f->capacity, fold);
	struct fold *to = &f->fold[at];
	if (wasted > to->most) {
		to->most = wasted;
		to->example = object;
	}
	to->count += count;
	to->wasted += wasted;
	f->whole += wasted;
}

static void folds_add_pinned(struct folds *f, const struct rows *of)
{
	for (size_t row = 0; row < of->count; row++) {
		const struct window_array *array = rows_record(of, row);
		folds_add(f, analysis_heap(of->analysis), array->object, 1, array->wasted);
	}
}

static void folds_add_slack(struct folds *f, const struct rows *of)
{
	for (size_t row = 0; row < of->count; row++) {
		const struct slack_place *place = rows_record(of, row);
		folds_add(f, analysis_heap(of->analysis), place->example, place->count, place->wasted);
	}
}

/* Counts all copies but the largest. */
static void folds_add_duplicates(struct folds *f, const struct rows *of)
{
	const struct duplicates *found = of->data;
	const struct heap *heap = analysis_heap(of->analysis);
	for (size_t row = 0; row < of->count; row++) {
		const struct duplicate *copies = rows_record(of, row);
		const uint32_t *object = found->object + copies->first;
		uint32_t stays = 0;
		for (uint32_t i = 1; i < copies->count; i++)
			if (heap_size(heap, object[i]) > heap_size(heap, object[stays]))
				stays = i;
		for (uint32_t i = 0; copies->wasted && i < copies->count; i++)
			folds_add(f, heap, object[i], 1, i == stays ? 0 : heap_size(heap, object[i]));
	}
}

static const struct {
	const char *table;
	void (*add)(struct folds *f, const struct rows *of);
} folds_of[] = {
	{"pinned", folds_add_pinned},
	{"slack", folds_add_slack},
	{"duplicates", folds_add_duplicates},
};

static bool folds_open(struct rows *rows, bool by_call, struct err *err)
{
	struct folds *f = rows->data = mem_alloc(sizeof *f);
	if (!by_call && reach_must_be_known(rows->analysis, err))
		f->tree = analysis_kept(rows->analysis, &path_tree_whole, RETAIN_ALIVE, rows->progress);
	if (!by_call && !f->tree)
		return err->set || err->absent ? false : err_set(err, "Merging the paths was cancelled");
	struct rows *of = rows_open_watched(table_find(rows->table->form_of), rows->analysis, NULL,
	                                    rows->progress, err);
	if (!of)
		return false;
	for (size_t i = 0; i < sizeof folds_of / sizeof *folds_of; i++)
		if (strcmp(folds_of[i].table, rows->table->form_of) == 0)
			folds_of[i].add(f, of);
	buf_addf(&rows->title, "%s, by %s", buf_text(&of->title), by_call ? "call" : "place");
	buf_add(&rows->note, buf_text(&of->note));
	rows->unknown = of->unknown;
	rows->count = f->count;
	rows_close(of);
	return true;
}

static bool folds_place_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	return folds_open(rows, false, err);
}

static bool folds_site_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	return folds_open(rows, true, err);
}

static void folds_close(struct rows *rows)
{
	struct folds *f = rows->data;
	free(f->fold);
	map_free(&f->of);
}

static void fold_place_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct fold *fold = rows_record(rows, row);
	if (fold->place != OBJECT_NONE)
		path_exact_add(((const struct folds *)rows->data)->tree, fold->place, cell_begin(value));
}

static void fold_call_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct fold *fold = rows_record(rows, row);
	cell_site_function(value, analysis_heap(rows->analysis), fold->profile);
	if (value->kind == VALUE_NONE)
		cell_text(value, "(not known)");
}

static void fold_line_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct fold *fold = rows_record(rows, row);
	cell_site_line(value, analysis_heap(rows->analysis), fold->profile);
}

static void fold_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct fold *fold = rows_record(rows, row);
	cell_share(value, fold->wasted, ((const struct folds *)rows->data)->whole);
}

static void fold_place_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct fold *fold = rows_record(rows, row);
	buf_add(command, "objects at=");
	if (fold->place != OBJECT_NONE)
		path_exact_add(((const struct folds *)rows->data)->tree, fold->place, command);
}

#define FOLD_COLUMNS                                                                             \
	{OBJECT_TYPE, .width = 20, .rank = 2},                                                       \
		{"count",                                                                                \
	     "count",                                                                                \
	     "Number of arrays, copies or collections",                                              \
	     VALUE_COUNT,                                                                            \
	     9,                                                                                      \
	     1,                                                                                      \
	     FIELD(struct fold, count)},                                                             \
		{"wasted_bytes",                                                                         \
	     "not used",                                                                             \
	     "Bytes of them that are not used; all rows add up to those of the table",               \
	     VALUE_BYTES,                                                                            \
	     9,                                                                                      \
	     0,                                                                                      \
	     FIELD(struct fold, wasted)},                                                            \
		{"share", "share", "Share of the bytes of all rows", VALUE_SHARE,                        \
	     6,       1,       .cell = fold_share_cell},                                             \
	{                                                                                            \
		"address", "address", "Address of the one of which most is not used", VALUE_ADDRESS, 14, \
			3, .cell = object_address_cell                                                       \
	}

static const struct column by_place_columns[] = {
	{"name", "where", "The place that they stand at", VALUE_TEXT, 0, 0, .cell = fold_place_cell},
	FOLD_COLUMNS,
};
static const struct column by_site_columns[] = {
	{"name", "call",
     "The function that allocated them; known of objects that the memory profiler has sampled",
     VALUE_TEXT, 0, 0, .cell = fold_call_cell},
	{"line", "line", "Its source line", VALUE_TEXT, 24, 2, .cell = fold_line_cell},
	FOLD_COLUMNS,
};

#define FOLD_TABLE(OF)                                                                          \
	.form_of = OF, .from = DAMAGE_ROOTS, .parts = PART_GO | PART_MEMORY,                        \
	.needs = STAGE_TYPED | STAGE_REACHED | STAGE_DOMINATED | STAGE_OWNED, .close = folds_close, \
	RECORDS(struct folds, fold), .object = ROW_MEMBER(struct fold, example, uint32_t),          \
	.sort = "wasted_bytes"
#define FOLD_BY_PLACE(OF) \
	COLUMNS(by_place_columns), .open = folds_place_open, .link = fold_place_link, FOLD_TABLE(OF)
#define FOLD_BY_SITE(OF) COLUMNS(by_site_columns), .open = folds_site_open, FOLD_TABLE(OF)

DEFINE_PLUGIN(tables, struct table, table_pinned_place) = {
	.rank = 346,
	.name = "pinned-place",
	.help = "Arrays that are only partly used by the place that they stand at",
	FOLD_BY_PLACE("pinned"),
};
DEFINE_PLUGIN(tables, struct table, table_pinned_site) = {
	.rank = 346,
	.name = "pinned-site",
	.help = "Arrays that are only partly used by the call that allocated them",
	FOLD_BY_SITE("pinned"),
};
DEFINE_PLUGIN(tables, struct table, table_slack_place) = {
	.rank = 347,
	.name = "slack-place",
	.help = "Unused capacity by the place that it stands at, whatever its type",
	FOLD_BY_PLACE("slack"),
};
DEFINE_PLUGIN(tables, struct table, table_slack_site) = {
	.rank = 347,
	.name = "slack-site",
	.help = "Unused capacity by the call that allocated it",
	FOLD_BY_SITE("slack"),
};
DEFINE_PLUGIN(tables, struct table, table_duplicates_place) = {
	.rank = 348,
	.name = "duplicates-place",
	.help = "Copies of strings and byte arrays but the largest of each by the place that they "
			"stand at",
	.contents = true,
	FOLD_BY_PLACE("duplicates"),
};
DEFINE_PLUGIN(tables, struct table, table_duplicates_site) = {
	.rank = 348,
	.name = "duplicates-site",
	.help = "Copies of strings and byte arrays but the largest of each by the call that allocated "
			"them",
	.contents = true,
	FOLD_BY_SITE("duplicates"),
};
