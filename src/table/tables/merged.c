/* The shortest retaining paths of many objects as one tree, from the roots down. */
#include "table/alike.h"
#include "table/argument.h"
#include "table/cell.h"
#include "table/root.h"
#include "table/typed.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { NAME, OBJECTS, BYTES, SHARE, HERE, MEMBERS, EXAMPLE, DEPTH };

static const struct column columns[] = {
	[NAME] = {"name", "held by",
	          "The root, or the field and type of the step; what is alike is one row", VALUE_TEXT, 0,
	          0},
	[OBJECTS] = {"objects", "leads to",
	             "Of the chosen objects, those whose shortest path leads here", VALUE_COUNT, 10, 0},
	[BYTES] = {"bytes", "bytes", "Bytes of those objects alone", VALUE_BYTES, 9, 0},
	[SHARE] = {"share", "share", "The same as a share of all chosen objects", VALUE_SHARE, 6, 1},
	[HERE] = {"here", "here", "Of the chosen objects, those that the row itself stands for",
	          VALUE_COUNT, 10, 1},
	[MEMBERS] = {"members", "steps", "Objects that the row stands for; of a root, how often a path "
	                                 "begins there", VALUE_COUNT, 10, 2},
	[EXAMPLE] = {"example", "such as", "One of these objects", VALUE_ADDRESS, 14, 2},
	[DEPTH] = {"depth", "depth", "Rows above it, up to the root", VALUE_ID, 5, 3},
};

struct merged_data {
	struct alike *alike;
	struct merged *merged;
	uint64_t bytes; /* of all rows together */
};

static const struct merge_node *node_at(const struct rows *rows, size_t row)
{
	const struct merged_data *data = rows->data;
	return &data->merged->node[row];
}

static void merged_close(struct rows *rows)
{
	struct merged_data *data = rows->data;
	merged_free(data->merged);
	alike_free(data->alike);
	free(data);
}

/* "ADDR ADDR ..." */
static uint32_t *select_addresses(const struct analysis *analysis, const char *argument,
                                  size_t *count, struct err *err)
{
	uint32_t *ids = NULL;
	size_t capacity = 0;
	*count = 0;
	while (*argument) {
		uint32_t id;
		if (!argument_next_object(analysis, &argument, &id, err)) {
			free(ids);
			return NULL;
		}
		ids = mem_grow(ids, *count, &capacity, sizeof *ids);
		ids[(*count)++] = id;
	}
	return ids;
}

/* NULL with *count > 0: all. */
static bool select_objects(const struct rows *rows, const char *argument, uint32_t **ids,
                           size_t *count, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	*ids = NULL;
	*count = heap_object_count(analysis->heap);
	if (!*argument)
		return true;
	if (strncmp(argument, "type=", 5) == 0)
		*ids = typed_select(analysis, argument + 5, count);
	else
		*ids = select_addresses(analysis, argument, count, err);
	return !err->set;
}

static void say(struct rows *rows, const char *argument, size_t count)
{
	const struct merged_data *data = rows->data;
	buf_add(&rows->title, "paths to ");
	if (!*argument)
		buf_add(&rows->title, "all objects");
	else if (strncmp(argument, "type=", 5) == 0)
		buf_addf(&rows->title, "all %s", argument + 5);
	else
		buf_addf(&rows->title, "%zu %s", count, count == 1 ? "object" : "objects");
	if (!rows->count)
		buf_add(&rows->note, count ? "No root in the dump leads to any of them."
		                           : "There are no such objects; the table types tells which types "
		                             "there are.");
	else if (data->merged->left_out) {
		text_add_count(&rows->note, data->merged->left_out);
		buf_addf(&rows->note, " of them %s left out: no root in the dump leads there.",
		         data->merged->left_out == 1 ? "is" : "are");
	}
}

static bool merged_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	struct merged_data *data = rows->data = mem_alloc(sizeof *data);
	uint32_t *ids;
	size_t count;
	if (!reach_must_be_known(analysis, err) || !select_objects(rows, argument, &ids, &count, err))
		return false;
	data->alike = alike_new(analysis);
	struct merge_labels labels = alike_labels(data->alike);
	data->merged = merge_paths(analysis->reach, ids, count, &labels, rows->progress);
	free(ids);
	if (!data->merged)
		return err_set(err, "Merging the paths was given up");
	rows->count = data->merged->topmost;
	for (size_t row = 0; row < rows->count; row++)
		data->bytes += data->merged->node[row].bytes;
	say(rows, argument, count);
	return true;
}

static void cell_example(const struct rows *rows, const struct merge_node *node,
                         struct value *value)
{
	const struct heap *heap = rows->analysis->heap;
	cell_object(value, heap, node->parent == OBJECT_NONE ? heap->roots[node->example].target
	                                                     : node->example);
}

static void merged_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct merged_data *data = rows->data;
	const struct merge_node *node = node_at(rows, row);
	switch (column) {
	case NAME:
		cell_text(value, alike_name(data->alike, node->label));
		break;
	case OBJECTS:
		cell_number(value, VALUE_COUNT, node->objects);
		break;
	case BYTES:
		cell_number(value, VALUE_BYTES, node->bytes);
		break;
	case SHARE:
		cell_share(value, node->bytes, data->bytes);
		break;
	case HERE:
		if (node->here)
			cell_number(value, VALUE_COUNT, node->here);
		break;
	case MEMBERS:
		cell_number(value, VALUE_COUNT, node->members);
		break;
	case EXAMPLE:
		cell_example(rows, node, value);
		break;
	case DEPTH:
		cell_number(value, VALUE_ID, node->depth);
		break;
	}
}

static uint64_t merged_address(const struct rows *rows, size_t row)
{
	struct value value = {0};
	cell_example(rows, node_at(rows, row), &value);
	return value.number;
}

static bool merged_has_below(const struct rows *rows, size_t row)
{
	return node_at(rows, row)->below > 0;
}

static size_t merged_below(struct rows *rows, size_t row, size_t *first)
{
	*first = node_at(rows, row)->first;
	return node_at(rows, row)->below;
}

/* What leads no further is a page of its own; the others open. */
static void merged_link(const struct rows *rows, size_t row, struct buf *command)
{
	if (!merged_has_below(rows, row))
		link_object(rows->analysis->heap, node_at(rows, row)->example, command);
}

static const struct table_tree tree = {
	.has_below = merged_has_below,
	.below = merged_below,
	.weight = BYTES,
};

const struct table table_merged = {
	.name = "merged",
	.from = DAMAGE_ROOTS,
	.help = "The shortest retaining paths of all objects of a type, or of some, as one tree from "
	        "the roots down, where steps that are alike are one row",
	.argument = "[type=NAME|ADDR ...]",
	.needs = STAGE_REVERSED,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = merged_open,
	.cell = merged_cell,
	.link = merged_link,
	.close = merged_close,
	.address = merged_address,
	.tree = &tree,
	.sort = -1,
};
