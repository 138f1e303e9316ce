/* Broken-down heaps, as the rows of a tree. */
#include "table/breakdown/breakdown_rows.h"

#include "base/err.h"
#include "base/mem.h"

#include <stdlib.h>

const struct breakdown *breakdown_of_row(const struct breakdown_rows *data, size_t row)
{
	return data->breakdown[data->row[row].heap];
}

void breakdown_rows_close(struct rows *rows)
{
	struct breakdown_rows *data = rows->data;
	for (size_t i = 0; i < data->count; i++)
		breakdown_free(data->breakdown[i]);
	breakdown_query_fini(&data->query);
	heap_profile_set_fini(&data->set);
	free(data->breakdown);
	free(data->row);
}

static size_t parts_of(const struct breakdown_rows *data, const struct breakdown_row *row,
                       enum axis axis, struct part **parts)
{
	const struct breakdown *breakdown = data->breakdown[row->heap];
	uint64_t least = breakdown_query_least(&data->query, breakdown->cell[0].size);
	return breakdown_significant_parts(breakdown, row->cell, axis, least, parts);
}

static bool has_parts(const struct breakdown_rows *data, const struct breakdown_row *row,
                      enum axis axis)
{
	struct part *parts;
	bool has = parts_of(data, row, axis, &parts) > 0;
	free(parts);
	return has;
}

void breakdown_rows_put(struct rows *rows, struct breakdown_row row)
{
	struct breakdown_rows *data = rows->data;
	MEM_PUSH(data->row, rows->count, data->row_capacity, row);
}

/* Appends a row. Its parts are along the stack axis if there are any, else along the type axis. */
static void add_row(struct rows *rows, struct breakdown_row row)
{
	const struct breakdown_rows *data = rows->data;
	bool is_cell = row.part.cell != CELL_NONE;
	row.by = is_cell && has_parts(data, &row, AXIS_STACK) ? AXIS_STACK : AXIS_TYPE;
	row.can_open = is_cell && has_parts(data, &row, row.by);
	breakdown_rows_put(rows, row);
}

void breakdown_rows_add(struct rows *rows, const struct heap_profile *heap_profile)
{
	struct breakdown_rows *data = rows->data;
	const struct heap_profiles *heap_profiles = data->set.heap_profiles;
	const struct heap_profile *base =
		breakdown_query_base(&data->query, heap_profiles, heap_profile);
	struct breakdown *breakdown =
		breakdown_new(heap_profiles, heap_profile, base, data->query.bottom_up);
	const struct breakdown_cell *all = &breakdown->cell[0];
	struct part part = {.size = all->size, .count = all->count, .before = all->before};
	MEM_PUSH(data->breakdown, data->count, data->capacity, breakdown);
	add_row(rows, (struct breakdown_row){.heap = (uint32_t)data->count - 1, .part = part});
}

bool breakdown_has_below(const struct rows *rows, size_t row)
{
	const struct breakdown_rows *data = rows->data;
	return data->row[row].can_open;
}

size_t breakdown_below(struct rows *rows, size_t row, size_t *first)
{
	struct breakdown_rows *data = rows->data;
	if (!data->row[row].made) {
		struct breakdown_row whole = data->row[row];
		struct part *parts;
		size_t count = parts_of(data, &whole, whole.by, &parts);
		data->row[row].made = true;
		data->row[row].first = rows->count;
		data->row[row].below = count;
		for (size_t i = 0; i < count; i++) {
			struct breakdown_row part = {.heap = whole.heap, .part = parts[i], .axis = whole.by};
			part.cell = parts[i].cell == CELL_NONE ? whole.cell : parts[i].cell;
			add_row(rows, part);
		}
		free(parts);
	}
	*first = data->row[row].first;
	return data->row[row].below;
}

bool breakdown_turn(struct rows *rows, size_t row, size_t *turned, struct err *err)
{
	struct breakdown_rows *data = rows->data;
	struct breakdown_row other = data->row[row];
	other.by = other.by == AXIS_STACK ? AXIS_TYPE : AXIS_STACK;
	if (other.part.cell == CELL_NONE || !has_parts(data, &other, other.by))
		return err_set(err, "This row cannot be broken down further %s",
		               other.by == AXIS_TYPE ? "by type" : "by stack");
	if (!other.turned) {
		other.turned = row + 1;
		other.made = false;
		data->row[row].turned = rows->count + 1;
		breakdown_rows_put(rows, other);
	}
	*turned = data->row[row].turned - 1;
	return true;
}
