/* The lines of a text file, one after the other: UTF-8, with or without byte order mark, or UTF-16
   of either byte order; ended by LF, CR LF or the end of the file, or by CR if the first line is.
   Whatever the file has, lines come as UTF-8; what is not valid there stays as it is. */
#ifndef FORMAT_LINES_H
#define FORMAT_LINES_H

#include "base/buf.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum encoding { ENCODING_UTF8, ENCODING_UTF16LE, ENCODING_UTF16BE };

struct lines {
	const uint8_t *data;
	size_t size, at; /* at: where the next line starts */
	enum encoding encoding;
	bool by_cr;         /* CR ends lines, too */
	uint64_t number;    /* of the line read last, from 1 */
	bool ended;         /* that line has a line end */
	struct buf decoded; /* UTF-16 only */
};

/* Tells the encoding by the first bytes, and skips the byte order mark. */
struct lines lines_begin(const uint8_t *data, size_t size);
/* Another one of the same file that begins at an offset that lines_next() gave. Every one has to
   be ended. */
struct lines lines_at(const struct lines *lines, uint64_t offset);
void lines_end(struct lines *lines);

/* False at the end of the file. The text lies in the file, or, of UTF-16, is valid until the next
   call only. */
bool lines_next(struct lines *lines, uint64_t *offset, struct text *line);
/* Do texts lie in the file? */
bool lines_are_borrowed(const struct lines *lines);

/* Takes the first word off a line: what is between blanks and tabs. Empty: there is none. */
struct text line_word(struct text *line);
/* Takes blanks off both ends. */
struct text line_trim(struct text line);
/* A hexadecimal number of at most 16 digits that is all of the text. */
bool line_hex(struct text text, uint64_t *number);

#endif
