#include "regions.h"

#include "base/mem.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The default of vm.max_map_count is 65,530; some programs want it at a million. */
enum { MOST_REGIONS = 4 << 20 };

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

/* The kernel names some anonymous memory: "[heap]", "[stack]", and "[anon: Go: heap]" after what
   the program calls it. Its own memory has such names, too: "[vdso]". */
static enum region_kind region_kind_of(const struct region *region, bool private)
{
	const char *path = region->path;
	if (!private || !region->readable)
		return REGION_OTHER;
	if (!path || strcmp(path, "[heap]") == 0 || strcmp(path, "[stack]") == 0
	    || strncmp(path, "[anon:", 6) == 0)
		return REGION_ANONYMOUS;
	return *path == '[' ? REGION_OTHER : REGION_FILE;
}

static bool region_same_file(const struct region *a, const struct region *b)
{
	return a->path && *a->path == '/' && a->inode == b->inode && b->path
	       && strcmp(a->path, b->path) == 0;
}

/* Parts of an image follow each other, with nothing but anonymous memory between them. */
static void regions_mark_image(struct regions *regions, size_t first, size_t end)
{
	bool code = false;
	for (size_t i = first; i < end; i++)
		code |= regions->region[i].executable
		        && region_same_file(&regions->region[first], &regions->region[i]);
	for (size_t i = first; i < end && code; i++)
		regions->region[i].image = region_same_file(&regions->region[first], &regions->region[i]);
}

static void regions_mark_images(struct regions *regions)
{
	for (size_t first = 0, end; first < regions->count; first = end) {
		const struct region *region = regions->region;
		for (end = first + 1; end < regions->count; end++)
			if (region[end].path && !region_same_file(&region[first], &region[end]))
				break;
		regions_mark_image(regions, first, end);
	}
}

void regions_add_line(struct regions *regions, const char *line)
{
	struct region region = {0};
	char rights[5] = "";
	int path = 0;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 " %n", &region.start,
	           &region.end, rights, &region.file_offset, &region.inode, &path)
	        < 5
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
	region.kind = region_kind_of(&region, rights[3] == 'p');
	MEM_PUSH(regions->region, regions->count, regions->capacity, region);
}

bool regions_read(struct regions *regions, pid_t pid, struct err *err)
{
	char path[64], *line = NULL;
	size_t room = 0;
	*regions = (struct regions){0};
	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(path, "re");
	if (!maps)
		return err_set(err, "The memory of process %d cannot be listed", (int)pid);
	while (regions->count < MOST_REGIONS && getline(&line, &room, maps) > 0)
		regions_add_line(regions, line);
	free(line);
	fclose(maps);
	regions_mark_images(regions);
	if (regions->count == MOST_REGIONS)
		return err_set(err, "Process %d has more than %d mappings: so many are not copied",
		               (int)pid, MOST_REGIONS - 1);
	return regions->count || err_set(err, "Process %d has no memory: it is ending", (int)pid);
}

void regions_free(struct regions *regions)
{
	for (size_t i = 0; i < regions->count; i++)
		free(regions->region[i].path);
	free(regions->region);
	*regions = (struct regions){0};
}
