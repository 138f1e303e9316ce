/* The sections of the overview, shared by the files that implement it. */
#pragma once

#include "report/report.h"
#include "table/naming/typed.h"

/* Columns of all sections: the start of a text, or the end of a number. */
enum {
	OVERVIEW_LABEL = 1,
	OVERVIEW_NUMBER = 22,
	OVERVIEW_SHARE = 31,
	OVERVIEW_TEXT = 33,
	OVERVIEW_BAR = 59
};

struct overview {
	bool is_accounts; /* the second page of the screen */
	/* NULL until they are shown */
	struct rows *groups, *heaps, *allocators;
	struct rows *owners; /* set by overview_find_owners; NULL: nothing is reachable */
	enum retain retain;  /* of `owners` */
	/* Types of all objects; written once by overview_count_types, read-only afterwards. */
	struct rows *types;
	uint32_t *order; /* row numbers of `types`, sorted by bytes */
	struct typed_totals totals;
	struct rows *findings; /* written once by overview_find_findings; NULL: no root is known */
};

/* A group of lines; the first line shows the label. */
struct section {
	struct page *page;
	const char *label;
};
/* Begins a line, with the label if it is the first; link may be NULL. */
struct page *overview_line(struct section *section, const char *link);
/* Adds "  298.1 MB    95.4% reachable     ███"; without share and bar if `whole` is 0. Programs get
   the number only, named `key`, unless it is NULL. */
void overview_bytes(struct section *section, const char *key, const char *link, uint64_t bytes,
                    uint64_t whole, const char *name);
void overview_count(struct section *section, const char *key, const char *link, uint64_t count,
                    uint64_t whole, const char *name);
/* Adds "  298.1 MB    95.4% main.cache", without the share if `whole` is 0. */
void overview_part(struct section *section, const char *link, uint64_t bytes, uint64_t whole,
                   const char *name);
/* Adds a row of a table: what its column `bytes` has, the share of that in `whole`, and the text of
   its column `name`, with a link to what the row leads to, or to the table. */
void overview_row(struct section *section, const struct rows *rows, size_t row, const char *bytes,
                  uint64_t whole, const char *name);
/* Adds the number of items not shown, if any; `one` and `many` are their names. */
void overview_more(struct section *section, const char *link, uint64_t all, uint64_t shown,
                   const char *one, const char *many);
/* Returns the text of a cell by column name; `text` is cleared first. */
const char *overview_cell(const struct rows *rows, size_t row, const char *column,
                          struct buf *text);

/* Numbers that only programs read. */
struct overview_number {
	const char *key;
	uint64_t number;
};
void overview_numbers(struct page *page, const struct overview_number *numbers, size_t count);

/* Returns the number of warnings about the file, including dropped ones. */
uint64_t overview_warnings(const struct heap *heap);

/* overview_file.c */
void overview_file(struct page *page);
void overview_truncated(struct page *page);
void overview_fork(struct page *page);
void overview_snapshot(struct page *page);
void overview_unread(struct page *page);
void overview_names(struct page *page);
void overview_cgo(struct page *page);
/* overview_crash.c */
void overview_crash(struct page *page);
/* overview_estimate.c */
void overview_estimate(struct page *page);
/* overview_objects.c */
void overview_heap(struct page *page);
/* Says that most is unreachable, or that no root is known. */
void overview_unreachable(struct page *page);
/* Says that a lesser part is, for a dump that does not record all roots. */
void overview_unrecorded(struct page *page);
bool overview_find_owners(struct page *page, struct progress *progress);
void overview_owners(struct page *page); /* after that */
void overview_roots(struct page *page);
/* overview_types.c */
bool overview_count_types(struct page *page, struct progress *progress);
void overview_types(struct page *page);
void overview_sizes(struct page *page);
/* overview_findings.c */
void overview_accounts(struct page *page);
bool overview_find_findings(struct page *page, struct progress *progress);
void overview_findings(struct page *page);
/* overview_growth.c */
void overview_growth(struct page *page);
/* overview_runtime.c */
void overview_threads(struct page *page);
bool overview_find_lost(struct page *page, struct progress *progress);
void overview_lost(struct page *page);
void overview_deadlock(struct page *page); /* after overview_find_lost */
void overview_groups(struct page *page);
void overview_memory(struct page *page);
void overview_add_other_memory(struct section *section);
/* Appends the same sums in a line, " · 11.9 MB stacks · 136.7 MB from the OS · 52.3 MB RSS", and
   before them the share of the heap that is resident, if a tenth is not, as of a ballast. What does
   not fit on a line of 80 columns is left out, the last first. */
void overview_add_other_accounts(const struct heap *heap, struct buf *out);
void overview_records(struct page *page);
/* overview_logs.c */
void overview_domains(struct page *page);
void overview_heaps(struct page *page);
