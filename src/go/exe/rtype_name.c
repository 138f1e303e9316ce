/* Names of type descriptors. */
#include "rtype.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 1 << 14, MAX_PARTS = 64 };

/* State of composing a name from parts; `parts` bounds malformed ones, which could recurse
   forever. */
struct naming {
	const struct rtypes *table;
	struct buf *out;
	unsigned parts;
};

bool rtype_name_at(const struct rtypes *table, uint64_t address, uint8_t *flags, struct text *name)
{
	uint64_t room, len = 0;
	const uint8_t *data = rtype_bytes(table, address, &room);
	unsigned at = 1;
	*name = (struct text){0};
	if (!data || room <= 3)
		return false;
	*flags = data[0];
	if (table->fixed_lengths) {
		len = (uint64_t)data[1] << 8 | data[2];
		at = 3;
	} else {
		do
			len |= (uint64_t)(data[at] & 0x7f) << 7 * (at - 1);
		while (data[at++] >= 0x80 && at < 3);
	}
	if (len > NAME_MAX_LENGTH || len > room - at)
		return false;
	*name = (struct text){(const char *)data + at, len};
	return true;
}

struct text rtype_short_name(const struct rtypes *table, const struct rtype *type)
{
	struct text name;
	struct rtypes_part range;
	uint8_t flags;
	if (!rtypes_range_of(table, type->address, &range)
	    || !rtype_name_at(table, range.base + type->name, &flags, &name))
		return (struct text){0};
	if (type->flags & RTYPE_EXTRA_STAR && name.len > 1 && name.data[0] == '*')
		name = (struct text){name.data + 1, name.len - 1};
	return name;
}

/* Returns the length of the package before the name of a named type; 0 if the type is unnamed. */
static size_t package_length(struct text name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.data[i] == '.')
			return i;
		else if (strchr("[]*(){}<> ,;", name.data[i]))
			return 0;
	return 0;
}

/* Possible offsets of a type's methods and package path: words after the common part, plus bytes.
   Maps differ between versions; functions end with two 16-bit numbers. */
static const struct place {
	uint8_t words, bytes;
} uncommon[GO_KINDS][3] = {
	[GO_ARRAY] = {{3, 0}},
	[GO_CHAN] = {{2, 0}},
	[GO_INTERFACE] = {{4, 0}},
	[GO_POINTER] = {{1, 0}},
	[GO_MAP] = {{8, 0}, {4, 8}, {3, 8}},
	[GO_SLICE] = {{1, 0}},
	[GO_STRUCT] = {{4, 0}},
};

/* Returns true if the path contains the package name. A path usually ends with it, except for
   versions ("/v2", "yaml.v3") and differing names. If there is only one possible place, the path
   counts without this test. */
static bool is_path_of(struct text path, struct text name, size_t package)
{
	for (size_t at = 0; at + package <= path.len; at++)
		if (memcmp(path.data + at, name.data, package) == 0)
			return true;
	return false;
}

static struct text package_path(const struct rtypes *table, const struct rtype *type,
                                struct text name, size_t package)
{
	unsigned word = table->image->pointer_size;
	const struct place *places = uncommon[type->kind];
	for (int i = 0; type->flags & RTYPE_UNCOMMON && i < 3 && (i == 0 || places[i].words); i++) {
		unsigned bytes = type->kind == GO_FUNC ? word == 8 ? 8 : 4 : places[i].bytes;
		uint64_t at = type->address + 4 * word + 16 + places[i].words * word + bytes, offset;
		struct text path;
		struct rtypes_part range;
		uint8_t flags;
		if (image_number(table->image, at, 4, &offset) && offset
		    && rtypes_range_of(table, type->address, &range)
		    && rtype_name_at(table, range.base + offset, &flags, &path)
		    && (!places[1].words ? path.len > 0 : is_path_of(path, name, package)))
			return path;
	}
	return (struct text){name.data, package};
}

