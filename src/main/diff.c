/* goheapx diff: compares two dumps, preferably of one process. The differences by type of reachable
   memory add up to the total difference. */
#include "main/diff.h"
#include "main/commands.h"
#include "main/inputs.h"
#include "main/json.h"
#include "main/output.h"

#include "analysis/series.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/cell.h"
#include "table/naming/typed.h"

#include <stdlib.h>
#include <string.h>

enum { DIFF_STAGES = STAGE_REVERSED | STAGE_TYPED };

/* A type in both dumps: one side is zero if it is new or gone. */
struct diff_part {
	const char *name;
	struct type_group before, now;
};
struct diff {
	const struct analysis *older, *newer;
	enum series_relation relation;
	struct type_groups before, now;
	struct diff_part *part; /* the largest growth first */
	size_t count;
	struct buf out;
	struct json json;
};

static int64_t diff_bytes(const struct diff_part *part)
{
	return (int64_t)(part->now.bytes - part->before.bytes);
}

static int diff_most_first(const void *a, const void *b)
{
	const struct diff_part *x = a, *y = b;
	if (diff_bytes(x) != diff_bytes(y))
		return diff_bytes(x) < diff_bytes(y) ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* Joins the types of both dumps, which are sorted by name. */
static void diff_join(struct diff *d)
{
	const struct type_group *a = d->before.group, *b = d->now.group;
	const struct type_group *a_end = a + d->before.count, *b_end = b + d->now.count;
	d->part = mem_alloc((d->before.count + d->now.count) * sizeof *d->part);
	while (a < a_end || b < b_end) {
		int order = a == a_end ? 1 : b == b_end ? -1 : strcmp(a->name, b->name);
		struct diff_part *part = &d->part[d->count++];
		part->name = order <= 0 ? a->name : b->name;
		if (order <= 0)
			part->before = *a++;
		if (order >= 0)
			part->now = *b++;
	}
	qsort(d->part, d->count, sizeof *d->part, diff_most_first);
}

enum diff_kind { DIFF_GREW, DIFF_SHRANK, DIFF_NEW, DIFF_GONE, DIFF_SAME, DIFF_KINDS = DIFF_SAME };
static const char *const diff_names[] = {"grew", "shrank", "new", "gone"};

static enum diff_kind diff_kind_of(const struct diff_part *part)
{
	if (!part->before.count)
		return DIFF_NEW;
	if (!part->now.count)
		return DIFF_GONE;
	if (!diff_bytes(part) && part->now.count == part->before.count)
		return DIFF_SAME;
	return diff_bytes(part) >= 0 ? DIFF_GREW : DIFF_SHRANK;
}

static struct value diff_value(enum value_kind kind, uint64_t before, uint64_t now)
{
	struct value value = {.kind = kind, .number = now < before ? before - now : now - before};
	value.negative = now < before;
	return value;
}

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

static void diff_json_delta(struct diff *d, const char *key, enum value_kind kind, uint64_t before,
                            uint64_t now)
{
	struct value value = diff_value(kind, before, now);
	json_key(&d->json, key);
	json_value(&d->json, &value);
}

static void diff_json_parts(struct diff *d, enum diff_kind kind)
{
	json_key(&d->json, diff_names[kind]);
	json_open(&d->json, '[');
	for (size_t i = 0; i < d->count; i++) {
		const struct diff_part *part = &d->part[i];
		if (diff_kind_of(part) != kind)
			continue;
		json_line(&d->json);
		json_open(&d->json, '{');
		json_key(&d->json, "type");
		json_text(&d->json, part->name);
		diff_json_delta(d, "count", VALUE_COUNT, 0, part->now.count);
		diff_json_delta(d, "count_delta", VALUE_COUNT, part->before.count, part->now.count);
		diff_json_delta(d, "bytes", VALUE_BYTES, 0, part->now.bytes);
		diff_json_delta(d, "bytes_delta", VALUE_BYTES, part->before.bytes, part->now.bytes);
		json_close(&d->json, '}');
	}
	json_close(&d->json, ']');
}

/* `lost`: threads that can never wake up; NULL: the runtime has none. */
static bool diff_json(struct diff *d, const struct rows *lost, struct err *err)
{
	const struct heap *heap = analysis_heap(d->newer);
	d->json = (struct json){.out = &d->out};
	json_open(&d->json, '{');
	json_key(&d->json, "compared_by");
	json_text(&d->json, diff_compared[d->relation]);
	diff_json_delta(d, "reachable_delta", VALUE_BYTES, diff_reachable(d->older),
	                diff_reachable(d->newer));
	for (enum diff_kind kind = 0; kind < DIFF_KINDS; kind++)
		diff_json_parts(d, kind);
	bool done = diff_tables_json(d->older, d->newer, d->relation, &d->json, err);
	json_key(&d->json, "lost");
	json_open(&d->json, '[');
	for (size_t i = 0; lost && i < lost->count; i++)
		json_number(&d->json, rows_number(lost, i, "id").number);
	json_close(&d->json, ']');
	json_key(&d->json, "stuck");
	json_open(&d->json, '[');
	for (uint32_t g = 0; g < heap->thread_count; g++)
		if (diff_is_stuck(d, g))
			json_number(&d->json, heap->threads[g].record.id);
	json_close(&d->json, ']');
	json_close(&d->json, '}');
	buf_add(&d->out, "\n");
	return done;
}

/* ---- Text */

static void diff_add(struct diff *d, enum value_kind kind, uint64_t before, uint64_t now)
{
	struct value value = diff_value(kind, before, now);
	buf_add(&d->out, now < before ? "" : "+");
	value_add(&value, &d->out);
}

static bool diff_text(struct diff *d, const struct rows *lost, struct err *err)
{
	const struct heap *heap = analysis_heap(d->newer);
	size_t stuck = 0;
	if (d->relation != SERIES_PROCESS)
		buf_addf(&d->out, "compared   by %s: no object of one is an object of the other\n",
		         diff_compared[d->relation]);
	buf_add(&d->out, "reachable  ");
	diff_add(d, VALUE_BYTES, diff_reachable(d->older), diff_reachable(d->newer));
	buf_add(&d->out, "\n");
	if (!diff_tables_text(d->older, d->newer, d->relation, &d->out, err))
		return false;
	for (enum diff_kind kind = 0; kind < DIFF_KINDS; kind++)
		for (size_t i = 0; i < d->count; i++) {
			const struct diff_part *part = &d->part[i];
			if (diff_kind_of(part) != kind)
				continue;
			buf_addf(&d->out, "%-9s  ", diff_names[kind]);
			diff_add(d, VALUE_BYTES, part->before.bytes, part->now.bytes);
			buf_add(&d->out, "  ");
			diff_add(d, VALUE_COUNT, part->before.count, part->now.count);
			buf_addf(&d->out, "  %s\n", part->name);
		}
	for (uint32_t g = 0; g < heap->thread_count; g++)
		stuck += diff_is_stuck(d, g);
	const struct runtime_words *words = heap_words(heap);
	if (!lost)
		return true;
	buf_add(&d->out, "lost       ");
	text_add_number_of(&d->out, lost->count, words->thread, words->threads);
	buf_add(&d->out, " can never wake up\n");
	if (d->relation != SERIES_PROCESS)
		return true;
	buf_add(&d->out, "stuck      ");
	text_add_number_of(&d->out, stuck, words->thread, words->threads);
	buf_add(&d->out, " wait as they did before\n");
	return true;
}

static enum status diff_print(struct diff *d, const struct options *options)
{
	struct err err = {0};
	if (!reach_must_be_known(d->newer, &err))
		return complain(analysis_path(d->newer), &err);
	if (!reach_must_be_known(d->older, &err))
		return complain(analysis_path(d->older), &err);
	/* The reachable objects of both dumps are grouped by type, or by shape for different programs,
	   in which equal names may mean different types. */
	bool by_type = d->relation != SERIES_OTHER_PROGRAM;
	(by_type ? type_groups_reachable : diff_shapes)(&d->before, d->older);
	(by_type ? type_groups_reachable : diff_shapes)(&d->now, d->newer);
	const struct table *table = table_find("lost");
	struct rows *lost = heap_has(analysis_heap(d->newer), table->parts)
	                        ? rows_open(table, d->newer, NULL, &err)
	                        : NULL;
	diff_join(d);
	bool done = (options->output == OUTPUT_JSON ? diff_json : diff_text)(d, lost, &err);
	rows_close(lost);
	free(d->part);
	type_groups_fini(&d->before);
	type_groups_fini(&d->now);
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
	/* Object numbers of a log are meaningless in another log. */
	d->relation = both & PART_TYPES ? SERIES_PROGRAM : series_relation(newer, older, &err);
	if (both & PART_TYPES)
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
	struct analysis *older = open_dump(inputs->dump[0], inputs->exe, STAGE_READ);
	struct analysis *newer = older ? open_dump(inputs->dump[1], inputs->exe, STAGE_READ) : NULL;
	struct diff diff = {.older = older};
	enum status status = STATUS_FAILED;
	if (newer && diff_order(&older, &newer))
		err_tell_text("It is the newest, wherever it stands", analysis_path(newer));
	else if (newer && series_is_same(older, newer))
		err_tell_text("It is of the same instant as the other one", analysis_path(newer));
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
