#include "page_runs.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ioctl PAGEMAP_SCAN of Linux 6.7: reports runs of pages, and marks pages that map the shared page
   of zeros. */
struct scanned {
	uint64_t start, end, is;
};
struct scan {
	uint64_t size, flags, start, end, walk_end, runs, runs_room, most_pages, inverted, all_of,
		any_of, returned;
};
#define PAGEMAP_SCAN_CALL _IOWR('f', 16, struct scan)
enum { IS_OF_FILE = 1 << 2, IS_PRESENT = 1 << 3, IS_SWAPPED = 1 << 4, IS_ZERO = 1 << 5 };

enum { PAGES = 4096, SCANNED = 256 };

/* Appends a run, or extends the last one. `first` is the first run of the region: runs do not cross
   regions. */
static void page_runs_add(struct page_runs *runs, size_t first, struct page_run run)
{
	struct page_run *last = runs->count > first ? &runs->run[runs->count - 1] : NULL;
	if (last && last->end == run.start && last->resident == run.resident
	    && last->of_file == run.of_file) {
		last->end = run.end;
		return;
	}
	MEM_PUSH(runs->run, runs->count, runs->capacity, run);
}

/* Returns false if the kernel does not support PAGEMAP_SCAN. */
static bool page_runs_scan(struct page_runs *runs, const struct region *region, int pagemap)
{
	struct scanned found[SCANNED];
	struct scan scan = {
		.size = sizeof scan,
		.start = region->start,
		.end = region->end,
		.runs = (uintptr_t)found,
		.runs_room = SCANNED,
		.any_of = IS_PRESENT | IS_SWAPPED,
		.returned = IS_OF_FILE | IS_PRESENT | IS_SWAPPED | IS_ZERO,
	};
	size_t first = runs->count;
	for (; scan.start < region->end; scan.start = scan.walk_end) {
		int count = ioctl(pagemap, PAGEMAP_SCAN_CALL, &scan);
		if (count < 0 || scan.walk_end <= scan.start) {
			runs->count = first;
			return false;
		}
		for (int i = 0; i < count; i++)
			if (!(found[i].is & IS_ZERO))
				page_runs_add(runs, first,
				              (struct page_run){found[i].start, found[i].end,
				                                found[i].is & IS_PRESENT,
				                                found[i].is & IS_OF_FILE});
	}
	return true;
}

/* Reads the page map page by page. It cannot distinguish pages that were only read. */
static bool page_runs_read_pages(struct page_runs *runs, const struct region *region, int pagemap)
{
	uint64_t pages[PAGES];
	size_t first = runs->count;
	for (uint64_t at = region->start; at < region->end;) {
		uint64_t left = (region->end - at) / REGION_PAGE;
		size_t got = pagemap_read(pagemap, at, pages, left < PAGES ? left : PAGES);
		for (size_t i = 0; i < got; i++, at += REGION_PAGE)
			if (page_is_there(pages[i]))
				page_runs_add(runs, first,
				              (struct page_run){at, at + REGION_PAGE, page_is_resident(pages[i]),
				                                page_is_of_file(pages[i])});
		if (!got)
			return false;
	}
	return true;
}

/* Returns false for pages of the kernel, which no process accounts for, and for reserved address
   space, which has no pages and may be of any size. */
static bool region_is_looked_at(const struct region *region)
{
	bool reserved = !region->readable && !region->writable && !region->executable;
	return !reserved
	       && !(region->path && strncmp(region->path, "[v", 2) == 0
	            && strcmp(region->path, "[vdso]") != 0);
}

bool page_runs_read(struct page_runs *runs, const struct regions *regions, int pagemap, int files)
{
	*runs = (struct page_runs){0};
	for (size_t i = 0; i < regions->count; i++) {
		const struct region *region = &regions->region[i];
		int from = region->kind == REGION_ANONYMOUS ? pagemap : files;
		if (!region_is_looked_at(region) || page_runs_scan(runs, region, from)
		    || page_runs_read_pages(runs, region, from))
			continue;
		page_runs_free(runs);
		return false;
	}
	return true;
}

const struct page_run *page_runs_next(const struct page_runs *runs, const struct region *region,
                                      size_t *at)
{
	while (*at < runs->count && runs->run[*at].end <= region->start)
		++*at;
	return *at < runs->count && runs->run[*at].start < region->end ? &runs->run[(*at)++] : NULL;
}

/* Returns the end of the last page of the region that the process has changed, or its start. *at as
   in page_runs_next. */
static uint64_t page_runs_changed(const struct page_runs *runs, const struct region *region,
                                  size_t *at)
{
	const struct page_run *run;
	uint64_t end = region->start;
	while ((run = page_runs_next(runs, region, at)))
		end = run->of_file ? end : run->end;
	return end;
}

void page_runs_choose(struct regions *regions, const struct page_runs *runs)
{
	size_t at = 0;
	for (size_t i = 0; i < regions->count; i++) {
		struct region *region = &regions->region[i];
		uint64_t changed = runs ? page_runs_changed(runs, region, &at) - region->start : 0;
		if (region->kind == REGION_FILE && !region->image)
			region->size = changed;
		else if (region->kind == REGION_FILE && !region->writable && !changed)
			region->size = region->file_offset ? 0 : REGION_PAGE;
		else if (region->kind != REGION_OTHER)
			region->size = region->end - region->start;
	}
}

/* An image counts with all its pages, another region with those that the process has changed. */
uint64_t process_size(pid_t pid)
{
	struct regions regions;
	struct page_runs runs = {0};
	struct err none = {0};
	uint64_t bytes = 0;
	size_t next = 0;
	int pagemap = pagemap_open(pid);
	bool known = regions_read(&regions, pid, &none)
	             && page_runs_read(&runs, &regions, pagemap, pagemap);
	page_runs_choose(&regions, known ? &runs : NULL);
	for (size_t i = 0; i < regions.count; i++) {
		const struct region *region = &regions.region[i];
		const struct page_run *run;
		if (region->image || !known)
			bytes += region->size;
		else if (region->size)
			while ((run = page_runs_next(&runs, region, &next)))
				bytes += run->of_file ? 0 : run->end - run->start;
	}
	page_runs_free(&runs);
	regions_free(&regions);
	if (pagemap >= 0)
		close(pagemap);
	return bytes;
}

void page_runs_free(struct page_runs *runs)
{
	free(runs->run);
	*runs = (struct page_runs){0};
}
