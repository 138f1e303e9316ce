/* Names in less room. */
#include "base/shorten.h"

#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { HEAD_LEAST = 6 }; /* columns that the beginning of a text keeps before its last name */

static bool shorten_is_letter(char c)
{
	return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool shorten_is_of_path(char c)
{
	return shorten_is_letter(c) || isdigit((unsigned char)c) || (c && strchr("./-%~+", c));
}

/* Bytes of a text in quotes, with both of them. */
static size_t shorten_quoted(const char *text)
{
	size_t len = 1;
	while (text[len] && text[len] != '"')
		len += text[len] == '\\' && text[len + 1] ? 2 : 1;
	return text[len] ? len + 1 : len;
}

/* How many bytes of a word are the path before the name of its package: "net/" of
   "net/http.Server". 0: none, or it names no more than a package or a file from the root on. */
static size_t shorten_package(const char *word, size_t len)
{
	size_t base = 0, dot;
	for (size_t i = 0; i < len; i++) {
		if (word[i] != '/')
			continue;
		if (i == base)
			return 0; /* as in /usr/lib and http://host */
		base = i + 1;
	}
	for (dot = base; dot < len && word[dot] != '.'; dot++)
		;
	if (dot == base || dot == len)
		return 0;
	char next = word[dot + 1]; /* of the text: there is at least its end */
	/* "?": a type without a name, as in "net/http.?@0x6bb4a0" */
	bool named = dot + 1 < len ? shorten_is_letter(next) || next == '.'
	                           : next && strchr("(?", next);
	return named ? base : 0;
}

void shorten_paths(const char *text, struct buf *out)
{
	while (*text) {
		size_t len = 0;
		while (shorten_is_of_path(text[len]))
			len++;
		size_t without = shorten_package(text, len);
		if (!len)
			len = *text == '"' ? shorten_quoted(text) : 1;
		buf_add_bytes(out, text + without, len - without);
		text += len;
	}
}

/* Are these the arguments of a type, not an index, a length or the key of a map? */
static bool shorten_is_arguments(const char *text, size_t at)
{
	size_t word = at;
	while (word > 0
	       && (shorten_is_letter(text[word - 1]) || isdigit((unsigned char)text[word - 1])))
		word--;
	if (word == at || (at - word == 3 && strncmp(text + word, "map", 3) == 0))
		return false;
	return shorten_is_letter(text[at + 1]) || text[at + 1] == '*' || text[at + 1] == '[';
}

/* Bytes from a bracket to the one that closes it, with both; 0: none does. */
static size_t shorten_bracketed(const char *text)
{
	size_t depth = 0;
	for (size_t i = 0; text[i]; i++) {
		depth += text[i] == '[';
		depth -= text[i] == ']';
		if (depth == 0)
			return i + 1;
	}
	return 0;
}

static void shorten_arguments(const char *text, struct buf *out)
{
	static const char stands[] = "[...]";
	for (size_t i = 0; text[i];) {
		size_t len = text[i] == '"' ? shorten_quoted(text + i) : 1;
		size_t inside =
			text[i] == '[' && shorten_is_arguments(text, i) ? shorten_bracketed(text + i) : 0;
		if (inside > strlen(stands)) {
			buf_add(out, stands);
			len = inside;
		} else {
			buf_add_bytes(out, text + i, len);
		}
		i += len;
	}
}

void shorten_to(const char *text, int columns, struct buf *out)
{
	struct buf paths = {0};
	if (text_columns(text) <= columns) {
		buf_add(out, text);
		return;
	}
	shorten_paths(text, &paths);
	if (text_columns(buf_text(&paths)) <= columns)
		buf_add(out, buf_text(&paths));
	else
		shorten_arguments(buf_text(&paths), out);
	buf_free(&paths);
}

int shorten_tail(const char *text, int columns)
{
	int half = columns - 1 - columns / 2, most = columns - 1 - HEAD_LEAST;
	const char *name = NULL;
	int words = 0; /* after it: more than one, and it is not what the text is about */
	for (const char *at = text; *at; at++) {
		words += *at == ' ';
		if (*at == '.' && (shorten_is_letter(at[1]) || at[1] == '(')) {
			name = at;
			words = 0;
		}
	}
	int tail = name && words < 2 ? text_columns(name) : 0;
	return tail > half && tail <= most ? tail : half;
}
