/* All tables of many dumps as files for databases: a directory for each dump, with a CSV file for
   each table. A directory gets its name when it is complete. */
#include "main/exporter.h"
#include "main/output.h"
#include "main/table_sources.h"
#include "main/writer.h"

#include "base/text.h"
#include "exe/image.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 1 << 16, WINDOWS = 16 }; /* samples that identify a dump */

/* The identification of a dump, repeated in each row. */
struct tables_dump {
	struct buf id, host, time, build;
	struct buf folder, part; /* its directory, and the temporary name of that */
};

struct tables_export {
	const struct options *options;
	struct table_sources sources;
	struct buf out; /* of the current file */
	bool stop;      /* nothing more can be written */
};

static const char *const tables_first[] = {"dump_id", "host", "dump_time", "build_id"};
enum { FIRST = sizeof tables_first / sizeof *tables_first };

/* ---- Identification */

/* Returns an FNV-1a hash, which is stable across runs, as a name must be. */
static uint64_t tables_hash(uint64_t hash, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 0x100000001b3;
	return hash;
}

/* Hashes the size of a file and samples of its contents. False: errno. */
static bool tables_sample(int fd, uint64_t size, uint64_t *hash)
{
	uint8_t window[WINDOW];
	*hash = tables_hash(0xcbf29ce484222325, (const uint8_t *)&size, sizeof size);
	for (uint64_t i = 0; i < WINDOWS; i++) {
		ssize_t got = pread(fd, window, sizeof window, (off_t)(size / WINDOWS * i));
		if (got < 0)
			return false;
		*hash = tables_hash(*hash, window, (size_t)got);
	}
	return true;
}

static const char *tables_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void tables_add_time(time_t seconds, struct buf *out)
{
	struct tm utc;
	char text[64];
	if (gmtime_r(&seconds, &utc) && strftime(text, sizeof text, "%FT%TZ", &utc))
		buf_add(out, text);
}

