#include "staging.h"

#include "base/mem.h"
#include "base/memory_left.h"
#include "base/process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Since Linux 5.14. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum {
	MORE = 16 << 20,    /* what the process may take until it is stopped */
	SPARED = 256 << 20, /* bytes to leave to others at least */
	SHARE = 4,          /* a quarter of what is left is spared, too */
	STAGING_PAGE = 4096,
};

void process_go_first(void)
{
	static const char most[] = "1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	/* It is not refused to anybody; without it the kernel chooses by size, and this is no small
	 * one. */
	ssize_t wrote = write(fd, most, sizeof most - 1);
	(void)wrote;
	close(fd);
}

bool process_is_staged(uint64_t bytes)
{
	uint64_t left = memory_left(), spared = left / SHARE > SPARED ? left / SHARE : SPARED;
	return left < UINT64_MAX / 2 && bytes && left > spared + MORE && left - spared - MORE > bytes;
}

void staging_init(struct staging *staging, uint64_t bytes)
{
	*staging = (struct staging){0};
	if (!process_is_staged(bytes))
		return;
	staging->size = bytes + MORE;
	void *memory = mmap(NULL, staging->size, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return;
	process_go_first();
	staging->memory = memory;
	madvise(memory, staging->size, MADV_HUGEPAGE);
	if (madvise(memory, staging->size, MADV_POPULATE_WRITE) == 0)
		return;
	for (size_t i = 0; i < staging->size; i += STAGING_PAGE)
		((volatile uint8_t *)memory)[i] = 0;
}

uint8_t *staging_room(const struct staging *staging, size_t size)
{
	bool has_room = staging->memory && staging->size - staging->used >= size;
	return has_room ? staging->memory + staging->used : NULL;
}

void staging_add(struct staging *staging, size_t size, uint64_t offset)
{
	struct staged *last = staging->count ? &staging->item[staging->count - 1] : NULL;
	staging->used += size;
	if (last && last->offset + last->size == offset)
		last->size += size;
	else
		MEM_PUSH(staging->item, staging->count, staging->capacity, (struct staged){offset, size});
}

void staging_fini(struct staging *staging)
{
	if (staging->memory)
		munmap(staging->memory, staging->size);
	free(staging->item);
	*staging = (struct staging){0};
}
