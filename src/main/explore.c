/* goheapx DUMP: the explorer, on the terminal or, with commands, without one. */
#include "main/commands.h"
#include "main/writer.h"
#include "ui/app.h"
#include "ui/script.h"

static int run_script(struct analysis **analysis, const struct options *options)
{
	const struct script_options screen = {
		.width = options->width,
		.height = options->height,
		.ascii = options->ascii,
		.marks = options->marks,
		.print = writer_collect,
	};
	struct buf text = {0};
	struct err err = {0};
	int status = STATUS_FAILED;
	buf_add(&text, buf_text(&options->commands));
	if (options->script && !script_load(&text, options->script, &err))
		complain(NULL, &err);
	else
		status = script_run(analysis, buf_text(&text), &screen);
	buf_free(&text);
	return status;
}

enum status run_explore(const struct options *options)
{
	const struct app_options screen = {
		.ascii = options->ascii,
		.no_color = options->no_color,
		.no_mouse = options->no_mouse,
		.print = writer_collect,
	};
	struct err err = {0};
	if (!process_allowed(options->operands[0], &err))
		return complain(NULL, &err);
	struct analysis *analysis = analysis_new(options->operands[0]);
	analysis_use_executable(analysis, options->exe ? options->exe : options->operands[1]);
	bool scripted = options->script || options->commands.len;
	int status = scripted ? run_script(&analysis, options) : app_run(&analysis, &screen);
	if (scripted && analysis_has(analysis, STAGE_READ))
		tell_state(analysis);
	return close_dump(analysis, options, (enum status)status);
}
