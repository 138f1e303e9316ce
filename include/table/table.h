/* The definition of a relation, once for all outputs: columns and rows. The explorer shows a table
   as a list, and subcommands print it as text, CSV and JSON, without further code. */
#pragma once

#include "analysis/damage.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/plugin.h"
#include "format/record.h"
#include "table/naming/entity.h"
#include "table/naming/takes.h"
#include "table/value.h"

#include <pthread.h>
#include <stddef.h>

struct rows;
struct analysis;
struct kept_kind;

/* How the text of a row follows from a code, so that each text is made once per code:
   table/codes.h. */
struct coding {
	/* Returns the code of a row's text; 0: it has none, and the column's `cell` makes the text. */
	uint64_t (*of)(const struct rows *rows, size_t row);
	/* Fills the cell of all rows with that code. */
	void (*cell)(const struct rows *rows, uint64_t code, struct value *value);
};
struct datum; /* table/contents/datum.h */
struct owners;
struct progress;

/* A column: its name, how it is shown, the function that fills it, and the stages that it
   requires. */
struct column {
	const char *name;  /* stable: JSON key, CSV head, :sort argument, e.g. "wait_reason" */
	const char *title; /* on the screen, short: "waiting" */
	const char *help;  /* a sentence: what the number means, with its unit */
	enum value_kind kind;
	int width; /* on an 80-column screen; 0: the rest of the width (one such column at most) */
	int rank;  /* 0 = always shown; higher ranks are left out first on a narrow screen */
	/* *value arrives as VALUE_NONE with a buffer for text and the number of this column, so that
	   one function fills several columns. NULL: the column shows a field of the row's record. */
	void (*cell)(const struct rows *rows, size_t row, struct value *value);
	const struct coding *coding; /* of texts that many rows share; NULL: none */
	unsigned stages; /* cells are empty before these; beyond those that the table needs */
	unsigned wants;  /* stages that improve the cells: printing waits for them, a screen does not */
	bool is_mark;    /* one character: what is wrong, or with ~ not used */
	bool cut_end;    /* long texts are truncated at their end, not in their middle */
	unsigned parts;  /* enum format_part: the column is empty for dumps without them */
	/* Returns true if the column is empty in these rows; a screen then hides it. NULL: never. */
	bool (*absent)(const struct rows *rows);
	const char *set; /* the table's argument that selects the rows with a text in this column, such
	                    as "type="; may be combined by "and". NULL: none */
	bool on_request; /* it costs what nobody pays unasked: outputs have it if it is named, screens
	                    never; filters, sorts, groups and queries may use it */
	bool common;     /* equal in all rows that are alike: a screen shows others first */
	bool bar;        /* a screen shades each cell as a bar, against the largest of all such cells */
	bool is_field;   /* its name is an expression: table/contents/field_columns.h */
	bool any_kind;   /* cells may be of other kinds than the column's */
	bool is_signed;  /* its numbers may be below zero, and are sorted accordingly */
	struct field_place {
		uint16_t offset;
		uint16_t known;   /* 1 + the offset of a bool: false if there is no value; 0: none */
		uint8_t type;     /* enum field_type */
		bool unless_zero; /* 0 means that there is no value */
		uint16_t before;  /* 1 + the offset of what it was before: the difference; 0: none */
		const char *const *words; /* the text of each number; NULL: the number itself */
	} field;                      /* see FIELD */
	/* Called when the rows are open, for what the column needs beyond them. NULL: nothing. */
	void (*prepare)(struct rows *rows, const char *argument);
	struct class_measure {
		uint8_t how;      /* enum class_how */
		const char *from; /* a column of the other table, of DELTA: of this one; NULL: none */
	} of;                 /* see table/query/row_classes.h */
};

enum class_how {
	CLASS_NONE,
	CLASS_KEY,      /* equal in all rows of a class; of other tables: equal in all dumps */
	CLASS_ROWS,     /* the number of rows */
	CLASS_BYTES,    /* of the objects that the rows are about */
	CLASS_SUM,      /* of numbers; 0 if no row has one */
	CLASS_MOST,     /* the largest of numbers; empty if no row has one */
	CLASS_SHARE,    /* the sum, as part of that of all rows */
	CLASS_RETAINED, /* bytes that all objects of the class retain together; empty until known */
	CLASS_SAME,     /* of views: the cell of the row */
	CLASS_DELTA,    /* table/growth/delta.h */
};
/* A column that tells a row from all others, in every dump of a process. */
#define IDENTIFIES .of = {CLASS_KEY, NULL}

