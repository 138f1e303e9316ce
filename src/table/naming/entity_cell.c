/* Cells for rows about a root or a thread: table/columns.h. */
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/root.h"
#include "table/naming/source.h"
#include "table/naming/thread.h"
#include "table/naming/variable_user.h"

static const struct root *root_of_row(const struct rows *rows, size_t row)
{
	return entity_root(rows->analysis, rows_entity(rows, row));
}

void root_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct entity entity = rows_entity(rows, row);
	if (!root_of_row(rows, row))
		return;
	struct buf *out = cell_begin(value);
	entity_add_name(rows->analysis, entity, out);
	variable_user_add_behind(rows->analysis, entity, out);
}

void root_user_cell(const struct rows *rows, size_t row, struct value *value)
{
	variable_user_function_cell(rows->analysis, rows_entity(rows, row), value);
}

void root_variable_known_cell(const struct rows *rows, size_t row, struct value *value)
{
	variable_user_known_cell(rows->analysis, rows_entity(rows, row), value);
}

void root_flags_cell(const struct rows *rows, size_t row, struct value *value)
{
	root_add_flags(root_of_row(rows, row), " ", cell_begin(value));
}

void root_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = root_of_row(rows, row);
	uint64_t offset;
	if (root && root_offset(analysis_heap(rows->analysis), root, &offset))
		cell_number(value, VALUE_OFFSET, offset);
}

void root_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = root_of_row(rows, row);
	if (root && root->address)
		cell_number(value, VALUE_ADDRESS, root->address);
}

void root_target_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = root_of_row(rows, row);
	if (root)
		cell_number(value, VALUE_ADDRESS, root_pointer(analysis_heap(rows->analysis), root));
}

void root_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = root_of_row(rows, row);
	struct preview_place place;
	if (!root)
		return;
	struct buf *text = cell_begin(value);
	if (root_place(analysis_heap(rows->analysis), root, &place))
		preview_pointer(analysis_heap(rows->analysis), &place, text);
	else
		preview_object(analysis_heap(rows->analysis), root->target, text);
}

static const struct thread *thread_of_row(const struct rows *rows, size_t row)
{
	return entity_thread(rows->analysis, rows_entity(rows, row));
}

/* Finds the place of the row's thread. False: the row is about no thread, or it has no
   place. */
static bool place_of_row(const struct rows *rows, size_t row, struct thread_place *place)
{
	const struct thread *thread = thread_of_row(rows, row);
	return thread && thread_place_of(rows->analysis, thread, place);
}

void thread_id_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct thread *thread = thread_of_row(rows, row);
	if (thread)
		cell_number(value, VALUE_ID, thread->record.id);
}

void thread_status_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct thread *thread = thread_of_row(rows, row);
	char name[32];
	if (thread)
		cell_text(value, thread_state(analysis_heap(rows->analysis), thread->record.status, name));
}

void thread_function_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct thread_place place;
	if (place_of_row(rows, row, &place))
		cell_symbol(value, place.function);
}

/* Shows the line of that call: "server.go:42". */
void thread_source_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct thread_place place;
	if (!place_of_row(rows, row, &place) || !place.line.line)
		return;
	source_add(&place.line, cell_begin(value));
}
