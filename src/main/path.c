/* goheapx path: what keeps an object alive. */
#include "base/text.h"
#include "main/commands.h"
#include "main/output.h"
#include "main/path_print.h"
#include "table/argument.h"
#include "table/cell.h"

#include <inttypes.h>

enum { WAYS = 10 }; /* unless --limit says otherwise */

struct request {
	const struct analysis *analysis;
	struct paths *paths;
	uint64_t address;
	bool weak; /* only weak roots lead to it */
	size_t limit, found;
	struct buf out;
};

static const struct path *path_command_next_way(struct request *request)
{
	if (request->found >= request->limit)
		return NULL;
	const struct path *path = paths_get(request->paths, request->found, NULL);
	request->found += path != NULL;
	return path;
}

static void add_head(struct request *request, size_t steps)
{
	buf_addf(&request->out, "Way %zu to 0x%" PRIx64 ", ", request->found, request->address);
	text_add_count(&request->out, steps);
	buf_addf(&request->out, " %s from %s root; * is what every way leads through\n",
	         steps == 1 ? "step" : "steps", request->weak ? "a weak" : "the");
}

static void say_unreachable(const struct request *request)
{
	struct err err = {0};
	err_set(&err,
	        request->weak ? "Only weak roots lead to 0x%" PRIx64 ": they keep nothing alive"
	                      : "No root in the dump leads to 0x%" PRIx64,
	        request->address);
	argument_absent(analysis_heap(request->analysis), DAMAGE_ROOTS, &err);
	complain(NULL, &err);
}

static enum status say_unknown(const struct analysis *analysis, enum output output)
{
	struct buf out = {0};
	struct err err = {0};
	if (output == OUTPUT_JSON)
		buf_add(&out, "null\n");
	reach_must_be_known(analysis, &err);
	return output_end(&out, complain(NULL, &err));
}

static void path_command_print_text(struct request *request)
{
	const struct path *path;
	bool ok = true;
	while (ok && (path = path_command_next_way(request))) {
		if (request->found > 1)
			buf_add_char(&request->out, '\n');
		add_head(request, path->count);
		ok = way_print_text(request->analysis, path, SIZE_MAX / 2, &request->out);
	}
	if (ok && request->found == request->limit && paths_get(request->paths, request->found, NULL))
		buf_add(&request->out, "\nThere are more ways: --limit N prints that many.\n");
}

static void path_command_print_json(struct request *request)
{
	struct json json = {&request->out, false};
	const struct path *path;
	bool ok = true;
	json_open(&json, '[');
	while (ok && (path = path_command_next_way(request))) {
		json_line(&json);
		ok = way_print_json(request->analysis, path, &json);
	}
	json_close(&json, ']');
	buf_add_char(&request->out, '\n');
}

static void path_command_print_csv(struct request *request)
{
	const struct path *path;
	bool ok = true;
	buf_add(&request->out, "way,step,kind,address,offset,name,dominator,retained_bytes\r\n");
	while (ok && (path = path_command_next_way(request)))
		ok = way_print_csv(request->analysis, path, request->found, &request->out);
}

static enum status print_ways(struct analysis *analysis, uint32_t id, const struct options *options)
{
	static void (*const print[])(struct request *) = {
		[OUTPUT_TEXT] = path_command_print_text,
		[OUTPUT_JSON] = path_command_print_json,
		[OUTPUT_CSV] = path_command_print_csv,
	};
	struct request request = {
		.analysis = analysis,
		.paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), id),
		.address = heap_address(analysis_heap(analysis), id),
		.weak = reach_is_weak(analysis_reach(analysis), id),
		.limit = options->limit == SIZE_MAX ? WAYS : options->limit,
	};
	print[options->output](&request);
	bool reachable = reach_has(analysis_reach(analysis), id);
	if (!reachable && options->output == OUTPUT_TEXT)
		say_unreachable(&request);
	paths_close(request.paths);
	return output_end(&request.out, reachable ? STATUS_ANSWERED : STATUS_NONE);
}

enum status run_path(const struct options *options)
{
	struct analysis *analysis =
		open_dump(options->operands[0], options->exe, STAGE_DOMINATED | STAGE_TYPED);
	struct err err = {0};
	uint32_t id;
	if (!analysis)
		return STATUS_FAILED;
	enum status status;
	if (!argument_object(analysis, options->operands[1], &id, &err))
		status = output_none(options->output, "[]", &err);
	else if (!analysis_reach(analysis)->known)
		status = say_unknown(analysis, options->output);
	else
		status = print_ways(analysis, id, options);
	return close_dump(analysis, options, status);
}
