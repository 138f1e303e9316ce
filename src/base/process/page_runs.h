/* Finds out which pages of a process are in memory. */
#pragma once

#include "regions.h"

struct page_run {
	uint64_t start, end;
	bool resident; /* in memory; else swapped out, with content */
};
/* Runs in ascending order of addresses; none crosses a region. */
struct page_runs {
	struct page_run *run;
	size_t count, capacity;
};

/* Reads the runs from `pagemap` of the process that is copied. A fork has no file pages in its page
   tables before it reads them: for these, `files` is the page map of its parent, or the same. Pages
   that were read but never written map a shared page of zeros; they are skipped from Linux 6.7 on.
   Returns false if the kernel reports nothing; there are no runs then. */
bool page_runs_read(struct page_runs *runs, const struct regions *regions, int pagemap, int files);
/* Returns the next run of a region, or NULL. *at is the position; it is advanced. Ask for regions
   in ascending order. */
const struct page_run *page_runs_next(const struct page_runs *runs, const struct region *region,
                                      size_t *at);
void page_runs_free(struct page_runs *runs);
