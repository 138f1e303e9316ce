/* The tables of the explorer as virtual tables of SQLite. */
#include "base/mem.h"
#include "format/format.h"
#include "table/naming/argument.h"
#include "table/query/sql_database.h"
#include "table/query/sql_texts.h"

#include <stdlib.h>
#include <string.h>

/* The access method of a cursor (idxNum), best first. 0: a scan of all rows. */
enum { BY_ARGUMENT = 1, BY_NUMBER, BY_ADDRESS, BY_TYPE };
/* 1 + the column that the rows are sorted by stands above it. */
enum { ACCESS_BITS = 8, ACCESS = (1 << ACCESS_BITS) - 1 };
/* The names that EXPLAIN QUERY PLAN shows. */
static const char *const access_names[] = {"all", "argument", "rowid", "address", "type"};
/* Rows with an argument from which on texts are shared. */
enum { SHARED_LEAST = 256 };
/* The costs that SQLite compares. */
enum { COST_ONE = 1, COST_SOME = 1000, COST_ALL = 1000000 };

struct sql_table {
	sqlite3_vtab base;
	struct sql_database *database;
	const struct table *table;
	/* rows without an argument, cached because joins request them repeatedly; or NULL */
	struct rows *all;
	size_t *order; /* of a tree: its rows, each before its children; NULL: row order */
	size_t count;
	struct sql_texts texts; /* of `all`; SQLite reads them in place */
};

struct sql_cursor {
	sqlite3_vtab_cursor base;
	struct rows *own;        /* rows with an argument; NULL: the table's */
	struct sql_texts texts;  /* of `own` */
	const struct rows *rows; /* `own` or the table's */
	size_t at, end;
	uint32_t *sorted;       /* all rows, those with one text together; NULL: row order */
	struct buf text, shown; /* of a cell; reused, since there are millions */
};

/* Place of the hidden column `argument`; those of the table come after it. */
enum { ARGUMENT_COLUMN, OWN_COLUMNS };

static int sql_module_connect(sqlite3 *db, void *self, int argc, const char *const *argv,
                              sqlite3_vtab **made, char **message)
{
	(void)argc, (void)message;
	struct sql_table *t = mem_alloc(sizeof *t);
	struct buf schema = {0};
	t->database = self;
	t->table = sql_schema_find(argv[0]);
	sql_schema_add(t->table, &schema);
	t->database->declaring = true;
	int result = sqlite3_declare_vtab(db, buf_text(&schema));
	t->database->declaring = false;
	buf_free(&schema);
	*made = &t->base;
	return result;
}

static int sql_module_disconnect(sqlite3_vtab *vtab)
{
	struct sql_table *t = (struct sql_table *)vtab;
	rows_close(t->all);
	free(t->order);
	sql_texts_clear(&t->texts);
	free(t);
	return SQLITE_OK;
}

/* ---- Planning */

static bool is_wanted_column(const struct sql_table *t, sqlite3_uint64 used, int column)
{
	int bit = column + OWN_COLUMNS;
	return used >> (bit < 63 ? bit : 63) & 1 && column < t->table->column_count;
}

static void sql_module_note_needs(const struct sql_table *t, const sqlite3_index_info *plan)
{
	unsigned *needs = &t->database->needs;
	const char *argument = plan->idxNum == BY_TYPE       ? "type="
	                       : plan->idxNum == BY_ARGUMENT ? "?"
	                                                     : NULL;
	*needs |= table_needs(t->table, argument) | t->table->wants;
	for (int i = 0; i < t->table->column_count; i++)
		if (is_wanted_column(t, plan->colUsed, i))
			*needs |= t->table->columns[i].stages | t->table->columns[i].wants;
}

/* Returns the access method for a condition "column = value"; 0: none. */
static int sql_module_access(const struct sql_table *t, int column)
{
	bool objects = strcmp(t->table->name, "objects") == 0;
	if (column == ARGUMENT_COLUMN)
		return BY_ARGUMENT;
	if (column < 0)
		return BY_NUMBER;
	if (!objects)
		return 0;
	const char *name = t->table->columns[column - OWN_COLUMNS].name;
	return strcmp(name, "address") == 0 ? BY_ADDRESS : strcmp(name, "type") == 0 ? BY_TYPE : 0;
}

/* Lets this module sort the rows of a query that groups by a column whose texts many rows share:
   each text is then compared once, not in each row. */
static void sql_module_plan_order(const struct sql_table *t, sqlite3_index_info *plan)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	int column = plan->nOrderBy == 1 ? plan->aOrderBy->iColumn - OWN_COLUMNS : -1;
	if (plan->idxNum || column < 0 || column >= t->table->column_count || t->table->tree
	    || !t->table->columns[column].key || sqlite3_vtab_distinct(plan) != 1)
		return;
	plan->orderByConsumed = 1;
	plan->idxNum |= (column + 1) << ACCESS_BITS;
#else
	(void)t, (void)plan;
#endif
}

