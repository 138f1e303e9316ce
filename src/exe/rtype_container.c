/* The runtime's structs behind maps and channels. Descriptors tell of their keys and elements only;
   DWARF has a type for each, and without it they are put together here, with its names
   (runtime/map.go up to Go 1.23, internal/runtime/maps after, runtime/chan.go). */
#include "rtype_read.h"

#include "base/buf.h"

#include <string.h>

/* What a field is, beside a number of bytes. */
enum what { NUMBER, POINTER, STRUCT };
/* To what a pointer leads, or which struct it is. */
enum part { NOTHING, SLOTS, TABLE, TABLES, GROUPS, QUEUE, WAITER };

struct layout_field {
	const char *name;
	uint8_t size; /* of a number; 0: a word */
	enum what what;
	enum part part;
	unsigned since; /* Go 1.x */
};

static const struct layout_field hash[] = {
	{"count", 0, NUMBER, NOTHING, 0},     {"flags", 1, NUMBER, NOTHING, 0},
	{"B", 1, NUMBER, NOTHING, 0},         {"noverflow", 2, NUMBER, NOTHING, 0},
	{"hash0", 4, NUMBER, NOTHING, 0},     {"buckets", 0, POINTER, SLOTS, 0},
	{"oldbuckets", 0, POINTER, SLOTS, 0}, {"nevacuate", 0, NUMBER, NOTHING, 0},
	{"extra", 0, POINTER, NOTHING, 0},    {0},
};
static const struct layout_field swiss[] = {
	{"used", 8, NUMBER, NOTHING, 0},        {"seed", 0, NUMBER, NOTHING, 0},
	{"dirPtr", 0, POINTER, TABLES, 0},      {"dirLen", 0, NUMBER, NOTHING, 0},
	{"globalDepth", 1, NUMBER, NOTHING, 0}, {"globalShift", 1, NUMBER, NOTHING, 0},
	{"writing", 1, NUMBER, NOTHING, 0},     {"tombstonePossible", 1, NUMBER, NOTHING, 0},
	{"clearSeq", 8, NUMBER, NOTHING, 0},    {0},
};
static const struct layout_field table[] = {
	{"used", 2, NUMBER, NOTHING, 0},
	{"capacity", 2, NUMBER, NOTHING, 0},
	{"growthLeft", 2, NUMBER, NOTHING, 0},
	{"localDepth", 1, NUMBER, NOTHING, 0},
	{"index", 0, NUMBER, NOTHING, 0},
	{"groups", 0, STRUCT, GROUPS, 0},
	{0},
};
static const struct layout_field groups[] = {
	{"data", 0, POINTER, SLOTS, 0},
	{"lengthMask", 8, NUMBER, NOTHING, 0},
	{0},
};
static const struct layout_field channel[] = {
	{"qcount", 0, NUMBER, NOTHING, 0},    {"dataqsiz", 0, NUMBER, NOTHING, 0},
	{"buf", 0, POINTER, NOTHING, 0},      {"elemsize", 2, NUMBER, NOTHING, 0},
	{"closed", 4, NUMBER, NOTHING, 0},    {"timer", 0, POINTER, NOTHING, 23},
	{"elemtype", 0, POINTER, NOTHING, 0}, {"sendx", 0, NUMBER, NOTHING, 0},
	{"recvx", 0, NUMBER, NOTHING, 0},     {"recvq", 0, STRUCT, QUEUE, 0},
	{"sendq", 0, STRUCT, QUEUE, 0},       {"bubble", 0, POINTER, NOTHING, 25},
	{"lock", 0, NUMBER, NOTHING, 0},      {0},
};
static const struct layout_field queue[] = {
	{"first", 0, POINTER, WAITER, 0},
	{"last", 0, POINTER, WAITER, 0},
	{0},
};

/* A container being put together. */
struct making {
	struct gotypes *types;
	const char *of;  /* "string,int>" */
	gotype_id slots; /* type of a bucket or group */
};

