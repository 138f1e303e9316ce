#include "base/index_format.h"

#include "base/mem.h"
#include "base/sigbus_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct index_file {
	int fd;
	struct index_key key;
	struct index_secret secret;
	uint64_t count, size;
	struct index_section section[INDEX_SECTIONS];
	pthread_mutex_t lock;               /* protects `mapped` */
	const void *mapped[INDEX_SECTIONS]; /* filled by index_get */
};

static bool index_same(struct index_key a, struct index_key b)
{
	return a.low == b.low && a.high == b.high;
}

static bool index_read_at(int fd, void *data, size_t size, uint64_t offset)
{
	ssize_t got = pread(fd, data, size, (off_t)offset);
	return got >= 0 && (size_t)got == size;
}

static bool index_is_own(int fd, uint64_t *size, struct err *err)
{
	struct stat info;
	if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
		return err_set(err, "It is not a file");
	if (info.st_uid != geteuid() || info.st_mode & (S_IWGRP | S_IWOTH))
		return err_set(err, "It is of another user, or others may write to it");
	*size = (uint64_t)info.st_size;
	return true;
}

static bool index_fits(const struct index_header *header, uint64_t size, struct err *err)
{
	if (memcmp(header->magic, index_magic, sizeof index_magic) != 0)
		return err_set(err, "It is no index");
	if (header->format != INDEX_FORMAT || header->order != INDEX_ORDER)
		return err_set(err, "It is an index of another version or byte order");
	if (header->size != size || header->count > INDEX_SECTIONS
	    || index_head_size(header->count) > size)
		return err_set(err, "It is damaged");
	return true;
}

static bool index_section_fits(const struct index_section *section, uint64_t size)
{
	return section->offset % INDEX_PAGE == 0 && section->offset <= size
	       && section->size <= size - section->offset && memchr(section->name, '\0', INDEX_NAME);
}

static bool index_read_head(struct index_file *file, struct err *err)
{
	struct index_header header;
	struct index_key sum;
	if (!index_is_own(file->fd, &file->size, err))
		return false;
	if (!index_read_at(file->fd, &header, sizeof header, 0))
		return err_set(err, "It is no index");
	if (!index_fits(&header, file->size, err))
		return false;
	file->count = header.count;
	size_t size = index_head_size(file->count);
	char *head = mem_alloc(size);
	bool good = index_read_at(file->fd, head, size, 0);
	memcpy(file->section, head + sizeof header, file->count * sizeof *file->section);
	memcpy(&sum, head + size - sizeof sum, sizeof sum);
	good = good
	       && index_same(
			   sum, index_sum(&file->secret, file->key, index_head_name, head, size - sizeof sum));
	free(head);
	for (uint64_t i = 0; good && i < file->count; i++)
		good = index_section_fits(&file->section[i], file->size);
	return good || err_set(err, "It is of other files, of another user, or damaged");
}

struct index_file *index_open(const char *path, struct index_key key,
                              const struct index_secret *secret, struct err *err)
{
	struct index_file *file = mem_alloc(sizeof *file);
	pthread_mutex_init(&file->lock, NULL);
	file->key = key;
	file->secret = *secret;
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file->fd < 0)
		err_set(err, "%s", strerror(errno));
	if (file->fd >= 0 && index_read_head(file, err))
		return file;
	index_close(file);
	return NULL;
}

void index_close(struct index_file *file)
{
	if (!file)
		return;
	for (uint64_t i = 0; i < file->count; i++)
		if (file->mapped[i])
			munmap((void *)(uintptr_t)file->mapped[i], file->section[i].size);
	if (file->fd >= 0)
		close(file->fd);
	pthread_mutex_destroy(&file->lock);
	free(file);
}

/* Returns the number of the section with this name, or UINT64_MAX. */
static uint64_t index_find(const struct index_file *file, const char *name)
{
	for (uint64_t i = 0; file && i < file->count; i++)
		if (strcmp(file->section[i].name, name) == 0)
			return i;
	return UINT64_MAX;
}

/* Maps a section and verifies its checksum. Returns NULL if that fails. The size must not be 0. */
static void *index_map(const struct index_file *file, const struct index_section *section)
{
	void *mapped = mmap(NULL, section->size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file->fd,
	                    (off_t)section->offset);
	if (mapped == MAP_FAILED)
		return NULL;
	sigbus_guard_tell(index_shortened);
	if (index_same(section->sum,
	               index_sum(&file->secret, file->key, section->name, mapped, section->size)))
		return mapped;
	munmap(mapped, section->size);
	return NULL;
}

const void *index_get(struct index_file *file, const char *name, uint64_t *size)
{
	uint64_t i = index_find(file, name);
	if (i == UINT64_MAX)
		return NULL;
	*size = file->section[i].size;
	if (*size == 0)
		return "";
	pthread_mutex_lock(&file->lock);
	if (!file->mapped[i])
		file->mapped[i] = index_map(file, &file->section[i]);
	const void *mapped = file->mapped[i];
	pthread_mutex_unlock(&file->lock);
	return mapped;
}

void *index_column(struct index_file *file, const char *name, size_t size)
{
	uint64_t i = index_find(file, name);
	if (i == UINT64_MAX || file->section[i].size != size)
		return NULL;
	void *mapped = size ? index_map(file, &file->section[i]) : mem_column(0);
	return size && mapped ? mem_column_mapped(mapped, size) : mapped;
}

void index_keep(struct index_file *file, struct index_writer *writer)
{
	for (uint64_t i = 0; file && i < file->count; i++) {
		uint64_t size;
		const void *data = index_get(file, file->section[i].name, &size);
		if (data)
			index_put(writer, file->section[i].name, data, size);
	}
}
