/* The table of a type's fields, with fields of nested structs in rows of their own. */
#include "table/naming/argument.h"
#include "table/naming/typed.h"

#include "base/mem.h"
#include "base/text.h"
#include "go/types/scalar_fields.h"

#include <string.h>

enum { NAME_SHOWN = 100 };

struct layout_data {
	struct scalar_fields scalars;
	gotype_id type;
};

static bool layout_open(struct rows *rows, const char *argument, struct err *err)
{
	struct layout_data *data = rows->data = mem_alloc(sizeof *data);
	const struct typing *typing = analysis_typing(rows->analysis);
	if (!typing)
		return err_set(err, "No types are known without the executable");
	data->scalars.types = typing_types(typing);
	data->type = typed_named(rows->analysis, argument);
	if (!data->type) {
		err_set(err, "There is no type \"%.100s\"; the table types lists those of objects",
		        argument);
		return argument_absent(analysis_heap(rows->analysis), DAMAGE_ROOTS, err);
	}
	const struct gotype *type = gotype_get(data->scalars.types, data->type);
	rows->count = (size_t)scalar_fields_count(&data->scalars, data->type);
	buf_add(&rows->title, "fields of ");
	text_add_escaped(&rows->title, argument, strlen(argument), NAME_SHOWN);
	buf_add(&rows->title, ", ");
	value_add(&(struct value){.kind = VALUE_BYTES, .number = type->size}, &rows->title);
	return true;
}

static void layout_close(struct rows *rows)
{
	struct layout_data *data = rows->data;
	scalar_fields_fini(&data->scalars);
}

static struct scalar_field layout_scalar(const struct rows *rows, size_t row, struct buf *name)
{
	struct layout_data *data = rows->data;
	return scalar_fields_get(&data->scalars, data->type, row, name);
}

static gotype_id layout_type(const struct rows *rows, size_t row)
{
	return layout_scalar(rows, row, NULL).type;
}

static void layout_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_OFFSET, layout_scalar(rows, row, NULL).offset);
}

static void layout_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	SCOPED_BUF name = {0};
	layout_scalar(rows, row, &name);
	cell_text(value, buf_text(&name) + (*buf_text(&name) == '.'));
}

static void layout_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	gotype_display(analysis_types(rows->analysis), layout_type(rows, row), cell_begin(value));
}

static void layout_size_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct gotype *type = gotype_get(analysis_types(rows->analysis), layout_type(rows, row));
	cell_number(value, VALUE_BYTES, type->size);
}

static const struct column columns[] = {
	{"offset", "offset", "Offset from the start of the value", VALUE_OFFSET, 10, 0,
     .cell = layout_offset_cell},
	{"name", "name", "Name of the field in the program", VALUE_TEXT, 28, 0,
     .cell = layout_name_cell},
	{"type", "type", "Type of the field", VALUE_TEXT, 0, 0, .cell = layout_type_cell},
	{"size", "bytes", "Bytes that it takes", VALUE_BYTES, 9, 0, .cell = layout_size_cell},
};

/* Links to the fields of a field's type, or of the type that it points to, if it has any. */
static void layout_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct gotypes *types = analysis_types(rows->analysis);
	const struct gotype *type = gotype_get(types, layout_type(rows, row));
	gotype_id next = type->header ? type->header : type->elem;
	SCOPED_BUF name = {0};
	if (!next)
		return;
	gotype_display(types, next, &name);
	buf_add(command, "layout ");
	text_add_quoted(command, "", buf_text(&name));
}

DEFINE_PLUGIN(tables, struct table, table_layout) = {
	.rank = 360,
	.name = "layout",
	.from = DAMAGE_ROOTS,
	.help = "The fields of a type, with their offsets, types and sizes",
	.argument = "TYPE",
	.needs = STAGE_TYPED,
	COLUMNS(columns),
	.open = layout_open,
	.none = "A value of this type takes no bytes.",
	.link = layout_link,
	.close = layout_close,
	.completes = "types.type",
};
