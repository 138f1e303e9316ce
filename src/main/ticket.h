/* goheapx report: one file about a dump, for a ticket. What is in it is gathered once from the
   pages and tables that the screens have, too, and written in one of several forms. */
#ifndef MAIN_TICKET_H
#define MAIN_TICKET_H

#include "main/columns.h"
#include "main/selection.h"
#include "report/page.h"

/* Rows of a table, under a title. */
struct ticket_part {
	const struct ticket_kind *kind;
	struct rows *rows; /* NULL: `why` says why there are none */
	struct columns columns;
	struct selection selection; /* what is shown; of a tree with depths */
	size_t more;                /* rows that are not */
	struct buf why;
};

/* What the part is of; the table is asked by name, and its part left out where there is none. */
struct ticket_kind {
	const char *table, *title;
	const char *text;    /* what it says: sentences */
	const char *columns; /* names with commas between them, of those that the table has */
	const char *sort;    /* by this column, the largest first; NULL: as they are */
	unsigned rows;       /* at most */
	unsigned depth;      /* of a tree, rows above one another at most; 0: TICKET_DEPTH */
	unsigned least;      /* of a tree, rows that are such a part of the whole: 1 of so many */
	bool since;          /* only where there are earlier dumps */
	bool quiet;          /* left out when it is empty */
};

enum { TICKET_PARTS = 16, TICKET_DEPTH = 40 };

struct ticket {
	const struct analysis *analysis;
	const char *file;             /* name of the dump, without its folder */
	struct buf state;             /* what is wrong with the input; empty: nothing */
	struct page people, programs; /* the overview, as text and as values */
	struct ticket_part part[TICKET_PARTS];
	size_t count;
	bool redacted;
};

/* A form of it: NULL-terminated list by the end of a file's name. */
struct ticket_form {
	const char *name;
	void (*write)(const struct ticket *ticket, struct buf *out);
};
extern const struct ticket_form ticket_html, ticket_markdown, ticket_json;

/* How many bytes all rows of a tree are parts of. */
uint64_t ticket_whole(const struct ticket_part *part);
/* A number of the overview by its name as JSON has it, "memstats.Sys"; false: it has none. */
bool ticket_number(const struct ticket *ticket, const char *name, struct value *value);
/* Appends the cell of a shown row as a person reads it. */
void ticket_add_cell(const struct ticket_part *part, size_t at, int place, struct buf *out);
size_t ticket_row(const struct ticket_part *part, size_t at);

/* ticket_style.c: what stands in the HTML. */
extern const char ticket_css[], ticket_script[];

#endif
