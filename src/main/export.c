/* goheapx export: what a dump holds, for another tool. */
#include "main/commands.h"
#include "main/exporter.h"
#include "main/output.h"
#include "table/nearest.h"

#include <string.h>

static const struct exporter *const exporters[] = {&exporter_chromium, NULL};

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

static bool parse_breakdown_query(const struct options *options, struct breakdown_query *query,
                                  struct err *err)
{
	struct buf argument = {0};
	for (size_t i = 1; i < options->operand_count; i++)
		buf_addf(&argument, "%s ", options->operands[i]);
	bool ok = breakdown_query_parse(query, buf_text(&argument), err)
	          && (!options->cutoff || breakdown_query_set_least(query, options->cutoff, err));
	buf_free(&argument);
	return ok;
}

static enum status export(const struct exporter *exporter, const struct breakdown_query *query,
                          const struct options *options) {
	struct analysis *analysis = open_dump(options->operands[0], options->exe, exporter->needs);
	struct err err = {0};
	struct buf out = {0};
	if (!analysis) return STATUS_FAILED;
	bool written = format_has(analysis->heap->format, exporter->parts, &err)
	               && exporter->write(analysis, query, &out, &err);
	enum status status = written || !err.set ? output_end(&out, STATUS_ANSWERED)
	                                         : complain(NULL, &err);
	buf_free(&out);
	return close_dump(analysis, options, status);
}

enum status run_export(const struct options *options)
{
	struct err err = {0};
	struct breakdown_query query = {0};
	const struct exporter *exporter = find_exporter(options->format, &err);
	bool ok = exporter && parse_breakdown_query(options, &query, &err);
	enum status status = ok ? export(exporter, &query, options) : complain(NULL, &err);
	breakdown_query_fini(&query);
	return status;
}
