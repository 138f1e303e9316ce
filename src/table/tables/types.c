/* The table of types: the number and memory of their objects. */
#include "table/growth/delta.h"
#include "table/naming/argument.h"
#include "table/naming/typed.h"
#include "table/owners/row_owner.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 100 };

struct types {
	struct type_groups groups;
	size_t all; /* the number of groups before those of other packages were removed */
};

/* Removes the types of all other packages. */
static void select_package(struct type_groups *groups, const char *package)
{
	size_t kept = 0;
	SCOPED_BUF name = {0};
	for (size_t i = 0; i < groups->count; i++) {
		buf_clear(&name);
		type_group_add_package(&groups->group[i], &name);
		if (strcmp(buf_text(&name), package) == 0)
			groups->group[kept++] = groups->group[i];
		else
			free(groups->group[i].name);
	}
	groups->count = kept;
}

/* Returns false, with *err: no object has a type of the package, or what of that is not known. */
static bool types_deny(struct rows *rows, const char *package, struct err *err)
{
	bool known = heap_has(analysis_heap(rows->analysis), PART_TYPES);
	SCOPED_BUF name = {0};
	text_add_escaped(&name, package, strlen(package), NAME_SHOWN);
	if (!known && !analysis_typing(rows->analysis)) {
		err_set(err,
		        "Whether objects have types of the package %s cannot be told without the program's "
		        "executable",
		        buf_text(&name));
	} else if (!known && typed_doubt(rows, "of this package"))
		err_set(err,
		        "No object is known to have a type of the package %s. %s The table types by "
		        "package lists those that are known",
		        buf_text(&name), buf_text(&rows->note));
	else
		err_set(err, "No %sobject has a type of the package %s; types by package lists them all",
		        known ? "" : "reachable ", buf_text(&name));
	return argument_absent(analysis_heap(rows->analysis), DAMAGE_ROOTS, err);
}

static bool types_open(struct rows *rows, const char *argument, struct err *err)
{
	struct types *types = rows->data = mem_alloc(sizeof *types);
	struct type_groups *groups = &types->groups;
	type_groups_init(groups, rows->analysis);
	types->all = groups->count;
	/* Retained bytes are computed if this may take long: then there is a progress. */
	groups->retained = rows->progress && analysis_has_roots(rows->analysis)
	                   && type_groups_retain(groups, rows->analysis, rows->progress);
	buf_add(&rows->title, "types of objects");
	if (*argument) {
		select_package(groups, argument);
		buf_add(&rows->title, " of package ");
		text_add_escaped(&rows->title, argument, strlen(argument), NAME_SHOWN);
	}
	if (!typed_any(rows->analysis))
		buf_add(&rows->title, ": not known yet");
	else if (!analysis_typing(rows->analysis)
	         && !heap_has(analysis_heap(rows->analysis), PART_TYPES))
		buf_add(&rows->title, ": their shapes, as there is no executable");
	rows->count = groups->count;
	if (!rows->count && *argument)
		return types_deny(rows, argument, err);
	if (!rows->count)
		buf_add(&rows->note, "The dump holds no objects.");
	return true;
}

static void types_close(struct rows *rows)
{
	type_groups_fini(&((struct types *)rows->data)->groups);
}

static void types_members(const struct rows *rows, uint32_t *row_of)
{
	const struct types *types = rows->data;
	SCOPED_FREE uint32_t *row_of_number = mem_alloc((types->all + 1) * sizeof *row_of_number);
	memset(row_of_number, 0xff, (types->all + 1) * sizeof *row_of_number);
	for (size_t i = 0; i < types->groups.count; i++)
		row_of_number[types->groups.group[i].number] = (uint32_t)i;
	type_groups_classes(&types->groups, rows->analysis, row_of_number, row_of);
}

static bool waste_unknown(const struct rows *rows)
{
	return !analysis_typing(rows->analysis);
}

static bool retained_unknown(const struct rows *rows)
{
	return !((const struct types *)rows->data)->groups.retained;
}

static void types_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct type_group *group = rows_record(rows, row);
	buf_add(cell_begin(value), group->name);
	value->guess = typed_are_guessed(group->guessed, group->count);
}

static void types_package_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct type_group *group = rows_record(rows, row);
	type_group_add_package(group, cell_begin(value));
}

static const struct column columns[] = {
	{"type", "type",
     "The type in the program: a map or channel is one object with all of its parts, []T is the "
     "array of a slice; with --parts each part is counted by itself, [n]T for several values; "
     "without a type, the shape or the referrer",
     VALUE_TEXT, 0, 0, .cell = types_name_cell, IDENTIFIES},
	{"count", "objects", "Number of objects of the type", VALUE_COUNT, 11, 0,
     FIELD(struct type_group, count)},
	{"guessed", "guessed", "Number of them of which it is a guess that they have the type",
     VALUE_COUNT, 9, 2, FIELD(struct type_group, guessed)},
	{"entries", "entries",
     "Number of entries of these maps, or of elements queued in these "
     "channels",
     VALUE_COUNT, 9, 0, FIELD_IF(struct type_group, entries, holds)},
	{"bytes", "bytes", "Bytes of their slots", VALUE_BYTES, 9, 0, FIELD(struct type_group, bytes)},
	{"largest", "largest", "Bytes of the slot of the largest of them", VALUE_BYTES, 9, 1,
     FIELD(struct type_group, largest)},
	{"waste_bytes", "waste",
     "Bytes of these slots beyond the known lengths and capacities of their values: the allocator "
     "rounds sizes up to size classes",
     VALUE_BYTES, 9, 2, .cell = field_unless_absent_cell, FIELD(struct type_group, waste),
     .absent = waste_unknown},
	{"share", "share", "Share of the bytes of all objects", VALUE_SHARE, 6, 1,
     FIELD(struct type_group, bytes)},
	{"retained_bytes", "retained",
     "Retained size of all objects of the type together: an object that is retained by another "
     "one of the type counts once. " RETAINED_TOGETHER,
     VALUE_BYTES, 9, 0, .cell = field_unless_absent_cell, FIELD(struct type_group, retained),
     .absent = retained_unknown},
	{COUNT_DELTA_OF("count"), .width = 9},
	{BYTES_DELTA_OF("bytes"), .width = 10},
	{"package", "package", "The first package in its name, as packages groups them", VALUE_TEXT, 12,
     3, .cell = types_package_cell, .on_request = true},
	{ROW_OWNER, .width = 24, .rank = 3},
	{ROW_OWNER_SHARE, .width = 9, .rank = 3},
};

static void types_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct type_group *group = rows_record(rows, row);
	buf_add(command, "objects ");
	text_add_quoted(command, "type=", group->name);
}

DEFINE_PLUGIN(tables, struct table, table_types) = {
	.rank = 340,
	.name = "types",
	.from = DAMAGE_ROOTS,
	.grouped = "types-package",
	.help =
		"The types of all objects, or of those of one package, with the number and bytes of the "
		"objects of each",
	.argument = "[PACKAGE]",
	.needs = STAGE_OWNED | STAGE_TYPED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = types_open,
	RECORDS(struct types, groups.group),
	.members = types_members,
	.link = types_link,
	.close = types_close,
	.sort = "bytes",
	.completes = "packages.package",
};
