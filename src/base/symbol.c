/* Names of the linker and of the compiler: part of base/text.h. */
#include "base/text.h"

#include <string.h>

static const char symbol_dot[] = "%2e";
enum {
	SYMBOL_DOT = sizeof symbol_dot - 1,
	ARGUMENTS = 1 << 12 /* a list is looked through so far: each of hostile nested ones is */
};

/* The compiler's types for all type arguments that generic code is shared by: those with this
   underlying type. All pointers share one, of which the rest says nothing. */
static const struct {
	const char *name, *plain;
} shapes[] = {
	{"go.shape.*uint8", "*..."},
	{"go.shape.", "~"},
};

static bool symbol_is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z')
	       || (uint8_t)c >= 0x80;
}

static size_t symbol_shape(const char *name, size_t len, size_t at, const char **plain)
{
	if (at && (symbol_is_word(name[at - 1]) || strchr("./", name[at - 1])))
		return 0;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		size_t part = strlen(shapes[i].name);
		*plain = shapes[i].plain;
		if (part <= len - at && memcmp(name + at, shapes[i].name, part) == 0
		    && (i || at + part == len || !symbol_is_word(name[at + part])))
			return part;
	}
	return 0;
}

/* Returns the length of a list of type arguments that begins at `at` and has a shape in it, to
   which Go's own stack traces refer as "[...]"; 0: it is none. */
static size_t symbol_arguments(const char *name, size_t len, size_t at, const char **plain)
{
	bool map = at >= 3 && memcmp(name + at - 3, "map", 3) == 0
	           && (at == 3 || !symbol_is_word(name[at - 4]));
	if (!at || !symbol_is_word(name[at - 1]) || map)
		return 0;
	bool shaped = false;
	size_t end = at + 1;
	unsigned depth = 1;
	for (; end < len && end - at < ARGUMENTS && depth; end++) {
		shaped |= name[end] == 'g' && symbol_shape(name, len, end, plain);
		depth += name[end] == '[';
		depth -= name[end] == ']';
	}
	*plain = "[...]";
	return shaped && !depth ? end - at : 0;
}

size_t text_symbol_part(const char *name, size_t len, size_t at, const char **plain)
{
	switch (name[at]) {
	case '%':
		*plain = ".";
		return len - at >= SYMBOL_DOT && memcmp(name + at, symbol_dot, SYMBOL_DOT) == 0 ? SYMBOL_DOT
		                                                                                : 0;
	case '[':
		return symbol_arguments(name, len, at, plain);
	case 'g':
		return symbol_shape(name, len, at, plain);
	default:
		return 0;
	}
}

void text_add_symbol(struct buf *buf, const char *name, size_t len, size_t limit)
{
	if (!len || !(memchr(name, '%', len) || memchr(name, '[', len))) {
		text_add_escaped(buf, name, len, limit);
		return;
	}
	SCOPED_BUF plain = {0};
	for (size_t at = 0, part; at < len; at += part) {
		const char *other;
		part = text_symbol_part(name, len, at, &other);
		if (part)
			buf_add(&plain, other);
		else
			buf_add_bytes(&plain, name + at, part = 1);
	}
	text_add_escaped(buf, buf_text(&plain), plain.len, limit);
}

size_t text_symbol_length(const char *text, const char *name)
{
	const char *at = text;
	while (*name) {
		bool dot = *at == '.' && strncmp(name, symbol_dot, SYMBOL_DOT) == 0;
		if (!dot && *at != *name)
			return 0;
		name += dot ? SYMBOL_DOT : 1;
		at++;
	}
	return (size_t)(at - text);
}
