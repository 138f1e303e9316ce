/* goheapx path: prints what keeps objects alive. A path consists of rows of the table path. */
#include "analysis/other_roots.h"
#include "base/text.h"
#include "main/commands.h"
#include "main/print/json.h"
#include "main/print/output.h"
#include "main/print/writer.h"
#include "table/cell.h"
#include "table/naming/argument.h"
#include "table/naming/step.h"
#include "table/paths/path_common.h"
#include "table/paths/path_kinds.h"
#include "table/paths/path_place.h"
#include "table/tables/path.h"

#include <inttypes.h>

enum { PATHS = 10 }; /* default of --limit */

struct request {
	const struct analysis *analysis;
	struct path_kinds *kinds;
	uint32_t object;
	uint64_t address;
	bool weak;  /* only weak roots or weak references reach it */
	bool later; /* something was printed before it */
	const struct path_named *named;
	struct other_roots others; /* all roots that reach it */
	size_t limit, found;
	struct buf out, cell;
	struct json json;
	struct columns columns, of_objects; /* of a step: for the root, and for objects */
};

/* A printed form of paths; a NULL member prints nothing. */
struct path_form {
	void (*begin)(struct request *request);
	void (*start)(struct request *request, const struct rows *rows);
	void (*step)(struct request *request, const struct rows *rows, size_t row);
	void (*finish)(struct request *request, const struct rows *rows);
	void (*end)(struct request *request);
	bool folds; /* equal consecutive steps have one row */
};

static const struct path *path_command_next(struct request *request)
{
	if (request->found >= request->limit)
		return NULL;
	const struct path *path = path_kinds_get(request->kinds, request->found, NULL);
	request->found += path != NULL;
	return path;
}

/* Returns a cell, or the whole path as one expression; valid until the next call. */
static const char *path_cell(struct request *request, const struct rows *rows, size_t row,
                             const char *column)
{
	buf_clear(&request->cell);
	rows_text(rows, row, table_column(rows->table, column), &request->cell);
	return buf_text(&request->cell);
}

static const char *path_expression(struct request *request, const struct rows *rows)
{
	const struct path_rows *of = rows->data;
	buf_clear(&request->cell);
	step_add_path(rows->analysis, of->path, &request->cell);
	return buf_text(&request->cell);
}

/* Returns true if only weak references lead to the object, not weak roots. */
static bool request_is_by_reference(const struct request *request)
{
	return reach_is_by_reference(analysis_reach(request->analysis), request->object);
}

/* ---- Text: a line per step. * marks dominators, followed by their retained size */

static void path_text_start(struct request *request, const struct rows *rows)
{
	struct buf *out = &request->out;
	size_t steps =
		path_steps_number(((const struct path_rows *)rows->data)->steps, rows->count - 1);
	if (request->named->count && request->found == 1)
		buf_addf(out, "%sThe shortest path of %s of %s objects, such as 0x%" PRIx64 ":",
		         request->later ? "\n" : "", text_count(request->named->alike).text,
		         text_count(request->named->count).text, request->address);
	buf_addf(out, "%sPath %zu to 0x%" PRIx64 ", %s %s from %s",
	         request->found > 1 || request->later || request->named->count ? "\n" : "",
	         request->found, request->address, text_count(steps).text,
	         steps == 1 ? "step" : "steps",
	         !request->weak                     ? "the root"
	         : request_is_by_reference(request) ? "the root, through a weak reference"
	                                            : "a weak root");
	size_t alike = path_kinds_alike(request->kinds, request->found - 1);
	if (alike > 1) {
		buf_addf(out, ", one of %s%s alike", text_count(alike).text,
		         path_kinds_exhausted(request->kinds) ? "" : " or more");
	}
	buf_add(out, "; * is on every path\n");
}

/* Prints a step. The root's name contains the offset of the first object. */
static void path_text_step(struct request *request, const struct rows *rows, size_t row)
{
	static const char *const texts[] = {"name", "type", "text"};
	struct buf *out = &request->out;
	bool dominator = rows_number(rows, row, "dominator").number;
	buf_add(out, dominator ? "* " : "  ");
	if (row == 0)
		buf_add(out, path_expression(request, rows));
	else
		buf_addf(out, "%-10s", row > 1 ? path_cell(request, rows, row, "offset") : "");
	if (row)
		buf_addf(out, "  %-16s", path_cell(request, rows, row, "address"));
	if (row)
		buf_addf(out, "  %9s", path_cell(request, rows, row, "size"));
	if (dominator)
		buf_addf(out, "  retains %s", path_cell(request, rows, row, "retained_bytes"));
	for (size_t i = 0; i < sizeof texts / sizeof *texts && row; i++) {
		const char *text = path_cell(request, rows, row, texts[i]);
		buf_addf(out, "%s%s", *text ? "  " : "", text);
	}
	buf_add_char(out, '\n');
}

