#include "rtype_read.h"

#include "dwarf_type.h"
#include "name_hash.h"

#include <string.h>

/* Finds a type in DWARF by name and size: up to Go 1.10 DWARF does not refer to descriptors, and of
   types that several files have, each has one. */
static gotype_id declare_by_name(struct gotypes *types, const struct rtype *type)
{
	SCOPED_BUF name = {0};
	struct rtypes_part range;
	rtype_add_name(&types->table, type, &name);
	bool found = rtypes_range_of(&types->table, type->address, &range);
	gotype_id id = dwarf_type_of_name(types, buf_text(&name), type->size,
	                                  found ? range.number + 1 : types->file_count);
	struct rtype same;
	uint64_t address = !id && found && range.number ? rtype_named(types, buf_text(&name)) : 0;
	if (!address || address == type->address || !rtype_at(&types->table, address, &same)
	    || same.hash != type->hash || same.size != type->size)
		return id;
	return rtype_declare(types, address);
}

gotype_id rtype_declare(struct gotypes *types, uint64_t address)
{
	uint64_t found;
	struct rtype type;
	gotype_id id = 0;
	if (map_get(&types->by_rtype, address, &found))
		return (gotype_id)found;
	id = dwarf_type_described(types, address);
	if (!id && !rtype_at(&types->table, address, &type))
		return 0;
	if (!id && (types->dwarf || types->table.part_count))
		id = declare_by_name(types, &type);
	if (id)
		map_put(&types->by_rtype, address, id);
	return id ? id : universe_declare(types, false, address);
}

static gotype_id rtype_read_part(struct gotypes *types, const struct rtype *type, unsigned word)
{
	return rtype_declare(types, rtype_word(&types->table, type, word));
}

static void read_element(struct gotypes *types, gotype_id id, const struct rtype *type)
{
	types->types[id].elem = rtype_read_part(types, type, 0);
}

static void rtype_read_array(struct gotypes *types, gotype_id id, const struct rtype *type)
{
	types->types[id].elem = rtype_read_part(types, type, 0);
	types->types[id].count = rtype_count(&types->table, type, 2);
}

static void read_map(struct gotypes *types, gotype_id id, const struct rtype *type)
{
	types->types[id].key = rtype_read_part(types, type, 0);
	types->types[id].elem = rtype_read_part(types, type, 1);
	map_put(&types->slots, id, rtype_read_part(types, type, 2));
	types->types[id].header = rtype_make_map(types, rtype_word(&types->table, type, 0),
	                                         rtype_word(&types->table, type, 1),
	                                         rtype_word(&types->table, type, 2));
}

gotype_id gotypes_described_slots(struct gotypes *types, gotype_id map)
{
	struct rtype type;
	gotype_id slots = 0;
	if (rtype_at(&types->table, types->types[map].rtype, &type) && type.kind == GO_MAP)
		slots = rtype_read_part(types, &type, 2);
	universe_settle(types);
	return slots;
}

static void read_chan(struct gotypes *types, gotype_id id, const struct rtype *type)
{
	gotype_id elem = rtype_read_part(types, type, 0);
	uint64_t header = 0;
	if (!map_get(&types->channels, elem, &header)) { /* shared by all directions of the channel */
		header = rtype_make_chan(types, rtype_word(&types->table, type, 0));
		map_put(&types->channels, elem, header);
	}
	types->types[id].elem = elem;
	types->types[id].header = (gotype_id)header;
}

static void rtype_read_interface(struct gotypes *types, gotype_id id, const struct rtype *type)
{
	types->types[id].has_methods = rtype_count(&types->table, type, 2) > 0;
}

static void rtype_read_struct(struct gotypes *types, gotype_id id, const struct rtype *type)
{
	const struct rtypes *table = &types->table;
	uint64_t word = table->image->pointer_size, at = rtype_word(table, type, 1);
	uint64_t count = rtype_count(table, type, 2), room;
	rtype_bytes(table, at, &room);
	for (uint64_t i = 0; i < count && i < room / (3 * word); i++, at += 3 * word) {
		uint64_t offset = rtype_number(table, at + 2 * word);
		struct text name;
		uint8_t flags = 0;
		if (!rtype_name_at(table, rtype_pointer(table, at), &flags, &name))
			return;
		bool embedded = table->shifted_offsets ? offset & 1 : flags & RTYPE_NAME_EMBEDDED;
		struct gofield field = {universe_keep(types, name.data, name.len),
		                        table->shifted_offsets ? offset >> 1 : offset,
		                        rtype_declare(types, rtype_pointer(table, at + word)), embedded};
		if (!universe_add_field(types, id, field))
			return;
	}
}

static void read_string(struct gotypes *types, gotype_id id, const struct rtype *type)
{
	(void)type;
	types->types[id].elem = rtype_declare(types, rtype_named(types, "uint8"));
}

static void (*const kinds[GO_KINDS])(struct gotypes *types, gotype_id id,
                                     const struct rtype *type) = {
	[GO_ARRAY] = rtype_read_array,
	[GO_CHAN] = read_chan,
	[GO_INTERFACE] = rtype_read_interface,
	[GO_MAP] = read_map,
	[GO_POINTER] = read_element,
	[GO_SLICE] = read_element,
	[GO_STRING] = read_string,
	[GO_STRUCT] = rtype_read_struct,
};

void rtype_read(struct gotypes *types, gotype_id id, uint64_t address)
{
	struct rtype type;
	SCOPED_BUF name = {0};
	if (!rtype_at(&types->table, address, &type))
		return;
	rtype_add_name(&types->table, &type, &name);
	types->types[id] = (struct gotype){.name = universe_keep(types, buf_text(&name), name.len),
	                                   .size = type.size,
	                                   .kind = type.kind,
	                                   .rtype = address};
	if (kinds[type.kind])
		kinds[type.kind](types, id, &type);
}

void rtype_declare_all(struct gotypes *types)
{
	struct rtype type;
	uint64_t step = types->image->pointer_size;
	for (size_t i = 0; i <= types->table.part_count; i++) {
		struct rtypes_part range = rtypes_range(&types->table, i);
		for (uint64_t at = range.base; at < range.end; at += step)
			if (rtype_at(&types->table, at, &type))
				rtype_declare(types, at);
	}
}

static void index_names_of(struct gotypes *types, struct rtypes_part range)
{
	struct rtype type;
	SCOPED_BUF name = {0};
	uint64_t step = types->image->pointer_size, hash, before;
	for (uint64_t at = range.base; at < range.end; at += step) {
		if (!rtype_at(&types->table, at, &type))
			continue;
		buf_clear(&name);
		rtype_add_name(&types->table, &type, &name);
		hash = name_hash(buf_text(&name), name.len);
		if (!map_get(&types->by_name, hash, &before))
			map_put(&types->by_name, hash, at);
	}
}

/* The first of several types by one name counts: that of the program. */
static void index_names(struct gotypes *types)
{
	types->named = true;
	for (size_t i = 0; i <= types->table.part_count; i++)
		index_names_of(types, rtypes_range(&types->table, i));
}

uint64_t rtype_named(struct gotypes *types, const char *name)
{
	uint64_t address = 0;
	struct rtype type;
	SCOPED_BUF found = {0};
	if (!types->named)
		index_names(types);
	if (!map_get(&types->by_name, name_hash(name, strlen(name)), &address)
	    || !rtype_at(&types->table, address, &type))
		return 0;
	rtype_add_name(&types->table, &type, &found);
	bool same = strcmp(buf_text(&found), name) == 0; /* rules out hash collisions */
	return same ? address : 0;
}
