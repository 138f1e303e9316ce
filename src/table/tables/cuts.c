/* What would be freed if objects, references and roots went, one after the other. */
#include "table/argument.h"
#include "table/cell.h"
#include "table/cut.h"
#include "table/node.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct taken {
	char *text;
	struct cut cut;
	struct freed alone, together;
};
struct cuts {
	struct taken *taken;
	size_t capacity;
};

static void cuts_close(struct rows *rows)
{
	struct cuts *cuts = rows->data;
	for (size_t i = 0; i < rows->count; i++)
		free(cuts->taken[i].text);
	free(cuts->taken);
	free(cuts);
}

/* Without the blanks at its end. */
static char *copy_text(const char *start, const char *end)
{
	struct buf text = {0};
	while (end > start && end[-1] == ' ')
		end--;
	buf_add_bytes(&text, start, (size_t)(end - start));
	char *copy = mem_strdup(buf_text(&text));
	buf_free(&text);
	return copy;
}

static bool parse(struct rows *rows, const char *argument, struct err *err)
{
	struct cuts *cuts = rows->data;
	while (*argument) {
		const char *start = argument;
		struct cut cut;
		if (!cut_read(rows->analysis, &argument, &cut, err))
			return false;
		cuts->taken = mem_grow(cuts->taken, rows->count, &cuts->capacity, sizeof *cuts->taken);
		struct taken *taken = &cuts->taken[rows->count++];
		*taken = (struct taken){.text = copy_text(start, argument), .cut = cut};
	}
	return true;
}

/* Of an object or an anchor that is known without a search. */
static bool count_alone(struct rows *rows, struct taken *taken)
{
	const struct analysis *analysis = rows->analysis;
	const struct dominators *d = analysis_dominators(analysis, RETAIN_ALIVE);
	const struct cut *cut = &taken->cut;
	if (cut->kind == CUT_OBJECT || cut->kind == CUT_ANCHOR) {
		uint32_t node = cut->kind == CUT_ANCHOR ? anchors_node(d->anchors, cut->node) : cut->node;
		taken->alone = (struct freed){d->objects[node], d->bytes[node]};
		return true;
	}
	struct without *without = without_new(analysis->reach);
	cut_take(analysis, cut, without);
	bool done = without_count(without, rows->progress, &taken->alone);
	without_free(without);
	return done;
}

static bool count_all(struct rows *rows)
{
	const struct cuts *cuts = rows->data;
	struct without *without = without_new(rows->analysis->reach);
	bool done = true;
	for (size_t i = 0; i < rows->count && done; i++) {
		struct taken *taken = &cuts->taken[i];
		cut_take(rows->analysis, &taken->cut, without);
		done = count_alone(rows, taken);
		taken->together = taken->alone;
		if (i && done)
			done = without_count(without, rows->progress, &taken->together);
	}
	without_free(without);
	return done;
}

static bool cuts_open(struct rows *rows, const char *argument, struct err *err)
{
	rows->data = mem_alloc(sizeof(struct cuts));
	if (!reach_must_be_known(rows->analysis, err) || !parse(rows, argument, err))
		return false;
	buf_add(&rows->title, rows->count == 1 ? "what would be freed without this"
	                                       : "what would be freed without these");
	return count_all(rows) || err_set(err, "Counting what is left was given up");
}

static void cuts_cut_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct cuts *cuts = rows->data;
	const struct taken *taken = &cuts->taken[row];
	cell_dump_text(value, (struct text){taken->text, strlen(taken->text)});
}

static void cuts_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct cuts *cuts = rows->data;
	const struct taken *taken = &cuts->taken[row];
	cut_add_name(rows->analysis, &taken->cut, cell_begin(value));
	cell_end(value);
}

static void cuts_alone_bytes_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct cuts *cuts = rows->data;
	const struct taken *taken = &cuts->taken[row];
	cell_number(value, VALUE_BYTES, taken->alone.bytes);
}

static void cuts_freed_bytes_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct cuts *cuts = rows->data;
	const struct taken *taken = &cuts->taken[row];
	cell_number(value, VALUE_BYTES, taken->together.bytes);
}

static void cuts_freed_objects_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct cuts *cuts = rows->data;
	const struct taken *taken = &cuts->taken[row];
	cell_number(value, VALUE_COUNT, taken->together.objects);
}

static const struct column columns[] = {
	{"cut", "cut", "What is taken away, as one writes it", VALUE_TEXT, 29, 1,
	 .cell = cuts_cut_cell},
	{"name", "what", "The object, reference, variable or goroutine", VALUE_TEXT, 0, 0,
	 .cell = cuts_name_cell, .wants = STAGE_TYPED},
	{"alone_bytes", "alone", "Bytes that would be freed if only this went", VALUE_BYTES, 9, 0,
	 .cell = cuts_alone_bytes_cell},
	{"freed_bytes", "together", "Bytes that would be freed if this and the rows above went",
	 VALUE_BYTES, 9, 0, .cell = cuts_freed_bytes_cell},
	{"freed_objects", "objects", "The objects of those bytes", VALUE_COUNT, 10, 0,
	 .cell = cuts_freed_objects_cell},
};

static uint64_t cuts_address(const struct rows *rows, size_t row)
{
	const struct cuts *cuts = rows->data;
	const struct cut *cut = &cuts->taken[row].cut;
	bool object = cut->kind == CUT_OBJECT || cut->kind == CUT_REFERENCE;
	return object ? heap_address(rows->analysis->heap, cut->node) : 0;
}

static void cuts_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct cuts *cuts = rows->data;
	const struct cut *cut = &cuts->taken[row].cut;
	if (cut->kind == CUT_ANCHOR)
		node_link(rows->analysis, anchors_node(rows->analysis->anchors, cut->node), command);
	else if (cut->kind != CUT_ROOT)
		link_object(rows->analysis->heap, cut->node, command);
}

const struct table table_cuts = {
	.name = "cuts",
	.help = "What would be freed if these went: objects (0xc000012340, main.cache.Nodes[0]), "
			"references (0xc000012340>0xc000056780), variables (main.cache), goroutines (goroutine 17)",
	.argument = "CUT ...",
	.needs = STAGE_DOMINATED,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = cuts_open,
	.link = cuts_link,
	.close = cuts_close,
	.address = cuts_address,
};