/* The type of a field that a column can show directly: a number of the column's kind, a boolean, an
   object, a text of the dump, a string (NULL: no value). */
enum field_type {
	FIELD_U64,
	FIELD_U32,
	FIELD_U8,
	FIELD_BOOL,
	FIELD_OBJECT_ID,
	FIELD_TEXT,
	FIELD_STRING
};

/* Make a column show a field of the struct that table->record returns: always; unless it is 0; if
   `flag`, another field, is true; as a word from a list; as the address of the object with that id,
   if it is one; as its difference from another one, which may be negative. Shares are of the bytes
   of all objects; an offset of UINT64_MAX is no value. They are macros, so that the compiler
   determines the type of the field. */
#define FIELD(record, member)          .field = {FIELD_PLACE(record, member)}
#define FIELD_UNLESS_0(record, member) .field = {FIELD_PLACE(record, member), .unless_zero = true}
#define FIELD_IF(record, member, flag) \
	.field = {FIELD_PLACE(record, member), .known = ROW_MEMBER(record, flag, bool)}
#define FIELD_DELTA(record, was, now) \
	.field = {FIELD_PLACE(record, now), .before = ROW_MEMBER(record, was, uint64_t)}
#define FIELD_WORD(record, member, list) .field = {FIELD_PLACE(record, member), .words = (list)}
#define FIELD_OBJECT(record, member) \
	.field = {ROW_MEMBER(record, member, uint32_t) - 1, .type = FIELD_OBJECT_ID}
#define FIELD_PLACE(record, member) \
	offsetof(record, member), .type = _Generic(((record *)0)->member, uint64_t: FIELD_U64,      \
	          uint32_t: FIELD_U32, uint8_t: FIELD_U8, bool: FIELD_BOOL, struct text: FIELD_TEXT, \
	          char *: FIELD_STRING, const char *: FIELD_STRING)
/* Say that the record of each row is an element of an array: that of a member of what rows->data
   points to, or rows->data itself. */
#define RECORDS(data, member) .array = {offsetof(data, member) + 1, sizeof *((data *)0)->member}
#define RECORD_ARRAY(record)  .array = {0, sizeof(record)}
/* 1 + the offset of a member of that type. */
#define ROW_MEMBER(record, member, type) \
	(offsetof(record, member) + _Generic(((record *)0)->member, type : 1))

enum row_style { ROW_PLAIN, ROW_FAINT, ROW_WARNING };

/* An open table. Rows are numbered from 0; a row never changes. */
struct rows {
	const struct table *table;
	const struct analysis *analysis;
	size_t count;
	struct buf title; /* for the head of the screen: "referrers of 0xc000012340" */
	struct buf note;  /* why it is empty, or what is left out; may be empty */
	/* Number of rows that may exist in addition, because the data does not decide. An assertion
	   about the number of rows must hold with and without them. UINT64_MAX: any number. */
	uint64_t unknown;
	bool is_set;   /* objects of one place or type: a screen shows their fields */
	bool alike;    /* their common columns are equal, and the title tells them */
	bool numbered; /* objects have numbers, not addresses: enum format_part */
	void *data;    /* owned by the table's implementation */
	struct row_owners {
		pthread_mutex_t lock;        /* rows are read by several threads */
		struct row_owner *row;       /* NULL: nobody has asked for them */
		const struct owners *owners; /* NULL: nothing is known of owners */
	} * owners;                      /* of a table with `members`: table/owners/row_owner.h */
	struct row_object_owners *object_owners; /* of object_owner_sets; NULL for unopened rows */
	struct classes *classes; /* of a table that is made of another; NULL: it is not */
	struct delta_rows {
		struct rows *rows;     /* those of the oldest earlier dump; NULL: none */
		struct map of_keys;    /* hash of the texts of the keys -> row */
		bool known;            /* false: it cannot be told what there was */
	} * before;                /* NULL: no column compares with them */
	struct progress *progress; /* set during opening: progress and cancellation; or NULL */
};

