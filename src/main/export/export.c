/* goheapx export, and :export of the explorer: writes a dump in a format of another tool. */
#include "analysis/analysis.h"
#include "format/format.h"
#include "heap/heap.h"
#include "main/commands.h"
#include "main/export/exporter.h"
#include "main/print/output.h"
#include "table/naming/nearest.h"

#include <string.h>
#include <unistd.h>

enum { MOST_EXPORTERS = 32 };

const struct exporter *exporters[MOST_EXPORTERS];

PLUGINS(exporters);

static unsigned exporter_rank(const void *exporter)
{
	return ((const struct exporter *)exporter)->rank;
}

__attribute__((constructor)) static void list_exporters(void)
{
	plugins_list(PLUGINS_OF(exporters), exporter_rank, (const void **)exporters, MOST_EXPORTERS);
}

uint64_t export_time(const struct heap *heap)
{
	for (size_t i = 0; i < MEMSTATS_FIELDS; i++)
		if (strcmp(memstats_names[i], "LastGC") == 0)
			return heap->memstats.field[i];
	return 0;
}

/* The records of a run are adjacent; objects without contents have none. */
bool export_next_object(const struct heap *heap, const struct objects_run_view *run,
                        uint32_t object, uint64_t *at, struct object_record *record)
{
	if (!heap_has(heap, PART_MEMORY))
		return heap_object(heap, object, record);
	bool same = heap->format->object(heap->reader, *at, record) && record->size == run->size;
	*at = record->end;
	return same;
}

/* Returns the exporter with a name, else the one whose name is the suffix of the file's name. */
static const struct exporter *find_exporter(const char *name, const char *file, bool tree,
                                            struct err *err)
{
	struct nearest nearest = {.wanted = name ? name : ""};
	SCOPED_BUF names = {0}, meant = {0};
	const char *dot = file ? strrchr(file, '.') : NULL, *wanted = name || !dot ? name : dot + 1;
	for (size_t i = 0; exporters[i]; i++) {
		const char *own = tree ? exporters[i]->tree_of : exporters[i]->name;
		const char *former = exporters[i]->former;
		if (wanted
		    && ((own && strcmp(own, wanted) == 0) || (former && strcmp(former, wanted) == 0)))
			return buf_free(&names), exporters[i];
		if (tree ? !own : exporters[i]->tree_of != NULL)
			continue;
		buf_addf(&names, "%s%s", names.len ? ", " : "", own);
		nearest_see(&nearest, own);
	}
	nearest_add_meant(&nearest, "", &meant);
	if (name)
		err_set(err, "There is no format \"%.40s\" to export%s%s; there are %s", name,
		        tree ? " with --tree" : "", buf_text(&meant), buf_text(&names));
	else
		err_set(err, "Name the format, or a file that ends in one, such as heap.hprof: %s",
		        buf_text(&names));
	return NULL;
}

static bool export_read_request(const struct exporter *exporter, const struct options *options,
                                struct export_request *request, struct err *err)
{
	request->limit = options->limit;
	request->depth = (uint32_t)options->depth;
	for (size_t i = 1; i < options->operand_count; i++)
		buf_addf(&request->argument, "%s%s", i > 1 ? " " : "", options->operands[i]);
	const char *argument = buf_text(&request->argument);
	if (exporter->takes == EXPORT_GRAPH && !*argument)
		return err_set(err, "Name an object, as in: export --format %s DUMP 0xc000012340",
		               exporter->name);
	return exporter->takes != EXPORT_BREAKDOWN
	       || (breakdown_query_parse(&request->query, argument, err)
	           && (!options->cutoff
	               || breakdown_query_set_least(&request->query, options->cutoff, err)));
}

/* Returns the first option or operand that an exporter does not take; NULL: none. */
static const char *export_refuses(const struct exporter *exporter, const struct options *options)
{
	enum export_takes takes = exporter->takes;
	if (takes == EXPORT_WHOLE && options->operand_count > 1)
		return "further arguments";
	if (takes != EXPORT_BREAKDOWN && options->cutoff)
		return "--cutoff";
	if (takes != EXPORT_GRAPH && options->limit != SIZE_MAX)
		return "--limit";
	return takes != EXPORT_GRAPH && options->depth ? "--depth" : NULL;
}

