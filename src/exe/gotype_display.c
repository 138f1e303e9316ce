/* Types as people write them. */
#include "exe/gotypes.h"

#include "base/text.h"

#include <string.h>

/* The runtime's own structs behind maps and channels, by how DWARF calls them: hash<K,V>. */
static const struct {
	const char *name, *what;
	bool chan;
} containers[] = {
	{"hash<", "(header)", false},   {"map<", "(header)", false},
	{"bucket<", "(bucket)", false}, {"table<", "(table)", false},
	{"group<", "(group)", false},   {"groupReference<", "(groups)", false},
	{"hchan<", "", true},           {"waitq<", "(wait queue)", true},
	{"sudog<", "(waiter)", true},
};

/* How much of a name is not for people: the number of a type that is local to a function
   ("main.T·4"). */
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

/* Names come from files. The linker writes dots of a package's path as %2e. */
static void add_plain(struct buf *out, const char *name, size_t len)
{
	size_t from = 0;
	for (size_t i = 0; i < len; i++) {
		bool dot = len - i >= 3 && memcmp(name + i, "%2e", 3) == 0;
		size_t skip = dot ? 3 : is_number(name + i, len - i);
		if (!skip)
			continue;
		text_add_escaped(out, name + from, i - from, SIZE_MAX);
		if (dot)
			buf_add_char(out, '.');
		from = i + skip;
		i = from - 1;
	}
	text_add_escaped(out, name + from, len - from, SIZE_MAX);
}

/* Interfaces without methods and bytes have short names since Go 1.18 and always. */
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

static void gotype_display_add_type(struct buf *out, const char *name, const char *end)
{
	const char *from = name;
	for (const char *at = name; at < end; at++) {
		size_t len = 0, i = 0;
		for (; i < sizeof aliases / sizeof *aliases && !len; i++)
			len = is_at(at, end, aliases[i].from);
		if (!len || (at + len < end && gotype_display_is_word(at[len])))
			continue;
		add_plain(out, from, (size_t)(at - from));
		buf_add(out, aliases[i - 1].to);
		from = at + len;
		at = from - 1;
	}
	add_plain(out, from, (size_t)(end - from));
}

/* The comma between key and element, not one inside of them. */
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

static bool add_container(struct buf *out, const char *name)
{
	const char *end = name + strlen(name);
	for (size_t i = 0; i < sizeof containers / sizeof *containers && end > name && end[-1] == '>';
	     i++) {
		size_t len = is_at(name, end, containers[i].name);
		const char *split = len && !containers[i].chan ? comma(name + len, end - 1) : NULL;
		if (!len || (!split && !containers[i].chan))
			continue;
		buf_add(out, split ? "map[" : "chan ");
		gotype_display_add_type(out, name + len, split ? split : end - 1);
		if (split) {
			buf_add_char(out, ']');
			gotype_display_add_type(out, split + 1, end - 1);
		}
		if (*containers[i].what)
			buf_addf(out, " %s", containers[i].what);
		return true;
	}
	return false;
}

/* Buckets and groups: "noalg.map.group[string]int". */
static bool add_slots(struct buf *out, const char *name)
{
	static const struct {
		const char *name, *what;
	} slots[] = {{"map.bucket[", "(bucket)"}, {"map.group[", "(group)"}};
	const char *end = name + strlen(name);
	name += is_at(name, end, "noalg.");
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
		size_t len = is_at(name, end, slots[i].name);
		if (!len)
			continue;
		buf_add(out, "map[");
		gotype_display_add_type(out, name + len, end);
		buf_addf(out, " %s", slots[i].what);
		return true;
	}
	return false;
}

void gotype_display(const struct gotypes *types, gotype_id id, struct buf *out)
{
	const char *name = gotype_get(types, id)->name;
	size_t stars = strspn(name, "*");
	buf_add_bytes(out, name, stars);
	if (!add_container(out, name + stars) && !add_slots(out, name + stars))
		gotype_display_add_type(out, name + stars, name + strlen(name));
}
