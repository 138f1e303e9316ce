#include "dwarf_type.h"

#include "base/guard.h"
#include "dwarf_files.h"
#include "dwarf_place.h"
#include "rtype_read.h"

#include <string.h>

enum { MAX_TYPEDEFS = 8 };

/* Suffix of typedefs in generic code that only name the shared type. */
static const char type_parameter[] = ".param";

/* Returns true for a typedef that only repeats the name of another type. Typedefs that have a kind
   are types themselves: maps, channels, interfaces. */
static bool only_names(Dwarf_Die *die)
{
	uint64_t kind;
	return dwarf_tag(die) == DW_TAG_typedef && !die_number(die, AT_GO_KIND, &kind);
}

/* Follows typedefs to the named type; other DIEs do not change. */
static void peel(Dwarf_Die *die)
{
	Dwarf_Die to;
	for (int i = 0; i < MAX_TYPEDEFS && only_names(die) && die_reference(die, DW_AT_type, &to); i++)
		*die = to;
}

/* Declares the same type of the program, or of a part that was loaded before; 0: there is none. If
   the program has no DWARF, it has descriptors. */
static gotype_id dwarf_type_twin(struct gotypes *types, Dwarf_Die *die, const char *name)
{
	size_t number = types->reading->number;
	struct rtypes_part own = rtypes_range(&types->table, 0);
	struct rtype type;
	uint64_t size = 0;
	if (!number)
		return 0;
	die_number(die, DW_AT_byte_size, &size);
	gotype_id id = dwarf_type_of_name(types, name, size, number);
	uint64_t address = id || types->dwarf ? 0 : rtype_named(types, name);
	bool same = address - own.base < own.end - own.base && rtype_at(&types->table, address, &type)
	            && (!size || type.size == size);
	return same ? rtype_declare(types, address) : id;
}

static gotype_id declare_at(struct gotypes *types, Dwarf_Off offset)
{
	uint64_t id, key = dwarf_files_key(types, offset);
	Dwarf_Die die;
	if (!dwarf_offdie(types->reading->dwarf, offset, &die))
		return 0;
	const char *name = die_name(&die);
	id = name ? dwarf_type_twin(types, &die, name) : 0;
	if (id) {
		map_put(&types->by_die, key, id);
		return (gotype_id)id;
	}
	peel(&die);
	Dwarf_Off real = dwarf_dieoffset(&die);
	const char *real_name = die_name(&die);
	bool parameter = name && strncmp(name, type_parameter, sizeof type_parameter - 1) == 0;
	if (real == offset || !name || !real_name || (!parameter && strcmp(name, real_name) != 0))
		return universe_declare(types, true, key);
	real = dwarf_files_key(types, real);
	if (!map_get(&types->by_die, real, &id))
		id = universe_declare(types, true, real);
	map_put(&types->by_die, key, id);
	return (gotype_id)id;
}

gotype_id dwarf_type_declare(struct gotypes *types, Dwarf_Off offset)
{
	uint64_t id;
	if (offset == 0)
		return 0;
	if (map_get(&types->by_die, dwarf_files_key(types, offset), &id))
		return (gotype_id)id;
	const char *before = guard_enter("libdw");
	id = declare_at(types, offset);
	guard_leave(before);
	return (gotype_id)id;
}

static gotype_id declare_reference(struct gotypes *types, Dwarf_Die *die, unsigned attribute)
{
	return dwarf_type_declare(types, die_reference_offset(die, attribute));
}

static enum gokind dwarf_type_kind_of(Dwarf_Die *die)
{
	static const struct {
		int tag;
		enum gokind kind;
	} by_tag[] = {
		{DW_TAG_structure_type, GO_STRUCT},
		{DW_TAG_pointer_type, GO_POINTER},
		{DW_TAG_array_type, GO_ARRAY},
		{DW_TAG_subroutine_type, GO_FUNC},
	};
	uint64_t kind;
	int tag = dwarf_tag(die);
	if (die_number(die, AT_GO_KIND, &kind) && kind % 32 != GO_INVALID && kind % 32 < GO_KINDS)
		return (enum gokind)(kind % 32);
	if (tag == DW_TAG_pointer_type && !dwarf_hasattr(die, DW_AT_type))
		return GO_UNSAFE_POINTER;
	for (size_t i = 0; i < sizeof by_tag / sizeof *by_tag; i++)
		if (by_tag[i].tag == tag)
			return by_tag[i].kind;
	return GO_INVALID;
}

static void dwarf_type_add_field(struct gotypes *types, gotype_id id, Dwarf_Die *die)
{
	struct gofield field = {.name = die_name(die)};
	Dwarf_Attribute attribute, embedded;
	if (!field.name || !dwarf_attr(die, DW_AT_data_member_location, &attribute)
	    || !dwarf_place_member(types->image, &attribute, &field.offset))
		return;
	if (dwarf_attr(die, AT_GO_EMBEDDED, &embedded))
		dwarf_formflag(&embedded, &field.embedded);
	field.type = declare_reference(types, die, DW_AT_type);
	universe_add_field(types, id, field);
}

static void dwarf_type_read_struct(struct gotypes *types, gotype_id id, Dwarf_Die *die)
{
	Dwarf_Die child;
	for (int none = dwarf_child(die, &child); none == 0; none = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_member)
			dwarf_type_add_field(types, id, &child);
}