/* Returns true if the exporter takes all options and can write to the output. */
static bool export_fits(const struct exporter *exporter, const struct options *options,
                        struct err *err)
{
	const char *file = options->file, *refused = export_refuses(exporter, options);
	if (refused && exporter->takes == EXPORT_WHOLE)
		return err_set(err, "%s is written for the whole dump: it takes no %s", exporter->name,
		               refused);
	if (refused)
		return err_set(err, "%s takes no %s", exporter->name, refused);
	if (exporter->binary && (!file || strcmp(file, "-") == 0) && isatty(STDOUT_FILENO))
		return err_set(err, "%s is not text: name a file with -o", exporter->name);
	return true;
}

/* Returns false with *err if there is nothing to complete the output with. */
static bool export_write(const struct exporter *exporter, const struct analysis *analysis,
                         const struct export_request *request, struct buf *out, struct err *err)
{
	output_watch(&request->progress->cancel);
	exporter->write(analysis_with_parts(analysis, !exporter->whole), request, out, err);
	if (atomic_load(&request->progress->cancel))
		err_set(err, "The export was given up");
	output_watch(NULL);
	return !err->set;
}

bool export_make(const struct analysis *analysis, const struct file_request *file,
                 struct progress *progress, struct buf *told, struct err *err)
{
	const struct exporter *exporter =
		find_exporter(*file->format ? file->format : NULL, file->path, false, err);
	struct export_request request = {
		.limit = SIZE_MAX, .folder = file->path, .progress = progress, .told = told};
	SCOPED_BUF out = {0};
	if (!exporter)
		return false;
	bool folder = exporter->takes == EXPORT_FOLDER;
	if (exporter->takes == EXPORT_GRAPH && !*file->about)
		return err_set(err, "%s draws one object, and there is none on this row: go to one",
		               exporter->name);
	if (exporter->takes == EXPORT_GRAPH)
		buf_add(&request.argument, file->about);
	progress_begin(progress, "exporting", 0);
	bool done =
		(folder ? output_is_new : output_begin_new)(file->path, err)
		&& (analysis_has(analysis, exporter->needs | STAGE_READ)
	        || err_set(err, "%s needs results that are still being computed; try again later",
	                   exporter->name))
		&& format_has(analysis_heap(analysis)->format, exporter->parts, err)
		&& (exporter->takes != EXPORT_BREAKDOWN || breakdown_query_parse(&request.query, "", err))
		&& export_write(exporter, analysis, &request, &out, err)
		&& (folder || output_finish(&out, err));
	output_drop();
	breakdown_query_fini(&request.query);
	buf_free(&request.argument);
	return done;
}

const char *export_format(size_t number)
{
	size_t i = 0;
	for (; exporters[i]; i++)
		if (exporters[i]->write && !number--)
			return exporters[i]->name;
	return NULL;
}

static enum status write_export(const struct exporter *exporter, struct export_request *request,
                                const struct options *options)
{
	struct analysis *analysis = open_dump(&(struct opening){.options = options,
	                                                        .dump = options->operands[0],
	                                                        .stages = exporter->needs,
	                                                        .hide = options->redact});
	struct progress progress = {.cancel = false};
	struct err err = {0};
	SCOPED_BUF out = {0}, told = {0};
	if (!analysis)
		return STATUS_FAILED;
	request->progress = &progress;
	request->told = &told;
	bool written = format_has(analysis_heap(analysis)->format, exporter->parts, &err)
	               && output_begin(options->file, &err)
	               && export_write(exporter, analysis, request, &out, &err);
	for (char *line = told.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		err_tell_text(line, NULL);
	}
	enum status status = written ? output_end(&out, STATUS_ANSWERED) : complain(NULL, &err);
	output_drop();
	return close_dump(analysis, options, status);
}

enum status run_export(const struct options *options)
{
	struct err err = {0};
	struct export_request request = {0};
	const struct exporter *exporter =
		find_exporter(options->format, options->file, options->tree, &err);
	bool ok = exporter && export_fits(exporter, options, &err);
	if (ok && exporter->write_folder)
		return exporter->write_folder(options);
	ok = ok && export_read_request(exporter, options, &request, &err);
	enum status status = ok ? write_export(exporter, &request, options) : complain(NULL, &err);
	breakdown_query_fini(&request.query);
	buf_free(&request.argument);
	return status;
}
