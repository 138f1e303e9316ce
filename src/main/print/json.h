/* A streaming JSON writer, which needs no memory per row and adds commas itself. */
#pragma once

#include "base/buf.h"
#include "main/print/columns.h"

struct json {
	struct buf *out;
	bool comma; /* a comma must precede the next value */
};

void json_open(struct json *json, char bracket);  /* '{' or '[' */
void json_close(struct json *json, char bracket); /* '}' or ']' */
/* Returns the writer, so that the value may follow in one call. */
struct json *json_key(struct json *json, const char *key);
void json_line(struct json *json); /* puts the next value on a new line */

void json_none(struct json *json);
void json_bool(struct json *json, bool value);
void json_number(struct json *json, uint64_t value);
void json_address(struct json *json, uint64_t address); /* "0x..." */
/* Writes a string; unprintable characters become \uXXXX, invalid UTF-8 becomes U+FFFD. */
void json_text(struct json *json, const char *utf8);
void json_bytes(struct json *json, const char *bytes, size_t len);
void json_value(struct json *json, const struct value *value);

/* Writes "column": value, ... for one row. */
void json_cells(struct json *json, const struct rows *rows, size_t row,
                const struct columns *columns);