static int sql_module_best_index(sqlite3_vtab *vtab, sqlite3_index_info *plan)
{
	const struct sql_table *t = (struct sql_table *)vtab;
	int best = 0, of = -1;
	bool unusable = false;
	for (int i = 0; i < plan->nConstraint; i++) {
		int access = plan->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ
		                 ? sql_module_access(t, plan->aConstraint[i].iColumn)
		                 : 0;
		unusable |= access == BY_ARGUMENT && !plan->aConstraint[i].usable;
		if (!access || !plan->aConstraint[i].usable || (best && access > best))
			continue;
		best = access;
		of = i;
	}
	const char *wanted = t->table->argument;
	if (best != BY_ARGUMENT && (unusable || (wanted && *wanted != '[')))
		return SQLITE_CONSTRAINT;
	if (of >= 0) {
		plan->aConstraintUsage[of].argvIndex = 1;
		plan->aConstraintUsage[of].omit = best == BY_ARGUMENT;
	}
	bool one = best == BY_NUMBER || best == BY_ADDRESS;
	plan->idxNum = best;
	plan->idxStr = (char *)(uintptr_t)access_names[best];
	plan->estimatedRows = one ? COST_ONE : best ? COST_SOME : COST_ALL;
	plan->estimatedCost = (double)plan->estimatedRows;
	sql_module_note_needs(t, plan);
	sql_module_plan_order(t, plan);
	return SQLITE_OK;
}

/* ---- Reading */

static int sql_module_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **made)
{
	(void)vtab;
	struct sql_cursor *cursor = mem_alloc(sizeof *cursor);
	*made = &cursor->base;
	return SQLITE_OK;
}

static int sql_module_close(sqlite3_vtab_cursor *base)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	rows_close(cursor->own);
	sql_texts_clear(&cursor->texts);
	free(cursor->sorted);
	buf_free(&cursor->text);
	buf_free(&cursor->shown);
	free(cursor);
	return SQLITE_OK;
}

static int sql_module_fail(struct sql_table *t, const struct err *err)
{
	sqlite3_free(t->base.zErrMsg);
	t->base.zErrMsg = sqlite3_mprintf("%s: %s", t->table->name, err->text);
	return SQLITE_ERROR;
}

/* Orders all rows of a tree that has a column depth, from the top down. */
static void sql_module_unfold(struct sql_table *t)
{
	const struct table_tree *tree = t->table->tree;
	size_t *stack = NULL, depth = 0, capacity = 0, order_capacity = 0;
	if (tree && tree->unfold)
		tree->unfold(t->all);
	t->count = t->all->count;
	if (!tree || tree->unfold || table_column(t->table, "depth") < 0)
		return;
	size_t topmost = t->all->count;
	t->count = 0;
	for (size_t top = 0; top < topmost; top++) {
		stack = mem_grow(stack, 0, &capacity, sizeof *stack);
		stack[depth++] = top;
		while (depth) {
			size_t row = stack[--depth], first;
			t->order = mem_grow(t->order, t->count, &order_capacity, sizeof *t->order);
			t->order[t->count++] = row;
			size_t below = tree->has_below(t->all, row) ? tree->below(t->all, row, &first) : 0;
			for (size_t i = below; i-- > 0;) {
				stack = mem_grow(stack, depth, &capacity, sizeof *stack);
				stack[depth++] = first + i;
			}
		}
	}
	free(stack);
}

static int sql_module_take_all(struct sql_table *t, struct sql_cursor *cursor)
{
	struct err err = {0};
	if (!t->all) {
		t->all =
			rows_open_watched(t->table, t->database->analysis, NULL, t->database->progress, &err);
		if (!t->all)
			return sql_module_fail(t, &err);
		sql_module_unfold(t);
	}
	cursor->rows = t->all;
	cursor->end = t->count;
	return SQLITE_OK;
}

static int sql_module_take_argument(struct sql_table *t, struct sql_cursor *cursor,
                                    const char *argument)
{
	struct err err = {0};
	rows_close(cursor->own);
	sql_texts_clear(&cursor->texts);
	cursor->own =
		rows_open_watched(t->table, t->database->analysis, argument, t->database->progress, &err);
	cursor->rows = cursor->own;
	cursor->end = cursor->own ? cursor->own->count : 0;
	return cursor->own || err.absent ? SQLITE_OK : sql_module_fail(t, &err);
}

/* Restricts the cursor to the object that begins at an address. */
static void sql_module_take_object(const struct sql_table *t, struct sql_cursor *cursor,
                                   const char *text)
{
	const struct heap *heap = analysis_heap(t->database->analysis);
	uint64_t address;
	uint32_t id = OBJECT_NONE;
	if (argument_address(text, &address) && heap_has(heap, PART_MEMORY))
		id = heap_find(heap, address);
	bool found = id != OBJECT_NONE && heap_address(heap, id) == address;
	cursor->at = found ? id : 0;
	cursor->end = found ? id + 1ULL : 0;
}

/* Takes all rows, in the order of a column. */
static int sql_module_take_sorted(struct sql_table *t, struct sql_cursor *cursor, int column)
{
	int result = sql_module_take_all(t, cursor);
	if (result != SQLITE_OK || cursor->sorted || t->all->count > UINT32_MAX)
		return result;
	cursor->sorted = rows_sorted(t->all, column, false, t->database->progress);
	return cursor->sorted ? SQLITE_OK : SQLITE_INTERRUPT;
}

