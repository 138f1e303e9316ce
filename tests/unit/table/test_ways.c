/* A dump that is asked in several ways at once, with parts and without, by several kinds of
   retained size, gives each the answers that it gives when it is asked in that way only. */
#include "analysis/analysis.h"
#include "cmocka_all.h"

#include "analysis/series.h"
#include "base/mem.h"
#include "table/table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define OLDER "testdata/drift/go1.19-drift-1.dump.xz"
#define DUMP  "testdata/drift/go1.19-drift-3.dump.xz"
enum { ROWS = 30, MOST_TABLES = 200 };

static const struct way {
	bool parts;
	enum retain retain;
} way[] = {{false, RETAIN_COUNT},    {true, RETAIN_COUNT},  {false, RETAIN_STRONGEST},
           {true, RETAIN_STRONGEST}, {false, RETAIN_ALIVE}, {true, RETAIN_WEAK}};
enum { WAYS = sizeof way / sizeof *way };

static struct analysis *opened(void)
{
	struct analysis *analysis = analysis_new(DUMP, NULL), *older = analysis_new(OLDER, NULL);
	struct err err = {0};
	assert_true(analysis_run(analysis, STAGE_READ, &err) && analysis_run(older, STAGE_READ, &err));
	assert_true(series_add(analysis, older, &err));
	assert_true(analysis_run(analysis, STAGE_ALL, &err));
	return analysis;
}

static const struct analysis *in_way(const struct analysis *analysis, size_t i)
{
	return analysis_with_retain(analysis_with_parts(analysis, way[i].parts), way[i].retain);
}

static bool needs_argument(const struct table *table)
{
	return table->argument && *table->argument != '[';
}

static void add_row(const struct rows *rows, size_t row, struct buf *out)
{
	SCOPED_BUF link = {0};
	for (int column = 0; column < rows->table->column_count; column++) {
		rows_text(rows, row, column, out);
		buf_add_char(out, '\t');
	}
	rows_link(rows, row, &link);
	buf_addf(out, "%s\n", buf_text(&link));
}

/* Appends the rows of a table to the texts of all ways, one row of each at a time. */
static void add_in_turn(const struct table *table, const struct analysis *analysis,
                        struct buf text[WAYS])
{
	struct rows *rows[WAYS];
	for (size_t i = 0; i < WAYS; i++) {
		rows[i] = rows_open(table, in_way(analysis, i), NULL, NULL);
		buf_addf(&text[i], "%s %zu\n", table->name, rows[i] ? rows[i]->count : 0);
	}
	for (size_t row = 0; row < ROWS; row++)
		for (size_t i = 0; i < WAYS; i++)
			if (rows[i] && row < rows[i]->count)
				add_row(rows[i], row, &text[i]);
	for (size_t i = 0; i < WAYS; i++)
		rows_close(rows[i]);
}

struct answers {
	const struct analysis *analysis;
	struct buf text;
};

static void *answers_of_all(void *self)
{
	struct answers *answers = self;
	for (size_t t = 0; tables[t]; t++) {
		if (needs_argument(tables[t]))
			continue;
		struct rows *rows = rows_open(tables[t], answers->analysis, NULL, NULL);
		buf_addf(&answers->text, "%s %zu\n", tables[t]->name, rows ? rows->count : 0);
		for (size_t row = 0; rows && row < rows->count && row < ROWS; row++)
			add_row(rows, row, &answers->text);
		rows_close(rows);
	}
	return NULL;
}

static void compare(const char *alone, const char *among, size_t i)
{
	while (strcmp(alone, among) != 0) {
		size_t length = strcspn(alone, "\n"), other = strcspn(among, "\n");
		if (length != other || strncmp(alone, among, length) != 0)
			fail_msg("parts %d, retain %d: \"%.*s\" alone, \"%.*s\" among others", way[i].parts,
			         way[i].retain, (int)length, alone, (int)other, among);
		alone += length + 1; /* both have another line */
		among += other + 1;
	}
}

TEST(each_way_of_asking_has_its_own_answers)
{
	struct analysis *shared = opened();
	struct buf in_turn[WAYS] = {{0}};
	struct answers beside[WAYS] = {{0}};
	pthread_t thread[WAYS];
	for (size_t t = 0; tables[t]; t++)
		if (!needs_argument(tables[t]))
			add_in_turn(tables[t], shared, in_turn);
	for (size_t i = 0; i < WAYS; i++) {
		beside[i].analysis = in_way(shared, i);
		pthread_create(&thread[i], NULL, answers_of_all, &beside[i]);
	}
	for (size_t i = 0; i < WAYS; i++)
		pthread_join(thread[i], NULL);
	analysis_free(shared);
	for (size_t i = 0; i < WAYS; i++) {
		struct analysis *own = opened();
		struct answers alone = {in_way(own, i), {0}};
		answers_of_all(&alone);
		compare(buf_text(&alone.text), buf_text(&in_turn[i]), i);
		compare(buf_text(&alone.text), buf_text(&beside[i].text), i);
		analysis_free(own);
		buf_free(&alone.text);
		buf_free(&in_turn[i]);
		buf_free(&beside[i].text);
	}
}

/* Else the test above would compare equal things. */
TEST(the_ways_differ)
{
	struct analysis *analysis = opened();
	size_t count[WAYS];
	for (size_t i = 0; i < WAYS; i++) {
		const struct analysis *asked = in_way(analysis, i);
		struct rows *rows = rows_open(table_find("types"), asked, NULL, NULL);
		count[i] = rows->count;
		rows_close(rows);
		assert_int_equal(analysis_parts(asked), way[i].parts);
		assert_int_equal(analysis_parts(series_older(asked, 0)), way[i].parts);
		assert_int_equal(analysis_retain(series_older(asked, 0)), analysis_retain(asked));
	}
	assert_true(count[0] < count[1]);
	assert_int_equal(count[0], count[2]);
	assert_int_equal(analysis_owner_retain(in_way(analysis, 0)), RETAIN_STRONGEST);
	assert_int_equal(analysis_owner_retain(in_way(analysis, 4)), RETAIN_ALIVE);
	analysis_free(analysis);
}
