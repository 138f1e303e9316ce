/* The strings of a heap snapshot: where each begins in the file. They are decoded when asked for.
 */
#pragma once

#include "v8_json.h"

enum v8_string_kind {
	V8_TEXT,
	V8_DIGITS, /* a number: the index of a slot */
	V8_PAIR    /* V8's description of an entry of a WeakMap */
};

struct v8_strings {
	const uint8_t *data;
	uint64_t *place; /* kind << 62 | offset of the text, of a V8_PAIR of the id of the table */
	size_t count, capacity;
	uint64_t end; /* of the section */
};

/* Reads the array of strings. Returns false where it is damaged or cut; those before are there. */
bool v8_strings_read(struct v8_strings *strings, struct v8_json *json);
void v8_strings_free(struct v8_strings *strings);

/* `number` must be below the count. */
enum v8_string_kind v8_strings_kind(const struct v8_strings *strings, uint64_t number);
bool v8_strings_is_empty(const struct v8_strings *strings, uint64_t number);
/* Appends a string as UTF-8, or the beginning of a long one; of a V8_PAIR, which map has the value.
 */
void v8_strings_add(const struct v8_strings *strings, uint64_t number, struct buf *out);
/* Returns the number that V8_DIGITS consists of, or the id of the WeakMap's table of a V8_PAIR. */
uint64_t v8_strings_number(const struct v8_strings *strings, uint64_t number);