static int sql_module_filter(sqlite3_vtab_cursor *base, int plan, const char *ignored, int argc,
                             sqlite3_value **argv)
{
	(void)ignored;
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	struct sql_table *t = (struct sql_table *)base->pVtab;
	int access = plan & ACCESS, sorted_by = plan >> ACCESS_BITS;
	const char *value = argc ? (const char *)sqlite3_value_text(argv[0]) : NULL;
	cursor->at = cursor->end = 0;
	if (access && !value) /* the condition compares with NULL */
		return SQLITE_OK;
	if (access == BY_ARGUMENT)
		return sql_module_take_argument(t, cursor, value);
	if (access == BY_TYPE) {
		struct buf argument = {0};
		buf_addf(&argument, "type=%s", value);
		int result = sql_module_take_argument(t, cursor, buf_text(&argument));
		buf_free(&argument);
		return result;
	}
	if (sorted_by)
		return sql_module_take_sorted(t, cursor, sorted_by - 1);
	int result = sql_module_take_all(t, cursor);
	if (result == SQLITE_OK && access == BY_ADDRESS)
		sql_module_take_object(t, cursor, value);
	if (result == SQLITE_OK && access == BY_NUMBER) {
		sqlite3_int64 row = sqlite3_value_int64(argv[0]);
		bool found = row >= 0 && (size_t)row < cursor->end;
		cursor->at = found ? (size_t)row : 0;
		cursor->end = found ? (size_t)row + 1 : 0;
	}
	return result;
}

static int sql_module_next(sqlite3_vtab_cursor *base)
{
	((struct sql_cursor *)base)->at++;
	return SQLITE_OK;
}

static int sql_module_eof(sqlite3_vtab_cursor *base)
{
	const struct sql_cursor *cursor = (struct sql_cursor *)base;
	return cursor->at >= cursor->end;
}

static void sql_module_text(sqlite3_context *context, const struct buf *text)
{
	sqlite3_result_text64(context, buf_text(text), text->len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void sql_module_result(sqlite3_context *context, const struct value *value,
                              struct buf *shown)
{
	switch (value->kind) {
	case VALUE_NONE:
		break;
	case VALUE_TEXT:
		sql_module_text(context, value->text);
		break;
	case VALUE_ADDRESS:
	case VALUE_LIST:
		buf_clear(shown);
		value_add(value, shown);
		sql_module_text(context, shown);
		break;
	case VALUE_REAL:
		sqlite3_result_double(context, value->real);
		break;
	case VALUE_SHARE:
		if (value->whole)
			sqlite3_result_double(context, 100.0 * (double)value->number / (double)value->whole);
		break;
	default: /* all others are numbers; those beyond 64-bit signed lose precision */
		if (value->number > INT64_MAX)
			sqlite3_result_double(context, (double)value->number);
		else
			sqlite3_result_int64(context, value->negative ? -(int64_t)value->number
			                                              : (int64_t)value->number);
		break;
	}
}

static int sql_module_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	struct sql_table *t = (struct sql_table *)base->pVtab;
	struct value value = {.text = &cursor->text};
	int column = number - OWN_COLUMNS;
	if (number == ARGUMENT_COLUMN || column >= t->table->column_count)
		return SQLITE_OK;
	size_t row = cursor->sorted             ? cursor->sorted[cursor->at]
	             : !cursor->own && t->order ? t->order[cursor->at]
	                                        : cursor->at;
	struct sql_texts *texts = cursor->own ? &cursor->texts : &t->texts;
	const char *shared = !cursor->own || cursor->own->count >= SHARED_LEAST
	                         ? sql_texts_get(texts, cursor->rows, row, column, &cursor->text)
	                         : NULL;
	if (shared) { /* rows with an argument may be closed before their texts are used */
		sqlite3_result_text(context, shared, -1, cursor->own ? SQLITE_TRANSIENT : SQLITE_STATIC);
		return SQLITE_OK;
	}
	buf_clear(&cursor->text);
	rows_cell(cursor->rows, row, column, &value);
	sql_module_result(context, &value, &cursor->shown);
	return SQLITE_OK;
}

static int sql_module_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	*id = (sqlite3_int64)((struct sql_cursor *)base)->at;
	return SQLITE_OK;
}

/* Without xCreate: each table is there by its name. */
static const sqlite3_module module = {
	.xConnect = sql_module_connect,
	.xBestIndex = sql_module_best_index,
	.xDisconnect = sql_module_disconnect,
	.xOpen = sql_module_open,
	.xClose = sql_module_close,
	.xFilter = sql_module_filter,
	.xNext = sql_module_next,
	.xEof = sql_module_eof,
	.xColumn = sql_module_column,
	.xRowid = sql_module_rowid,
};

int sql_module_add(struct sql_database *database, const struct table *table)
{
	struct buf name = {0};
	sql_schema_add_name(table, &name);
	int result = sqlite3_create_module_v2(database->db, buf_text(&name), &module, database, NULL);
	buf_free(&name);
	return result;
}
