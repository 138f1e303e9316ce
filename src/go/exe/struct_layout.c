#include "go/exe/struct_layout.h"

#include "base/buf.h"
#include "rtype_read.h"

const struct struct_layout layout_slots = {"", NULL};

/* ---- Offsets */

static uint64_t layout_size(const struct layout_field *field, unsigned width, unsigned minor)
{
	struct layout_places inner;
	if (field->kind == LAYOUT_NUMBER && field->size)
		return field->size;
	if (field->kind != LAYOUT_STRUCT)
		return width;
	struct_layout_place(field->of, width, minor, &inner);
	return inner.size;
}

void struct_layout_place(const struct struct_layout *layout, unsigned width, unsigned minor,
                         struct layout_places *places)
{
	uint64_t at = 0;
	for (size_t i = 0; layout->fields[i].name && i < LAYOUT_FIELDS; i++) {
		const struct layout_field *field = &layout->fields[i];
		places->at[i] = UINT64_MAX;
		if (field->since > minor || (field->until && field->until < minor))
			continue;
		uint64_t size = layout_size(field, width, minor), align = size < width ? size : width;
		places->at[i] = at = align ? (at + align - 1) / align * align : at;
		at += size;
	}
	places->size = (at + width - 1) / width * width;
}

/* ---- Types */

/* State of making a struct type. */
struct making {
	struct gotypes *types;
	const char *of;  /* type arguments such as "string,int>" */
	gotype_id slots; /* bucket or group type */
};

static const char *keep_name(const struct making *m, const char *before, const char *of)
{
	SCOPED_BUF name = {0};
	buf_add(&name, before);
	buf_add(&name, of);
	return universe_keep(m->types, buf_text(&name), name.len);
}

static gotype_id make_pointer(const struct making *m, gotype_id elem)
{
	gotype_id id = universe_add(m->types);
	if (id && elem)
		m->types->types[id] = (struct gotype){.name = keep_name(m, "*", m->types->types[elem].name),
		                                      .kind = GO_POINTER,
		                                      .size = m->types->image->pointer_size,
		                                      .elem = elem};
	else if (id)
		m->types->types[id] = (struct gotype){.name = "unsafe.Pointer",
		                                      .kind = GO_UNSAFE_POINTER,
		                                      .size = m->types->image->pointer_size};
	return id;
}

static gotype_id make_struct(const struct making *m, const struct struct_layout *layout);

/* Returns the type of a field. The recursion is as deep as the tables nest. */
static gotype_id field_type(const struct making *m, const struct layout_field *field)
{
	const struct struct_layout *of = field->of;
	gotype_id part = 0;
	if (field->kind == LAYOUT_NUMBER) {
		const char *name = field->size == 1   ? "uint8"
		                   : field->size == 2 ? "uint16"
		                   : field->size == 4 ? "uint32"
		                   : field->size == 8 ? "uint64"
		                                      : "uint";
		return rtype_declare(m->types, rtype_named(m->types, name));
	}
	if (of == &layout_slots)
		part = m->slots;
	else if (of && of->fields)
		part = make_struct(m, of);
	else if (of)
		part = rtype_declare(m->types, rtype_named(m->types, of->name));
	if (field->kind == LAYOUT_POINTERS)
		part = make_pointer(m, part);
	return field->kind == LAYOUT_STRUCT ? part : make_pointer(m, part);
}

static gotype_id make_struct(const struct making *m, const struct struct_layout *layout)
{
	struct gotypes *types = m->types;
	gotype_id of[LAYOUT_FIELDS];
	struct layout_places places;
	struct_layout_place(layout, types->image->pointer_size, types->minor, &places);
	for (size_t i = 0; layout->fields[i].name; i++)
		of[i] = places.at[i] == UINT64_MAX ? 0 : field_type(m, &layout->fields[i]);
	gotype_id id = universe_add(types);
	if (!id)
		return 0;
	types->types[id] = (struct gotype){
		.name = keep_name(m, layout->name, m->of), .kind = GO_STRUCT, .size = places.size};
	for (size_t i = 0; layout->fields[i].name; i++)
		if (places.at[i] != UINT64_MAX)
			universe_add_field(
				types, id, (struct gofield){layout->fields[i].name, places.at[i], of[i], false});
	return id;
}

/* Returns the name of the first field, which distinguishes groups from buckets. */
static struct text struct_layout_first_field(const struct gotypes *types, uint64_t slots)
{
	struct rtype type;
	struct text name = {"", 0};
	uint64_t field = 0, name_at = 0;
	uint8_t flags;
	if (rtype_at(&types->table, slots, &type) && (field = rtype_word(&types->table, &type, 1)) != 0
	    && (name_at = rtype_pointer(&types->table, field)) != 0
	    && !rtype_name_at(&types->table, name_at, &flags, &name))
		name = (struct text){"", 0};
	return name;
}

static void add_type_name(struct gotypes *types, uint64_t address, struct buf *out)
{
	struct rtype type;
	if (rtype_at(&types->table, address, &type))
		rtype_add_name(&types->table, &type, out);
}

gotype_id rtype_make_map(struct gotypes *types, uint64_t key, uint64_t elem, uint64_t slots)
{
	SCOPED_BUF of = {0};
	if (!types->runtime)
		return 0;
	add_type_name(types, key, &of);
	buf_add_char(&of, ',');
	add_type_name(types, elem, &of);
	buf_add_char(&of, '>');
	struct making m = {types, buf_text(&of), rtype_declare(types, slots)};
	return make_struct(&m, types->runtime->map(struct_layout_first_field(types, slots)));
}

gotype_id rtype_make_chan(struct gotypes *types, uint64_t elem)
{
	SCOPED_BUF of = {0};
	if (!types->runtime)
		return 0;
	add_type_name(types, elem, &of);
	buf_add_char(&of, '>');
	struct making m = {types, buf_text(&of), 0};
	return make_struct(&m, types->runtime->chan);
}
