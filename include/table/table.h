/* The one definition of every relation: columns and rows. A table is a list in the explorer, and
   text, CSV and JSON from the shell, without further code. */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include "analysis/analysis.h"
#include "analysis/damage.h"
#include "base/buf.h"
#include "base/plugin.h"
#include "table/entity.h"

#include <stddef.h>

enum value_kind {
	VALUE_NONE,    /* nothing: blank, JSON null */
	VALUE_TEXT,    /* text, made visible already */
	VALUE_ID,      /* number that is a name: "12345", JSON number */
	VALUE_COUNT,   /* number: "12,345", JSON number */
	VALUE_BYTES,   /* number of bytes: "1.5 MB" on screen, JSON number */
	VALUE_ADDRESS, /* "0xc000012340", JSON string */
	VALUE_OFFSET,  /* "+0x18" on screen, JSON number */
	VALUE_BOOL,    /* "yes"/"no", JSON true/false */
	VALUE_TIME,    /* nanoseconds: "31 min", JSON number */
	VALUE_LIST,    /* texts, each with a newline after it: "a > b > c" on screen, JSON array */
	VALUE_SHARE,   /* part (number) of whole (`whole`): "12.3%", JSON number of percent */
	VALUE_REAL,    /* number that is not whole (`real`), of a query */
};

/* One cell. `text` is a buffer of the caller that cell() appends to when the kind is VALUE_TEXT. */
struct value {
	enum value_kind kind;
	uint64_t number, whole;
	double real;
	bool negative; /* the number is less than nothing: what a damaged file may say */
	struct buf *text;
};

struct rows;

/* A column carries all that is known of it: what it is called, how it is shown, what fills it, and
   what must be there before it can be filled. */
struct column {
	const char *name;  /* stable: JSON key, CSV head, :sort argument, e.g. "wait_reason" */
	const char *title; /* on the screen, short: "waiting" */
	const char *help;  /* a sentence: what the number means, with its unit */
	enum value_kind kind;
	int width; /* on an 80-column screen; 0: what is left over (one such column at most) */
	int rank;  /* 0 = always shown; higher ranks are left out first when it is narrow */
	/* *value comes as VALUE_NONE with a buffer for text. NULL: it shows a field of the row's
	 * record. */
	void (*cell)(const struct rows *rows, size_t row, struct value *value);
	/* Rows with the same key have the same cell, which is a text; 0: that is not known of the row.
	   NULL: of none. What sorts and filters asks for each text once. */
	uint64_t (*key)(const struct rows *rows, size_t row);
	unsigned stages; /* its cells are empty before, if these are more than the table needs */
	unsigned wants;  /* stages that make it say more: who prints it waits for them, a screen not */
	bool cut_end;    /* texts that are too long are cut at their end, not in their middle */
	unsigned parts;  /* enum format_part: it has nothing to say of dumps that lack them */
	/* Has it nothing to say in these rows? A screen leaves it out then. NULL: it always has. */
	bool (*absent)(const struct rows *rows);
	bool is_field;  /* its name is an expression: table/field_columns.h */
	bool any_kind;  /* cells may be of other kinds than the column's */
	bool is_signed; /* its numbers may be below zero, and come in that order */
	struct field_place {
		uint16_t offset;
		uint8_t type;
	} field; /* see FIELD */
};

/* The type of a field that a column can show as it is: a number of the column's kind, a yes or no,
   a text of the dump, a text of ours. */
enum field_type { FIELD_U64, FIELD_U32, FIELD_BOOL, FIELD_TEXT, FIELD_STRING };

/* Of a column: a field of the struct that table->record gives. A macro, so that the compiler looks
   at the field's type. */
#define FIELD(record, member) \
	.field = {offsetof(record, member), _Generic(((record *)0)->member, uint64_t: FIELD_U64,    \
	          uint32_t: FIELD_U32, bool: FIELD_BOOL, struct text: FIELD_TEXT,                   \
	          char *: FIELD_STRING, const char *: FIELD_STRING)}

enum row_style { ROW_PLAIN, ROW_FAINT, ROW_WARNING };

