/* Tables can be open while the analysis runs. A cell has its final value after the stages of its
   table and column, unless other stages improve the column: it reads no unfinished results. */
#include "analysis/analysis.h"
#include "cmocka_all.h"

#include "base/mem.h"
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

#define DUMP "testdata/go1.24.4-small.dump.xz"
enum { ROWS = 100, MOST_TABLES = 200 };

/* Returns the cells of the first rows. Styles and links are computed, too: they must not read
   unfinished results either. */
static char **texts_of(const struct table *table, struct analysis *analysis, size_t *count)
{
	struct err err = {0};
	char **texts = NULL;
	size_t capacity = 0;
	*count = 0;
	struct rows *rows = rows_open(table, analysis, NULL, &err);
	for (size_t row = 0; rows && row < rows->count && row < ROWS; row++) {
		SCOPED_BUF link = {0};
		if (table->style)
			table->style(rows, row);
		rows_link(rows, row, &link);
		for (int column = 0; column < table->column_count; column++) {
			SCOPED_BUF text = {0};
			rows_text(rows, row, column, &text);
			texts = mem_grow(texts, *count, &capacity, sizeof *texts);
			texts[(*count)++] = mem_strdup(buf_text(&text));
		}
	}
	rows_close(rows);
	return texts;
}

/* Returns true for a cell whose stage is not finished, and for a name that may still be found. */
static bool is_to_come(const char *text)
{
	return !*text || strcmp(text, "not yet") == 0;
}

static bool needs_argument(const struct table *table)
{
	return table->argument && *table->argument != '[';
}

static unsigned stages_of(const struct table *table)
{
	return table_needs(table, NULL) | table->wants;
}

static void compare(const struct table *table, char **early, size_t before, char **late,
                    size_t after)
{
	if (before != after)
		fail_msg("%s: %zu cells at first, %zu at the end", table->name, before, after);
	for (size_t i = 0; i < after; i++) {
		const struct column *column = &table->columns[i % (size_t)table->column_count];
		if (!column->wants && !is_to_come(early[i]) && strcmp(early[i], late[i]) != 0)
			fail_msg("%s.%s: \"%s\" at first, \"%s\" at the end", table->name, column->name,
			         early[i], late[i]);
		free(early[i]);
		free(late[i]);
	}
	free(early);
	free(late);
}

/* Compares the cells of all tables that require these stages. */
static void check_tables(unsigned stages)
{
	struct analysis *analysis = analysis_new(DUMP, NULL);
	struct err err = {0};
	char **early[MOST_TABLES];
	size_t before[MOST_TABLES];
	assert_true(analysis_run(analysis, stages, &err));
	for (size_t i = 0; tables[i]; i++)
		if (!needs_argument(tables[i]) && stages_of(tables[i]) == stages)
			early[i] = texts_of(tables[i], analysis, &before[i]);
	assert_true(analysis_run(analysis, STAGE_ALL, &err));
	for (size_t i = 0; tables[i]; i++)
		if (!needs_argument(tables[i]) && stages_of(tables[i]) == stages) {
			size_t after;
			char **late = texts_of(tables[i], analysis, &after);
			compare(tables[i], early[i], before[i], late, after);
		}
	analysis_free(analysis);
}

TEST(cells_do_not_change)
{
	unsigned checked[MOST_TABLES];
	size_t count = 0;
	for (size_t i = 0; tables[i]; i++) {
		size_t k = 0;
		assert_true(i < MOST_TABLES);
		while (k < count && checked[k] != stages_of(tables[i]))
			k++;
		if (k == count)
			check_tables(checked[count++] = stages_of(tables[i]));
	}
}

/* What goroutines wait for is known after STAGE_LINKED. */
TEST(waits_come_with_references)
{
	struct analysis *analysis = analysis_new(DUMP, NULL);
	struct err err = {0};
	assert_true(analysis_run(analysis, STAGE_READ, &err));
	assert_null(analysis_waits(analysis));
	assert_true(analysis_run(analysis, STAGE_LINKED, &err));
	assert_true(analysis_waits(analysis)->case_count > 0);
	analysis_free(analysis);
}
