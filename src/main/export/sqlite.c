/* All tables as an SQLite database file. */
#include "analysis/analysis.h"
#include "format/runtime.h"
#include "main/export/exporter.h"
#include "main/print/output.h"
#include "main/print/table_sources.h"

#include <string.h>

struct sqlite_export {
	const struct analysis *analysis;
	struct sql_database database;
	struct buf *told;
	struct err *err;
};

static bool sqlite_fail(const struct sqlite_export *e)
{
	int error = sqlite3_system_errno(e->database.db);
	if (error && sqlite3_errcode(e->database.db) != SQLITE_ERROR)
		return err_set(e->err, "The output cannot be written: %s", strerror(error));
	return sql_database_fail(&e->database, e->err);
}

static bool sqlite_run(const struct sqlite_export *e, const char *statement)
{
	return sqlite3_exec(e->database.db, statement, NULL, NULL, NULL) == SQLITE_OK || sqlite_fail(e);
}

static bool sqlite_run_buf(const struct sqlite_export *e, struct buf *statement)
{
	bool ok = sqlite_run(e, buf_text(statement));
	buf_clear(statement);
	return ok;
}

static const char *sqlite_type(enum value_kind kind)
{
	if (kind == VALUE_TEXT || kind == VALUE_LIST || kind == VALUE_ADDRESS)
		return "TEXT";
	return kind == VALUE_SHARE || kind == VALUE_REAL ? "REAL" : "INTEGER";
}

/* Returns true for columns that get an index: addresses and ids. Not the depth in a tree, and not
   the word of a reference, which accompanies the object that it points to: references are the most
   numerous rows. */
static bool sqlite_is_key(const struct table_source *source, const struct column *column,
                          const char *name)
{
	if (strcmp(name, "depth") == 0 || (source->of && strcmp(name, "target") == 0))
		return false;
	return column->kind == VALUE_ADDRESS || column->kind == VALUE_ID;
}

static bool sqlite_index(const struct sqlite_export *e, const struct table_source *source)
{
	SCOPED_BUF statement = {0};
	const struct column *column;
	const char *name;
	bool ok = true;
	for (int i = 0; ok && (column = table_source_column(source, i, &name)); i++) {
		if (!sqlite_is_key(source, column, name))
			continue;
		buf_add(&statement, "CREATE INDEX out.\"");
		table_source_add_name(source, &statement);
		buf_addf(&statement, "_%s\" ON \"", name);
		table_source_add_name(source, &statement);
		buf_addf(&statement, "\"(\"%s\")", name);
		ok = sqlite_run_buf(e, &statement);
	}
	return ok;
}

/* Runs an INSERT. A table that the dump lacks stays empty with a message, unless the file cannot be
   written. */
static bool sqlite_fill(const struct sqlite_export *e, const char *statement)
{
	struct err err = {0};
	int result = sqlite3_exec(e->database.db, statement, NULL, NULL, NULL);
	if (result == SQLITE_OK)
		return true;
	if (result != SQLITE_ERROR)
		return sqlite_fail(e);
	sql_database_fail(&e->database, &err);
	buf_addf(e->told, "left empty: %s\n", err.text);
	return true;
}

static bool sqlite_add_table(const struct sqlite_export *e, const struct table_source *source)
{
	SCOPED_BUF statement = {0};
	const struct column *column;
	const char *name;
	buf_add(&statement, "CREATE TABLE out.\"");
	table_source_add_name(source, &statement);
	for (int i = 0; (column = table_source_column(source, i, &name)); i++)
		buf_addf(&statement, "%s\"%s\" %s", i ? ", " : "\" (", name, sqlite_type(column->kind));
	buf_add(&statement, ")");
	bool ok = sqlite_run_buf(e, &statement);
	if (ok && table_source_is_in(source, e->analysis)) {
		buf_add(&statement, "INSERT INTO out.\"");
		table_source_add_name(source, &statement);
		buf_add(&statement, "\" ");
		table_source_add_query(source, &statement);
		ok = sqlite_fill(e, buf_text(&statement));
	}
	return ok;
}

/* Lets SQLite sort the keys of indices in a file without a name beside the output, in parts that
   fit into caches. Everything before is sorted in memory. */
static bool sqlite_sort_in_files(const struct sqlite_export *e, const char *path)
{
	const char *slash = strrchr(path, '/');
	int length = slash ? (int)(slash - path) + (slash == path) : 1;
	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory = sqlite3_mprintf("%.*s", length, slash ? path : ".");
	return sqlite_run(e, "PRAGMA temp_store = FILE");
}

static bool sqlite_add_indices(const struct sqlite_export *e, const struct table_sources *sources,
                               const char *path)
{
	bool ok = sqlite_sort_in_files(e, path);
	for (size_t i = 0; ok && i < sources->count; i++)
		ok = sqlite_index(e, &sources->source[i]);
	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory = NULL;
	return ok;
}

/* Attaches the output file, which is empty and has a temporary name. */
static bool sqlite_attach(struct sqlite_export *e, const char *path)
{
	sqlite3_stmt *statement = NULL;
	sqlite3 *db = e->database.db;
	struct buf name = {0}; /* a path that begins with ./ is no URI, even if it contains "file:" */
	buf_addf(&name, "%s%s", *path == '/' ? "" : "./", path);
	sqlite3_set_authorizer(db, NULL, NULL);
	bool ok = sqlite3_prepare_v2(db, "ATTACH ? AS out", -1, &statement, NULL) == SQLITE_OK
	          && sqlite3_bind_text(statement, 1, name.data, -1, SQLITE_STATIC) == SQLITE_OK
	          && sqlite3_step(statement) == SQLITE_DONE;
	sqlite3_finalize(statement);
	buf_free(&name);
	return ok || sqlite_fail(e);
}

static bool sqlite_write(const struct analysis *analysis, const struct export_request *request,
                         struct buf *out, struct err *err)
{
	struct sqlite_export e = {.analysis = analysis, .told = request->told, .err = err};
	struct table_sources sources;
	(void)out;
	if (!output_path())
		return err_set(err, "A database is written into a file: name one with -o");
	bool ok = table_sources_choose(&sources, NULL, err)
	          && sql_database_open(&e.database, analysis, err) && sqlite_attach(&e, output_path())
	          && sqlite_run(&e, "PRAGMA out.page_size = 32768; PRAGMA out.journal_mode = OFF;"
	                            "PRAGMA out.synchronous = OFF; BEGIN");
	e.database.progress = request->progress; /* some tables do their long work only with one */
	for (size_t i = 0; ok && i < sources.count; i++)
		ok = sqlite_add_table(&e, &sources.source[i]);
	ok = ok && sqlite_add_indices(&e, &sources, output_path()) && sqlite_run(&e, "COMMIT");
	sql_database_close(&e.database);
	return ok;
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_sqlite) = {
	.rank = 40,
	.name = "sqlite",
	.help = "all tables as a database file of SQLite",
	.about =
		"Tables and columns are those of list and sql, with indices on addresses and numbers of "
		"things; trees are there with all of their rows. references, frames and profile are there "
		"of all objects, " THREADS_WORD " and profiles, with a column that says of which.",
	.whole = true,
	.needs = STAGE_ALL,
	.binary = true,
	.write = sqlite_write,
};
