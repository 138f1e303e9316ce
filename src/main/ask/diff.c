/* goheapx diff: compares two dumps, preferably of one process. The differences by type of reachable
   memory add up to the total difference. */
#include "main/ask/diff.h"
#include "main/commands.h"
#include "main/options/inputs.h"
#include "main/print/output.h"

#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/cell.h"
#include "table/growth/delta.h"

enum { DIFF_STAGES = STAGE_REVERSED | STAGE_TYPED };

struct diff {
	const struct analysis *older, *newer;
	enum series_relation relation;
	bool by_name; /* the files do not tell which objects are the same */
	struct diff_list types;
	struct buf out;
	struct json json;
};

static uint64_t diff_reachable(const struct analysis *analysis)
{
	return analysis_reach(analysis)->bytes;
}

static bool diff_is_stuck(const struct diff *d, uint32_t thread)
{
	return d->relation == SERIES_PROCESS && series_thread_waits(d->newer, 0, thread);
}

static const char *const diff_compared[] = {
	[SERIES_PROCESS] = "place",
	[SERIES_PROGRAM] = "type",
	[SERIES_OTHER_PROGRAM] = "shape",
};

/* ---- JSON */

/* `lost`: threads that can never wake up; NULL: the runtime has none. */
static bool diff_json(struct diff *d, const struct rows *lost, struct err *err)
{
	const struct heap *heap = analysis_heap(d->newer);
	struct value grown = {0};
	d->json = (struct json){.out = &d->out};
	json_open(&d->json, '{');
	json_text(json_key(&d->json, "compared_by"), diff_compared[d->relation]);
	cell_delta(&grown, VALUE_BYTES, diff_reachable(d->older), diff_reachable(d->newer));
	json_value(json_key(&d->json, "reachable_delta"), &grown);
	diff_types_json(&d->types, &d->json);
	bool done = diff_tables_json(d->older, d->newer, d->relation, &d->json, err);
	json_open(json_key(&d->json, "lost"), '[');
	for (size_t i = 0; lost && i < lost->count; i++)
		json_number(&d->json, rows_number(lost, i, "id").number);
	json_close(&d->json, ']');
	json_open(json_key(&d->json, "stuck"), '[');
	for (uint32_t g = 0; g < heap->thread_count; g++)
		if (diff_is_stuck(d, g))
			json_number(&d->json, heap->threads[g].record.id);
	json_close(&d->json, ']');
	json_close(&d->json, '}');
	buf_add(&d->out, "\n");
	return done;
}

/* ---- Text */

static bool diff_text(struct diff *d, const struct rows *lost, struct err *err)
{
	const struct heap *heap = analysis_heap(d->newer);
	struct value grown = {0};
	size_t stuck = 0;
	if (d->relation != SERIES_PROCESS)
		buf_addf(
			&d->out,
			d->by_name
				? "compared   by %s: which objects of one are objects of the other cannot be told\n"
				: "compared   by %s: no object of one is an object of the other\n",
			diff_compared[d->relation]);
	cell_delta(&grown, VALUE_BYTES, diff_reachable(d->older), diff_reachable(d->newer));
	buf_add(&d->out, grown.negative ? "reachable  " : "reachable  +");
	value_add(&grown, &d->out);
	buf_add(&d->out, "\n");
	if (!diff_tables_text(d->older, d->newer, d->relation, &d->out, err))
		return false;
	diff_types_text(&d->types, &d->out);
	for (uint32_t g = 0; g < heap->thread_count; g++)
		stuck += diff_is_stuck(d, g);
	const struct runtime_words *words = heap_words(heap);
	if (!lost)
		return true;
	buf_addf(&d->out, "lost       %s%s can never wake up", lost->unknown ? "at least " : "",
	         text_number_of(lost->count, words->thread, words->threads).text);
	if (lost->unknown)
		buf_addf(&d->out, "; of %s it cannot be told",
		         text_number_of(lost->unknown, "other", "others").text);
	buf_add(&d->out, "\n");
	if (d->relation != SERIES_PROCESS)
		return true;
	buf_addf(&d->out, "stuck      %s wait as they did before\n",
	         text_number_of(stuck, words->thread, words->threads).text);
	return true;
}