/* Functions of a table whose rows form a tree. At first it has only the topmost rows; child rows
   are created on demand, so rows->count grows. */
struct table_tree {
	bool (*has_below)(const struct rows *rows, size_t row);
	/* Returns the number of child rows of a row, and stores the first; they are consecutive. */
	size_t (*below)(struct rows *rows, size_t row, size_t *first);
	/* Returns true if the children of the row are shown beside it, because the row stands for the
	   rest of too many rows. NULL: never. */
	bool (*is_rest)(const struct rows *rows, size_t row);
	/* takes_long returns true if `below` would be slow. `prepare` then does the work in advance, in
	   any thread and while rows are read; the next `below` of this row uses its result. False:
	   cancelled. Both NULL: `below` is always fast. */
	bool (*takes_long)(const struct rows *rows, size_t row);
	bool (*prepare)(const struct rows *rows, size_t row, struct progress *progress);
	/* Where a row can show two sets of parts: a row for the same thing with the other parts below
	   it. False: *err. NULL: there is one set. */
	bool (*turn)(struct rows *rows, size_t row, size_t *turned, struct err *err);
	/* For trees whose rows all exist from the start: return the number of rows, and the parent of a
	   row, SIZE_MAX for a topmost row. A search then covers closed rows, too. Both NULL: rows are
	   created on demand. */
	size_t (*all)(const struct rows *rows);
	size_t (*above)(const struct rows *rows, size_t row);
	/* For screens, which show many small topmost rows below one: `fold` makes that row right after
	   opening, once, and returns it; it is none of `all` and `below`, and SIZE_MAX if there are too
	   few to show below it. is_folded returns true for a topmost row that belongs there. Both NULL:
	   each row is shown. */
	size_t (*fold)(struct rows *rows);
	bool (*is_folded)(const struct rows *rows, size_t row);
	/* Right after opening: replaces the topmost rows by all possible rows, each before its
	   children, for code that lists them. NULL: the topmost rows are the list. */
	void (*unfold)(struct rows *rows);
	unsigned needs;          /* stages before which some rows have no children */
	const char *weight;      /* name of the column that gives the row's part of its parent */
	const char *weight_else; /* of that which a screen shows where `weight` is absent; NULL */
	const char *delta;       /* name of the column that gives the growth since an earlier dump */
};

/* Functions of tables whose rows are made of those of another table. */
struct rows_made {
	unsigned (*needs)(const struct table *table); /* returns the required stages */
	bool (*open)(struct rows *rows, const char *argument, struct err *err);
	void (*close)(struct rows *rows);
	void (*link)(const struct rows *rows, size_t row, struct buf *command);
	/* Returns the rows whose *row a row of a view shows, and stores its number; other rows are
	   their own. */
	const struct rows *(*row)(const struct rows *rows, size_t *row);
};

/* The most columns of a table, with those for fields that a user adds. */
enum { TABLE_COLUMNS_MOST = 40 };
/* Names the columns of a table. */
#define COLUMNS(list) .columns = (list), .column_count = sizeof(list) / sizeof *(list)

