/* goheapx DUMP: the explorer on a terminal, or with commands without one. */
#include "heap/objects.h"
#include "main/commands.h"
#include "main/export/exporter.h"
#include "main/options/inputs.h"
#include "main/print/writer.h"
#include "main/ticket/redact_command.h"
#include "main/ticket/ticket.h"
#include "ui/app.h"
#include "ui/script.h"

static const struct explorer_writers explore_writers = {
	.print = writer_collect,
	.report = ticket_make,
	.redact = redact_make,
	.export = export_make,
	.export_format = export_format,
};

static int run_script(struct analysis **analysis, const struct options *options)
{
	const struct script_options screen = {
		.width = options->width,
		.height = options->height,
		.ascii = options->ascii,
		.marks = options->marks,
		.writers = explore_writers,
	};
	SCOPED_BUF text = {0};
	struct err err = {0};
	int status = STATUS_FAILED;
	buf_add(&text, buf_text(&options->commands));
	if (options->script && !script_load(&text, options->script, &err))
		complain(NULL, &err);
	else
		status = script_run(analysis, buf_text(&text), &screen);
	return status;
}

/* Opens the dumps. A single dump is read while the screen is shown; of several, the newest must be
   found first. */
static struct analysis *explore_open(const struct options *options)
{
	struct inputs inputs;
	struct analysis *analysis;
	inputs_init(&inputs, options->operands, options);
	if (!inputs_repeat(&inputs, options)) {
		inputs_fini(&inputs);
		return NULL;
	}
	if (inputs.count > 1 || options->since.len)
		analysis = inputs_open(&inputs, options, STAGE_READ, false);
	else
		analysis = open_dump(&(struct opening){
			.options = options, .dump = options->operands[0], .exe = inputs.exe, .later = true});
	inputs_fini(&inputs);
	return analysis;
}

enum status run_explore(const struct options *options)
{
	const struct app_options screen = {
		.ascii = options->ascii,
		.no_color = options->no_color,
		.no_mouse = options->no_mouse,
		.fresh = options->fresh,
		.listen = options->listen,
		.writers = explore_writers,
	};
	bool scripted = options->script || options->commands.len;
	struct err err = {0};
	if (scripted && options->listen) {
		err_set(&err, "--listen is for the explorer on a terminal, not for -e and --script");
		return complain(NULL, &err);
	}
	struct analysis *analysis = explore_open(options);
	if (!analysis)
		return STATUS_FAILED;
	int status = scripted ? run_script(&analysis, options) : app_run(&analysis, &screen);
	if (scripted && analysis_has(analysis, STAGE_READ))
		tell_state(analysis);
	return close_dump(analysis, options, (enum status)status);
}
