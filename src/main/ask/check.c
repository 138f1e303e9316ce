/* goheapx check: tests assertions about a dump, for scripts. */
#include "main/commands.h"
#include "main/options/inputs.h"
#include "main/print/output.h"
#include "main/print/writer.h"

#include "analysis/input_state.h"
#include "analysis/series.h"
#include "base/mem.h"
#include "table/query/assertion.h"

#include <stdlib.h>
#include <string.h>

struct assertions {
	struct assertion **assertion;
	size_t count, capacity;
};

/* Parses the assertions of --assert, one per line. */
static bool check_command_parse(struct assertions *list, const char *lines, struct err *err)
{
	while (*lines) {
		SCOPED_BUF line = {0};
		size_t length = 0;
		while (lines[length] && lines[length] != '\n')
			length++;
		buf_add_bytes(&line, lines, length);
		struct assertion *assertion = assertion_new(buf_text(&line), err);
		if (!assertion)
			return false;
		MEM_PUSH(list->assertion, list->count, list->capacity, assertion);
		lines += length + (lines[length] == '\n');
	}
	return list->count > 0 || err_set(err, "Give an assertion: --assert 'bytes() < 1 GB'");
}

/* Measures again what does not hold: where to look is named with its type, which the measure may
   not have needed. */
static bool check_command_place(const struct assertions *list, struct analysis *analysis,
                                struct err *err)
{
	if (!analysis_run(analysis, STAGE_TYPED, err))
		return false;
	for (size_t i = 0; i < list->count; i++)
		if (!assertion_holds(list->assertion[i])
		    && !assertion_measure(list->assertion[i], analysis, err))
			return false;
	return true;
}

static bool check_command_measure(const struct assertions *list, struct analysis *analysis,
                                  bool *hold, struct err *err)
{
	*hold = true;
	for (size_t i = 0; i < list->count; i++) {
		if (!assertion_measure(list->assertion[i], analysis, err))
			return false;
		*hold &= assertion_holds(list->assertion[i]);
	}
	return *hold || check_command_place(list, analysis, err);
}

/* Reports the names that are in no dump. Returns true if there are any. */
static bool tell_absent(const struct assertions *list)
{
	bool any = false;
	for (size_t i = 0; i < list->count; i++)
		for (const char *line = assertion_absent(list->assertion[i]); *line; any = true) {
			SCOPED_BUF text = {0};
			size_t length = strcspn(line, "\n");
			buf_add_bytes(&text, line, length);
			err_tell_text(buf_text(&text), NULL);
			line += length + 1;
		}
	return any;
}

static bool tell_empty(const struct assertions *list)
{
	bool any = false;
	for (size_t i = 0; i < list->count; i++) {
		struct err err = {0};
		if (!assertion_is_empty(list->assertion[i]))
			continue;
		err_set(&err,
		        "No row matches the filter of %.200s, so it proves nothing; correct the filter, or "
		        "accept it with --allow-empty",
		        assertion_text(list->assertion[i]));
		complain(NULL, &err);
		any = true;
	}
	return any;
}

static bool tell_not_whole(const struct analysis *analysis)
{
	struct err err = {0};
	const struct series *series = analysis_series(analysis);
	bool whole = input_is_whole(analysis);
	for (size_t i = 0; series && i < series->count; i++)
		whole &= input_is_whole(series_older(analysis, i));
	if (whole)
		return false;
	err_set(&err, "The file is incomplete, and the complete one may give other results; --lenient "
	              "accepts these");
	complain(NULL, &err);
	return true;
}

static enum status check_assertions(const struct assertions *list, const struct options *options)
{
	struct inputs inputs;
	struct err err = {0};
	bool hold;
	unsigned stages = STAGE_READ;
	for (size_t i = 0; i < list->count; i++)
		stages |= assertion_needs(list->assertion[i]);
	inputs_init(&inputs, options->operands, options);
	struct analysis *analysis = inputs_open(&inputs, options, stages, true);
	inputs_fini(&inputs);
	if (!analysis)
		return STATUS_FAILED;
	enum status status = STATUS_FAILED;
	if (check_command_measure(list, analysis, &hold, &err)) {
		struct buf out = {0};
		struct rows *rows = assertions_rows(list->assertion, list->count);
		writer_print(options->output, rows, NULL, NULL, list->count, &out);
		rows_close(rows);
		status = output_end(&out, hold ? STATUS_ANSWERED : STATUS_NONE);
		/* The answer means nothing if nothing was counted or the input is damaged. */
		bool absent = tell_absent(list) && options->strict;
		bool empty = !options->allow_empty && tell_empty(list);
		bool cut = !options->lenient && tell_not_whole(analysis);
		if (absent || empty || cut)
			status = STATUS_FAILED;
	} else
		complain(NULL, &err);
	return close_dump(analysis, options, status);
}

enum status run_check(const struct options *options)
{
	struct assertions list = {0};
	struct err err = {0};
	enum status status = check_command_parse(&list, buf_text(&options->asserts), &err)
	                         ? check_assertions(&list, options)
	                         : complain(NULL, &err);
	for (size_t i = 0; i < list.count; i++)
		assertion_free(list.assertion[i]);
	free(list.assertion);
	return status;
}