struct table {
	unsigned rank;        /* order in help and manual: lower ranks come first */
	const char *name;     /* "objects": argument of `list`, of `:`, and of the man page */
	const char *help;     /* a sentence */
	const char *argument; /* "ADDR", "[KIND]" or NULL */
	unsigned takes;       /* kinds of argument: enum takes */
	/* It is a form of that table, named TABLE-WORD: other rows about the same (table/forms.h).
	   NULL: it stands for itself. */
	const char *form_of;
	const char *by; /* words that choose the form, and end its argument: "X by type"; NULL */
	/* Returns true if an argument of that table is one of the form; NULL: `by` or a required
	   argument that the table does not take chooses it. */
	bool (*takes_over)(const char *argument);
	const char *former; /* a name that it had, which is accepted everywhere; NULL: none */
	bool rare;          /* listed where all tables are asked for, and nowhere else */
	unsigned needs;     /* stages required to open it */
	unsigned wants; /* stages that improve the rows: code that lists them waits for these, too */
	unsigned parts; /* required of the dump's format: enum format_part */
	/* Returns false if a dump that has the parts lacks what the rows are about, such as a profile,
	   or earlier dumps. True as long as that is not known. NULL: none
	   does. */
	bool (*has_rows)(const struct analysis *analysis);
	bool contents; /* its rows follow from contents, of which a redacted file has none */
	bool searches; /* its rows are search results, which later stages do not change */
	/* The part of the dump that the rows come from, for messages about a truncated dump. */
	enum damage_part from;
	/* Returns the required stages for an argument, if some arguments require more. NULL:
	   `needs`. */
	unsigned (*needs_with)(const char *argument);
	const struct column *columns;
	int column_count;
	enum record_kind records; /* the kind of records that the rows show; 0: they are not records */
	const char *title;        /* the rows' title, or its beginning; NULL: none */
	const char *none;         /* the note if there are no rows and no other note; NULL: none */
	/* Fills rows->count, title, note, data; NULL: `fill`, or `records` is enough. `argument` is
	   never NULL; it is empty only if the table does not require one. False: *err; the caller then
	   closes the rows. */
	bool (*open)(struct rows *rows, const char *argument, struct err *err);
	/* The same for a table without an argument that always opens. NULL: `open`, if there is one. */
	void (*fill)(struct rows *rows);
	/* Appends the command that Enter runs on a row ("fields 0xc000012340"); nothing: no link. NULL:
	   the command of the row's entity. */
	void (*link)(const struct rows *rows, size_t row, struct buf *command);
	enum row_style (*style)(const struct rows *rows, size_t row); /* NULL: plain */
	/* Frees what rows->data owns, if there is any; rows->data itself is freed after that. */
	void (*close)(struct rows *rows);
	/* Returns the struct whose fields columns without a function show. NULL: it is in the `array`,
	   else it is the record of the dump, or there is none. */
	const void *(*record)(const struct rows *rows, size_t row);
	struct {
		uint16_t at, size; /* 1 + the offset of the pointer to it in `data`, 0: `data` is it */
	} array;               /* see RECORDS */
	/* Returns the subject of a row: the columns of table/columns.h show it, and keys such as Enter,
	   p, r, m act on it. NULL: none. */
	struct entity (*entity)(const struct rows *rows, size_t row);
	/* Stores the value that a row is about, which need not be an object: columns for fields show
	   its fields. NULL: it is the object of the row's entity. */
	void (*value)(const struct rows *rows, size_t row, struct datum *value);
	uint16_t object; /* without `entity`: the record's member with the id of that object, see
	                    ROW_MEMBER; 0: none */
	/* For rows that stand for several objects: stores the row of each object in row_of, which has
	   UINT32_MAX for all. The columns of table/owners/row_owner.h need it. */
	void (*members)(const struct rows *rows, uint32_t *row_of);
	/* Returns the source line of a row: appends the file name as recorded in the executable or the
	   dump. False: none. NULL: the source line of the row's entity (table/naming/source.h). */
	bool (*source)(const struct rows *rows, size_t row, struct buf *file, uint64_t *line);
	const struct rows_made *made; /* how the rows are made of those of another table; NULL: not */
	/* Its rows are classes, or a view, of those of this table: table/query/row_classes.h; NULL */
	const char *classes_of, *view_of;
	const char *of_argument, *of_where; /* argument of that table, and a filter; NULL: none */
	const struct kept_kind *retained; /* where retained bytes of classes are kept; NULL: nowhere */
	/* For columns that compare (DELTA): returns the row of the oldest earlier dump that a row is
	   compared with, UINT32_MAX: none. NULL: that with equal keys. */
	uint32_t (*before)(const struct rows *rows, size_t row);
	bool all_before; /* they compare with all rows of that dump, whatever the argument selects */
	const char *grouped; /* table that `group` without an argument opens instead; NULL: none */
	const struct table_tree *tree; /* NULL: its rows are a list */
	const char *sort;              /* column of the initial order, NULL: the order of the rows */
	bool of_user;                  /* declared in the user's file: table/query/user_views.h */
	bool makes_columns; /* its argument determines the columns: they are in rows->table */
	/* Column that Tab completion of the argument offers, as "table.column"; NULL: none */
	const char *completes;
};

