#include "table/columns.h"

#include "analysis/preview.h"
#include "base/text.h"
#include "heap/heap.h"
#include "heap/profile.h"
#include "table/cell.h"
#include "table/naming/alloc_site.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"
#include "table/owners/node.h"

#include <inttypes.h>

void entity_word_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, entity_word(rows->analysis, rows_entity(rows, row)));
}

void row_number_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows;
	cell_number(value, VALUE_ID, row);
}

void object_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_object(value, analysis_heap(rows->analysis), rows_object(rows, row));
}

void object_size_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_object_size(value, analysis_heap(rows->analysis), rows_object(rows, row));
}

void object_resident_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	uint32_t id = rows_object(rows, row);
	uint64_t resident;
	if (id != OBJECT_NONE
	    && heap_resident(heap, heap_address(heap, id), heap_size(heap, id), &resident))
		cell_number(value, VALUE_BYTES, resident);
}

static uint64_t object_site_code(const struct rows *rows, size_t row)
{
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	uint32_t id = rows_object(rows, row);
	const struct sample *sample = id != OBJECT_NONE ? profiles_of_object(profiles, id) : NULL;
	return sample ? site_code(sample->profile) : 0;
}

const struct coding object_site_coding = {object_site_code, site_function_cell};

bool rows_lack_residence(const struct rows *rows)
{
	uint64_t resident;
	return !heap_resident(analysis_heap(rows->analysis), 0, 0, &resident);
}

static uint64_t object_type_code(const struct rows *rows, size_t row)
{
	uint32_t object = rows_object(rows, row);
	return object == OBJECT_NONE ? 0 : typed_code(rows->analysis, object);
}

static void object_type_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	cell_type_code(value, rows->analysis, code);
}

static void object_package_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	typed_add_code_package(rows->analysis, code, cell_begin(value));
}

/* The call that allocated an object, from the memory profiler's samples. */
static uint64_t object_call_code(const struct rows *rows, size_t row)
{
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	uint32_t object = rows_object(rows, row);
	const struct sample *sample = object != OBJECT_NONE ? profiles_of_object(profiles, object)
	                                                    : NULL;
	return sample && sample->profile != PROFILE_NONE ? 1 + (uint64_t)sample->profile : UINT64_MAX;
}

static void object_call_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	struct stack_frame frame;
	if (code == UINT64_MAX || !profile_site(&profiles->profile[code - 1], &frame))
		return;
	struct buf *out = cell_begin(value);
	text_add_symbol(out, frame.function.data, frame.function.len, SIZE_MAX);
	if (frame.file.len)
		buf_add_char(out, ' ');
	text_add_escaped(out, frame.file.data, frame.file.len, SIZE_MAX);
	if (frame.file.len)
		buf_addf(out, ":%" PRIu64, frame.line);
}

static uint64_t object_known_code(const struct rows *rows, size_t row)
{
	return 1 + (uint64_t)typed_known(rows->analysis, rows_object(rows, row));
}

static void object_known_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	(void)rows;
	cell_text(value, type_known_names[code - 1]);
}

const struct coding object_type_coding = {object_type_code, object_type_cell};
const struct coding object_package_coding = {object_type_code, object_package_cell};
const struct coding object_call_coding = {object_call_code, object_call_cell};
const struct coding object_known_coding = {object_known_code, object_known_cell};

void object_reachable_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_reachable(value, rows->analysis, rows_object(rows, row));
}

void object_references_cell(const struct rows *rows, size_t row, struct value *value)
{
	uint32_t id = rows_object(rows, row);
	if (id != OBJECT_NONE)
		cell_number(value, VALUE_COUNT, heap_references(analysis_heap(rows->analysis), id).count);
}

void object_referrers_cell(const struct rows *rows, size_t row, struct value *value)
{
	uint32_t id = rows_object(rows, row);
	if (id != OBJECT_NONE)
		cell_number(value, VALUE_COUNT, heap_referrers(analysis_heap(rows->analysis), id).count);
}

void object_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_retained(value, rows->analysis, rows_object(rows, row));
}

void object_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	uint32_t id = rows_object(rows, row);
	if (id == OBJECT_NONE)
		return;
	preview_object(analysis_heap(rows->analysis), id, cell_begin(value));
}

void object_expression_cell(const struct rows *rows, size_t row, struct value *value)
{
	uint32_t id = rows_object(rows, row);
	if (id == OBJECT_NONE)
		return;
	step_add_object(rows->analysis, id, cell_begin(value));
}

enum row_style style_reachable(const struct rows *rows, size_t row)
{
	const struct analysis *analysis = rows->analysis;
	uint32_t id = rows_object(rows, row);
	if (id == OBJECT_NONE || !analysis_has(analysis, STAGE_REACHED))
		return ROW_PLAIN;
	return !analysis_has_roots(analysis) || reach_has(analysis_reach(analysis), id) ? ROW_PLAIN
	                                                                                : ROW_FAINT;
}

struct entity rows_id_entity(const struct rows *rows, size_t row)
{
	return entity_of_object(rows_id(rows, row));
}
