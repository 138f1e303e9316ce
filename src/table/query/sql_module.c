/* The tables of the explorer as virtual tables of SQLite. */
#include "table/query/sql_module.h"

#include "analysis/analysis.h"
#include "base/mem.h"
#include "format/format.h"
#include "heap/object_ids.h"
#include "table/naming/argument.h"
#include "table/query/sql_folded.h"
#include "table/query/sql_index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Rows with an argument from which on texts are shared. */
enum { SHARED_LEAST = 256 };

struct sql_cursor {
	sqlite3_vtab_cursor base;
	struct rows *own;        /* rows with an argument; NULL: the table's */
	struct codes *codes;     /* of `own` */
	sqlite3_value *argument; /* of `own`; NULL: none */
	const struct rows *rows; /* `own` or the table's */
	size_t at, end;
	uint32_t *sorted;          /* rows in the order of a column; NULL: row order */
	size_t sorted_count;       /* of these the first, which are sorted */
	size_t *found;             /* the rows that a column was looked up by; NULL: not by one */
	struct sql_folded *folded; /* equal rows are read once; NULL: each */
	struct buf text, shown;    /* of a cell; reused, since there are millions */
};

static int sql_module_connect(sqlite3 *db, void *self, int argc, const char *const *argv,
                              sqlite3_vtab **made, char **message)
{
	(void)argc, (void)message;
	struct sql_table *t = mem_alloc(sizeof *t);
	SCOPED_BUF schema = {0};
	t->database = self;
	t->table = sql_schema_find(argv[0]);
	sql_schema_add(t->table, true, &schema);
	t->database->declaring = true;
	int result = sqlite3_declare_vtab(db, buf_text(&schema));
	t->database->declaring = false;
	*made = &t->base;
	return result;
}

static int sql_module_disconnect(sqlite3_vtab *vtab)
{
	struct sql_table *t = (struct sql_table *)vtab;
	rows_close(t->all);
	free(t->order);
	sql_index_free(t);
	codes_free_all(&t->codes);
	free(t);
	return SQLITE_OK;
}

/* ---- Reading */

static int sql_module_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **made)
{
	((struct sql_table *)vtab)->database->opened++;
	struct sql_cursor *cursor = mem_alloc(sizeof *cursor);
	*made = &cursor->base;
	return SQLITE_OK;
}

static int sql_module_close(sqlite3_vtab_cursor *base)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	codes_free_all(&cursor->codes);
	rows_close(cursor->own);
	sqlite3_value_free(cursor->argument);
	free(cursor->sorted);
	free(cursor->found);
	sql_folded_free(cursor->folded);
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
			MEM_PUSH(t->order, t->count, order_capacity, row);
			size_t below = tree->has_below(t->all, row) ? tree->below(t->all, row, &first) : 0;
			for (size_t i = below; i-- > 0;)
				MEM_PUSH(stack, depth, capacity, first + i);
		}
	}
	free(stack);
}

static int sql_module_take_all(struct sql_table *t, struct sql_cursor *cursor)
{
	struct err err = {0};
	if (!t->all) {
		t->all = sql_database_rows(t->database, t->table, NULL, &err);
		if (!t->all)
			return sql_module_fail(t, &err);
		sql_module_unfold(t);
	}
	cursor->rows = t->all;
	cursor->end = t->count;
	return SQLITE_OK;
}

/* Takes the rows of an argument. One that names nothing is an error if the query itself has it,
   else it has no rows: not each row of a join has them. */
static int sql_module_take_argument(struct sql_table *t, struct sql_cursor *cursor,
                                    sqlite3_value *argument)
{
	struct err err = {0};
	const char *text = (const char *)sqlite3_value_text(argument);
	codes_free_all(&cursor->codes);
	rows_close(cursor->own);
	sqlite3_value_free(cursor->argument);
	cursor->argument = sqlite3_value_dup(argument);
	cursor->own = sql_database_rows(t->database, t->table, text, &err);
	cursor->rows = cursor->own;
	cursor->end = cursor->own ? cursor->own->count : 0;
	bool none = err.absent && !sql_database_names(t->database, text);
	return cursor->own || none ? SQLITE_OK : sql_module_fail(t, &err);
}

