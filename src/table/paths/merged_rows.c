#include "table/paths/merged_rows.h"

#include "base/text.h"
#include "heap/name_part.h"
#include "table/cell.h"
#include "table/naming/root.h"
#include "table/naming/step_class.h"

#include <stdlib.h>

bool merged_rows_open(struct rows *rows, const uint32_t *ids, size_t count, struct err *err)
{
	struct merged_rows *data = rows->data;
	if (ids)
		data->own = path_tree_new(rows->analysis, ids, count, rows->progress);
	const struct path_tree *tree =
		ids ? data->own
			: analysis_kept(rows->analysis, &path_tree_whole, RETAIN_ALIVE, rows->progress);
	if (!tree)
		return err_set(err, "Merging the paths was cancelled");
	data->tree = tree;
	data->step_classes = tree->step_classes;
	data->merged_paths = tree->merged_paths;
	data->node = tree->merged_paths->node;
	rows->count = data->merged_paths->topmost;
	for (size_t row = 0; row < rows->count; row++)
		data->bytes += data->merged_paths->node[row].bytes;
	return true;
}

void merged_rows_close(struct rows *rows)
{
	struct merged_rows *data = rows->data;
	path_tree_free(data->own);
	rows_close(data->oldest);
	free(data->before);
	free(data->top);
}

const struct merge_node *merged_rows_node(const struct rows *rows, size_t row)
{
	const struct merged_rows *data = rows->data;
	return row < data->merged_paths->count ? &data->merged_paths->node[row] : &data->fold;
}

const void *merged_rows_record(const struct rows *rows, size_t row)
{
	return merged_rows_node(rows, row);
}

bool merged_rows_is_fold(const struct rows *rows, size_t row)
{
	return row == ((const struct merged_rows *)rows->data)->merged_paths->count;
}

void merged_rows_step_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct merged_rows *data = rows->data;
	const struct merge_node *node = merged_rows_node(rows, row);
	struct buf *out = cell_begin(value);
	if (merged_rows_is_fold(rows, row)) {
		libraries_add_name(data->libraries->variables, out);
		return;
	}
	path_exact_add_step(data->tree, (uint32_t)row, out);
	const char *step = step_classes_step(data->step_classes, node->label);
	if (node->parent == OBJECT_NONE && name_wants(out, NAME_NOTE))
		buf_add(out, root_variable_note(analysis_heap(rows->analysis), step));
}

void merged_rows_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct merged_rows *data = rows->data;
	if (!merged_rows_is_fold(rows, row))
		cell_text(value, step_classes_type(data->step_classes, merged_rows_node(rows, row)->label));
}

void merged_rows_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct merged_rows *data = rows->data;
	cell_share(value, merged_rows_node(rows, row)->bytes, data->bytes);
}

static size_t merged_rows_fold(struct rows *rows)
{
	struct merged_rows *data = rows->data;
	const struct libraries *libraries = data->libraries;
	if (!libraries || libraries->count < LIBRARIES_LEAST)
		return SIZE_MAX;
	data->fold = (struct merge_node){
		.parent = OBJECT_NONE,
		.below = (uint32_t)libraries->count,
		.example = OBJECT_NONE,
		.members = (uint32_t)libraries->count,
		.own_bytes = libraries->own_bytes,
		.objects = libraries->objects,
		.bytes = libraries->bytes,
	};
	for (uint32_t at = 0; data->oldest && at < data->merged_paths->topmost; at++)
		if (libraries->is_one[at] && data->before[at] != UINT32_MAX) {
			const struct merge_node *was = merged_rows_node(data->oldest, data->before[at]);
			data->fold_before.members += was->members;
			data->fold_before.bytes += was->bytes;
		}
	return data->merged_paths->count;
}

static bool merged_rows_is_folded(const struct rows *rows, size_t row)
{
	const struct merged_rows *data = rows->data;
	return data->libraries && row < data->merged_paths->topmost && data->libraries->is_one[row];
}

static bool merged_rows_has_below(const struct rows *rows, size_t row)
{
	return merged_rows_node(rows, row)->below > 0;
}

static size_t merged_rows_below(struct rows *rows, size_t row, size_t *first)
{
	*first = merged_rows_node(rows, row)->first;
	return merged_rows_node(rows, row)->below;
}

void merged_rows_link(const struct rows *rows, size_t row, struct buf *command)
{
	if (!merged_rows_has_below(rows, row))
		entity_link(rows->analysis, rows_entity(rows, row), command);
}

static size_t merged_rows_all(const struct rows *rows)
{
	return ((const struct merged_rows *)rows->data)->merged_paths->count;
}

static size_t merged_rows_above(const struct rows *rows, size_t row)
{
	uint32_t parent = merged_rows_node(rows, row)->parent;
	return parent == OBJECT_NONE ? SIZE_MAX : parent;
}

const struct table_tree merged_rows_tree = {
	.has_below = merged_rows_has_below,
	.below = merged_rows_below,
	.all = merged_rows_all,
	.above = merged_rows_above,
	.fold = merged_rows_fold,
	.is_folded = merged_rows_is_folded,
	.weight = "bytes",
	.delta = "bytes_delta",
};
