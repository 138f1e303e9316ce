/* Plans how the rows of a virtual table are read: xBestIndex of SQLite. */
#include "analysis/analysis.h"
#include "table/query/sql_folded.h"
#include "table/query/sql_index.h"
#include "table/query/sql_module.h"

#include <string.h>

/* The names that EXPLAIN QUERY PLAN shows. */
static const char *const access_names[] = {"all", "argument", "rowid", "address", "column"};
/* The costs that SQLite compares. */
enum { COST_ONE = 1, COST_SOME = 1000, COST_ALL = 1000000 };

static bool is_wanted_column(const struct sql_table *t, sqlite3_uint64 used, int column)
{
	int bit = column + OWN_COLUMNS;
	return used >> (bit < 63 ? bit : 63) & 1 && column < t->table->column_count;
}

/* Returns the argument that a query has in itself. NULL: it comes from a table, or is one of a
 * list.
 */
static const char *sql_plan_literal(sqlite3_index_info *plan, int condition)
{
	sqlite3_value *value = NULL;
#if SQLITE_VERSION_NUMBER >= 3038000
	if (sqlite3_vtab_rhs_value(plan, condition, &value) != SQLITE_OK)
		value = NULL;
#else
	(void)plan, (void)condition;
#endif
	return value ? (const char *)sqlite3_value_text(value) : NULL;
}

/* Notes the stages of a plan: `of` is the condition on the argument, -1: there is none. Any
   argument may follow where the query has none itself. */
static void sql_plan_note_needs(const struct sql_table *t, sqlite3_index_info *plan, int of)
{
	unsigned *needs = &t->database->needs;
	const char *argument = of < 0 ? NULL : sql_plan_literal(plan, of);
	*needs |= table_needs(t->table, of < 0 || argument ? argument : "?") | t->table->wants;
	if (of >= 0 && !argument && t->table->needs_with)
		*needs |= STAGE_ALL;
	for (int i = 0; i < t->table->column_count; i++)
		if (is_wanted_column(t, plan->colUsed, i))
			*needs |= t->table->columns[i].stages | t->table->columns[i].wants;
}

/* Returns the access method for a condition of the plan; 0: none. Rows are looked up by columns as
   SQLite compares texts where the query does not say otherwise. */
static int sql_plan_access(const struct sql_table *t, sqlite3_index_info *plan, int condition)
{
	int column = plan->aConstraint[condition].iColumn;
	if (plan->aConstraint[condition].op != SQLITE_INDEX_CONSTRAINT_EQ)
		return 0;
	if (column == ARGUMENT_COLUMN)
		return BY_ARGUMENT;
	if (column == sql_hidden_column(t->table, HIDDEN_NUMBER))
		return BY_NUMBER;
	column -= OWN_COLUMNS;
	if (column >= t->table->column_count || !sql_index_has(t->table, column)
	    || strcmp(sqlite3_vtab_collation(plan, condition), "BINARY") != 0)
		return 0;
	return t->table->columns[column].kind == VALUE_ADDRESS ? BY_ADDRESS : BY_COLUMN;
}

#if SQLITE_VERSION_NUMBER >= 3038000
/* Requests LIMIT and OFFSET as arguments, unless a condition chooses among the rows. */
static void sql_plan_first(sqlite3_index_info *plan)
{
	for (int i = 0; i < plan->nConstraint; i++)
		if (plan->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_LIMIT
		    && plan->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_OFFSET)
			return;
	for (int i = 0; i < plan->nConstraint; i++)
		plan->aConstraintUsage[i].argvIndex = i + 1;
}

/* Lets this module sort the rows of a query that groups or orders by a column whose texts many rows
   share: each text is then compared once, not in each row. Of rows in the order of a number it
   finds the first. */
static void sql_plan_order(const struct sql_table *t, sqlite3_index_info *plan)
{
	int column = plan->nOrderBy == 1 ? plan->aOrderBy->iColumn - OWN_COLUMNS : -1;
	if (plan->idxNum || column < 0 || column >= t->table->column_count || t->table->tree
	    || !sql_folded_has(&t->table->columns[column]) || sqlite3_vtab_distinct(plan) > 1)
		return;
	sql_plan_first(plan);
	plan->orderByConsumed = 1;
	plan->idxNum |= (column + 1) << SORTED_SHIFT | (plan->aOrderBy->desc ? DESCENDING : 0);
}
#endif

/* Lets equal rows be read once if the query reads their number. */
static bool sql_plan_fold(const struct sql_table *t, sqlite3_index_info *plan)
{
	int equal_rows = sql_hidden_column(t->table, HIDDEN_EQUAL);
	if (equal_rows >= 63 || plan->colUsed >> equal_rows != 1) /* or their numbers differ */
		return false;
	sqlite3_uint64 columns = plan->colUsed & ((1ULL << equal_rows) - 1);
	plan->idxNum |= FOLDED;
	plan->idxStr = sqlite3_mprintf("%llu", columns >> OWN_COLUMNS);
	plan->needToFreeIdxStr = plan->idxStr != NULL;
	return true;
}

/* Takes the condition that there is no argument. Returns true if a plan without one answers all
   that the query asks of the argument: the rows of other arguments are not among those of a scan,
   so that a condition on it other than = would find none of them. */
static bool sql_plan_without_argument(const struct sql_table *t, sqlite3_index_info *plan,
                                      int place)
{
	if (t->table->argument && *t->table->argument != '[')
		return false;
	for (int i = 0; i < plan->nConstraint; i++)
		if (plan->aConstraint[i].iColumn == ARGUMENT_COLUMN && plan->aConstraint[i].usable
		    && plan->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_ISNULL) {
			plan->aConstraintUsage[i].argvIndex = place;
			return true;
		}
	return !(plan->colUsed >> ARGUMENT_COLUMN & 1);
}

int sql_plan_best_index(sqlite3_vtab *vtab, sqlite3_index_info *plan)
{
	const struct sql_table *t = (struct sql_table *)vtab;
	int best = 0, of = -1;
	bool unusable = false;
	for (int i = 0; i < plan->nConstraint; i++) {
		int access = sql_plan_access(t, plan, i);
		unusable |= access == BY_ARGUMENT && !plan->aConstraint[i].usable;
		if (!access || !plan->aConstraint[i].usable || (best && access > best))
			continue;
		best = access;
		of = i;
	}
	if (best != BY_ARGUMENT && (unusable || !sql_plan_without_argument(t, plan, of < 0 ? 1 : 2)))
		return SQLITE_CONSTRAINT;
	if (of >= 0) {
		plan->aConstraintUsage[of].argvIndex = 1;
		plan->aConstraintUsage[of].omit = best == BY_ARGUMENT;
	}
	bool one = best == BY_NUMBER || best == BY_ADDRESS;
	plan->idxNum = best;
	plan->idxStr = (char *)(uintptr_t)access_names[best];
	if (best >= BY_ADDRESS)
		plan->idxNum |= (plan->aConstraint[of].iColumn - OWN_COLUMNS + 1) << SORTED_SHIFT;
	plan->estimatedRows = one ? COST_ONE : best ? COST_SOME : COST_ALL;
	plan->estimatedCost = (double)plan->estimatedRows;
	sql_plan_note_needs(t, plan, best == BY_ARGUMENT ? of : -1);
	if (sql_plan_fold(t, plan))
		return SQLITE_OK;
#if SQLITE_VERSION_NUMBER >= 3038000
	sql_plan_order(t, plan);
#endif
	return SQLITE_OK;
}
