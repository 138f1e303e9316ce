#include "main/ask/diff.h"

#include "base/mem.h"
#include "format/runtime.h"
#include "heap/name_part.h"
#include "main/options/selection.h"
#include "table/growth/delta.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 2, LINES = 10, NEVER_MORE = 1 << 20 };

/* A table whose rows are compared by name. */
static const struct diff_table {
	const char *key, *label; /* key in JSON; label of a line */
	const char *table;
	const char *name[NAMES]; /* columns; NULL: none */
	const char *count, *bytes;
	const char *bytes_delta; /* key in JSON */
	uint32_t depth;          /* of a tree: maximum depth below topmost rows */
} diff_tables[] = {
	{"owners", "owner", "owners", {"name"}, "retained_objects", "owned_bytes", "retained_delta", 0},
	{"fields", "field", "where", {"name"}, "count", "bytes", "bytes_delta", 3},
	{"groups",
     "group",
     THREADS_WORD "-stack",
     {"function", "wait_reason"},
     "count",
     "stack_bytes",
     "bytes_delta",
     0},
	{"sites", "site", "profiles", {"function", "line"}, "live", "live_bytes", "bytes_delta", 0},
};

/* The reachable objects by type, or by shape. */
static const struct diff_table diff_type = {
	.name = {"type"}, .count = "count", .bytes = "bytes", .bytes_delta = "bytes_delta"};

struct diff_named {
	/* key: the name without addresses and counts, which differ between dumps */
	char *key, *name[NAMES];
	struct diff_side {
		uint64_t count, bytes;
	} before, now;
};

/* ---- Rows */

/* Appends a text of a row as programs get it: rows of two dumps are the same whether or not a guess
   is among them. */
static void diff_add_cell(const struct rows *rows, size_t row, const char *column, struct buf *out)
{
	SCOPED_BUF text = {.without = out->without};
	struct value value = {.text = &text};
	rows_cell(rows, row, table_column(rows->table, column), &value);
	value_add(&value, out);
}

/* Appends the name of a row; in a tree, the path of steps to it. `path` are the names of its
   ancestors. */
static void diff_add_name(const struct diff_table *what, const struct rows *rows, size_t row,
                          uint32_t depth, struct buf path[], struct buf *out)
{
	diff_add_cell(rows, row, what->name[0], out);
	if (!what->depth)
		return;
	SCOPED_BUF whole = {0};
	if (depth)
		buf_add(&whole, buf_text(&path[depth - 1]));
	buf_add(&whole, buf_text(out));
	buf_clear(&path[depth]);
	buf_add(&path[depth], buf_text(&whole));
	buf_clear(out);
	buf_add(out, buf_text(&whole));
}

/* Adds an item; the texts are copied. */
static void diff_add(struct diff_list *list, bool newer, const char *key,
                     const char *const name[NAMES], struct diff_side side)
{
	list->item = mem_grow(list->item, list->count, &list->capacity, sizeof *list->item);
	struct diff_named *item = &list->item[list->count++];
	*item = (struct diff_named){.key = mem_strdup(key)};
	for (size_t i = 0; i < NAMES && name[i]; i++)
		item->name[i] = mem_strdup(name[i]);
	*(newer ? &item->now : &item->before) = side;
}

static void diff_add_row(struct diff_list *list, const struct diff_table *what,
                         const struct rows *rows, size_t row, struct buf *name, bool newer)
{
	SCOPED_BUF key = {.without = name->without | DELTA_WITHOUT}, second = {0};
	const struct diff_side side = {rows_number(rows, row, what->count).number,
	                               rows_number(rows, row, what->bytes).number};
	if (what->depth) /* steps are the same for all objects */
		buf_add(&key, buf_text(name));
	else
		diff_add_cell(rows, row, what->name[0], &key);
	if (what->name[1]) {
		second.without = name->without;
		diff_add_cell(rows, row, what->name[1], &second);
		buf_addf(&key, "\n%s", buf_text(&second));
	}
	diff_add(list, newer, buf_text(&key),
	         (const char *[NAMES]){buf_text(name), what->name[1] ? buf_text(&second) : NULL}, side);
}

