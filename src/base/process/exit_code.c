#include "exit_code.h"

#include "page_runs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* mov $231, %eax; syscall */
static const uint8_t code_of_exit[] = {0xb8, 0xe7, 0, 0, 0, 0x0f, 0x05};

enum { PIECE = 1 << 20, OVERLAP = sizeof code_of_exit - 1 };

/* Reads at an address of the process, or at an offset of its executable. */
static bool exit_code_read(pid_t pid, int exe, uint64_t at, uint8_t *bytes, size_t size)
{
	struct iovec here = {bytes, size}, there = {(void *)(uintptr_t)at, size};
	ssize_t got = exe >= 0 ? pread(exe, bytes, size, (off_t)at)
	                       : process_vm_readv(pid, &here, 1, &there, 1, 0);
	return got == (ssize_t)size;
}

/* Searches a range for the instructions of exit_group. Returns where they are, or 0. */
static uint64_t exit_code_in(pid_t pid, int exe, uint64_t start, uint64_t end, uint8_t *piece)
{
	for (uint64_t at = start; at < end; at += PIECE - OVERLAP) {
		size_t size = end - at < PIECE ? (size_t)(end - at) : PIECE;
		bool read = exit_code_read(pid, exe, at, piece, size);
		const uint8_t *found = read ? memmem(piece, size, code_of_exit, sizeof code_of_exit) : NULL;
		if (found)
			return at + (uint64_t)(found - piece);
		if (size < PIECE)
			break;
	}
	return 0;
}

static bool exit_code_may_be(const struct region *region)
{
	return region->executable && region->readable && region->path && region->kind == REGION_FILE;
}

/* Searches what is in memory: any other page would be from now on. */
static uint64_t exit_code_resident(pid_t pid, const struct regions *regions, uint8_t *piece)
{
	struct page_runs runs;
	int pagemap = pagemap_open(pid);
	size_t next = 0;
	uint64_t found = 0;
	page_runs_read(&runs, regions, pagemap, pagemap);
	for (size_t i = 0; i < regions->count; i++) {
		const struct region *region = &regions->region[i];
		const struct page_run *run;
		while (!found && exit_code_may_be(region) && (run = page_runs_next(&runs, region, &next)))
			if (run->resident)
				found = exit_code_in(pid, -1, run->start, run->end, piece);
	}
	page_runs_free(&runs);
	if (pagemap >= 0)
		close(pagemap);
	return found;
}

/* Searches the file of the executable. */
static uint64_t exit_code_stored(pid_t pid, const struct regions *regions, int exe, uint8_t *piece)
{
	struct stat info;
	uint64_t found = 0;
	for (size_t i = 0; exe >= 0 && fstat(exe, &info) == 0 && i < regions->count && !found; i++) {
		const struct region *region = &regions->region[i];
		uint64_t size = region->end - region->start;
		if (!exit_code_may_be(region) || region->inode != info.st_ino)
			continue;
		found = exit_code_in(pid, exe, region->file_offset, region->file_offset + size, piece);
		found = found ? region->start + (found - region->file_offset) : 0;
	}
	return found;
}

uint64_t exit_code_find(pid_t pid, int exe)
{
	struct regions regions;
	struct err none = {0};
	uint8_t *piece = malloc(PIECE);
	uint64_t found = 0;
	if (regions_read(&regions, pid, &none) && piece) {
		found = exit_code_resident(pid, &regions, piece);
		found = found ? found : exit_code_stored(pid, &regions, exe, piece);
	}
	regions_free(&regions);
	free(piece);
	return found;
}