static const char *keep_name(const struct making *m, const char *before, const char *of)
{
	struct buf name = {0};
	buf_add(&name, before);
	buf_add(&name, of);
	const char *kept = universe_keep(m->types, buf_text(&name), name.len);
	buf_free(&name);
	return kept;
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

static gotype_id make_struct(const struct making *m, const char *before,
                             const struct layout_field *fields);

/* No deeper than these parts contain each other. */
static gotype_id make_part(const struct making *m, enum part part)
{
	switch (part) {
	case NOTHING:
		return 0;
	case SLOTS:
		return m->slots;
	case TABLE:
		return make_struct(m, "table<", table);
	case TABLES:
		return make_pointer(m, make_part(m, TABLE));
	case GROUPS:
		return make_struct(m, "groupReference<", groups);
	case QUEUE:
		return make_struct(m, "waitq<", queue);
	case WAITER:
		return rtype_declare(m->types, rtype_named(m->types, "runtime.sudog"));
	}
	return 0;
}

static gotype_id number_type(const struct making *m, unsigned size)
{
	const char *name = size == 1   ? "uint8"
	                   : size == 2 ? "uint16"
	                   : size == 4 ? "uint32"
	                   : size == 8 ? "uint64"
	                               : "uint";
	return rtype_declare(m->types, rtype_named(m->types, name));
}

static gotype_id field_type(const struct making *m, const struct layout_field *field)
{
	if (field->what == NUMBER)
		return number_type(m, field->size);
	gotype_id part = make_part(m, field->part);
	return field->what == POINTER ? make_pointer(m, part) : part;
}

enum { MOST_FIELDS = 16 };

static gotype_id make_struct(const struct making *m, const char *before,
                             const struct layout_field *fields)
{
	struct gotypes *types = m->types;
	struct gofield made[MOST_FIELDS];
	uint64_t word = types->image->pointer_size, at = 0;
	unsigned count = 0;
	for (; fields->name && count < MOST_FIELDS; fields++) {
		if (fields->since > types->minor)
			continue;
		gotype_id type = field_type(m, fields);
		uint64_t size = fields->what == STRUCT                   ? types->types[type].size
		                : fields->size && fields->what == NUMBER ? fields->size
		                                                         : word;
		uint64_t align = size < word ? size : word;
		at = align ? (at + align - 1) / align * align : at;
		made[count++] = (struct gofield){fields->name, at, type, false};
		at += size;
	}
	gotype_id id = universe_add(types);
	if (!id)
		return 0;
	types->types[id] = (struct gotype){.name = keep_name(m, before, m->of),
	                                   .kind = GO_STRUCT,
	                                   .size = (at + word - 1) / word * word};
	for (unsigned i = 0; i < count; i++)
		universe_add_field(types, id, made[i]);
	return id;
}

/* Groups begin with their control bytes, buckets with what is left of hashes. */
static bool rtype_container_is_group(const struct gotypes *types, uint64_t slots)
{
	struct rtype type;
	struct text name;
	uint64_t field = 0, name_at = 0;
	uint8_t flags;
	return rtype_at(&types->table, slots, &type)
	       && (field = rtype_word(&types->table, &type, 1)) != 0
	       && (name_at = rtype_pointer(&types->table, field)) != 0
	       && rtype_name_at(&types->table, name_at, &flags, &name) && text_is(name, "ctrl");
}

static void add_type_name(struct gotypes *types, uint64_t address, struct buf *out)
{
	struct rtype type;
	if (rtype_at(&types->table, address, &type))
		rtype_add_name(&types->table, &type, out);
}

gotype_id rtype_make_map(struct gotypes *types, uint64_t key, uint64_t elem, uint64_t slots)
{
	struct buf of = {0};
	add_type_name(types, key, &of);
	buf_add_char(&of, ',');
	add_type_name(types, elem, &of);
	buf_add_char(&of, '>');
	struct making m = {types, buf_text(&of), rtype_declare(types, slots)};
	gotype_id id = rtype_container_is_group(types, slots) ? make_struct(&m, "map<", swiss)
	                                                      : make_struct(&m, "hash<", hash);
	buf_free(&of);
	return id;
}

gotype_id rtype_make_chan(struct gotypes *types, uint64_t elem)
{
	struct buf of = {0};
	add_type_name(types, elem, &of);
	buf_add_char(&of, '>');
	struct making m = {types, buf_text(&of), 0};
	gotype_id id = make_struct(&m, "hchan<", channel);
	buf_free(&of);
	return id;
}