extern const struct table *tables[]; /* NULL at the end, in the order of help and manual */
const struct table *table_find(const char *name);
/* Adds a table behind the others, before any other thread runs. False: there are too many. */
bool tables_add(const struct table *table);
/* Returns the stages required to open a table with an argument, which may be NULL. */
unsigned table_needs(const struct table *table, const char *argument);
/* Returns true if the table accepts the argument, "" for none. False: *err says what is missing or
   excess. */
bool table_takes(const struct table *table, const char *argument, struct err *err);
/* its index; -1: none, or name is NULL */
int table_column(const struct table *table, const char *name);

/* Opens a table; the analysis must have finished table->needs. NULL: *err. */
struct rows *rows_open(const struct table *table, const struct analysis *analysis,
                       const char *argument, struct err *err);
/* Like rows_open, but also computes columns that take long, for code that prints rows. A screen
   uses rows_open, which leaves such columns out until their results are cached. */
struct rows *rows_open_whole(const struct table *table, const struct analysis *analysis,
                             const char *argument, struct err *err);
/* Like rows_open_whole; `progress` receives the progress and can cancel. NULL: like rows_open. */
struct rows *rows_open_watched(const struct table *table, const struct analysis *analysis,
                               const char *argument, struct progress *progress, struct err *err);
void rows_close(struct rows *rows);
/* Appends a sentence that damage may have lost rows, if so; for messages that no row exists or
   matches. */
void rows_doubt(const struct rows *rows, struct buf *out);
/* Returns true if the column requires an unfinished stage; its cells are empty until then. */
bool rows_column_waits(const struct rows *rows, int column);
/* Returns true if the column is empty for this dump. */
bool rows_column_hidden(const struct rows *rows, int column);
/* Computes a cell; empty as long as its column waits. *value arrives as VALUE_NONE with a buffer
   for text. */
void rows_cell(const struct rows *rows, size_t row, int column, struct value *value);
/* Returns true if the texts of the column follow from codes: those of struct coding, or the numbers
   of FIELD_WORD. */
static inline bool column_is_coded(const struct column *column)
{
	return column->coding || (column->field.words && !column->cell);
}
/* Returns the code that determines the text of the cell; 0: none. */
uint64_t rows_code(const struct rows *rows, size_t row, int column);
/* Returns the struct whose fields the columns show. The table must have one. */
const void *rows_record(const struct rows *rows, size_t row);
struct entity rows_entity(const struct rows *rows, size_t row);
/* Return the object that a row is about, or OBJECT_NONE; and the address, or 0. */
uint32_t rows_object(const struct rows *rows, size_t row);
uint64_t rows_address(const struct rows *rows, size_t row);
/* Stores the value that a row is about: an object, or a part of one. False: there is none. */
bool rows_value(const struct rows *rows, size_t row, struct datum *value);
/* Stores the bytes of the value or object that a row is about. False: there is none. */
bool rows_bytes(const struct rows *rows, size_t row, uint64_t *bytes);
/* Appends the command that Enter runs on a row. */
void rows_link(const struct rows *rows, size_t row, struct buf *command);
/* Returns the cell of a column by name; the column must have numbers, not texts. */
struct value rows_number(const struct rows *rows, size_t row, const char *column);
/* For a tree: returns true if opening the row would be slow. */
bool rows_take_long(const struct rows *rows, size_t row);
/* For a tree: returns the column on a screen that gives the row's part of its parent. */
int rows_weight_column(const struct rows *rows);
/* For a tree: returns the row's part of its parent. Negative values, from damaged dumps, become
   0. */
uint64_t rows_weight(const struct rows *rows, size_t row);
/* Appends the cell as text for display. */
void rows_text(const struct rows *rows, size_t row, int column, struct buf *out);
/* Returns the row numbers in the order of a column. Ties stay in row order; cells without a value
   come first (descending: last). rows->count entries; the caller frees them. NULL: cancelled. */
uint32_t *rows_sorted(const struct rows *rows, int column, bool descending,
                      struct progress *progress);
/* Like rows_sorted, but only the first `first` entries are certain to be there. */
uint32_t *rows_sorted_first(const struct rows *rows, int column, bool descending, size_t first,
                            struct progress *progress);
/* Like rows_sorted for `count` row numbers in row[], in place. False: cancelled, row[] is
   unchanged. */
bool rows_sort(const struct rows *rows, uint32_t *row, size_t count, int column, bool descending,
               struct progress *progress);
