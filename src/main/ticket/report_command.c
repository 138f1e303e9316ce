/* Reports (report/report.h) as subcommands: goheapx why ... Only the stages that the form requires
   run. */
#include "main/options/inputs.h"
#include "main/print/json.h"
#include "main/print/output.h"
#include "main/print/page_print.h"
#include "main/subcommand.h"
#include "report/report.h"
#include "table/naming/operand.h"
#include "table/paths/path_place.h"

bool report_build(const struct report *report, struct page *page, const char *argument,
                  struct err *err)
{
	if (!report->open(page, argument, err))
		return false;

	enum { NOT_YET, DONE, FAILED } prepared[REPORT_SECTIONS] = {0};
	for (size_t i = 0; report->sections[i].add; i++) {
		const struct report_section *section = &report->sections[i];
		size_t first = report_first_alike(report, i);
		if (!report_has(page, section))
			continue;
		if (section->prepare && prepared[first] == NOT_YET)
			prepared[first] = section->prepare(page, NULL) ? DONE : FAILED;
		if (prepared[first] == FAILED && section->wait)
			section->wait(section, page, true);
		else
			section->add(page);
	}
	return true;
}

/* The default limit of rows on a page: a large array has millions, which the subcommand list
   prints. */
enum { MOST_ROWS = 10000 };

/* Prints the value of an argument that is a value and no object. False: nothing was printed. */
static bool report_tell_value(const struct analysis *analysis, const struct options *options,
                              struct buf *out)
{
	SCOPED_BUF text = {0};
	bool told = options->output != OUTPUT_CSV
	            && operand_tell(analysis, options->operands[1], &text);
	if (told && options->output == OUTPUT_JSON) {
		struct json json = {out, false};
		json_open(&json, '{');
		json_text(json_key(&json, "value"), buf_text(&text));
		json_close(&json, '}');
		buf_add_char(out, '\n');
	} else if (told) {
		buf_addf(out, "%s.\n", buf_text(&text));
	}
	return told;
}

static enum status report_print(const struct report *report, const struct analysis *analysis,
                                enum form form, const struct options *options)
{
	struct page page = {.analysis = analysis, .form = form, .limit = options->limit};
	if (page.limit == SIZE_MAX && form != FORM_CSV) /* CSV cannot say that there are more rows */
		page.limit = MOST_ROWS;
	struct buf out = {0};
	struct err err = {0};
	enum status status;
	if (report_build(report, &page, report->argument ? options->operands[1] : "", &err)) {
		page_print(&page, &out);
		status = output_end(&out, page.none ? STATUS_NONE : STATUS_ANSWERED);
	} else if (report->of_object && report_tell_value(analysis, options, &out)) {
		status = output_end(&out, STATUS_ANSWERED);
	} else {
		status = output_none(options->output, "null", &err);
	}
	report_close(report, &page);
	return status;
}

enum status print_report(const struct report *report, const struct options *options)
{
	static const enum form forms[] = {
		[OUTPUT_TEXT] = FORM_TEXT,
		[OUTPUT_JSON] = FORM_JSON,
		[OUTPUT_CSV] = FORM_CSV,
	};
	enum form form = forms[options->output];
	const char *exe = options->exe || report->argument ? options->exe : options->operands[1];
	unsigned stages = report_stages(report, form);
	const char *of = report->of_object ? options->operands[1] : NULL;
	bool several = of && path_place_may_be(of);
	const char *const names[] = {report->argument ? options->operands[1] : NULL, NULL};
	struct analysis *analysis = open_dump(&(struct opening){
		.options = options,
		.dump = options->operands[0],
		.exe = exe,
		.stages = stages,
		.only = !several && !options->since.len ? of : NULL,
		.names = names,
		.since = true,
	});
	if (!analysis)
		return STATUS_FAILED;
	if (stages == STAGE_ALL) /* the report then shows all of the first screen */
		analysis_sum_up(analysis);
	return close_dump(analysis, options,
	                  report_print(report, asked_with(analysis, options), form, options));
}
