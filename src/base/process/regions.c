#include "regions.h"

#include "base/mem.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGES = 1024 };

int pagemap_open(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/pagemap", (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

size_t pagemap_read(int pagemap, uint64_t address, uint64_t *pages, size_t count)
{
	ssize_t got = pread(pagemap, pages, count * sizeof *pages,
	                    (off_t)(address / REGION_PAGE * sizeof *pages));
	return got > 0 ? (size_t)got / sizeof *pages : 0;
}

static bool has_anonymous(int pagemap, const struct region *region)
{
	uint64_t pages[PAGES];
	for (uint64_t at = region->start; at < region->end; at += PAGES * REGION_PAGE) {
		uint64_t left = (region->end - at) / REGION_PAGE;
		size_t got = pagemap_read(pagemap, at, pages, left < PAGES ? left : PAGES);
		for (size_t i = 0; i < got; i++)
			if (page_is_anonymous(pages[i]))
				return true;
	}
	return false;
}

/* Decides how much of a region is copied. Files that are only read are not copied, since the
   executable has the content, except for the first page, which identifies the file. */
static void choose(struct region *region, bool private, int pagemap)
{
	region->resident_only = !region->path;
	if (!private || !region->readable
	    || (region->path && *region->path == '[' && strcmp(region->path, "[heap]") != 0
	        && strcmp(region->path, "[stack]") != 0))
		return;
	if (region->path && *region->path == '[')
		region->resident_only = true;
	else if (region->path && !region->writable && !has_anonymous(pagemap, region)) {
		region->size = region->file_offset ? 0 : REGION_PAGE;
		return;
	}
	region->size = region->end - region->start;
}

static void add_region(struct regions *regions, const char *line, int pagemap)
{
	struct region region = {0};
	char rights[5] = "";
	int path = 0;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &region.start,
	           &region.end, rights, &region.file_offset, &path)
	        < 4
	    || region.start >= region.end || region.start % REGION_PAGE)
		return;
	size_t len = path ? strcspn(line + path, "\n") : 0;
	if (len) {
		region.path = mem_alloc(len + 1);
		memcpy(region.path, line + path, len);
	}
	region.readable = rights[0] == 'r';
	region.writable = rights[1] == 'w';
	region.executable = rights[2] == 'x';
	choose(&region, rights[3] == 'p', pagemap);
	MEM_PUSH(regions->region, regions->count, regions->capacity, region);
}

bool regions_read(struct regions *regions, pid_t pid, int pagemap, struct err *err)
{
	char path[64], *line = NULL;
	size_t room = 0;
	*regions = (struct regions){0};
	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(path, "re");
	if (!maps)
		return err_set(err, "The memory of process %d cannot be listed", (int)pid);
	while (getline(&line, &room, maps) > 0)
		add_region(regions, line, pagemap);
	free(line);
	fclose(maps);
	return regions->count || err_set(err, "Process %d has no memory: it is ending", (int)pid);
}

void regions_free(struct regions *regions)
{
	for (size_t i = 0; i < regions->count; i++)
		free(regions->region[i].path);
	free(regions->region);
}