static void dwarf_type_read_array(struct gotypes *types, gotype_id id, Dwarf_Die *die)
{
	Dwarf_Die child;
	types->types[id].elem = declare_reference(types, die, DW_AT_type);
	for (int none = dwarf_child(die, &child); none == 0; none = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_subrange_type)
			die_number(&child, DW_AT_count, &types->types[id].count);
}

static void dwarf_type_read_pointer(struct gotypes *types, gotype_id id, Dwarf_Die *die)
{
	types->types[id].elem = declare_reference(types, die, DW_AT_type);
}

/* Reads a slice or string: its first field is a pointer to the elements. */
static void read_slice(struct gotypes *types, gotype_id id, Dwarf_Die *die)
{
	Dwarf_Die first, pointer;
	Dwarf_Off elem = die_reference_offset(die, AT_GO_ELEM);
	if (!elem && dwarf_child(die, &first) == 0 && die_reference(&first, DW_AT_type, &pointer)) {
		peel(&pointer);
		elem = die_reference_offset(&pointer, DW_AT_type);
	}
	types->types[id].elem = dwarf_type_declare(types, elem);
}

/* Reads a map or channel: a typedef of a pointer to its header. */
static void read_header(struct gotypes *types, gotype_id id, Dwarf_Die *die)
{
	Dwarf_Die pointer;
	types->types[id].elem = declare_reference(types, die, AT_GO_ELEM);
	types->types[id].key = declare_reference(types, die, AT_GO_KEY);
	if (!die_reference(die, DW_AT_type, &pointer))
		return;
	peel(&pointer);
	if (dwarf_tag(&pointer) == DW_TAG_pointer_type)
		types->types[id].header = declare_reference(types, &pointer, DW_AT_type);
}

static void dwarf_type_read_interface(struct gotypes *types, gotype_id id, Dwarf_Die *die)
{
	for (int i = 0; i < MAX_TYPEDEFS && dwarf_tag(die) == DW_TAG_typedef; i++)
		if (!die_reference(die, DW_AT_type, die))
			return;
	const char *name = die_name(die);
	types->types[id].has_methods = name && strcmp(name, "runtime.iface") == 0;
}

static const struct {
	unsigned words; /* words of a value if the DIE has no size */
	void (*read)(struct gotypes *types, gotype_id id, Dwarf_Die *die);
} kinds[GO_KINDS] = {
	[GO_ARRAY] = {0, dwarf_type_read_array},
	[GO_CHAN] = {1, read_header},
	[GO_FUNC] = {1, NULL},
	[GO_INTERFACE] = {2, dwarf_type_read_interface},
	[GO_MAP] = {1, read_header},
	[GO_POINTER] = {1, dwarf_type_read_pointer},
	[GO_SLICE] = {3, read_slice},
	[GO_STRING] = {2, read_slice},
	[GO_STRUCT] = {0, dwarf_type_read_struct},
	[GO_UNSAFE_POINTER] = {1, NULL},
};

static void dwarf_type_read_type(struct gotypes *types, gotype_id id, Dwarf_Off offset)
{
	struct gotype *type = &types->types[id];
	uint64_t descriptor = 0;
	Dwarf_Die die;
	if (!dwarf_offdie(types->reading->dwarf, offset, &die))
		return;
	const char *name = die_name(&die);
	type->name = name ? name : "";
	peel(&die);
	type->kind = dwarf_type_kind_of(&die);
	if (!die_number(&die, DW_AT_byte_size, &type->size))
		type->size = (uint64_t)kinds[type->kind].words * types->image->pointer_size;
	if (die_address(&die, AT_GO_RUNTIME_TYPE, &descriptor))
		type->rtype = dwarf_descriptor(types->reading, descriptor);
	if (kinds[type->kind].read)
		kinds[type->kind].read(types, id, &die);
}

void dwarf_type_read(struct gotypes *types, gotype_id id, Dwarf_Off offset)
{
	const char *before = guard_enter("libdw");
	dwarf_type_read_type(types, id, offset);
	guard_leave(before);
}

gotype_id dwarf_type_of_file(struct gotypes *types, struct dwarf_index *file, Dwarf_Off offset)
{
	struct dwarf_index *before = types->reading;
	types->reading = file;
	gotype_id id = dwarf_type_declare(types, offset);
	types->reading = before;
	return id;
}

gotype_id dwarf_type_described(struct gotypes *types, uint64_t descriptor)
{
	uint64_t offset;
	for (size_t i = 0; i < types->file_count; i++)
		if (types->files[i] && map_get(&types->files[i]->descriptors, descriptor, &offset))
			return dwarf_type_of_file(types, types->files[i], offset);
	return 0;
}

/* Returns true if the type of a DIE has that size, or tells none. */
static bool dwarf_type_fits(const struct dwarf_index *file, Dwarf_Off offset, uint64_t size)
{
	Dwarf_Die die;
	uint64_t own;
	const char *before = guard_enter("libdw");
	bool fits = dwarf_offdie(file->dwarf, offset, &die)
	            && (!size || !die_number(&die, DW_AT_byte_size, &own) || own == size);
	guard_leave(before);
	return fits;
}

gotype_id dwarf_type_of_name(struct gotypes *types, const char *name, uint64_t size, size_t end)
{
	for (size_t i = 0; i < end && i < types->file_count; i++) {
		struct dwarf_index *file = types->files[i];
		Dwarf_Off offset = file ? dwarf_type_named(file, name) : 0;
		if (offset && dwarf_type_fits(file, offset, size))
			return dwarf_type_of_file(types, file, offset);
	}
	return 0;
}
