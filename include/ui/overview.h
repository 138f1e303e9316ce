/* The sections of the overview: each adds its lines to the page. Private to the overview. */
#ifndef UI_OVERVIEW_H
#define UI_OVERVIEW_H

#include "table/typed.h"
#include "ui/page_view.h"

/* Columns of all sections: where a piece starts or, of numbers, ends. */
enum {
	OVERVIEW_LABEL = 1,
	OVERVIEW_NUMBER = 22,
	OVERVIEW_SHARE = 31,
	OVERVIEW_TEXT = 33,
	OVERVIEW_BAR = 59
};

/* The types of all objects, counted by a task. */
struct type_counts {
	const struct analysis *analysis;
	bool begun, done;
	struct rows *rows;
	uint32_t *order; /* of the rows: by bytes */
	struct typed_totals totals;
};
void type_counts_make(struct type_counts *counts);
void type_counts_fini(struct type_counts *counts);

struct overview {
	struct page page; /* first: see ui/page.h */
	const struct analysis *analysis;
	struct rows *groups; /* NULL until they are shown, as those that follow */
	struct rows *heaps;
	struct rows *owners;
	enum retain retain; /* of the owners */
	struct type_counts types;
};

/* What there is to show at a stage; all of it may be asked of the analysis from then on. */
void overview_file(struct overview *overview);       /* STAGE_READ */
void overview_names(struct overview *overview);      /* STAGE_NAMED */
void overview_progress(struct overview *overview);   /* any */
void overview_domains(struct overview *overview);    /* STAGE_READ, HAS_DOMAINS */
void overview_heaps(struct overview *overview);      /* STAGE_READ; without HAS_OBJECTS */
void overview_heap(struct overview *overview);       /* STAGE_READ, HAS_OBJECTS */
void overview_sentence(struct overview *overview);   /* STAGE_ALL, HAS_OBJECTS */
void overview_owners(struct overview *overview);     /* STAGE_ALL, HAS_OBJECTS */
void overview_piles(struct overview *overview);      /* STAGE_ALL, HAS_OBJECTS */
void overview_goroutines(struct overview *overview); /* STAGE_READ, HAS_RUNTIME */
void overview_groups(struct overview *overview);     /* STAGE_NAMED, HAS_RUNTIME */
void overview_types(struct overview *overview);      /* STAGE_REACHED */
void overview_sizes(struct overview *overview);      /* STAGE_READ */
void overview_roots(struct overview *overview);      /* STAGE_LINKED */
void overview_memory(struct overview *overview);     /* STAGE_READ */
void overview_condition(struct overview *overview);  /* STAGE_READ */

/* Lines with a label before the first. */
struct section {
	struct page *page;
	const char *label;
};
/* A line with nothing but the label; link may be NULL. */
struct page *overview_line(struct section *section, const char *link);
/* "   298.1 MB   95.4%  reachable               ███"; no share and bar when `whole` is 0 */
void overview_bytes(struct section *section, const char *link, uint64_t bytes, uint64_t whole,
                    const char *name);
void overview_count(struct section *section, const char *link, uint64_t count, uint64_t whole,
                    const char *name);
/* How many are not shown, unless there are none. */
void overview_more(struct section *section, const char *link, uint64_t all, uint64_t shown,
                   const char *name);
/* A cell of a table by the name of its column; `text` is cleared first. */
const char *overview_cell(const struct rows *rows, size_t row, const char *column,
                          struct buf *text);

#endif