/* Fills the identification of a dump. False: *err. */
static bool tables_name(const struct tables_export *e, const char *path, struct tables_dump *dump,
                        uint64_t *bytes, struct err *err)
{
	struct stat info;
	uint64_t hash;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is_file = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
	bool read = is_file && tables_sample(fd, (uint64_t)info.st_size, &hash);
	int failure = errno;
	if (fd >= 0)
		close(fd);
	if (!read)
		return err_set(err, "%s", fd >= 0 && !is_file ? "It is not a file" : strerror(failure));
	/* Dumps do not record a host: the directory that contains them stands for it. */
	char *whole = realpath(path, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
	if (slash) {
		*slash = 0;
		text_add_escaped(&dump->host, tables_base(whole), strlen(tables_base(whole)), FILENAME_MAX);
	}
	free(whole);
	hash = tables_hash(hash, (const uint8_t *)buf_text(&dump->host), dump->host.len);
	text_add_escaped(&dump->id, tables_base(path), strlen(tables_base(path)), FILENAME_MAX);
	buf_addf(&dump->id, "-%08x", (unsigned)(hash ^ hash >> 32));
	buf_addf(&dump->folder, "%s/%s", e->options->file, buf_text(&dump->id));
	buf_addf(&dump->part, "%s/.%s.part", e->options->file, buf_text(&dump->id));
	tables_add_time(info.st_mtime, &dump->time);
	*bytes = (uint64_t)info.st_size;
	return true;
}

/* Appends the build ID that the Go linker stores in a note of the executable. */
static void tables_add_build(const struct names *names, struct buf *out)
{
	struct image_section note;
	enum { HEADER = 16 }; /* three lengths, and "Go" */
	if (!names || !names->exe || !image_section(exe_image(names->exe), ".note.go.buildid", &note)
	    || !note.data || note.size <= HEADER)
		return;
	const char *text = (const char *)note.data + HEADER;
	text_add_escaped(out, text, strnlen(text, note.size - HEADER), FILENAME_MAX);
}

static void tables_complete(struct tables_dump *dump, const struct analysis *analysis)
{
	uint64_t ended = export_time(analysis_heap(analysis)) / 1000000000;
	tables_add_build(analysis_names(analysis), &dump->build);
	if (!ended)
		return;
	buf_clear(&dump->time);
	tables_add_time((time_t)ended, &dump->time);
}

/* ---- Files */

static bool tables_begin(const struct buf *folder, const char *name, const char *end,
                         struct err *err)
{
	struct buf path = {0};
	buf_addf(&path, "%s/%s%s", buf_text(folder), name, end);
	bool begun = output_begin(buf_text(&path), err);
	buf_free(&path);
	return begun;
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
	struct buf before = {0};
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
	buf_free(&before);
	return writes && (result == SQLITE_DONE || sql_database_fail(database, err));
}

/* Writes a table. A table that the dump lacks is empty, with a message. */
static bool tables_add_table(struct tables_export *e, const struct tables_dump *dump,
                             struct sql_database *database, const struct table_source *source)
{
	struct buf query = {0}, name = {0};
	struct err err = {0};
	bool is_in = table_source_is_in(source, database->analysis);
	table_source_add_name(source, &name);
	table_source_add_query(source, &query);
	bool begun = tables_begin(&dump->part, buf_text(&name), ".csv", &err);
	if (begun) {
		tables_add_head(e, source);
		sqlite3_stmt *row = is_in ? sql_database_prepare(database, buf_text(&query), &err) : NULL;
		if (row)
			tables_add_rows(e, dump, database, row, &err);
		sqlite3_finalize(row);
		if (err.set) {
			struct buf about = {0};
			buf_addf(&about, "%s: left empty", buf_text(&dump->id));
			err_tell(&err, buf_text(&about));
			buf_free(&about);
		}
		begun = output_end(&e->out, STATUS_ANSWERED) == STATUS_ANSWERED;
	} else {
		complain(NULL, &err);
	}
	e->stop = !begun;
	buf_free(&query);
	buf_free(&name);
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
	struct progress progress = {.cancel = false};
	bool ok = sql_database_open(&database, analysis, err);
	database.progress = &progress;
	for (size_t i = 0; ok && i < e->sources.count; i++)
		ok = tables_add_table(e, dump, &database, &e->sources.source[i]);
	sql_database_close(&database);
	return ok;
}

static enum status tables_write_dump(struct tables_export *e, const char *path,
                                     struct tables_dump *dump)
{
	struct err err = {0};
	struct analysis *analysis = open_dump(path, e->options->exe, e->sources.needs);
	if (!analysis)
		return STATUS_FAILED;
	const char *part = buf_text(&dump->part);
	tables_complete(dump, analysis);
	tables_clear(part);
	bool made = mkdir(part, 0700) == 0;
	if (!made)
		err_set(&err, "The folder %.200s cannot be made: %s", part, strerror(errno));
	bool ok = made && tables_add_all(e, dump, analysis, &err);
	if (ok && rename(part, buf_text(&dump->folder)) != 0)
		ok = err_set(&err, "The folder %.200s cannot be named: %s", part, strerror(errno));
	if (made && !ok)
		tables_clear(part);
	e->stop |= !made;
	if (err.set)
		complain(NULL, &err);
	return close_dump(analysis, e->options, ok ? STATUS_ANSWERED : STATUS_FAILED);
}

static enum status tables_add_dump(struct tables_export *e, const char *path)
{
	struct tables_dump dump = {0};
	struct stat info;
	struct err err = {0};
	uint64_t bytes;
	enum status status = STATUS_ANSWERED;
	if (!tables_name(e, path, &dump, &bytes, &err))
		status = complain(path, &err);
	else if (stat(buf_text(&dump.folder), &info) == 0)
		fprintf(stderr, "goheapx: %s is there already.\n", buf_text(&dump.folder));
	else
		status = tables_write_dump(e, path, &dump);
	buf_free(&dump.id);
	buf_free(&dump.host);
	buf_free(&dump.time);
	buf_free(&dump.build);
	buf_free(&dump.folder);
	buf_free(&dump.part);
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

static enum status tables_write_schema(struct tables_export *e)
{
	const struct buf folder = {.data = (char *)(uintptr_t)e->options->file,
	                           .len = strlen(e->options->file)};
	const struct column *column;
	const char *name;
	struct err err = {0};
	if (!tables_begin(&folder, "schema", ".sql", &err))
		return complain(NULL, &err);
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
	return output_end(&e->out, STATUS_ANSWERED);
}

/* Prints the amount of work and the expected output size, which is extrapolated from dumps of 5 and
   of 262 MB. */
static void tables_tell(const struct tables_export *e)
{
	uint64_t bytes = 0;
	struct buf text = {0};
	struct stat info;
	for (size_t i = 0; i < e->options->operand_count; i++)
		bytes += stat(e->options->operands[i], &info) == 0 ? (uint64_t)info.st_size : 0;
	text_add_number_of(&text, e->options->operand_count, "dump", "dumps");
	buf_add(&text, ", ");
	text_add_size(&text, bytes);
	fprintf(stderr,
	        "goheapx: %s; the tables of a dump that is not compressed take about 6 to 10 times as "
	        "much.\n",
	        buf_text(&text));
	buf_free(&text);
}

static enum status tables_write(const struct options *options)
{
	struct tables_export e = {.options = options};
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
	enum status status = tables_write_schema(&e);
	e.stop = status != STATUS_ANSWERED;
	for (size_t i = 0; !e.stop && i < options->operand_count; i++) {
		enum status one = tables_add_dump(&e, options->operands[i]);
		status = one > status ? one : status;
	}
	return status;
}

static const struct exporter exporter_tables = {
	.rank = 42,
	.name = "tables",
	.help = "all tables of many dumps as CSV, for databases",
	.about =
		"All operands are dumps. The folder that -o names gets one for each, called as the file "
		"with a number by its contents and its host, and schema.sql. Tables are those of sqlite; "
		"each row begins with dump_id; host, the name of the folder that the dump lies in, as "
		"dumps do not say where they were written; dump_time, when its last collection ended, "
		"else when the file was written; and build_id, if there is an executable. A dump whose "
		"folder is there is left out, and one that cannot be read is said and the others go on.",
	.takes = EXPORT_FOLDER,
	.write_folder = tables_write,
};
PLUGIN(exporters, exporter_tables);
