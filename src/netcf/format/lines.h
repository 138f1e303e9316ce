/* Lines of a text file in UTF-8, with or without byte order mark, or in UTF-16 of either byte
   order. Lines end with LF, CR LF or the end of the file, or with CR if the first line does. Lines
   are returned in UTF-8; invalid UTF-8 is not changed. */
#pragma once

#include "base/buf.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum encoding { ENCODING_UTF8, ENCODING_UTF16LE, ENCODING_UTF16BE };

struct lines {
	const uint8_t *data;
	size_t size, at; /* at: start of the next line */
	enum encoding encoding;
	bool by_cr;         /* CR ends lines, too */
	uint64_t number;    /* number of the last line, from 1 */
	bool ended;         /* the last line has a line end */
	struct buf decoded; /* UTF-16 only */
};

/* Detects the encoding from the first bytes, and skips the byte order mark. */
struct lines lines_begin(const uint8_t *data, size_t size);
/* Returns a second iterator over the same file that begins at an offset from lines_next(). Both
   need lines_end(). */
struct lines lines_at(const struct lines *lines, uint64_t offset);
void lines_end(struct lines *lines);

/* Reads the next line. Returns false at the end of the file. The text is borrowed from the file or,
   for UTF-16, valid only until the next call. */
bool lines_next(struct lines *lines, uint64_t *offset, struct text *line);
/* Returns true if texts are borrowed from the file. */
bool lines_are_borrowed(const struct lines *lines);

/* Removes the first word, delimited by blanks and tabs, from a line and returns it; empty: none. */
struct text line_word(struct text *line);
/* Returns the line without blanks at both ends. */
struct text line_trim(struct text line);
/* Parses a hexadecimal number of at most 16 digits that is the whole text. */
bool line_hex(struct text text, uint64_t *number);
