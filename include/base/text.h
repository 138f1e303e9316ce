/* Text for people: sizes, counts, and bytes of a dump made harmless. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* A string inside the dump: borrowed from the mapped file, not NUL-terminated, any bytes. */
struct text {
	const char *data;
	size_t len;
};

bool text_equal(struct text a, struct text b);
bool text_is(struct text a, const char *literal);

void text_add_size(struct buf *buf, uint64_t bytes);  /* "16 B", "1.5 KB", "3.0 MB" (1 KB = 1024 B)
                                                       */
void text_add_count(struct buf *buf, uint64_t count); /* "12,590,112" */
/* "1 object", "12,590,112 objects" */
void text_add_number_of(struct buf *buf, uint64_t count, const char *one, const char *many);
void text_add_share(struct buf *buf, uint64_t part, uint64_t whole); /* "12.3%", "" when whole is 0
                                                                      */
void text_add_duration(struct buf *buf, uint64_t nanoseconds);       /* "31 min", "2.5 s" */

/* Adds bytes of a dump as visible text: valid UTF-8 of plain characters stays, with two marks on
   each at most; every other byte becomes \n, \t, \xNN; a backslash is doubled. Stops after `limit`
   bytes of input with "…" ("..." never: the caller's canvas turns … into ... where UTF-8 is off).
   Nothing it adds can move a terminal. */
void text_add_escaped(struct buf *buf, const char *bytes, size_t len, size_t limit);

/* The same of a name that the linker has written, in which the dots of a package are %2e. */
void text_add_symbol(struct buf *buf, const char *name, size_t len, size_t limit);
/* How many bytes at the beginning of a text are that name, either way; 0: it begins with another.
 */
size_t text_symbol_length(const char *text, const char *name);

/* Adds what should be visible already, such as a sentence about what a person has written:
   backslashes stay as they are. */
void text_add_safe(struct buf *buf, const char *text);

/* Adds `before` and `text` in double quotes, in which a quote is written twice: one word of a
   command or a filter. */
void text_add_quoted(struct buf *buf, const char *before, const char *text);

/* How many of so many bytes are left without the blanks at their end. */
size_t text_trimmed(const char *text, size_t length);

/* Decodes one character of UTF-8. Returns its length in bytes, 1 and U+FFFD where it is invalid
   (overlong, surrogate, cut). len must be at least 1. */
size_t text_decode(const char *bytes, size_t len, uint32_t *codepoint);

/* Is it shown as it is? Not: control characters, what turns or hides text around it, what has no
   picture, what is private, not assigned, or U+FFFD. By Unicode's data: tests/unicode.py. */
bool text_is_plain(uint32_t codepoint);
/* The same of one character after another: it may carry two marks, which are not plain where there
   is nothing to carry them. Start with 0 in `marks`. */
bool text_is_shown(uint32_t codepoint, unsigned *marks);
/* Columns that a code point takes on a terminal: 0, 1 or 2; what is not plain counts as 1. */
int text_width(uint32_t codepoint);

int text_columns(const char *text); /* width of UTF-8 text */
/* How many bytes of it make a line of at most `columns`, 1 at least: up to a space, in a longer
   word up to where a name has a joint, in a longer name whatever fits. What follows may begin with
   spaces. At least one character, unless there is none. */
size_t text_line(const char *text, int columns);

/* Parses "0x1f", "123", "4k", "10MB" (1024-based). False when the whole of text is not one. */
bool text_parse_number(const char *text, uint64_t *value);

#endif
