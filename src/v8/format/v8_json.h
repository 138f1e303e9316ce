/* A cursor over the text of a heap snapshot. No function reads beyond `end`; none recurses. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct v8_json {
	const uint8_t *data;
	uint64_t at, end;   /* offsets in the file */
	bool inside;        /* a number stands before, so that a comma must follow */
	uint64_t malformed; /* 1 + offset of the first escape or byte that no string may have */
};

/* Skips white space. Returns false at the end. */
bool v8_json_more(struct v8_json *json);
/* Skips white space and one character. Returns false, without a move, if another one follows. */
bool v8_json_take(struct v8_json *json, char c);
/* Reads the next number of an array, of decimal digits. Returns false if there is none, or if it
   has more than 64 bits. */
bool v8_json_number(struct v8_json *json, uint64_t *number);
/* Like v8_json_number, also for an index beyond 2^31 - 1, which V8 writes as a negative number. */
bool v8_json_index(struct v8_json *json, uint64_t *number);
/* Reads a string, after white space: what is between its quotes, escapes included. */
bool v8_json_string(struct v8_json *json, struct text *string);
/* Skips a value of any kind. Returns false if it has no end. */
bool v8_json_skip(struct v8_json *json);
/* Appends a string without its escapes, as UTF-8. */
void v8_json_decode(struct text string, struct buf *out);
