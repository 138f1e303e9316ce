/* Reports: pages that the explorer shows and a subcommand prints. Each is one file in src/report
   that registers itself with PLUGIN(reports, ...). View, subcommand, help, completion and manual
   are derived from it. */
#pragma once

#include "base/err.h"
#include "base/plugin.h"
#include "report/page.h"

/* A part of a page, from top to bottom. A section is omitted if its stages are not finished, the
   dump's format lacks its parts, or it does not support the page's form. */
struct report_section {
	void (*add)(struct page *page);
	unsigned forms; /* enum form */
	unsigned needs; /* stages, in addition to those of the report */
	unsigned wants; /* stages that add detail: printing waits for them, the screen does not */
	unsigned parts; /* enum format_part */
	bool (*fits)(const struct page *page); /* whether this page has it; NULL: each one */
	/* Computes what takes long, before `add`, in any thread; NULL: nothing. Sections with the same
	   function share one call. False: cancelled. On the screen, `wait` (may be NULL) replaces the
	   section meanwhile, and afterwards only if it was given up. */
	bool (*prepare)(struct page *page, struct progress *progress);
	void (*wait)(const struct report_section *section, struct page *page, bool given_up);
	/* For `wait`: the label of its line, the table that the line leads to, what is said meanwhile
	   and if it was given up. */
	const char *label, *table, *meanwhile, *given_up;
};

struct report {
	const char *name;       /* of the view: "object" */
	const char *subcommand; /* of the command line: "show"; NULL: for the screen only */
	int rank;               /* order among the reports */
	const char *argument;   /* "ADDR"; NULL: the report describes the whole dump */
	unsigned takes;         /* kinds of argument: enum takes (table/naming/takes.h) */
	const char *help;       /* a sentence for the view */
	const char *prints;     /* a sentence for the subcommand */
	const char *explain;    /* for the ? screen, a line for each term; NULL: none */
	bool of_object;         /* uses the dominators of the argument's object only */
	unsigned needs;         /* stages required to open the view */
	unsigned parts;         /* parts that the dump's format must have: enum format_part */
	const struct report_section *sections; /* ends with `add` NULL */
	/* Fills page->own, title, side, address; the argument is "" if there is none. False: *err;
	   `close` is called all the same. */
	bool (*open)(struct page *page, const char *argument, struct err *err);
	/* Frees what page->own refers to; it is freed itself after that. NULL: nothing. */
	void (*close)(struct page *page);
};
enum { REPORT_SECTIONS = 32 }; /* upper bound */

/* Returns the number of reports with a subcommand; these have the lowest ranks. */
size_t report_command_count(void);
/* Returns the report with a number, by rank; NULL after the last. */
const struct report *report_at(size_t number);
/* Returns the stages that a form of the report requires. */
unsigned report_stages(const struct report *report, enum form form);
/* Returns true if the section is part of this page now. */
bool report_has(const struct page *page, const struct report_section *section);
/* Returns the number of the first section with the same `prepare` function. */
size_t report_first_alike(const struct report *report, size_t section);
void report_close(const struct report *report, struct page *page);
