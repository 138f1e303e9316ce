/* All tables of many dumps as files for databases: a directory for each dump, with a CSV file for
   each table. A directory gets its name when it is complete. */
#include "heap/objects.h"
#include "main/export/exporter.h"
#include "main/export/tables_dump.h"
#include "main/print/output.h"
#include "main/print/table_sources.h"
#include "main/print/writer.h"

#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tables_export {
	const struct options *options; /* NULL: in the explorer */
	const char *folder;
	struct table_sources sources;
	struct progress *progress; /* its cancel stops the export */
	struct buf *told;          /* lines about tables that are left empty; NULL: they are printed */
	struct buf out;            /* of the current file */
	bool stop;                 /* nothing more can be written */
};

static const char *const tables_first[] = {"dump_id", "host", "dump_time", "build_id"};
enum { FIRST = sizeof tables_first / sizeof *tables_first };

/* ---- Files */

static bool tables_begin(const struct buf *folder, const char *name, const char *end,
                         struct err *err)
{
	SCOPED_BUF path = {0};
	buf_addf(&path, "%s/%s%s", buf_text(folder), name, end);
	return output_begin(buf_text(&path), err);
}

static void tables_add_head(struct tables_export *e, const struct table_source *source)
{
	const struct column *column;
	const char *name;
	for (size_t i = 0; i < FIRST; i++)
		buf_addf(&e->out, "%s%s", i ? "," : "", tables_first[i]);
	for (int i = 0; (column = table_source_column(source, i, &name)); i++)
		buf_addf(&e->out, ",%s", name);
	buf_add(&e->out, "\n");
}

/* Appends a cell; NULL is a cell without quotes. */
static void tables_add_cell(struct buf *out, sqlite3_stmt *row, int column)
{
	int type = sqlite3_column_type(row, column);
	if (type == SQLITE_FLOAT)
		buf_addf(out, "%.17g", sqlite3_column_double(row, column));
	else if (type == SQLITE_INTEGER)
		buf_addf(out, "%lld", (long long)sqlite3_column_int64(row, column));
	else if (type != SQLITE_NULL)
		csv_quoted(out, (const char *)sqlite3_column_text(row, column));
}

/* Appends the rows of a table. False: *err, or the output has failed. */
static bool tables_add_rows(struct tables_export *e, const struct tables_dump *dump,
                            struct sql_database *database, sqlite3_stmt *row, struct err *err)
{
	const struct buf *first[FIRST] = {&dump->id, &dump->host, &dump->time, &dump->build};
	SCOPED_BUF before = {0};
	int result = SQLITE_ROW;
	bool writes = true;
	for (size_t i = 0; i < FIRST; i++) {
		buf_add(&before, i ? "," : "");
		csv_quoted(&before, buf_text(first[i]));
	}
	while (writes && (result = sqlite3_step(row)) == SQLITE_ROW) {
		buf_add_bytes(&e->out, before.data, before.len);
		for (int i = 0; i < sqlite3_column_count(row); i++) {
			buf_add_char(&e->out, ',');
			tables_add_cell(&e->out, row, i);
		}
		buf_add_char(&e->out, '\n');
		writes = output_some(&e->out);
	}
	return writes && (result == SQLITE_DONE || sql_database_fail(database, err));
}

/* Says why a table is left empty. */
static void tables_tell_empty(const struct tables_export *e, const struct tables_dump *dump,
                              struct err *why)
{
	SCOPED_BUF about = {0};
	if (e->told) {
		buf_addf(e->told, "left empty: %s\n", why->text);
		return;
	}
	buf_addf(&about, "%s: left empty", buf_text(&dump->id));
	err_tell(why, buf_text(&about));
}

/* Writes a table. A table that the dump lacks is empty, with a message. False: *err. */
static bool tables_add_table(struct tables_export *e, const struct tables_dump *dump,
                             struct sql_database *database, const struct table_source *source,
                             struct err *err)
{
	SCOPED_BUF query = {0}, name = {0};
	struct err why = {0};
	bool is_in = table_source_is_in(source, database->analysis);
	table_source_add_name(source, &name);
	table_source_add_query(source, &query);
	bool begun = tables_begin(&dump->part, buf_text(&name), ".csv", err);
	if (begun) {
		tables_add_head(e, source);
		sqlite3_stmt *row = is_in ? sql_database_prepare(database, buf_text(&query), &why) : NULL;
		if (row)
			tables_add_rows(e, dump, database, row, &why);
		sqlite3_finalize(row);
		if (why.set)
			tables_tell_empty(e, dump, &why);
		begun = output_finish(&e->out, err);
	}
	e->stop = !begun;
	return begun;
}

