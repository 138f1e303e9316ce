/* Text for people: sizes, counts, and escaped bytes of a dump. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* A string inside the dump: borrowed from the mapped file, not NUL-terminated, any bytes. */
struct text {
	const char *data;
	size_t len;
};

/* Returns true if both have the same bytes. */
bool text_equal(struct text a, struct text b);
bool text_is(struct text a, const char *literal);

/* A number as a text that lasts to the end of the expression, for buf_addf:
   buf_addf(out, "%s of it", text_size(bytes).text). */
struct text_number {
	char text[64];
};
/* As text_add_size, text_add_count and text_add_duration below. */
struct text_number text_size(uint64_t bytes);
struct text_number text_count(uint64_t count);
struct text_number text_duration(uint64_t nanoseconds);
/* "1 object", "12,590,112 objects"; the words have at most 36 bytes. */
struct text_number text_number_of(uint64_t count, const char *one, const char *many);

void text_add_size(struct buf *buf, uint64_t bytes);  /* "1.5 KB" (1 KB = 1024 B) */
void text_add_count(struct buf *buf, uint64_t count); /* "12,590,112" */
void text_add_number_of(struct buf *buf, uint64_t count, const char *one, const char *many);
/* "12.3%", or "" if whole is 0 */
void text_add_share(struct buf *buf, uint64_t part, uint64_t whole);
void text_add_duration(struct buf *buf, uint64_t nanoseconds); /* "31 min", "2.5 s" */

/* Appends bytes of a dump as visible text: printable UTF-8 stays, with at most two combining marks
   per character; other bytes become \n, \t, \xNN; a backslash is doubled. Stops after `limit` bytes
   of input with "…" (the canvas turns … into ... if UTF-8 is off). The result contains no terminal
   control sequences. */
void text_add_escaped(struct buf *buf, const char *bytes, size_t len, size_t limit);

/* Appends a key within quotation marks, as Go's %q writes it: "a\"b", "\x1b[31m", "\u200b". What it
   appends can be read back. The rest is as in text_add_escaped. */
void text_add_key(struct buf *buf, const char *bytes, size_t len, size_t limit);

/* Like text_add_escaped for the name of a symbol, as its source has it: dots of a package, which
   the linker writes as %2e, and the type arguments of generic code as in Go's stack traces,
   "main.F[...]" for "main.F[go.shape.int]". */
void text_add_symbol(struct buf *buf, const char *name, size_t len, size_t limit);
/* Returns the length of the part at `at` of a symbol's or a type's name of `len` bytes that is
   written in another form, and sets *plain to that: "." for "%2e", "[...]" for type arguments with
   shapes, which the compiler shares generic code by, and elsewhere "~int" for the shape
   "go.shape.int", that of all types with int as underlying type, and "*..." for that of all
   pointers. 0: the byte is as in the source. */
size_t text_symbol_part(const char *name, size_t len, size_t at, const char **plain);
/* Returns how many bytes at the beginning of the text are that name, with dots plain or as %2e; 0
   if it begins with another name. */
size_t text_symbol_length(const char *text, const char *name);

/* Appends text that should be printable already, such as a message about user input: backslashes
   are not doubled. */
void text_add_safe(struct buf *buf, const char *text);

/* Appends `before` and then `text` in double quotes, with quotes inside doubled: one word of a
   command or filter. */
void text_add_quoted(struct buf *buf, const char *before, const char *text);

enum { TEXT_BOUND = 200 };
/* Shortens what the buffer has from `start` on if it is longer than TEXT_BOUND bytes: what is left
   out in the middle stands as a handle, "…#03f2a1", which follows from the whole text alone. */
void text_bound(struct buf *buf, size_t start);
/* Returns the first handle in a text; NULL: there is none. */
const char *text_handle(const char *text);

/* Returns the length without trailing blanks. */
size_t text_trimmed(const char *text, size_t length);

/* Decodes one UTF-8 character. Returns its length in bytes; for invalid input (overlong, surrogate,
   truncated) 1 with U+FFFD. len must be at least 1. */
size_t text_decode(const char *bytes, size_t len, uint32_t *codepoint);
/* Appends a character, less than 0x200000, in UTF-8. */
void text_add_character(struct buf *out, uint32_t codepoint);

/* Returns true if the character is shown unescaped. False for control, formatting and bidirectional
   characters, characters without a glyph, private and unassigned ones, and U+FFFD. The Unicode
   tables come from tests/unicode.py. */
bool text_is_plain(uint32_t codepoint);
/* Like text_is_plain for consecutive characters: a base character may carry two combining marks,
   others are not shown. *marks is the state; start with 0. */
bool text_is_shown(uint32_t codepoint, unsigned *marks);
/* Returns how many characters a text begins with that are ASCII, are shown and are neither a double
   quote nor a backslash: most texts are all of these. *marks becomes what it is behind the last. */
size_t text_ascii_length(const char *bytes, size_t len, unsigned *marks);
/* Returns the terminal columns of a code point: 0, 1 or 2. Characters that are not plain count as
   1. */
int text_width(uint32_t codepoint);

int text_columns(const char *text); /* terminal columns of a UTF-8 text */
/* Returns how many bytes form a line of at most `columns` (1 at least): up to a space; in a longer
   word up to a separator of names; in a longer name as much as fits. The rest may begin with
   spaces. At least one character, unless the text is empty. */
size_t text_line(const char *text, int columns);

/* Parses "0x1f", "123", "4k", "10MB" (1024-based). Returns false if the whole text is not a
   number. */
bool text_parse_number(const char *text, uint64_t *value);
