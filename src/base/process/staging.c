#include "staging.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/memory_left.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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
	WRITTEN = 1 << 20, /* bytes that are written between two looks whether to go on */
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

void staging_init(struct staging *staging, int fd, uint64_t bytes)
{
	*staging = (struct staging){.fd = fd};
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

void staging_grow(struct staging *staging, uint64_t bytes)
{
	size_t left = staging->size - staging->used;
	uint64_t size = staging->used + bytes + MORE;
	if (!staging->memory || left >= bytes + MORE || !process_is_staged(size - staging->size))
		return;
	void *memory = mremap(staging->memory, staging->size, size, MREMAP_MAYMOVE);
	if (memory == MAP_FAILED)
		return;
	staging->memory = memory;
	staging->size = size;
	madvise(memory, size, MADV_HUGEPAGE);
}

uint8_t *staging_take(struct staging *staging, size_t size)
{
	if (!staging->memory || staging->size - staging->used < size)
		return NULL;
	staging->used += size;
	return staging->memory + staging->used - size;
}

static bool staging_write_at(const struct staging *staging, const uint8_t *bytes, size_t size,
                             uint64_t offset, struct err *err)
{
	for (size_t done = 0; done < size;) {
		ssize_t wrote = pwrite(staging->fd, bytes + done, size - done, (off_t)(offset + done));
		if (wrote < 0 && errno != EINTR)
			return err_set(err, "The memory of the process cannot be written: %s", strerror(errno));
		done += wrote > 0 ? (size_t)wrote : 0;
	}
	return true;
}

bool staging_put(struct staging *staging, const void *bytes, size_t size, uint64_t offset,
                 struct err *err)
{
	struct staged *last = staging->count ? &staging->item[staging->count - 1] : NULL;
	const uint8_t *start = bytes;
	if (!staging->memory || start < staging->memory || start >= staging->memory + staging->size)
		return staging_write_at(staging, bytes, size, offset, err);
	if (last && last->offset + last->size == offset && last->bytes + last->size == start)
		last->size += size;
	else
		MEM_PUSH(staging->item, staging->count, staging->capacity,
		         (struct staged){start, offset, size});
	return true;
}

bool staging_write(struct staging *staging, struct progress *progress, struct err *err)
{
	uint64_t written = 0;
	if (staging->count)
		progress_begin(progress, "writing the copy", staging->used);
	for (size_t i = 0; i < staging->count; i++) {
		const struct staged *item = &staging->item[i];
		for (size_t done = 0, size; done < item->size; done += size) {
			size = item->size - done < WRITTEN ? item->size - done : WRITTEN;
			if (!staging_write_at(staging, item->bytes + done, size, item->offset + done, err))
				return false;
			if (!progress_step(progress, written += size))
				return err_set(err, "Cancelled while the copy was written");
		}
	}
	return true;
}

void staging_fini(struct staging *staging)
{
	if (staging->memory)
		munmap(staging->memory, staging->size);
	free(staging->item);
	*staging = (struct staging){0};
}