/* ---- Dumps */

/* Removes the remains of an interrupted export. */
static void tables_clear(const char *folder)
{
	DIR *open = opendir(folder);
	struct dirent *entry;
	while (open && (entry = readdir(open)))
		unlinkat(dirfd(open), entry->d_name, 0);
	if (open)
		closedir(open);
	rmdir(folder);
}

static bool tables_add_all(struct tables_export *e, struct tables_dump *dump,
                           const struct analysis *analysis, struct err *err)
{
	struct sql_database database = {0};
	bool ok = sql_database_open(&database, analysis, err);
	database.progress = e->progress;
	for (size_t i = 0; ok && i < e->sources.count; i++)
		ok = tables_add_table(e, dump, &database, &e->sources.source[i], err)
		     && (!atomic_load(&e->progress->cancel) || err_set(err, "The export was given up"));
	sql_database_close(&database);
	return ok;
}

/* Writes the tables of a dump into its folder. False: *err. */
static bool tables_fill_folder(struct tables_export *e, struct tables_dump *dump,
                               const struct analysis *analysis, struct err *err)
{
	const char *part = buf_text(&dump->part);
	tables_dump_complete(dump, analysis);
	tables_clear(part);
	bool made = mkdir(part, 0700) == 0;
	if (!made)
		err_set(err, "The folder %.200s cannot be made: %s", part, strerror(errno));
	bool ok = made && tables_add_all(e, dump, analysis, err);
	if (ok && rename(part, buf_text(&dump->folder)) != 0)
		ok = err_set(err, "The folder %.200s cannot be named: %s", part, strerror(errno));
	if (made && !ok)
		tables_clear(part);
	e->stop |= !made;
	return ok;
}

static enum status tables_write_dump(struct tables_export *e, const char *path,
                                     struct tables_dump *dump)
{
	struct err err = {0};
	struct analysis *analysis = open_dump(&(struct opening){.options = e->options,
	                                                        .dump = path,
	                                                        .stages = e->sources.needs,
	                                                        .hide = e->options->redact});
	if (!analysis)
		return STATUS_FAILED;
	bool ok = tables_fill_folder(e, dump, analysis, &err);
	if (err.set)
		complain(NULL, &err);
	return close_dump(analysis, e->options, ok ? STATUS_ANSWERED : STATUS_FAILED);
}

static enum status tables_add_dump(struct tables_export *e, const char *path)
{
	struct tables_dump dump = {0};
	struct stat info;
	struct err err = {0};
	enum status status = STATUS_ANSWERED;
	if (!tables_dump_name(&dump, path, e->folder, &err))
		status = complain(path, &err);
	else if (stat(buf_text(&dump.folder), &info) == 0)
		fprintf(stderr, "goheapx: %s is there already.\n", buf_text(&dump.folder));
	else
		status = tables_write_dump(e, path, &dump);
	tables_dump_fini(&dump);
	return status;
}

/* ---- Export */

/* Returns a type that both SQLite and DuckDB know; other databases use the headers of the files. */
static const char *tables_type(enum value_kind kind)
{
	if (kind == VALUE_TEXT || kind == VALUE_LIST || kind == VALUE_ADDRESS)
		return "TEXT";
	return kind == VALUE_SHARE || kind == VALUE_REAL ? "DOUBLE" : "BIGINT";
}

static bool tables_write_schema(struct tables_export *e, struct err *err)
{
	const struct buf folder = {.data = (char *)(uintptr_t)e->folder, .len = strlen(e->folder)};
	const struct column *column;
	const char *name;
	if (!tables_begin(&folder, "schema", ".sql", err))
		return false;
	for (size_t t = 0; t < e->sources.count; t++) {
		buf_add(&e->out, "CREATE TABLE IF NOT EXISTS \"");
		table_source_add_name(&e->sources.source[t], &e->out);
		buf_add(&e->out, "\" (");
		for (size_t i = 0; i < FIRST; i++)
			buf_addf(&e->out, "%s\"%s\" TEXT", i ? ", " : "", tables_first[i]);
		for (int i = 0; (column = table_source_column(&e->sources.source[t], i, &name)); i++)
			buf_addf(&e->out, ", \"%s\" %s", name, tables_type(column->kind));
		buf_add(&e->out, ");\n");
	}
	return output_finish(&e->out, err);
}

