/* The table of the heap's objects: all of them, or a set. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/contents/object_set.h"
#include "table/contents/value_set.h"
#include "table/growth/delta.h"
#include "table/naming/typed.h"

#include "base/text.h"
#include "format/format.h"

#include <string.h>

enum { NAME_SHOWN = 200 };

/* Appends how many values of a type are elsewhere: in arrays, and in other objects. */
static void objects_add_values(struct rows *rows, const char *type)
{
	uint64_t count = analysis_typing(rows->analysis) ? value_set_count(rows->analysis, type) : 0;
	SCOPED_BUF name = {0};
	text_add_escaped(&name, type, strlen(type), NAME_SHOWN);
	uint64_t own = 0; /* values are those that can be reached */
	for (size_t row = 0; row < rows->count; row++)
		own += reach_has(analysis_reach(rows->analysis), rows_id(rows, row));
	if (count > own)
		buf_addf(&rows->note, "%s; %s it: see values type=%s",
		         rows->count ? "These are single objects" : "No object has this type",
		         text_number_of(count - own, "value elsewhere has", "values elsewhere have").text,
		         buf_text(&name));
	size_t guessed = object_set_guessed(rows->analysis, type);
	if (guessed)
		buf_addf(&rows->note, "%s %s it is a guess that %s this type: see type=%c%s",
		         rows->note.len ? "; of" : "Of",
		         text_number_of(guessed, "of these objects", "of these objects").text,
		         guessed == 1 ? "it has" : "they have", TYPE_MARK, buf_text(&name));
}

/* Returns true if the objects of a set have one type, which the title then names. */
static bool objects_are_alike(struct rows *rows, const struct object_set_form *form)
{
	uint64_t code = rows->count ? object_type_coding.of(rows, 0) : 0;
	for (size_t row = 1; row < rows->count && !form->of_type; row++)
		if (object_type_coding.of(rows, row) != code)
			return false;
	if (rows->count && !form->names_type) {
		buf_add(&rows->title, ": ");
		typed_add(rows->analysis, rows_object(rows, 0), &rows->title);
	}
	return true;
}

static bool objects_open(struct rows *rows, const char *argument, struct err *err)
{
	if (!object_set_select(rows, argument, err))
		return false;
	struct object_set_form form = object_set_form(argument);
	rows->is_set = form.and_type || ((form.of_type || form.of_place) && !form.either);
	rows->alike = rows->is_set && objects_are_alike(rows, &form);
	if (form.of_type && argument[5] && !strchr(argument, ' '))
		objects_add_values(rows, argument + 5);
	else if (!rows->count)
		buf_add(&rows->note, *argument ? "There is no such object; the table objects without an "
		                                 "argument lists all."
		                               : "The dump holds no objects.");
	return true;
}

static void objects_born_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_born(value, rows->analysis, rows_id(rows, row));
}

static const struct column columns[] = {
	{"address", "address", "Address of the object in the program", VALUE_ADDRESS, 18, 0,
     .cell = object_address_cell},
	{OBJECT_SIZE, .width = 9},
	{OBJECT_REACHABLE, .width = 9},
	{OBJECT_TYPE, .set = "type=", .common = true},
	{"type_known", "known",
     "How its type is known: exact, inferred, guess, or none if it has only a label", VALUE_TEXT, 8,
     1, .coding = &object_known_coding, .stages = STAGE_TYPED, .common = true},
	{"references", "references", "Number of pointers in it to objects", VALUE_COUNT, 11, 2,
     .cell = object_references_cell, .stages = STAGE_LINKED},
	{"referrers", "referrers", "Number of pointers in objects to it", VALUE_COUNT, 11, 2,
     .cell = object_referrers_cell, .stages = STAGE_REVERSED},
	{OBJECT_RETAINED, .width = 9},
	{OBJECT_RESIDENT, .width = 9, .rank = 3},
	{OBJECT_OWNER, .width = 24, .rank = 3},
	{OBJECT_PACKAGE, .width = 12, .rank = 3},
	{OBJECT_SITE, .width = 24, .rank = 3},
	{OBJECT_CALL, .width = 24, .rank = 3},
	{"born", "born",
     BORN_HELP ": the same slot, with the same type as far as that is known, and pointers at the "
               "same words. It may still be another object",
     VALUE_COUNT, 4, 1, .cell = objects_born_cell, .stages = STAGE_REACHED | STAGE_TYPED,
     .absent = delta_absent},
};

DEFINE_PLUGIN(tables, struct table, table_objects) = {
	.rank = 80,
	.name = "objects",
	.from = DAMAGE_ROOTS,
	.help = "The objects of the heap, by address: all, the reachable or unreachable ones, or those "
			"of one slot size, span or type, or at one place of the table where",
	.argument = OBJECT_SET_ARGUMENT,
	.takes = TAKES_PLACE | TAKES_SET,
	.needs = STAGE_READ,
	.needs_with = object_set_needs,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = objects_open,
	.entity = rows_id_entity,
	.style = style_reachable,
};