static void rtype_name_add_name(struct naming *naming, const struct rtype *type);

/* Appends a name such as "[]http.Header": the prefix, then the full name of the element. Returns
   false if the stored name does not end with that of the element. */
static bool add_with_element(struct naming *naming, const struct rtype *type, struct text name)
{
	struct rtype elem;
	if (!rtype_at(naming->table, rtype_word(naming->table, type, 0), &elem))
		return false;
	struct text inner = rtype_short_name(naming->table, &elem);
	if (inner.len > name.len
	    || memcmp(name.data + name.len - inner.len, inner.data, inner.len) != 0)
		return false;
	buf_add_bytes(naming->out, name.data, name.len - inner.len);
	rtype_name_add_name(naming, &elem);
	return true;
}

static bool rtype_name_add_map(struct naming *naming, const struct rtype *type, struct text name)
{
	struct rtype key, elem;
	(void)name;
	if (!rtype_at(naming->table, rtype_word(naming->table, type, 0), &key)
	    || !rtype_at(naming->table, rtype_word(naming->table, type, 1), &elem))
		return false;
	buf_add(naming->out, "map[");
	rtype_name_add_name(naming, &key);
	buf_add_char(naming->out, ']');
	rtype_name_add_name(naming, &elem);
	return true;
}

/* Appends the names of a list of descriptors: "string, ...int". */
static void add_list(struct naming *naming, uint64_t at, uint64_t count, bool variadic)
{
	const struct rtypes *table = naming->table;
	struct rtype part;
	for (uint64_t i = 0; i < count; i++, at += table->image->pointer_size) {
		bool found = rtype_at(table, rtype_pointer(table, at), &part);
		buf_add(naming->out, i ? ", " : "");
		buf_add(naming->out, variadic && i + 1 == count ? "..." : "");
		if (found && variadic && i + 1 == count)
			found = rtype_at(table, rtype_word(table, &part, 0), &part);
		if (!found || naming->parts > MAX_PARTS || naming->out->len > NAME_MAX_LENGTH)
			return;
		rtype_name_add_name(naming, &part);
	}
}

/* Appends a func type. Two 16-bit counts and a list of parameter and result types follow the common
   part. */
static bool rtype_name_add_func(struct naming *naming, const struct rtype *type, struct text name)
{
	enum { VARIADIC = 1 << 15, UNCOMMON_BYTES = 16 };
	const struct rtypes *table = naming->table;
	uint64_t word = table->image->pointer_size, at = type->address + 4 * word + 16, in, out, room;
	(void)name;
	if (!image_number(table->image, at, 2, &in) || !image_number(table->image, at + 2, 2, &out))
		return false;
	bool variadic = out & VARIADIC;
	out &= VARIADIC - 1;
	at += word == 8 ? 8 : 4;
	at += type->flags & RTYPE_UNCOMMON ? UNCOMMON_BYTES : 0;
	if (!rtype_bytes(table, at, &room) || in + out > room / word)
		return false;
	buf_add(naming->out, "func(");
	add_list(naming, at, in, variadic);
	buf_add(naming->out, out > 1 ? ") (" : out ? ") " : ")");
	add_list(naming, at + in * word, out, false);
	buf_add(naming->out, out > 1 ? ")" : "");
	return true;
}

static bool (*const composite[GO_KINDS])(struct naming *naming, const struct rtype *type,
                                         struct text name) = {
	[GO_POINTER] = add_with_element, [GO_SLICE] = add_with_element, [GO_ARRAY] = add_with_element,
	[GO_CHAN] = add_with_element,    [GO_MAP] = rtype_name_add_map, [GO_FUNC] = rtype_name_add_func,
};

/* Appends a package path as the linker writes it: dots in its last element are escaped. The
   compiler's package go.shape is an exception. */
