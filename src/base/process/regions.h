/* Decides which memory of a process its core file holds. */
#pragma once

#include "base/process.h"

struct region {
	uint64_t start, end;
	uint64_t size;   /* bytes stored in the file, from `start` on; 0: none */
	uint64_t offset; /* offset of these bytes in the core file */
	uint64_t file_offset;
	char *path; /* mapped file, or NULL */
	bool readable, writable, executable;
	bool resident_only; /* only resident pages are copied; the rest is a hole and reads as zero */
};
struct regions {
	struct region *region;
	size_t count, capacity;
};

/* Reads the regions from /proc/PID/maps and pagemap; the process should be stopped. Returns false
   with *err. */
bool regions_read(struct regions *regions, pid_t pid, int pagemap, struct err *err);
void regions_free(struct regions *regions);

/* Opens /proc/PID/pagemap. Returns -1 if it cannot be opened. */
int pagemap_open(pid_t pid);
/* Reads up to `count` page map entries from an address on. Returns how many were read. */
size_t pagemap_read(int pagemap, uint64_t address, uint64_t *pages, size_t count);
/* Returns true if the page is in memory or swapped out. */
static inline bool page_is_there(uint64_t page)
{
	return page >> 62;
}
static inline bool page_is_resident(uint64_t page)
{
	return page >> 63;
}
/* Returns true if the page is there and not a page of a file. */
static inline bool page_is_anonymous(uint64_t page)
{
	return page >> 62 && !(page >> 61 & 1);
}

enum { REGION_PAGE = 4096 };
