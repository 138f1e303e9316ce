/* Type names for people. */
#include "universe.h"

#include "base/text.h"

#include <string.h>

/* Returns the length of the number at the beginning of `name` that the compiler adds to a type
   local to a function ("·4" in "main.T·4"); 0: none. */
static size_t is_number(const char *name, size_t len)
{
	static const char dot[] = "\u00b7";
	size_t at = sizeof dot - 1;
	if (len <= at || memcmp(name, dot, at) != 0 || name[at] < '0' || name[at] > '9')
		return 0;
	while (at < len && name[at] >= '0' && name[at] <= '9')
		at++;
	return at;
}

/* Short names: any for interface {}, byte in []byte. */
static const struct {
	const char *from, *to;
} aliases[] = {
	{"interface {}", "any"},
	{"[]uint8", "[]byte"},
};

static size_t is_at(const char *name, const char *end, const char *word)
{
	size_t len = strlen(word);
	return (size_t)(end - name) >= len && memcmp(name, word, len) == 0 ? len : 0;
}

static bool gotype_display_is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Returns the length of the part of a name of `len` bytes at `at` that people see as *plain; 0: as
   it is. */
static size_t gotype_display_plain(const char *name, size_t len, size_t at, const char **plain)
{
	size_t part = text_symbol_part(name, len, at, plain);
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases && !part; i++) {
		*plain = aliases[i].to;
		part = is_at(name + at, name + len, aliases[i].from);
		if (at + part < len && gotype_display_is_word(name[at + part]))
			part = 0;
	}
	if (part)
		return part;
	*plain = "";
	return is_number(name + at, len - at);
}

/* Appends a name from a file, escaped. */
static void gotype_display_add_type(struct buf *out, const char *name, const char *end)
{
	size_t len = (size_t)(end - name), from = 0;
	for (size_t at = 0; at < len; at++) {
		const char *plain;
		size_t part = gotype_display_plain(name, len, at, &plain);
		if (!part)
			continue;
		text_add_escaped(out, name + from, at - from, SIZE_MAX);
		buf_add(out, plain);
		from = at + part;
		at = from - 1;
	}
	text_add_escaped(out, name + from, len - from, SIZE_MAX);
}

/* Returns the comma between key and element, skipping those in nested types, or NULL. */
static const char *comma(const char *name, const char *end)
{
	int depth = 0;
	for (const char *at = name; at < end; at++) {
		if (strchr("[({<", *at) && !(*at == '<' && at + 1 < end && at[1] == '-'))
			depth++;
		else if (strchr("])}>", *at))
			depth--;
		else if (*at == ',' && depth == 0)
			return at;
	}
	return NULL;
}

/* Appends the header type of a map or channel as DWARF calls it: "hash<K,V>", "hchan<T>". Returns
   false if it is malformed. */
static bool add_container(struct buf *out, const struct gotypes_part *part, const char *of,
                          const char *end)
{
	const char *split = part->of_chan ? NULL : comma(of, end);
	if (!part->of_chan && !split)
		return false;
	buf_add(out, split ? "map[" : "chan ");
	gotype_display_add_type(out, of, split ? split : end);
	if (split) {
		buf_add_char(out, ']');
		gotype_display_add_type(out, split + 1, end);
	}
	return true;
}

/* Appends the type that a part belongs to. */
static bool add_part(struct buf *out, const struct gotypes_part *part, const char *name)
{
	const char *end = name + strlen(name);
	bool slots = part->name[strlen(part->name) - 1] == '[';
	name += slots ? is_at(name, end, "noalg.") : 0;
	size_t len = is_at(name, end, part->name);
	if (!len || (!slots && (end[-1] != '>' || !add_container(out, part, name + len, end - 1))))
		return false;
	if (slots) { /* a bucket or group type: "noalg.map.group[string]int" */
		buf_add(out, "map[");
		gotype_display_add_type(out, name + len, end);
	}
	return true;
}

/* Returns what the type is a part of, after appending that; NULL: it is a type of the program. */
static const struct gotypes_part *gotype_display_part(const struct gotypes *types, const char *name,
                                                      struct buf *out)
{
	const struct gotypes_part *part;
	for (size_t row = 0; types->runtime && (part = types->runtime->parts(row)); row++)
		for (; part->name; part++)
			if (add_part(out, part, name))
				return part;
	return NULL;
}

/* Returns the name of a type, or of the only instance of a type of generic code. */
static const char *gotype_display_name(const struct gotypes *types, gotype_id id)
{
	const struct gotype *type = gotype_get(types, id);
	return gotype_get(types, type->instance ? type->instance : id)->name;
}

void gotype_display(const struct gotypes *types, gotype_id id, struct buf *out)
{
	const char *name = gotype_display_name(types, id);
	size_t stars = strspn(name, "*"), before = out->len;
	buf_add_bytes(out, name, stars);
	name += stars;
	const struct gotypes_part *part = gotype_display_part(types, name, out);
	/* at the beginning of a name ~ is the mark of a guess */
	size_t shape = stars ? 0 : is_at(name, name + strlen(name), "go.shape.");
	if (!part) {
		text_add_escaped(out, name, shape, SIZE_MAX);
		gotype_display_add_type(out, name + shape, name + strlen(name));
	} else if (*part->what)
		buf_addf(out, " %s", part->what);
	text_bound(out, before);
}

void gotype_display_whole(const struct gotypes *types, gotype_id id, struct buf *out)
{
	const char *name = gotype_display_name(types, id);
	size_t before = out->len;
	const struct gotypes_part *part = gotype_display_part(types, name + strspn(name, "*"), out);
	if (part && *part->what)
		return;
	buf_truncate(out, before);
	gotype_display(types, id, out);
}
