/* Lists the memory of a process. */
#pragma once

#include "base/process.h"

enum region_kind {
	REGION_OTHER,     /* shared, of the kernel, or not readable: its content is not copied */
	REGION_ANONYMOUS, /* private memory without a file */
	REGION_FILE,      /* a private mapping of a file; pages that were changed are anonymous */
};
struct region {
	uint64_t start, end;
	uint64_t size;   /* bytes stored in the core file, from `start` on; 0: none */
	uint64_t offset; /* offset of these bytes in the core file */
	uint64_t file_offset, inode;
	char *path; /* mapped file, or NULL */
	enum region_kind kind;
	bool readable, writable, executable;
	bool image; /* of a file that holds code, too: an executable or a library */
};
struct regions {
	struct region *region;
	size_t count, capacity;
};

/* Reads the regions from /proc/PID/maps, sizes excepted: see page_runs_choose. Returns false with
 *err, also if there are too many. */
bool regions_read(struct regions *regions, pid_t pid, struct err *err);
/* Adds the region of a line of that file, unless the line is malformed. */
void regions_add_line(struct regions *regions, const char *line);
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
/* Returns true for a page that is the file's, or shared. */
static inline bool page_is_of_file(uint64_t page)
{
	return page >> 61 & 1;
}

enum { REGION_PAGE = 4096 };
