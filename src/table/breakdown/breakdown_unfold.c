/* Lists every cell of broken-down heaps once: part of table/breakdown/breakdown_rows.h. */
#include "table/breakdown/breakdown_rows.h"

#include "base/mem.h"

#include <stdlib.h>

static struct breakdown_row cell_row(const struct breakdown_rows *data, uint32_t heap,
                                     uint32_t cell)
{
	const struct breakdown_cell *at = &data->breakdown[heap]->cell[cell];
	struct part part = {.cell = cell, .size = at->size, .count = at->count, .before = at->before};
	return (struct breakdown_row){.heap = heap, .cell = cell, .part = part};
}

/* Pending rows; the last one is next. */
struct stack {
	struct breakdown_row *row;
	size_t count, capacity;
	uint64_t least;
	bool *seen; /* true by cell: it has a row */
};

static void breakdown_unfold_put(struct stack *stack, const struct breakdown_row *row)
{
	MEM_PUSH(stack->row, stack->count, stack->capacity, *row);
}

/* Pushes the parts of a row's cell, so that the largest is popped first and the rest last. */
static void put_parts(const struct breakdown_rows *data, struct stack *stack,
                      const struct breakdown_row *row, enum axis axis)
{
	struct part *parts;
	size_t count =
		breakdown_parts(data->breakdown[row->heap], row->cell, axis, stack->least, &parts);
	while (count--) {
		struct breakdown_row part = *row;
		if (parts[count].cell != CELL_NONE)
			part = cell_row(data, row->heap, parts[count].cell);
		part.part = parts[count];
		part.axis = axis;
		breakdown_unfold_put(stack, &part);
	}
	free(parts);
}

/* Appends the rest along the stack axis for a cell of one type. Longer stacks of the type need no
   rows here, because cells of all types lead to them. */
static void add_rest_of_type(struct rows *rows, const struct stack *stack,
                             const struct breakdown_row *row)
{
	const struct breakdown_rows *data = rows->data;
	struct breakdown_row rest = *row;
	struct part *parts;
	size_t count =
		breakdown_parts(data->breakdown[row->heap], row->cell, AXIS_STACK, stack->least, &parts);
	rest.axis = AXIS_STACK;
	if (count && parts[count - 1].cell == CELL_NONE) {
		rest.part = parts[count - 1];
		breakdown_rows_put(rows, rest);
	}
	free(parts);
}

static void breakdown_unfold_walk(struct rows *rows, struct stack *stack)
{
	const struct breakdown_rows *data = rows->data;
	while (stack->count) {
		struct breakdown_row row = stack->row[--stack->count];
		breakdown_rows_put(rows, row);
		if (row.part.cell == CELL_NONE)
			continue;
		stack->seen[row.cell] = true;
		if (data->breakdown[row.heap]->cell[row.cell].type != TYPE_ALL) {
			add_rest_of_type(rows, stack, &row);
			continue;
		}
		put_parts(data, stack, &row, AXIS_STACK);
		put_parts(data, stack, &row, AXIS_TYPE);
	}
}

/* Appends all cells of a heap. Cells that no other leads to, only in a damaged heap, come last. */
static void unfold(struct rows *rows, uint32_t heap)
{
	const struct breakdown_rows *data = rows->data;
	const struct breakdown *breakdown = data->breakdown[heap];
	struct stack stack = {.least = breakdown_query_least(&data->query, breakdown->cell[0].size),
	                      .seen = mem_alloc(breakdown->count * sizeof(bool))};
	for (uint32_t cell = 0; cell < breakdown->count; cell++) {
		struct breakdown_row row = cell_row(data, heap, cell);
		if (stack.seen[cell]
		    || (cell && row.part.size < stack.least && row.part.before < stack.least))
			continue;
		breakdown_unfold_put(&stack, &row);
		breakdown_unfold_walk(rows, &stack);
	}
	free(stack.row);
	free(stack.seen);
}

void breakdown_unfold(struct rows *rows)
{
	struct breakdown_rows *data = rows->data;
	const struct heap_profiles *heap_profiles = data->set.heap_profiles;
	const struct heap_profile *shown = data->breakdown[0]->heap_profile;
	if (!data->query.has_least)
		data->query.least = 0;
	for (size_t i = 0; i < heap_profiles->count; i++)
		if (&heap_profiles->heap_profile[i] != shown
		    && breakdown_query_has(&data->query, heap_profiles, &heap_profiles->heap_profile[i]))
			breakdown_rows_add(rows, &heap_profiles->heap_profile[i]);
	rows->count = 0;
	data->unfolded = true;
	for (size_t heap = 0; heap < data->count; heap++)
		unfold(rows, (uint32_t)heap);
}
