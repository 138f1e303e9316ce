/* Which pages of a process are in memory. */
#ifndef BASE_PROCESS_PAGE_RUNS_H
#define BASE_PROCESS_PAGE_RUNS_H

#include "regions.h"

struct page_run {
	uint64_t start, end;
	bool resident; /* in memory; else swapped out, and its content is there, too */
};
/* By address; none goes beyond a region. */
struct page_runs {
	struct page_run *run;
	size_t count, capacity;
};

/* `pagemap` is of the process that is copied. A fork has no files' pages in its page tables before
   it reads them: these are asked of the process that it is of, by `files`, which may be the same.
   Where pages were read and never written the kernel has one page of zeros for all: they are left
   out, but by kernels before 6.7. False: the kernel tells nothing, and there are none. */
bool page_runs_read(struct page_runs *runs, const struct regions *regions, int pagemap, int files);
/* The next run of a region, beginning at `*at`, which is moved on: of regions one after the other.
   NULL: it has no more. */
const struct page_run *page_runs_next(const struct page_runs *runs, const struct region *region,
                                      size_t *at);
void page_runs_free(struct page_runs *runs);

#endif