static enum status diff_print(struct diff *d, const struct options *options)
{
	struct err err = {0};
	if (!reach_must_be_known(d->newer, &err))
		return complain(analysis_path(d->newer), &err);
	if (!reach_must_be_known(d->older, &err))
		return complain(analysis_path(d->older), &err);
	const struct table *table = table_find("lost");
	struct rows *lost = heap_has(analysis_heap(d->newer), table->parts)
	                        ? rows_open(table, d->newer, NULL, &err)
	                        : NULL;
	diff_types_init(&d->types, d->older, d->newer, d->relation);
	bool done = (options->output == OUTPUT_JSON ? diff_json : diff_text)(d, lost, &err);
	rows_close(lost);
	diff_list_fini(&d->types);
	if (done)
		return output_end(&d->out, STATUS_ANSWERED);
	buf_free(&d->out);
	return complain(NULL, &err);
}

/* Swaps the dumps if they are of one process and in the wrong order. True: swapped. */
static bool diff_order(struct analysis **older, struct analysis **newer)
{
	struct err err = {0};
	if (!series_is_older(*newer, *older) || series_relation(*older, *newer, &err) != SERIES_PROCESS)
		return false;
	struct analysis *first = *older;
	*older = *newer;
	*newer = first;
	return true;
}

/* Determines the relation of the dumps. An older dump of the same process is added to the newer
   one; else both stay separate. */
static bool diff_relate(struct diff *d, struct analysis *older, struct analysis *newer)
{
	struct err err = {0};
	d->older = older;
	d->newer = newer;
	unsigned both = format_parts(analysis_heap(older)->format)
	                & format_parts(analysis_heap(newer)->format);
	if (!(both & (PART_GO | PART_TYPES))) {
		err_set(&err, "Only two dumps of Go programs, or two GC logs, can be compared");
		return complain(NULL, &err), false;
	}
	/* Most object numbers of a log are meaningless in another log. */
	d->by_name = (both & PART_TYPES) && !(both & PART_IDS);
	d->relation = d->by_name ? SERIES_PROGRAM : series_relation(newer, older, &err);
	if (d->by_name)
		err = (struct err){0};
	else if (d->relation == SERIES_PROCESS && series_add(newer, older, &err))
		since_tell_kind(newer, older);
	else
		complain(NULL, &err);
	err = (struct err){0};
	unsigned stages = DIFF_STAGES;
	if (d->relation != SERIES_OTHER_PROGRAM)
		stages |= diff_tables_needs();
	return (analysis_run(older, stages, &err) && analysis_run(newer, stages, &err))
	       || (complain(NULL, &err), false);
}

static enum status diff_dumps(const struct inputs *inputs, const struct options *options)
{
	struct opening opening = {
		.options = options, .dump = inputs->dump[0], .exe = inputs->exe, .stages = STAGE_READ};
	struct analysis *older = open_dump(&opening);
	opening.dump = inputs->dump[1];
	struct analysis *newer = older ? open_dump(&opening) : NULL;
	struct diff diff = {.older = older};
	enum status status = STATUS_FAILED;
	if (newer && diff_order(&older, &newer))
		err_tell_text("It is the newer dump, although it was not named last", analysis_path(newer));
	else if (newer && series_is_same(older, newer))
		err_tell_text("It was written at the same time as the other one", analysis_path(newer));
	if (newer && diff_relate(&diff, older, newer))
		status = diff_print(&diff, options);
	bool owned = newer && analysis_series(newer);
	status = newer ? close_dump(newer, options, status) : status;
	if (!owned)
		analysis_free(older);
	return status;
}

enum status run_diff(const struct options *options)
{
	struct inputs inputs;
	struct err err = {0};
	inputs_init(&inputs, options->operands, options);
	if (inputs.count != 2)
		err_set(&err, "Two dumps are compared, not %zu", inputs.count);
	enum status status = inputs.count == 2 ? diff_dumps(&inputs, options) : complain(NULL, &err);
	inputs_fini(&inputs);
	return status;
}