static bool diff_add_rows(struct diff_list *list, const struct diff_table *what,
                          const struct analysis *analysis, bool newer, struct err *err)
{
	const struct table *table = table_find(what->table);
	/* threads of two processes match by their function */
	struct buf path[8] = {{0}}, name = {.without = list->one_process ? 0 : NAME_ID};
	if (!heap_has(analysis_heap(analysis), table->parts))
		return true;
	/* Only cheap columns are used: others require extra work, such as the owners of each group. */
	struct rows *rows = rows_open(table, analysis, NULL, err);
	if (!rows)
		return false;
	struct selection selection = {.count = rows->count};
	if (what->depth)
		selection = selection_of_tree(rows, NULL,
		                              &(struct options){.depth = what->depth, .limit = NEVER_MORE});
	for (size_t i = 0; i < selection.count; i++) {
		size_t row = selection.row ? selection.row[i] : i;
		buf_clear(&name);
		diff_add_name(what, rows, row, selection.depth ? selection.depth[i] : 0, path, &name);
		diff_add_row(list, what, rows, row, &name, newer);
	}
	for (size_t i = 0; i < sizeof path / sizeof *path; i++)
		buf_free(&path[i]);
	buf_free(&name);
	selection_fini(&selection);
	rows_close(rows);
	return true;
}

/* ---- Differences */

static int diff_by_key(const void *a, const void *b)
{
	return strcmp(((const struct diff_named *)a)->key, ((const struct diff_named *)b)->key);
}

static uint64_t diff_size(struct diff_side before, struct diff_side now)
{
	return before.bytes < now.bytes ? now.bytes - before.bytes : before.bytes - now.bytes;
}

static int diff_largest_first(const void *a, const void *b)
{
	const struct diff_named *x = a, *y = b;
	uint64_t of_x = diff_size(x->before, x->now), of_y = diff_size(y->before, y->now);
	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return strcmp(x->key, y->key);
}

static void diff_named_free(struct diff_named *item)
{
	free(item->key);
	for (size_t i = 0; i < NAMES; i++)
		free(item->name[i]);
}

/* Merges items with equal keys; the name in the newer dump wins. */
static void diff_merge(struct diff_list *list)
{
	size_t kept = 0;
	qsort(list->item, list->count, sizeof *list->item, diff_by_key);
	for (size_t i = 0; i < list->count; i++) {
		struct diff_named *item = &list->item[i], *last = &list->item[kept - (kept > 0)];
		if (!kept || strcmp(last->key, item->key) != 0) {
			list->item[kept++] = *item;
			continue;
		}
		struct diff_named other = *item;
		if (item->now.count || item->now.bytes) {
			other = *last;
			last->key = item->key;
			memcpy(last->name, item->name, sizeof last->name);
		}
		last->before.count += item->before.count;
		last->before.bytes += item->before.bytes;
		last->now.count += item->now.count;
		last->now.bytes += item->now.bytes;
		diff_named_free(&other);
	}
	list->count = kept;
}

/* Joins the rows of both dumps and leaves those that differ, in an order. */
static void diff_join(struct diff_list *list, int (*order)(const void *, const void *))
{
	size_t kept = 0;
	if (!list->count)
		return;
	diff_merge(list);
	for (size_t i = 0; i < list->count; i++) {
		const struct diff_named *item = &list->item[i];
		if (item->before.count == item->now.count && item->before.bytes == item->now.bytes)
			diff_named_free(&list->item[i]);
		else
			list->item[kept++] = *item;
	}
	list->count = kept;
	qsort(list->item, list->count, sizeof *list->item, order);
}

static bool diff_list(struct diff_list *list, const struct diff_table *what,
                      const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct err *err)
{
	*list = (struct diff_list){.one_process = relation == SERIES_PROCESS};
	bool done = diff_add_rows(list, what, older, false, err)
	            && diff_add_rows(list, what, newer, true, err);
	if (done)
		diff_join(list, diff_largest_first);
	return done;
}

void diff_list_fini(struct diff_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		diff_named_free(&list->item[i]);
	free(list->item);
}

static struct value diff_delta(enum value_kind kind, uint64_t before, uint64_t now)
{
	struct value value = {0};
	cell_delta(&value, kind, before, now);
	return value;
}

/* ---- Interface */

unsigned diff_tables_needs(void)
{
	unsigned stages = 0;
	for (size_t i = 0; i < sizeof diff_tables / sizeof *diff_tables; i++)
		stages |= table_find(diff_tables[i].table)->needs | table_find(diff_tables[i].table)->wants;
	return stages;
}

static void diff_json_item(const struct diff_table *what, const struct diff_named *item,
                           struct json *json)
{
	struct value count = diff_delta(VALUE_COUNT, item->before.count, item->now.count);
	struct value bytes = diff_delta(VALUE_BYTES, item->before.bytes, item->now.bytes);
	json_line(json);
	json_open(json, '{');
	for (size_t i = 0; i < NAMES && what->name[i]; i++)
		json_text(json_key(json, what->name[i]), item->name[i]);
	json_number(json_key(json, what->count), item->now.count);
	json_value(json_key(json, "count_delta"), &count);
	json_number(json_key(json, what->bytes), item->now.bytes);
	json_value(json_key(json, what->bytes_delta), &bytes);
	json_close(json, '}');
}

