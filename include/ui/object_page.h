/* The sections of an object's page: each adds its lines. Private to the view of objects. */
#ifndef UI_OBJECT_PAGE_H
#define UI_OBJECT_PAGE_H

#include "ui/page_view.h"

struct object_page {
	struct page page; /* first: see ui/page.h */
	const struct analysis *analysis;
	uint32_t id;
	uint64_t address, asked; /* asked: as the user gave it, may be inside the object */
	struct object_record record;
	/* NULL until the analysis is far enough */
	struct rows *fields, *holders, *references;
	struct paths *paths;
	bool typed; /* the fields have been opened with types */
};

enum { OBJECT_ROWS_SHOWN = 8 }; /* of its contents */

void object_facts(struct object_page *object);    /* its size, type, where it was allocated */
void object_way(struct object_page *object);      /* what keeps it alive */
void object_contents(struct object_page *object); /* what is in it */

/* What the page has no room for. */
extern const struct view_more object_more;

/* The head of a section: "REFERRERS    2 pointers to it". `what` it has, of one and of many, and
   the rest of the phrase. */
void object_section(struct page *page, const char *name, size_t count, const char *const what[2],
                    const char *rest, const char *link);
/* Rows of a table of this object, `all` from a first one on in question; the head, which is there
   already, and what is left out lead to the whole table. */
void object_rows(struct object_page *object, const struct rows *rows, size_t from, size_t all,
                 size_t shown);
/* The command that opens a table of this object. */
void object_link(const struct object_page *object, const struct rows *rows, struct buf *link);

#endif
