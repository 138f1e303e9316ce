/* Finds out which pages of a process are in memory. */
#pragma once

#include "regions.h"

struct page_run {
	uint64_t start, end;
	bool resident; /* in memory; else swapped out, with content */
	bool of_file;  /* the file has the content; else the process has changed it */
};
/* Runs in ascending order of addresses; none crosses a region. */
struct page_runs {
	struct page_run *run;
	size_t count, capacity;
};

/* Reads the runs from `pagemap`, and those of files and shared memory from `files`: a fork has no
   file pages in its page tables, its parent does. Pages that were read but never written map a
   shared page of zeros; they are skipped from Linux 6.7 on. Returns false if the kernel reports
   nothing; there are no runs then. */
bool page_runs_read(struct page_runs *runs, const struct regions *regions, int pagemap, int files);
/* Returns the next run of a region, or NULL. *at is the position; it is advanced. Ask for regions
   in ascending order. */
const struct page_run *page_runs_next(const struct page_runs *runs, const struct region *region,
                                      size_t *at);
/* Sets how much of each region the core file holds; `runs`: what is in memory, NULL: not known. Of
   an executable or a library that is all, or the first page, which identifies the file; of another
   file all up to the last page that the process has changed. */
void page_runs_choose(struct regions *regions, const struct page_runs *runs);
void page_runs_free(struct page_runs *runs);