/* Restricts the cursor to the rows with a text in a column. */
static int sql_module_take_found(struct sql_table *t, struct sql_cursor *cursor, int column,
                                 const char *text)
{
	free(cursor->found);
	cursor->found = NULL;
	int result = sql_module_take_all(t, cursor);
	if (result != SQLITE_OK || t->all->count > UINT32_MAX)
		return result;
	return sql_index_find(t, column, text, &cursor->found, &cursor->end) ? SQLITE_OK
	                                                                     : SQLITE_INTERRUPT;
}

/* Restricts the cursor to the object that begins at an address. */
static int sql_module_take_object(struct sql_table *t, struct sql_cursor *cursor, int column,
                                  const char *text)
{
	const struct heap *heap = analysis_heap(t->database->analysis);
	uint64_t address;
	uint32_t id = OBJECT_NONE;
	if (!heap_has(heap, PART_MEMORY)) /* objects are not in the order of their addresses */
		return sql_module_take_found(t, cursor, column, text);
	int result = sql_module_take_all(t, cursor);
	if (argument_address(text, &address))
		id = heap_find(heap, address);
	bool found = id != OBJECT_NONE && heap_address(heap, id) == address;
	cursor->at = found ? id : 0;
	cursor->end = found ? id + 1ULL : 0;
	return result;
}

/* Takes all rows in the order of a column, or the first by LIMIT and OFFSET. */
static int sql_module_take_sorted(struct sql_table *t, struct sql_cursor *cursor, int plan,
                                  int argc, sqlite3_value **argv)
{
	int result = sql_module_take_all(t, cursor);
	if (result != SQLITE_OK || t->all->count > UINT32_MAX)
		return result;
	uint64_t first = argc ? 0 : cursor->end;
	for (int i = 0; i < argc; i++) {
		sqlite3_int64 rows = sqlite3_value_int64(argv[i]);
		first += rows < 0 || (uint64_t)rows > cursor->end ? cursor->end : (uint64_t)rows;
	}
	cursor->end = first < cursor->end ? first : cursor->end;
	if (cursor->sorted && cursor->sorted_count == cursor->end)
		return SQLITE_OK;
	free(cursor->sorted);
	cursor->sorted_count = cursor->end;
	cursor->sorted = rows_sorted_first(t->all, (plan >> SORTED_SHIFT & SORTED) - 1,
	                                   plan & DESCENDING, cursor->end, t->database->progress);
	return cursor->sorted ? SQLITE_OK : SQLITE_INTERRUPT;
}

/* Restricts the cursor to a row. */
static void sql_module_take_row(struct sql_cursor *cursor, sqlite3_int64 row)
{
	bool found = row >= 0 && (size_t)row < cursor->end;
	cursor->at = found ? (size_t)row : 0;
	cursor->end = found ? (size_t)row + 1 : 0;
}

/* Takes the rows of a plan, which says what its arguments are. */
static int sql_module_take(struct sql_table *t, struct sql_cursor *cursor, int plan, int argc,
                           sqlite3_value **argv)
{
	int access = plan & ACCESS;
	sqlite3_value *with = access && argc ? argv[0] : NULL;
	const char *value = with ? (const char *)sqlite3_value_text(with) : NULL;
	if (access && !value) /* the condition compares with NULL */
		return SQLITE_OK;
	if (access == BY_ARGUMENT)
		return sql_module_take_argument(t, cursor, with);
	int column = (plan >> SORTED_SHIFT & SORTED) - 1;
	if (access == BY_COLUMN)
		return sql_module_take_found(t, cursor, column, value);
	if (access == BY_ADDRESS)
		return sql_module_take_object(t, cursor, column, value);
	if (plan >> SORTED_SHIFT & SORTED)
		return sql_module_take_sorted(t, cursor, plan, argc, argv);
	int result = sql_module_take_all(t, cursor);
	if (result == SQLITE_OK && access == BY_NUMBER)
		sql_module_take_row(cursor, sqlite3_value_int64(with));
	return result;
}

static int sql_module_next_folded(const struct sql_table *t, struct sql_cursor *cursor)
{
	bool on = sql_folded_next(cursor->folded, t->database->progress, &cursor->at);
	return on ? SQLITE_OK : SQLITE_INTERRUPT;
}

