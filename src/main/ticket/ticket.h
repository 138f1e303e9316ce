/* goheapx report: one file about a dump, for a ticket. Its contents come from the pages and tables
   of the explorer, collected once and written in one of several forms. */
#pragma once

#include "main/options/selection.h"
#include "main/print/columns.h"
#include "report/page.h"
#include "ui/explorer.h"

/* A section with rows of a table. */
struct ticket_part {
	const struct ticket_kind *kind;
	struct rows *rows; /* NULL: `why` gives the reason */
	struct columns columns;
	struct selection selection; /* the rows shown; in a tree with depths */
	size_t more;                /* number of rows not shown */
	struct buf why;
};

/* The definition of a section; it is omitted if its table does not exist. */
struct ticket_kind {
	const char *table, *title;
	const char *text;    /* explanation: sentences */
	const char *columns; /* comma-separated names; columns that the table lacks are omitted */
	const char *sort;    /* sorts by this column, the largest first; NULL: the table's order */
	unsigned rows;       /* maximum */
	unsigned depth;      /* of a tree: maximum depth; 0: TICKET_DEPTH */
	unsigned least;      /* of a tree: minimum share of a row, 1 / least of the whole */
	bool since;          /* only with earlier dumps */
	bool quiet;          /* omitted if it is empty */
};

enum { TICKET_PARTS = 16, TICKET_DEPTH = 40 };

struct ticket {
	const struct analysis *analysis;
	const char *file;             /* name of the dump, without its directory */
	struct buf state;             /* what is wrong with the input; empty: nothing */
	struct page people, programs; /* the overview, as text and as values */
	struct ticket_part part[TICKET_PARTS];
	size_t count;
	bool redacted;
};

/* An output form, selected by the suffix of the file's name. */
struct ticket_form {
	const char *name;
	void (*write)(const struct ticket *ticket, struct buf *out);
};
extern const struct ticket_form ticket_html, ticket_markdown, ticket_json;

/* Returns the bytes of the whole that the rows of a tree are parts of. */
uint64_t ticket_whole(const struct ticket_part *part);
/* Finds a number of the overview by its JSON name, such as "memstats.Sys"; false: there is none. */
bool ticket_number(const struct ticket *ticket, const char *name, struct value *value);
/* Appends the cell of a shown row as text for people. */
void ticket_add_cell(const struct ticket_part *part, size_t at, int place, struct buf *out);
size_t ticket_row(const struct ticket_part *part, size_t at);

/* For the explorer: writes a report, see struct explorer_writers. */
bool ticket_make(const struct analysis *analysis, const struct file_request *file,
                 struct progress *progress, struct buf *told, struct err *err);

/* Style and script of the HTML form: src/main/docs/texts. */
extern const char ticket_css[], ticket_js[];
