/* The value of a cell: text, or a number of some kind. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct buf;

enum value_kind {
	VALUE_NONE,    /* no value: blank, JSON null */
	VALUE_TEXT,    /* printable text */
	VALUE_ID,      /* number that is a name: "12345", JSON number */
	VALUE_COUNT,   /* number: "12,345", JSON number */
	VALUE_BYTES,   /* number of bytes: "1.5 MB" on screen, JSON number */
	VALUE_ADDRESS, /* "0xc000012340", JSON string */
	VALUE_OFFSET,  /* "+0x18" on screen, JSON number */
	VALUE_BOOL,    /* "yes"/"no", JSON true/false */
	VALUE_TIME,    /* nanoseconds: "31 min", JSON number */
	VALUE_LIST,    /* texts, each with a newline after it: "a > b > c" on screen, JSON array */
	VALUE_SHARE,   /* part (number) of whole (`whole`): "12.3%", JSON number of percent */
	VALUE_REAL,    /* floating-point number (`real`), from a query */
};

/* One cell. `text` is a buffer of the caller; cell() appends to it if the kind is VALUE_TEXT.
   `column` is the number of its column in the rows' table. */
struct value {
	enum value_kind kind;
	uint64_t number, whole;
	double real;
	bool negative; /* the number is below zero, as in a damaged file */
	struct buf *text;
	int column;
	bool guess;    /* the text is one: where people read it, "~" begins it */
	bool composed; /* the text comes from cell_begin, where it had `number` bytes */
};

/* Appends a value as text for display: "1.5 MB", "0xc000012340", "yes". */
void value_add(const struct value *value, struct buf *out);
/* Returns a number by which values of one column sort; no value comes first, and the two largest
   numbers are equal. `is_signed`: the numbers of the column may be negative. */
uint64_t value_sort_key(const struct value *value, bool is_signed);
