/* goheapx export: writes a dump in a format of another tool. */
#include "main/commands.h"
#include "main/exporter.h"
#include "main/output.h"
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

static const struct exporter *find_exporter(const char *name, struct err *err)
{
	struct nearest nearest = {.wanted = name ? name : ""};
	struct buf names = {0}, meant = {0};
	for (size_t i = 0; exporters[i]; i++) {
		if (name && strcmp(exporters[i]->name, name) == 0)
			return buf_free(&names), exporters[i];
		buf_addf(&names, "%s%s", i ? ", " : "", exporters[i]->name);
		nearest_see(&nearest, exporters[i]->name);
	}
	nearest_add_meant(&nearest, "", &meant);
	if (name)
		err_set(err, "There is no format \"%.40s\" to export%s; there are %s", name,
		        buf_text(&meant), buf_text(&names));
	else
		err_set(err, "Say what to write: --format with one of %s", buf_text(&names));
	buf_free(&names);
	buf_free(&meant);
	return NULL;
}

static bool export_read_request(const struct exporter *exporter, const struct options *options,
                                struct export_request *request, struct err *err)
{
	request->limit = options->limit;
	request->depth = options->depth;
	for (size_t i = 1; i < options->operand_count; i++)
		buf_addf(&request->argument, "%s%s", i > 1 ? " " : "", options->operands[i]);
	const char *argument = buf_text(&request->argument);
	if (exporter->takes == EXPORT_GRAPH && !*argument)
		return err_set(err, "Say of which object: export --format %s DUMP 0xc000012340",
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

static enum status write_export(const struct exporter *exporter,
                                const struct export_request *request, const struct options *options)
{
	struct analysis *analysis = open_dump(options->operands[0], options->exe, exporter->needs);
	if (analysis)
		analysis_set_parts(analysis, true); /* other tools show all objects */
	struct err err = {0};
	struct buf out = {0};
	if (!analysis)
		return STATUS_FAILED;
	bool written = format_has(analysis_heap(analysis)->format, exporter->parts, &err)
	               && output_begin(options->file, &err)
	               && exporter->write(analysis, request, &out, &err);
	enum status status = written || !err.set ? output_end(&out, STATUS_ANSWERED)
	                                         : complain(NULL, &err);
	if (!written)
		output_drop();
	buf_free(&out);
	return close_dump(analysis, options, status);
}

enum status run_export(const struct options *options)
{
	struct err err = {0};
	struct export_request request = {0};
	const struct exporter *exporter = find_exporter(options->format, &err);
	bool ok = exporter && export_fits(exporter, options, &err);
	if (ok && exporter->write_folder)
		return exporter->write_folder(options);
	ok = ok && export_read_request(exporter, options, &request, &err);
	enum status status = ok ? write_export(exporter, &request, options) : complain(NULL, &err);
	breakdown_query_fini(&request.query);
	buf_free(&request.argument);
	return status;
}
