/* The table of values, which need not be objects: the elements of containers, or all values of a
   type. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/contents/field_value.h"
#include "table/contents/value_set.h"
#include "table/naming/argument.h"
#include "table/naming/part.h"
#include "table/waste/outside.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"

#include <string.h>

enum { NAME_SHOWN = 200 };

/* Kinds of arguments: the first word, and how the values are found. */
static bool values_select_path(struct value_set *set, const struct analysis *analysis,
                               const char *name, struct progress *progress, struct err *err)
{
	(void)progress;
	return value_set_of_expression(set, analysis, name, err);
}

static bool values_select_type(struct value_set *set, const struct analysis *analysis,
                               const char *name, struct progress *progress, struct err *err)
{
	return value_set_of_type(set, analysis, name, progress)
	       || err_set(err, "The search for values was cancelled");
}

static const struct values_form {
	const char *name, *title;
	unsigned needs;
	bool (*select)(struct value_set *set, const struct analysis *analysis, const char *name,
	               struct progress *progress, struct err *err);
} values_forms[] = {
	/* arrays that are objects are known by their referrers */
	{"type=", "values of type ", STAGE_REVERSED, values_select_type},
	{"outside=", "elements outside of slices at ", STAGE_DOMINATED, outside_elements},
	{"", "values of ", STAGE_NONE, values_select_path},
};

/* Finds the form of an argument, and stores what follows its beginning. */
static const struct values_form *values_form_of(const char *argument, const char **name)
{
	const struct values_form *form = values_forms;
	while (strncmp(argument, form->name, strlen(form->name)) != 0)
		form++;
	*name = argument + strlen(form->name);
	return form;
}

static const struct value_set *values_of(const struct rows *rows)
{
	return rows->data;
}

static void values_close(struct rows *rows)
{
	value_set_fini(rows->data);
}

static void values_add_note(struct rows *rows, const struct value_set *set)
{
	if (set->failed) {
		text_add_number_of(&rows->note, set->failed, "value leads", "values lead");
		buf_addf(&rows->note, " no further: %.300s. ", set->why.text);
	}
	if (set->lost) {
		text_add_number_of(&rows->note, set->lost, "container has", "containers have");
		buf_add(&rows->note, " elements that the dump lacks. ");
	}
	if (set->absent) {
		text_add_number_of(&rows->note, set->absent, "variable with such values is",
		                   "variables with such values are");
		buf_add(&rows->note, " not counted: the dump lacks the bytes. ");
	}
	if (set->doubtful) {
		text_add_number_of(&rows->note, set->doubtful, "object", "objects");
		buf_add(
			&rows->note,
			" with as many elements may be such arrays, too; whether they are cannot be told. ");
	}
	if (set->cut)
		buf_add(&rows->note, "There are more values than these. ");
	if (!set->count && !set->absent && !set->doubtful)
		buf_add(&rows->note, "The dump contains no such values. ");
	if (set->of_type)
		buf_add(&rows->note, "Local variables on stacks are not counted.");
}

static bool values_open(struct rows *rows, const char *argument, struct err *err)
{
	const char *name;
	const struct values_form *form = values_form_of(argument, &name);
	if (!analysis_typing(rows->analysis))
		return err_set(err, "Values are known only with the executable of the program: --exe FILE");
	struct value_set *set = rows->data = mem_alloc(sizeof *set);
	value_set_init(set, rows->analysis);
	bool done = form->select(set, rows->analysis, name, rows->progress, err);
	rows->count = (size_t)set->count;
	rows->is_set = true;
	buf_add(&rows->title, form->title);
	text_add_escaped(&rows->title, name, strlen(name), NAME_SHOWN);
	values_add_note(rows, set);
	if (!done || set->count || set->absent || set->doubtful || !set->of_type)
		return done;
	SCOPED_BUF type = {0};
	text_add_escaped(&type, name, strlen(name), NAME_SHOWN);
	err_set(err,
	        "The dump contains no values of type %s; stacks were not searched, and the table types "
	        "lists the types of objects",
	        buf_text(&type));
	return argument_absent(analysis_heap(rows->analysis), DAMAGE_ROOTS, err);
}

static unsigned values_need(const char *argument)
{
	return values_form_of(argument, &(const char *){0})->needs;
}