static int sql_module_filter(sqlite3_vtab_cursor *base, int plan, const char *columns, int argc,
                             sqlite3_value **argv)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	struct sql_table *t = (struct sql_table *)base->pVtab;
	cursor->at = cursor->end = 0;
	int result = sql_module_take(t, cursor, plan, argc, argv);
	if (result != SQLITE_OK || !(plan & FOLDED) || !columns)
		return result;
	if (!cursor->folded)
		cursor->folded = sql_folded_new(strtoull(columns, NULL, 10));
	sql_folded_begin(cursor->folded, cursor->rows, cursor->own ? &cursor->codes : &t->codes,
	                 cursor->found ? cursor->found
	                 : cursor->own ? NULL
	                               : t->order,
	                 cursor->at, cursor->end);
	return sql_module_next_folded(t, cursor);
}

static int sql_module_next(sqlite3_vtab_cursor *base)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	if (cursor->folded)
		return sql_module_next_folded((struct sql_table *)base->pVtab, cursor);
	cursor->at++;
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

/* Returns the number of the current row: among those of a tree, which are in another order, its
 * place.
 */
static size_t sql_module_number(const struct sql_cursor *cursor)
{
	return cursor->sorted  ? cursor->sorted[cursor->at]
	       : cursor->found ? cursor->found[cursor->at]
	                       : cursor->at;
}

/* Passes the cell of a hidden column. */
static void sql_module_hidden(struct sql_cursor *cursor, sqlite3_context *context, int hidden)
{
	uint64_t row = sql_module_number(cursor);
	switch (hidden) {
	case HIDDEN_EQUAL:
		sqlite3_result_int64(context, cursor->folded ? sql_folded_equal(cursor->folded) : 1);
		break;
	case HIDDEN_NUMBER:
		sqlite3_result_int64(context, (sqlite3_int64)row);
		break;
	case HIDDEN_KEY:
		buf_clear(&cursor->text);
		buf_addf(&cursor->text, "%" PRIu64, row);
		if (cursor->argument)
			buf_addf(&cursor->text, " %s", (const char *)sqlite3_value_text(cursor->argument));
		sql_module_text(context, &cursor->text);
		break;
	default: /* the argument */
		if (cursor->argument)
			sqlite3_result_value(context, cursor->argument);
	}
}

static int sql_module_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	struct sql_table *t = (struct sql_table *)base->pVtab;
	struct value value = {.text = &cursor->text};
	int column = number - OWN_COLUMNS;
	if (number == ARGUMENT_COLUMN || column >= t->table->column_count) {
		sql_module_hidden(cursor, context, column - t->table->column_count);
		return SQLITE_OK;
	}
	size_t row = !cursor->own && t->order ? t->order[cursor->at] : sql_module_number(cursor);
	struct codes *codes = !cursor->own || cursor->own->count >= SHARED_LEAST ? codes_of_column(
							  cursor->own ? &cursor->codes : &t->codes, cursor->rows, column)
	                                                                         : NULL;
	uint32_t code = codes ? codes_at(codes, row) : CODE_NONE;
	if (code != CODE_NONE) { /* rows with an argument may be closed before their texts are used */
		if (code)
			sqlite3_result_text(context, codes_text(codes, code), -1,
			                    cursor->own ? SQLITE_TRANSIENT : SQLITE_STATIC);
		return SQLITE_OK;
	}
	buf_clear(&cursor->text);
	rows_cell(cursor->rows, row, column, &value);
	sql_module_result(context, &value, &cursor->shown);
	return SQLITE_OK;
}

static int sql_module_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	const struct sql_cursor *cursor = (struct sql_cursor *)base;
	*id = (sqlite3_int64)sql_module_number(cursor);
	return SQLITE_OK;
}

/* Without xCreate: each table is there by its name. */
static const sqlite3_module module = {
	.xConnect = sql_module_connect,
	.xBestIndex = sql_plan_best_index,
	.xDisconnect = sql_module_disconnect,
	.xOpen = sql_module_open,
	.xClose = sql_module_close,
	.xFilter = sql_module_filter,
	.xNext = sql_module_next,
	.xEof = sql_module_eof,
	.xColumn = sql_module_column,
	.xRowid = sql_module_rowid,
};

int sql_module_add(struct sql_database *database, const char *table)
{
	SCOPED_BUF name = {0};
	sql_schema_add_name(table, &name);
	return sqlite3_create_module_v2(database->db, buf_text(&name), &module, database, NULL);
}