/* An open table. Rows have numbers from 0; no row changes once it is there. */
struct rows {
	const struct table *table;
	const struct analysis *analysis;
	size_t count;
	struct buf title; /* what this is, for the head of the screen: "referrers of 0xc000012340" */
	struct buf note;  /* why it is empty, or what is left out; may be empty */
	/* So many more rows there may be, of which that cannot be told: what is asserted of the number
	   of rows must hold of each of them, too. UINT64_MAX: any number. */
	uint64_t unknown;
	bool numbered;             /* objects have numbers, not addresses: enum format_part */
	void *data;                /* the table's own */
	struct progress *progress; /* while it opens: how far that is, and whether to stop; or NULL */
};

/* What a table has whose rows are a tree. Opened, it has its topmost rows; those below a row are
   made when first asked for, so that rows->count grows. */
struct table_tree {
	bool (*has_below)(const struct rows *rows, size_t row);
	/* How many rows there are below a row, and the first of them; the others follow it. */
	size_t (*below)(struct rows *rows, size_t row, size_t *first);
	/* Does what is below this row stand beside it, being the rest of too many? NULL: of no row. */
	bool (*is_rest)(const struct rows *rows, size_t row);
	/* Would `below` take too long? Then `prepare` does that work ahead, in any thread and while the
	   rows are read; the next `below` of this row takes it. False: cancelled. NULL, both: it never
	   does. */
	bool (*takes_long)(const struct rows *rows, size_t row);
	bool (*prepare)(const struct rows *rows, size_t row, struct progress *progress);
	/* Where rows have their parts in two ways: a row for the same thing with the other parts below
	   it. False: *err. NULL: there is one way. */
	bool (*turn)(struct rows *rows, size_t row, size_t *turned, struct err *err);
	/* Where all rows are there from the beginning: how many, and the one above a row, SIZE_MAX of a
	   topmost one. A search goes through those that are not open, too. NULL, both: they are not. */
	size_t (*all)(const struct rows *rows);
	size_t (*above)(const struct rows *rows, size_t row);
	/* Just opened: puts all rows that there may be in place of the topmost ones, each before those
	   below it, for who lists them. NULL: the topmost ones are the list. */
	void (*unfold)(struct rows *rows);
	const char *weight; /* name of the column by which a row is a part of the one above it */
	const char *delta;  /* and of that which says how much more that is than in an earlier dump */
};

struct table {
	unsigned rank;        /* place in help and manual: those with a lower one come first */
	const char *name;     /* "objects": argument of `list`, of `:`, and of the man page */
	const char *help;     /* a sentence */
	const char *argument; /* "ADDR", "[KIND]" or NULL */
	unsigned needs;       /* stages: can be opened only then */
	unsigned wants; /* stages that make its rows say more: who lists them waits for these, too */
	unsigned parts; /* that the dump's format must have: enum format_part */
	bool compares;  /* it has rows only where there are earlier dumps, too */
	bool searches;  /* its rows are what is found, the same whatever is worked out later */
	/* Where in a dump its rows come from: what may be missing of one that is cut. */
	enum damage_part from;
	/* What it takes with an argument, where some arguments take more. NULL: `needs`. */
	unsigned (*needs_with)(const char *argument);
	const struct column *columns;
	int column_count;
	/* Its rows are the records of a kind, called so; `none` says that there are none. 0: they are
	   something else. */
	enum record_kind records;
	const char *title, *none;
	/* Fills rows->count, title, note, data; NULL: `records` says all. `argument` is never NULL; it
	   is empty only where the table can do without. False: *err; data is then closed as it is. */
	bool (*open)(struct rows *rows, const char *argument, struct err *err);
	/* Appends the command that Enter runs on a row ("goroutine 17"); nothing: no link. NULL: that
	   of its entity. */
	void (*link)(const struct rows *rows, size_t row, struct buf *command);
	enum row_style (*style)(const struct rows *rows, size_t row); /* NULL: plain */
	void (*close)(struct rows *rows);                             /* frees data; NULL: free(data) */
	/* The struct whose fields columns without a function show. NULL: the record, or there is none.
	 */
	const void *(*record)(const struct rows *rows, size_t row);
	/* What a row is about: the columns of table/columns.h show it, Enter, p, r, m ... go to it.
	   NULL: nothing. */
	struct entity (*entity)(const struct rows *rows, size_t row);
	/* Which line of source a row is about: appends the file as the executable or the dump has it.
	   False: none. NULL: that of its entity, table/source.h. */
	bool (*source)(const struct rows *rows, size_t row, struct buf *file, uint64_t *line);
	const struct table_tree *tree; /* NULL: its rows are a list */
	const char *sort;   /* name of the column to sort by at first, NULL: the order of the rows */
	bool makes_columns; /* its argument says which there are: rows->table has them */
	/* Column that Tab completion of the argument offers, as "table.column"; NULL: none */
	const char *completes;
};