static void path_text_finish(struct request *request, const struct rows *rows)
{
	const struct path *path = ((const struct path_rows *)rows->data)->path;
	struct other_roots others =
		other_roots_without(request->analysis, &request->others, path->root);
	buf_add(&request->out, "  ");
	other_roots_add(request->analysis, &others, &request->out);
	buf_add_char(&request->out, '\n');
}

static void path_text_end(struct request *request)
{
	if (request->found == request->limit && path_kinds_get(request->kinds, request->found, NULL))
		buf_add(&request->out, "\nThere are more paths: --limit N prints that many.\n");
	else if (request->found && !path_kinds_exhausted(request->kinds))
		buf_add(&request->out, "\nThe search was limited: there may be more paths.\n");
}

/* ---- JSON: an array of arrays. The root has the expression, objects have their properties */

static struct columns path_columns(const char *names)
{
	struct columns columns;
	struct err err = {0};
	columns_parse(&columns, table_find("path"), names, &err);
	return columns;
}

static void path_json_open(struct request *request)
{
	request->columns = path_columns("kind,address,offset,name,dominator,retained_bytes");
	request->of_objects = path_columns("size,type,text");
	json_open(&request->json, '[');
}

static void path_json_start(struct request *request, const struct rows *rows)
{
	(void)rows;
	json_line(&request->json);
	json_open(&request->json, '[');
}

/* Writes the kinds of roots other than the root of this path. */
static void path_json_also(struct request *request, const struct rows *rows)
{
	struct json *json = &request->json;
	const struct path *path = ((const struct path_rows *)rows->data)->path;
	struct other_roots others =
		other_roots_without(request->analysis, &request->others, path->root);
	json_open(json_key(json, "also"), '{');
	for (enum root_class c = 0; c < ROOT_CLASSES; c++)
		json_number(json_key(json, root_class_names[c]), others.count[c]);
	json_key(json, "timers");
	if (others.timers_unknown)
		json_none(json);
	else
		json_number(json, others.timers);
	json_close(json, '}');
}

static void path_json_step(struct request *request, const struct rows *rows, size_t row)
{
	struct json *json = &request->json;
	json_line(json);
	json_open(json, '{');
	json_cells(json, rows, row, &request->columns);
	if (row == 0) {
		json_text(json_key(json, "path"), path_expression(request, rows));
		json_number(json_key(json, "alike"), path_kinds_alike(request->kinds, request->found - 1));
		json_bool(json_key(json, "more"), !path_kinds_exhausted(request->kinds));
		if (request->named->count) {
			json_number(json_key(json, "objects"), request->named->count);
			json_number(json_key(json, "objects_alike"), request->named->alike);
		}
		path_json_also(request, rows);
	} else {
		json_cells(json, rows, row, &request->of_objects);
	}
	json_close(json, '}');
}

static void path_json_finish(struct request *request, const struct rows *rows)
{
	(void)rows;
	json_close(&request->json, ']');
}

static void path_json_end(struct request *request)
{
	json_close(&request->json, ']');
	buf_add_char(&request->out, '\n');
}

/* ---- CSV: a line per step, with the path's number first */

static void path_csv_begin(struct request *request)
{
	request->columns = path_columns("step,kind,address,offset,name,dominator,retained_bytes");
	if (!request->later)
		buf_add(&request->out, "way,step,kind,address,offset,name,dominator,retained_bytes\r\n");
}

static void path_csv_step(struct request *request, const struct rows *rows, size_t row)
{
	buf_addf(&request->out, "%zu,", request->found);
	csv_row(&request->out, rows, row, &request->columns);
}

static const struct path_form path_forms[] = {
	[OUTPUT_TEXT] = {.start = path_text_start,
                     .step = path_text_step,
                     .finish = path_text_finish,
                     .end = path_text_end,
                     .folds = true},
	[OUTPUT_JSON] = {.begin = path_json_open,
                     .start = path_json_start,
                     .step = path_json_step,
                     .finish = path_json_finish,
                     .end = path_json_end},
	[OUTPUT_CSV] = {.begin = path_csv_begin, .step = path_csv_step},
};

/* Prints a path. False: the output has failed. */
static bool path_print_one(struct request *request, const struct path *path,
                           const struct path_form *form)
{
	struct path_dominators dominators;
	struct path_steps steps;
	struct path_rows of = {path, &dominators, &steps};
	bool ok = true;
	path_rows_dominators(request->analysis, path, &dominators);
	path_steps_init(&steps, request->analysis, path);
	if (form->folds)
		path_steps_fold(&steps, request->analysis, path, &dominators);
	struct rows rows = path_rows(request->analysis, &of);
	if (form->start)
		form->start(request, &rows);
	for (size_t row = 0; row < rows.count && ok; row++) {
		form->step(request, &rows, row);
		ok = output_some(&request->out);
	}
	if (form->finish)
		form->finish(request, &rows);
	path_dominators_fini(&dominators);
	path_steps_fini(&steps);
	return ok;
}

