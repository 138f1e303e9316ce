/* Reports: what the explorer shows as a page of its own and a subcommand prints, written once. One
   file each in src/report, which ends with PLUGIN(reports, ...): there is no list of them
   elsewhere. View, subcommand, help, completion and manual come from it. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/err.h"
#include "base/plugin.h"
#include "report/page.h"

/* A part of a page, from top to bottom. Those whose stages are not there yet, whose parts the
   dump's format does not have, or that are not for the form that is asked for are left out. */
struct report_section {
	void (*add)(struct page *page);
	unsigned forms; /* enum form */
	unsigned needs; /* stages, beside those of the report */
	unsigned wants; /* stages that make it say more: who prints it waits for them, a screen not */
	unsigned parts; /* enum format_part */
	/* What takes its time, before `add`, in any thread; NULL: nothing does. Sections with the same
	   have it done once. False: cancelled. Until it has ended `wait` (may be NULL) stands in its
	   place on a screen, afterwards only if it was given up. */
	bool (*prepare)(struct page *page, struct progress *progress);
	void (*wait)(struct page *page, bool given_up);
};

struct report {
	const char *name;       /* of the view: "object" */
	const char *subcommand; /* of the shell: "show" */
	int rank;               /* of its place among the others */
	const char *argument;   /* "ADDR"; NULL: it is about all of the dump */
	const char *help;       /* a sentence, of the view */
	const char *prints;     /* the same of the subcommand */
	const char *explain;    /* for the ? screen, a line for each term; NULL: nothing */
	bool of_object;         /* of dominators it asks for the object that the argument names alone */
	unsigned needs;         /* stages: the view opens only then */
	unsigned parts;         /* that the dump's format must have: enum format_part */
	const struct report_section *sections; /* `add` is NULL at the end */
	/* Fills page->own, title, side, address; the argument is "" where there is none. False: *err;
	   what is in page->own by then is closed. */
	bool (*open)(struct page *page, const char *argument, struct err *err);
	void (*close)(struct page *page); /* frees page->own, which may be NULL. NULL: free() does */
};
enum { REPORT_SECTIONS = 32 }; /* at most */

size_t report_count(void);
/* By rank; NULL behind the last. */
const struct report *report_at(size_t number);
/* The stages that a form of it takes. */
unsigned report_stages(const struct report *report, enum form form);
/* Is the section a part of this page by now? */
bool report_has(const struct page *page, const struct report_section *section);
/* The number of the first section that has what this one has to be prepared. */
size_t report_first_alike(const struct report *report, size_t section);
void report_close(const struct report *report, struct page *page);

#endif