bool diff_tables_json(const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct json *json, struct err *err)
{
	bool done = true;
	for (size_t n = 0; done && n < sizeof diff_tables / sizeof *diff_tables; n++) {
		struct diff_list list = {0};
		json_key(json, diff_tables[n].key);
		if (relation == SERIES_OTHER_PROGRAM) {
			json_none(json);
			continue;
		}
		done = diff_list(&list, &diff_tables[n], older, newer, relation, err);
		json_open(json, '[');
		for (size_t i = 0; i < list.count; i++)
			diff_json_item(&diff_tables[n], &list.item[i], json);
		json_close(json, ']');
		diff_list_fini(&list);
	}
	return done;
}

static void diff_text_item(const char *label, const struct diff_named *item, struct buf *out)
{
	struct value count = diff_delta(VALUE_COUNT, item->before.count, item->now.count);
	struct value bytes = diff_delta(VALUE_BYTES, item->before.bytes, item->now.bytes);
	buf_addf(out, "%-9s  %s", label, bytes.negative ? "" : "+");
	value_add(&bytes, out);
	buf_addf(out, "  %s", count.negative ? "" : "+");
	value_add(&count, out);
	for (size_t i = 0; i < NAMES && item->name[i]; i++)
		buf_addf(out, "  %s", item->name[i]);
	buf_add(out, "\n");
}

bool diff_tables_text(const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct buf *out, struct err *err)
{
	bool done = true;
	for (size_t n = 0;
	     relation != SERIES_OTHER_PROGRAM && done && n < sizeof diff_tables / sizeof *diff_tables;
	     n++) {
		struct diff_list list;
		done = diff_list(&list, &diff_tables[n], older, newer, relation, err);
		for (size_t i = 0; i < list.count && i < LINES; i++)
			diff_text_item(diff_tables[n].label, &list.item[i], out);
		if (list.count > LINES)
			buf_addf(out, "%-9s  and %zu others, which --json tells\n", diff_tables[n].label,
			         list.count - LINES);
		diff_list_fini(&list);
	}
	return done;
}

/* ---- Types */

void diff_list_add(struct diff_list *list, bool newer, const char *name, uint64_t count,
                   uint64_t bytes)
{
	diff_add(list, newer, name, (const char *[NAMES]){name}, (struct diff_side){count, bytes});
}

static void diff_add_types(struct diff_list *types, const struct analysis *analysis, bool newer)
{
	struct type_groups groups = {0};
	type_groups_reachable(&groups, analysis);
	for (size_t i = 0; i < groups.count; i++)
		diff_list_add(types, newer, groups.group[i].name, groups.group[i].count,
		              groups.group[i].bytes);
	type_groups_fini(&groups);
}

static int64_t diff_growth(const struct diff_named *item)
{
	return (int64_t)(item->now.bytes - item->before.bytes);
}

static int diff_most_growth_first(const void *a, const void *b)
{
	const struct diff_named *x = a, *y = b;
	if (diff_growth(x) != diff_growth(y))
		return diff_growth(x) < diff_growth(y) ? 1 : -1;
	return strcmp(x->key, y->key);
}

void diff_types_init(struct diff_list *types, const struct analysis *older,
                     const struct analysis *newer, enum series_relation relation)
{
	*types = (struct diff_list){0};
	/* In different programs, equal names may mean different types. */
	bool by_type = relation != SERIES_OTHER_PROGRAM;
	(by_type ? diff_add_types : diff_add_shapes)(types, older, false);
	(by_type ? diff_add_types : diff_add_shapes)(types, newer, true);
	diff_join(types, diff_most_growth_first);
}

static const char *const diff_kinds[] = {"grew", "shrank", "new", "gone"};

static bool diff_is_of(const struct diff_named *item, size_t kind)
{
	const char *own = !item->before.count      ? "new"
	                  : !item->now.count       ? "gone"
	                  : diff_growth(item) >= 0 ? "grew"
	                                           : "shrank";
	return strcmp(own, diff_kinds[kind]) == 0;
}

void diff_types_json(const struct diff_list *types, struct json *json)
{
	for (size_t kind = 0; kind < sizeof diff_kinds / sizeof *diff_kinds; kind++) {
		json_open(json_key(json, diff_kinds[kind]), '[');
		for (size_t i = 0; i < types->count; i++)
			if (diff_is_of(&types->item[i], kind))
				diff_json_item(&diff_type, &types->item[i], json);
		json_close(json, ']');
	}
}

void diff_types_text(const struct diff_list *types, struct buf *out)
{
	for (size_t kind = 0; kind < sizeof diff_kinds / sizeof *diff_kinds; kind++)
		for (size_t i = 0; i < types->count; i++)
			if (diff_is_of(&types->item[i], kind))
				diff_text_item(diff_kinds[kind], &types->item[i], out);
}
