/* The page of an object, for the files that it is made of. */
#ifndef REPORT_OBJECT_H
#define REPORT_OBJECT_H

#include "report/report.h"

struct object_page {
	uint32_t id;
	uint64_t asked;   /* the address as the user gave it, may be inside the object */
	uint64_t through; /* memory outside of the heap that was asked for, and points to it; 0: none */
	struct object_record record;
	/* NULL until the analysis is far enough */
	struct rows *fields, *holders, *references;
	struct paths *paths;
	bool typed; /* the fields have been opened with types */
};

/* Opens a table of the object, or gives it again; NULL: the analysis is not far enough. */
const struct rows *object_page_rows(struct page *page, const char *name, struct rows **rows);
/* The head of a section: "REFERRERS    2 pointers to it". `what` it has, of one and of many, and
   the rest of the phrase. */
void object_page_section(struct page *page, const char *name, size_t count,
                         const char *const what[2], const char *rest, const char *link);
/* A section with rows of a table of this object, `count` from a first one on; its head and what is
   left out lead to the whole table. */
void object_page_list(struct page *page, const struct rows *rows, const char *name, size_t from,
                      size_t count, const char *const what[2], const char *rest, size_t shown);

/* The sections. What it is: */
void object_add_size(struct page *page);
void object_add_asked(struct page *page);
void object_add_through(struct page *page);
void object_add_type(struct page *page);
void object_add_site(struct page *page);
/* What keeps it alive: */
void object_add_reach(struct page *page);
void object_add_holding(struct page *page);
void object_add_way(struct page *page);
/* What is in it, as the table fields has it: all of it for programs. */
void object_add_contents(struct page *page);

#endif
