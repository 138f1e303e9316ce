/* Which memory of a process a core file of it holds. */
#ifndef BASE_PROCESS_REGIONS_H
#define BASE_PROCESS_REGIONS_H

#include "base/process.h"

struct region {
	uint64_t start, end;
	uint64_t size;   /* bytes that are in the file, from `start` on; 0: none */
	uint64_t offset; /* of them in the core file */
	uint64_t file_offset;
	char *path; /* NULL: no file is mapped */
	bool readable, writable, executable;
	bool resident_only; /* what is not resident reads as zero, and is a hole */
};
struct regions {
	struct region *region;
	size_t count, capacity;
};

/* As /proc/PID/maps and pagemap say; the process should be stopped. False: *err. */
bool regions_read(struct regions *regions, pid_t pid, int pagemap, struct err *err);
void regions_free(struct regions *regions);

/* What the kernel says of the pages of a process; -1: nothing. */
int pagemap_open(pid_t pid);
/* Reads what the kernel says of pages: `count` of them from an address on. Returns how many. */
size_t pagemap_read(int pagemap, uint64_t address, uint64_t *pages, size_t count);
/* Is the page in memory, or swapped out? */
static inline bool page_is_there(uint64_t page)
{
	return page >> 62;
}
static inline bool page_is_resident(uint64_t page)
{
	return page >> 63;
}
/* ... and not just a part of a file? */
static inline bool page_is_anonymous(uint64_t page)
{
	return page >> 62 && !(page >> 61 & 1);
}

enum { REGION_PAGE = 4096 };

#endif