/* Prints the amount of work and the expected output size, which is extrapolated from dumps of 5 and
   of 262 MB. */
static void tables_tell(const struct tables_export *e)
{
	uint64_t bytes = 0;
	SCOPED_BUF text = {0};
	struct stat info;
	for (size_t i = 0; i < e->options->operand_count; i++)
		bytes += stat(e->options->operands[i], &info) == 0 ? (uint64_t)info.st_size : 0;
	text_add_number_of(&text, e->options->operand_count, "dump", "dumps");
	buf_addf(&text, ", %s", text_size(bytes).text);
	fprintf(stderr,
	        "goheapx: %s; the tables of a dump that is not compressed take about 6 to 10 times as "
	        "much.\n",
	        buf_text(&text));
}

static enum status tables_write(const struct options *options)
{
	struct progress progress = {.cancel = false};
	struct tables_export e = {.options = options, .folder = options->file, .progress = &progress};
	struct err err = {0};
	if (!options->file)
		return err_set(&err, "Name a folder with -o"), complain(NULL, &err);
	if (mkdir(options->file, 0700) != 0 && errno != EEXIST)
		return err_set(&err, "The folder %.200s cannot be made: %s", options->file,
		               strerror(errno)),
		       complain(NULL, &err);
	if (!table_sources_choose(&e.sources, NULL, &err))
		return complain(NULL, &err);
	tables_tell(&e);
	enum status status = tables_write_schema(&e, &err) ? STATUS_ANSWERED : complain(NULL, &err);
	e.stop = status != STATUS_ANSWERED;
	for (size_t i = 0; !e.stop && i < options->operand_count; i++) {
		enum status one = tables_add_dump(&e, options->operands[i]);
		status = one > status ? one : status;
	}
	return status;
}

/* Writes the same folder of the dump that is open. */
static bool tables_write_here(const struct analysis *analysis, const struct export_request *request,
                              struct buf *out, struct err *err)
{
	struct tables_export e = {
		.folder = request->folder, .progress = request->progress, .told = request->told};
	struct tables_dump dump = {0};
	SCOPED_BUF visible = {0};
	struct err none = {0};
	(void)out;
	text_add_escaped(&visible, e.folder, strlen(e.folder), 200);
	bool made =
		(tables_dump_name(&dump, analysis_path(analysis), e.folder, &none)
	     || err_set(err, "Rows of these tables say from which file they are, and this is no "
	                     "dump in a file"))
		&& table_sources_choose(&e.sources, NULL, err)
		&& (mkdir(e.folder, 0700) == 0
	        || (errno == EEXIST
	                ? err_set(err, "%s is there already: give another name", buf_text(&visible))
	                : err_set(err, "The folder %s cannot be made: %s", buf_text(&visible),
	                          strerror(errno))));
	bool ok = made && tables_write_schema(&e, err) && tables_fill_folder(&e, &dump, analysis, err);
	output_drop();
	if (made && !ok) {
		SCOPED_BUF schema = {0};
		buf_addf(&schema, "%s/schema.sql", e.folder);
		unlink(buf_text(&schema));
		rmdir(e.folder);
	}
	tables_dump_fini(&dump);
	return ok;
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_tables) = {
	.rank = 42,
	.name = "tables",
	.help = "all tables of many dumps as CSV, for databases",
	.about =
		"All operands are dumps. The folder that -o names gets one for each, called as the file "
		"with a number by its contents and its host, and schema.sql. Tables are those of sqlite; "
		"each row begins with dump_id; host, the name of the folder that the dump lies in, as "
		"dumps do not say where they were written; dump_time, when its last collection ended, "
		"else when the file was written; and build_id, if there is an executable. A dump whose "
		"folder is there is left out, and one that cannot be read is said and the others go on. In "
		"the explorer it is the "
		"dump that is open, into a new folder.",
	.takes = EXPORT_FOLDER,
	.whole = true,
	.needs = STAGE_ALL,
	.write = tables_write_here,
	.write_folder = tables_write,
};