extern const struct table *tables[]; /* NULL at the end, in the order of help and manual */
const struct table *table_find(const char *name);
/* What it takes to open a table with an argument, which may be NULL. */
unsigned table_needs(const struct table *table, const char *argument);
/* May it be opened with that, "" for nothing? `err` says what is too much, or missing. */
bool table_takes(const struct table *table, const char *argument, struct err *err);
int table_column(const struct table *table, const char *name); /* its number, -1: none, or NULL */

/* Opens; the analysis must have reached table->needs. */
struct rows *rows_open(const struct table *table, const struct analysis *analysis,
                       const char *argument, struct err *err);
/* The same with columns that take work which nobody has done yet: a screen leaves them out until
   somebody has, as it must not wait. For who prints rows. */
struct rows *rows_open_whole(const struct table *table, const struct analysis *analysis,
                             const char *argument, struct err *err);
/* The same; `progress` tells how far it is, and may cancel it. NULL: as rows_open. */
struct rows *rows_open_watched(const struct table *table, const struct analysis *analysis,
                               const char *argument, struct progress *progress, struct err *err);
void rows_close(struct rows *rows);
/* For a sentence that no row is there, or none like something: appends that the dump may have lost
   it, if it may. */
void rows_doubt(const struct rows *rows, struct buf *out);
/* Does the column wait for a stage that is still to come? Its cells are empty until then. */
bool rows_column_waits(const struct rows *rows, int column);
/* Has the column nothing to say in this dump? */
bool rows_column_hidden(const struct rows *rows, int column);
/* The cell; nothing while its column waits. *value comes as VALUE_NONE with a buffer for text. */
void rows_cell(const struct rows *rows, size_t row, int column, struct value *value);
/* What the cell's text can be told by without asking for it; 0: nothing. See struct column. */
uint64_t rows_key(const struct rows *rows, size_t row, int column);
/* The struct whose fields columns show, where there is one. */
const void *rows_record(const struct rows *rows, size_t row);
struct entity rows_entity(const struct rows *rows, size_t row);
/* The object that a row is about, or OBJECT_NONE; the address that it is about, or 0. */
uint32_t rows_object(const struct rows *rows, size_t row);
uint64_t rows_address(const struct rows *rows, size_t row);
/* Appends the command that Enter runs on a row. */
void rows_link(const struct rows *rows, size_t row, struct buf *command);
/* The cell of a column that has numbers, not texts. */
struct value rows_number(const struct rows *rows, size_t row, const char *column);
/* Of a tree: would it take long to open the row? */
bool rows_take_long(const struct rows *rows, size_t row);
/* Of a tree: how much of the row above it a row is; damaged dumps have less than nothing, which is
   0. */
uint64_t rows_weight(const struct rows *rows, size_t row);
/* Appends the cell as a person reads it. */
void rows_text(const struct rows *rows, size_t row, int column, struct buf *out);
/* Appends a value as a person reads it: "1.5 MB", "0xc000012340", "yes". */
void value_add(const struct value *value, struct buf *out);
/* The numbers of the rows in the order of a column, ties in the order of the rows, cells without a
   value before all others (descending: after). rows->count entries, free() them. NULL when
   cancelled. */
uint32_t *rows_sorted(const struct rows *rows, int column, bool descending,
                      struct progress *progress);
/* The same for some rows: `count` numbers in row[]. False when cancelled: they are as they were. */
bool rows_sort(const struct rows *rows, uint32_t *row, size_t count, int column, bool descending,
               struct progress *progress);

#endif
