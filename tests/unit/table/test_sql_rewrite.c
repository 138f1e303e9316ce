/* Which queries read equal rows once, and what they then are. */
#include "cmocka_all.h"

#include "table/query/sql_rewrite.h"

static const struct {
	const char *query, *rewritten; /* NULL: it is left as it is */
} rewritings[] = {
	{"SELECT type, count(*) FROM objects GROUP BY type",
     "SELECT type, coalesce(sum(\"equal rows\"),0) AS \"count(*)\" FROM objects GROUP BY type"},
	{"select 1+Sum( size )  n from objects having max(size) > 2 ;",
     "select 1+sum(size*\"equal rows\")  n from objects having max(CASE WHEN \"equal rows\" THEN "
     "size END) > 2 ;"},
	{"SELECT count(DISTINCT type) AS of FROM objects ORDER BY of",
     "SELECT count(DISTINCT type) AS of FROM objects ORDER BY of"},
	{"SELECT DISTINCT type FROM objects WHERE type LIKE 'it''s (%' LIMIT 5",
     "SELECT DISTINCT type FROM objects WHERE type LIKE 'it''s (%' LIMIT 5"},
	{"SELECT type FROM objects", NULL},
	{"SELECT * FROM objects GROUP BY type", NULL},
	{"SELECT type, max(size, 2) FROM objects GROUP BY type", NULL},
	{"SELECT max(size, 2) FROM objects", NULL},
	{"SELECT count(*), address FROM objects", NULL},
	{"SELECT count(*), \"address\" FROM objects", NULL},
	{"SELECT count(*), rowid FROM objects", NULL},
	{"SELECT count(*) + rowid FROM objects", NULL},
	{"SELECT rowid, count(*) FROM objects", NULL},
	{"SELECT count(*) AND rowid FROM objects", NULL},
	{"SELECT count(*) rowid FROM objects WHERE rowid > 5", NULL},
	{"SELECT sum(size) * rowid FROM objects", NULL},
	{"SELECT size * count(*), CASE WHEN size > 2 THEN 1 END big, 'a' b FROM objects GROUP BY size",
     "SELECT size * coalesce(sum(\"equal rows\"),0) AS \"size * count(*)\", CASE WHEN size > 2 "
     "THEN "
     "1 END big, 'a' b FROM objects GROUP BY size"},
	{"SELECT count(*), random() FROM objects", NULL},
	{"SELECT group_concat(type) FROM objects GROUP BY size", NULL},
	{"SELECT sum(type) FROM objects", NULL},
	{"SELECT sum(size + 1) FROM objects", NULL},
	{"SELECT sum(DISTINCT size) FROM objects", NULL},
	{"SELECT count(*) OVER () FROM objects", NULL},
	{"SELECT count(*) OVER w FROM objects WINDOW w AS ()", NULL},
	{"SELECT count(*) FILTER (WHERE size > 2) FROM objects", NULL},
	{"SELECT count(*) FROM objects, types", NULL},
	{"SELECT count(*) FROM objects JOIN types", NULL},
	{"SELECT count(*) FROM objects('unreachable')", NULL},
	{"SELECT count(*) FROM objects o", NULL},
	{"SELECT count(*) FROM objects WHERE argument = 'unreachable'", NULL},
	{"SELECT count(*) FROM objects UNION SELECT 1", NULL},
	{"SELECT count(*) FROM objects WHERE size IN (SELECT size FROM objects)", NULL},
	{"SELECT (SELECT count(*) FROM objects)", NULL},
	{"WITH a AS (SELECT 1) SELECT count(*) FROM objects", NULL},
	{"SELECT count(*) FROM objects -- GROUP", NULL},
	{"SELECT count(*) FROM objects; SELECT 1", NULL},
	{"SELECT count(*) FROM nothing", NULL},
	{"EXPLAIN SELECT count(*) FROM objects", NULL},
	{"SELECT count(*", NULL},
	{"SELECT 'open, count(*) FROM objects", NULL},
	{"", NULL},
};

TEST(only_what_is_known_is_rewritten)
{
	for (size_t i = 0; i < sizeof rewritings / sizeof *rewritings; i++) {
		SCOPED_BUF out = {0};
		bool done = sql_rewrite(rewritings[i].query, &out);
		if (done != (rewritings[i].rewritten != NULL))
			fail_msg("%s: %s", rewritings[i].query, done ? buf_text(&out) : "left as it is");
		if (done)
			assert_string_equal(buf_text(&out), rewritings[i].rewritten);
	}
}