static void values_value(const struct rows *rows, size_t row, struct datum *value)
{
	value_set_get(values_of(rows), row, value);
}

static struct entity values_entity(const struct rows *rows, size_t row)
{
	return entity_of_object(
		heap_find(analysis_heap(rows->analysis), value_set_place(values_of(rows), row).address));
}

static void values_link(const struct rows *rows, size_t row, struct buf *command)
{
	struct datum value;
	values_value(rows, row, &value);
	if (value.object == OBJECT_NONE) {
		SCOPED_BUF name = {0};
		part_add_path(rows->analysis, &value, &name);
		part_add_page(rows->analysis, buf_text(&name), command);
		return;
	}
	buf_add(command, "object ");
	part_add_argument(rows->analysis, &value, command);
}

static void values_key_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct datum key;
	uint64_t index;
	if (value_set_key(values_of(rows), row, &key, &index))
		field_value_of(rows->analysis, &key, value);
	else if (index != UINT64_MAX)
		cell_number(value, VALUE_ID, index);
}

static void values_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_ADDRESS, value_set_place(values_of(rows), row).address);
}

static void values_bytes_cell(const struct rows *rows, size_t row, struct value *value)
{
	gotype_id type = value_set_place(values_of(rows), row).type;
	cell_number(value, VALUE_BYTES, gotype_get(analysis_types(rows->analysis), type)->size);
}

static uint64_t values_type_code(const struct rows *rows, size_t row)
{
	struct datum at;
	value_set_get(values_of(rows), row, &at);
	bool guess = datum_known(&values_of(rows)->in, &at) == KNOWN_GUESS;
	return (uint64_t)at.type << 1 | guess;
}

static void values_type_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	gotype_display(analysis_types(rows->analysis), (gotype_id)(code >> 1), cell_begin(value));
	value->guess = code & 1;
}

static const struct coding values_type_coding = {values_type_code, values_type_cell};

static void values_value_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct datum at;
	values_value(rows, row, &at);
	field_value_of(rows->analysis, &at, value);
}

static void values_where_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct datum at;
	values_value(rows, row, &at);
	part_add_path(rows->analysis, &at, cell_begin(value));
}

static const struct column columns[] = {
	{"key", "key", "Key of the entry of a map, or index in a slice, array or channel", VALUE_NONE,
     16, 0, .cell = values_key_cell, .any_kind = true, .is_signed = true},
	{"address", "address", "Address of the value", VALUE_ADDRESS, 18, 2,
     .cell = values_address_cell},
	{"object", "object", "The object that it is, or that it is a part of", VALUE_ADDRESS, 18, 3,
     .cell = object_address_cell},
	{"bytes", "bytes", "Bytes of the value itself", VALUE_BYTES, 9, 2, .cell = values_bytes_cell},
	{"type", "type", "Type of the value", VALUE_TEXT, 18, 3, .coding = &values_type_coding},
	{"name", "where", "The path to it, as every command takes it", VALUE_TEXT, 30, 3,
     .cell = values_where_cell, .stages = STAGE_REACHED},
	{"value", "value",
     "The value: a number, a text, or all of a struct or array; ~ marks a type that is a guess",
     VALUE_NONE, 0, 0, .cell = values_value_cell, .any_kind = true, .is_signed = true,
     .cut_end = true},
};

DEFINE_PLUGIN(tables, struct table, table_values) = {
	.rank = 135,
	.name = "values",
	.from = DAMAGE_ROOTS,
	.help =
		"Values that need not be objects: the elements of a map, slice, array or channel, where "
		"[*] in the path stands for all elements; all values of a type in the reachable objects "
		"and in global variables; or with outside= the elements that no slice covers but that "
		"still reference objects, as after s = s[n:]. Empty slots of maps and the capacity of "
		"slices beyond their length do not count",
	.argument = "PATH|type=NAME|outside=PATH",
	.takes = TAKES_PLACE,
	.needs = STAGE_TYPED | STAGE_REACHED,
	.needs_with = values_need,
	.parts = PART_MEMORY,
	COLUMNS(columns),
	.open = values_open,
	.link = values_link,
	.entity = values_entity,
	.value = values_value,
	.style = style_reachable,
	.close = values_close,
};