static void add_package(struct naming *naming, struct text path, struct text name, size_t package)
{
	size_t last = path.len;
	while (last > 0 && path.data[last - 1] != '/')
		last--;
	size_t len = path.len - last;
	bool whole = name.len > len && memcmp(name.data, path.data + last, len) == 0
	             && name.data[len] == '.';
	buf_add_bytes(naming->out, path.data, last);
	for (size_t i = last; i < path.len; i++)
		if (path.data[i] == '.' && !whole)
			buf_add(naming->out, "%2e");
		else
			buf_add_char(naming->out, path.data[i]);
	package = whole ? len : package;
	buf_add_bytes(naming->out, name.data + package, name.len - package);
}

static void rtype_name_add_part(struct naming *naming, const struct rtype *type, unsigned word)
{
	struct rtype part;
	if (rtype_at(naming->table, rtype_word(naming->table, type, word), &part))
		rtype_name_add_name(naming, &part);
}

/* Appends a struct type such as "struct { X *main.Val; Y string }". */
static void rtype_name_add_fields(struct naming *naming, const struct rtype *type)
{
	const struct rtypes *table = naming->table;
	uint64_t word = table->image->pointer_size, at = rtype_word(table, type, 1);
	uint64_t count = rtype_count(table, type, 2);
	buf_add(naming->out, "struct {");
	for (uint64_t i = 0; i < count && naming->parts < MAX_PARTS; i++, at += 3 * word) {
		struct text name;
		struct rtype part;
		uint8_t flags = 0;
		if (!rtype_name_at(table, rtype_pointer(table, at), &flags, &name)
		    || !rtype_at(table, rtype_pointer(table, at + word), &part)
		    || naming->out->len > NAME_MAX_LENGTH)
			break;
		buf_add(naming->out, i ? "; " : " ");
		buf_add_bytes(naming->out, name.data, flags & RTYPE_NAME_EMBEDDED ? 0 : name.len);
		buf_add(naming->out, flags & RTYPE_NAME_EMBEDDED ? "" : " ");
		rtype_name_add_name(naming, &part);
	}
	buf_add(naming->out, count ? " }" : "}");
}

/* Appends the beginning of an unnamed type's name, before the name of its element. */
static void add_made(struct naming *naming, const struct rtype *type)
{
	static const char *const channels[] = {"chan ", "<-chan ", "chan<- ", "chan "};
	const struct rtypes *table = naming->table;
	switch (type->kind) {
	case GO_ARRAY:
		buf_addf(naming->out, "[%" PRIu64 "]", rtype_count(table, type, 2));
		break;
	case GO_CHAN:
		buf_add(naming->out, channels[rtype_count(table, type, 1) & 3]);
		break;
	case GO_MAP:
		buf_add(naming->out, "map[");
		rtype_name_add_part(naming, type, 0);
		buf_add_char(naming->out, ']');
		rtype_name_add_part(naming, type, 1);
		return;
	case GO_STRUCT:
		rtype_name_add_fields(naming, type);
		return;
	case GO_POINTER:
	case GO_SLICE:
		buf_add(naming->out, type->kind == GO_POINTER ? "*" : "[]");
		break;
	default:
		buf_add(naming->out, type->kind == GO_FUNC ? "func(...)" : "interface { ... }");
		return;
	}
	rtype_name_add_part(naming, type, 0);
}

static void rtype_name_add_name(struct naming *naming, const struct rtype *type)
{
	struct text name = rtype_short_name(naming->table, type);
	size_t package = package_length(name);
	if (naming->parts++ > MAX_PARTS)
		return;
	if (rtype_is_made(naming->table, type))
		add_made(naming, type);
	else if (package && type->flags & RTYPE_UNCOMMON)
		add_package(naming, package_path(naming->table, type, name, package), name, package);
	else if (package || !composite[type->kind] || !composite[type->kind](naming, type, name))
		buf_add_bytes(naming->out, name.data, name.len);
}

void rtype_add_name(const struct rtypes *table, const struct rtype *type, struct buf *out)
{
	struct naming naming = {table, out, 0};
	rtype_name_add_name(&naming, type);
}
