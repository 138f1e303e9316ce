/* How every command opens a dump, and those of --since with it. */
#include "main/options/inputs.h"

#include "analysis/index.h"
#include "analysis/series.h"
#include "format/format.h"
#include "heap/heap.h"
#include "main/session/session.h"
#include "table/contents/object_set.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"

#include <string.h>

const struct analysis *asked_with(const struct analysis *analysis, const struct options *options)
{
	enum retain retain = RETAIN_COUNT;
	if (options->retain)
		retain_parse(options->retain, heap_has(analysis_heap(analysis), PART_WEAK), &retain);
	return analysis_with_retain(analysis_with_parts(analysis, options->parts), retain);
}

static struct analysis_options open_options(const struct opening *opening)
{
	const struct options *options = opening->options;
	return (struct analysis_options){
		.exe = opening->exe ? opening->exe : options->exe,
		.hide = options->hide || opening->hide,
		.hide_keys = opening->hide_keys,
		.index = opening->keeps      ? (options->index ? INDEX_FILE : INDEX_ALWAYS)
	             : options->no_cache ? INDEX_OFF
	             : options->index    ? INDEX_FILE
	                                 : INDEX_CACHE,
		.index_file = options->index,
		.input = options->input,
	};
}

static void tell_refusal(const struct names *names)
{
	struct err err = {.offset = ERR_NO_OFFSET};
	if (names && names->exe && *exe_debug_refused(names->exe))
		err_tell_text(exe_debug_refused(names->exe), NULL);
	if (!names || !names->wanted || names->exe)
		return;
	err_set(&err, "%s; going on without names", buf_text(&names->refused));
	complain(NULL, &err);
}

/* Runs the stages that come first. A named executable that does not fit is reported even if no
   stage needs it. False: an error was printed. */
static bool open_first(struct analysis *analysis, const struct opening *opening, const char *exe)
{
	struct err err = {0};
	unsigned stages = opening->first | STAGE_READ | (exe ? STAGE_NAMED : STAGE_NONE);
	if (process_allowed(opening->dump, opening->options, &err)
	    && (opening->later || analysis_run(analysis, stages, &err)))
		return true;
	tell_refusal(analysis_names(analysis));
	complain(analysis_about(analysis), &err);
	return false;
}

/* Returns true if a text is a set of objects, or names no single objects as far as that is known.
 */
static bool open_is_set(const struct analysis *analysis, const char *text)
{
	struct operand operand;
	if (object_set_begins(text))
		return true;
	if (operand_is_plain(text) || !analysis_has(analysis, STAGE_TYPED))
		return false;
	while (*text && operand_read(analysis, &text, &operand, NULL))
		;
	return *text;
}

static bool open_sets(struct analysis *analysis, const char *const *names, struct err *err)
{
	for (; names && *names; names++)
		if (open_is_set(analysis, *names)
		    && !analysis_run(analysis, operand_set_needs() | object_set_needs(*names), err))
			return false;
	return true;
}

/* Runs the other stages, and prints the warnings. */
static bool open_rest(struct analysis *analysis, const struct opening *opening)
{
	struct err err = {0};
	uint64_t address;
	unsigned stages = opening->look ? opening->look(opening->self, analysis) : opening->stages;
	const char *only = opening->only;
	if (only && strncmp(only, "0x", 2) == 0 && argument_address(only, &address))
		analysis_expect_only(analysis, heap_find(analysis_heap(analysis), address));
	bool done = analysis_run(analysis, stages, &err) && open_sets(analysis, opening->names, &err);
	tell_refusal(analysis_names(analysis));
	if (done)
		tell_state(analysis);
	else
		complain(analysis_about(analysis), &err);
	return done;
}

void since_tell_kind(const struct analysis *newer, const struct analysis *older)
{
	const char *why = series_differs_in_kind(newer, older);
	if (why)
		err_tell_text(why, analysis_path(older));
}

void since_tell_limits(const struct analysis *newer, const struct analysis *older)
{
	since_tell_kind(newer, older);
	struct err lacks = {0};
	if (!series_knows_reach(older, &lacks))
		err_tell(&lacks, NULL);
}

static bool since_add(struct analysis *analysis, const struct opening *opening)
{
	struct err err = {0};
	struct analysis *older = open_dump(opening);
	if (!older)
		return false;
	if (series_add(analysis, older, &err)) {
		since_tell_limits(analysis, older);
		return true;
	}
	complain(NULL, &err);
	analysis_free(older);
	return false;
}

bool open_since(struct analysis *analysis, const struct opening *opening)
{
	const char *lines = buf_text(&opening->options->since);
	struct opening older = *opening;
	bool added = true;
	older.since = false;
	while (added && *lines) {
		SCOPED_BUF path = {0};
		size_t length = strcspn(lines, "\n");
		buf_add_bytes(&path, lines, length);
		older.dump = buf_text(&path);
		added = since_add(analysis, &older);
		lines += length + 1;
	}
	return added;
}

struct analysis *open_dump(const struct opening *opening)
{
	const struct analysis_options options = open_options(opening);
	struct analysis *analysis = opening->later ? NULL : session_take(opening->dump, &options);
	if (!analysis)
		analysis = analysis_new(opening->dump, &options);
	if (open_first(analysis, opening, options.exe)
	    && (opening->later || open_rest(analysis, opening))
	    && (!opening->since || open_since(analysis, opening)))
		return analysis;
	analysis_free(analysis);
	return NULL;
}
