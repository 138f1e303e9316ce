/* The page of an object, shared by the files that implement it. */
#pragma once

#include "report/report.h"
#include "table/naming/part.h"

struct object_page {
	uint32_t id;         /* OBJECT_NONE: the value is outside of the heap, and a part */
	struct buf argument; /* what its tables are opened with */
	bool is_part;        /* the page is about `part`, a value in the object or outside */
	struct datum part;
	uint64_t asked; /* the requested address, possibly inside the object */
	/* requested address outside of the heap that contains a pointer to the object; 0: none */
	uint64_t through;
	struct object_many *many; /* the page is about several objects; NULL: about one */
	char *place;              /* what names these */
	struct object_record record;
	/* NULL until the required stages are finished */
	struct rows *fields, *holders, *references;
	struct paths *paths;
	bool typed; /* `fields` was opened with types */
};

/* Returns a table of the object, opened once and cached in *rows; NULL: the required stages are not
   finished. */
const struct rows *object_page_rows(struct page *page, const char *name, struct rows **rows);
/* Adds the head of a section: "REFERRERS   2 pointers to it". `what` is the singular and plural of
   the items, `rest` the end of the phrase. */
void object_page_section(struct page *page, const char *name, size_t count,
                         const char *const what[2], const char *rest, const char *link);
/* Adds a section with rows of a table of this object, `count` from `from` on. Its head and the line
   for omitted rows link to the whole table. */
void object_page_list(struct page *page, const struct rows *rows, const char *name, size_t from,
                      size_t count, const char *const what[2], const char *rest, size_t shown);

/* Opens the page of object->part, which an expression leads to; and its own section. */
void object_open_part(struct page *page, const char *expression);
void object_add_part(struct page *page);

/* The sections. Identity: */
void object_add_size(struct page *page);
void object_add_asked(struct page *page);
void object_add_through(struct page *page);
void object_add_type(struct page *page);
void object_add_note(struct page *page);
void object_add_site(struct page *page);
/* Paths, dominators and retained size: */
void object_add_reach(struct page *page);
void object_add_holding(struct page *page);
void object_add_paths(struct page *page);
/* Contents, from the table fields: all of it for programs. */
void object_add_contents(struct page *page);

/* Several objects: opens the page of a set (table/contents/object_set.h), which `name` names;
 *False: err. Frees what it holds. */
bool object_many_open(struct page *page, const char *set, const char *name, struct err *err);
void object_many_close(struct object_page *object);
/* Computes what object_add_many_frees adds. False: cancelled. */
bool object_many_prepare(struct page *page, struct progress *progress);
void object_many_wait(const struct report_section *section, struct page *page, bool given_up);
void object_add_many_size(struct page *page);
void object_add_many_frees(struct page *page);
void object_add_many_types(struct page *page);
void object_add_many_samples(struct page *page);
void object_add_many_next(struct page *page);
