/* The texts of a column, each made once: rows have codes, numbered from 1 on in the order in which
   their texts are met, and codes have texts. Code 0 is for cells without a value.

   A dictionary belongs to who makes it: rows may be shared between threads, a dictionary is not.
   Where a column says what its texts depend on (struct coding), a row costs a look-up of a number;
   elsewhere each cell is made, and its text is looked up. */
#pragma once

#include "base/map.h"
#include "base/string_set.h"
#include "table/table.h"

#define CODE_NONE UINT32_MAX /* the row has no code */

/* Initialized by `struct codes codes = {.rows = rows, .column = column}` and options. */
struct codes {
	const struct rows *rows;
	int column;
	bool coded_only; /* a row has no code where the column's coding has none for it */
	bool marked;     /* guesses have codes of their own */
	size_t most;     /* of texts; rows with more have no code. 0: any number */

	struct string_set texts; /* code - 1 is the number */
	size_t bytes;            /* of all texts */
	struct map of_coding;    /* the coding's code -> code */
	uint64_t last;           /* the coding's code of the previous row, and its code */
	uint32_t last_code;
	uint8_t *note;
	size_t noted;
	struct buf cell;
};

/* Makes room for the note of a code. */
void codes_grow_notes(struct codes *codes, uint32_t code);
/* Returns the code of a row, or CODE_NONE. */
uint32_t codes_at(struct codes *codes, size_t row);
/* Returns the code of a text, or CODE_NONE. */
uint32_t codes_of_text(struct codes *codes, const char *text);
/* Returns the text of a code, "" for 0; valid until codes_fini. With `marked`, it is of no use. */
const char *codes_text(const struct codes *codes, uint32_t code);
/* Returns a byte that the caller keeps for a code, at first 0; valid until the next call. */
static inline uint8_t *codes_note(struct codes *codes, uint32_t code)
{
	if (code >= codes->noted)
		codes_grow_notes(codes, code);
	return &codes->note[code];
}
void codes_fini(struct codes *codes);

/* Returns the dictionaries of all columns, by number. */
struct codes *codes_new_all(const struct rows *rows);
/* The dictionaries of all columns of some rows, made when they are asked for. Returns that of a
   column; NULL if its texts do not follow from codes. *all is NULL at first, and after
   codes_free_all. At most a million texts of a column have codes. */
static inline struct codes *codes_of_column(struct codes **all, const struct rows *rows, int column)
{
	if (!column_is_coded(&rows->table->columns[column]))
		return NULL;
	if (!*all)
		*all = codes_new_all(rows);
	return &(*all)[column];
}
void codes_free_all(struct codes **all);

/* The codes of many rows, in 8, 16 or 32 bits each, whatever their number needs. */
struct row_codes {
	size_t count;
	unsigned bytes; /* of each */
	void *code;
};

/* Stores the codes of `count` rows by number, NULL: of the first ones. False: cancelled, or a row
   has no code; *of is empty then. */
bool row_codes_init(struct row_codes *of, struct codes *codes, const uint32_t *row, size_t count,
                    struct progress *progress);
void row_codes_fini(struct row_codes *of);
static inline uint32_t row_codes_at(const struct row_codes *of, size_t place)
{
	return of->bytes == 1   ? ((const uint8_t *)of->code)[place]
	       : of->bytes == 2 ? ((const uint16_t *)of->code)[place]
	                        : ((const uint32_t *)of->code)[place];
}