static void path_print(struct request *request, const struct path_form *form)
{
	const struct path *path;
	bool ok = true;
	if (form->begin)
		form->begin(request);
	/* Finds all paths to be shown, or all within the search limit, so that similar ones are
	   counted. */
	path_kinds_get(request->kinds, request->limit, NULL);
	other_roots_find(request->analysis, request->object, NULL, &request->others);
	while (ok && (path = path_command_next(request)))
		ok = path_print_one(request, path, form);
	if (ok && form->end)
		form->end(request);
}

/* Writes the answer about one of the objects. */
static enum status path_command_part(struct buf *out, enum status status)
{
	return output_part(out) ? status : STATUS_FAILED;
}

static enum status say_unknown(const struct analysis *analysis, enum output output)
{
	struct buf out = {0};
	struct err err = {0};
	if (output == OUTPUT_JSON)
		buf_add(&out, "null\n");
	reach_must_be_known(analysis, &err);
	return path_command_part(&out, complain(NULL, &err));
}

static enum status path_command_print(const struct analysis *analysis,
                                      const struct path_named *named, bool *printed,
                                      const struct options *options)
{
	uint32_t id = named->object;
	struct request request = {
		.analysis = analysis,
		.kinds = path_kinds_open(analysis, id),
		.object = id,
		.address = heap_address(analysis_heap(analysis), id),
		.weak = reach_is_weak(analysis_reach(analysis), id),
		.later = *printed,
		.named = named,
		.limit = options->limit == SIZE_MAX ? PATHS : options->limit,
	};
	request.json.out = &request.out;
	path_print(&request, &path_forms[options->output]);
	*printed |= options->output != OUTPUT_TEXT || request.found > 0;
	buf_free(&request.cell);
	bool reachable = reach_has(analysis_reach(analysis), id);
	if (!reachable && options->output == OUTPUT_TEXT) {
		struct err err = {0};
		if (request.weak)
			err_set(&err, "Only weak %s lead to 0x%" PRIx64 ": they keep nothing alive",
			        request_is_by_reference(&request) ? "references" : "roots", request.address);
		else
			err_set(&err, "No %s leads to 0x%" PRIx64, damage_any_root(analysis_heap(analysis)),
			        request.address);
		argument_absent(analysis_heap(request.analysis), DAMAGE_ROOTS, &err);
		complain(NULL, &err);
	}
	path_kinds_close(request.kinds);
	return path_command_part(&request.out, reachable ? STATUS_ANSWERED : STATUS_NONE);
}

static enum status path_command_answer(const struct analysis *analysis, const char *address,
                                       bool *printed, const struct options *options)
{
	struct err err = {0};
	struct buf none = {0};
	struct path_named named;
	if (!path_common_named(analysis, address, &named, &err)) {
		enum status status = complain(NULL, &err);
		buf_add(&none, status == STATUS_NONE && options->output == OUTPUT_JSON ? "[]\n" : "");
		return path_command_part(&none, status);
	}
	if (!analysis_has_roots(analysis))
		return say_unknown(analysis, options->output);
	return path_command_print(analysis, &named, printed, options);
}

/* Writes what stands before, between and after the lists of several objects in JSON. */
static void path_command_put(const struct options *options, const char *text)
{
	struct buf out = {0};
	if (!options->operands[2] || options->output != OUTPUT_JSON)
		return;
	buf_add(&out, text);
	output_part(&out);
}

/* Prints the answers one after the other; in JSON as a list of lists, if there are several. Ends
   with the first that fails; returns STATUS_NONE if one of them found nothing. */
enum status run_path(const struct options *options)
{
	char *const *addresses = options->operands + 1;
	/* The text of one object needs its dominators only. */
	bool one = !addresses[1] && options->output == OUTPUT_TEXT;
	unsigned stages = STAGE_DOMINATED | STAGE_TYPED;
	for (size_t i = 0; addresses[i]; i++)
		one = one && !path_place_may_be(addresses[i]);
	struct analysis *analysis = open_dump(&(struct opening){
		.options = options,
		.dump = options->operands[0],
		.stages = stages,
		.only = one ? addresses[0] : NULL,
		.names = (const char *const *)addresses,
	});
	if (!analysis)
		return STATUS_FAILED;
	enum status status = STATUS_ANSWERED;
	bool printed = false;
	for (size_t i = 0; addresses[i] && status != STATUS_FAILED; i++) {
		path_command_put(options, i ? "," : "[");
		enum status answer =
			path_command_answer(asked_with(analysis, options), addresses[i], &printed, options);
		if (answer == STATUS_FAILED)
			path_command_put(options, "null\n");
		if (answer != STATUS_ANSWERED)
			status = answer;
	}
	path_command_put(options, "]\n");
	return close_dump(analysis, options, output_end(&(struct buf){0}, status));
}
