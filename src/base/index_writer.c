#include "base/index_format.h"

#include "base/mem.h"
#include "base/sigbus_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t index_page_up(uint64_t size)
{
	return (size + INDEX_PAGE - 1) / INDEX_PAGE * INDEX_PAGE;
}

/* Returns a new part, or NULL if the name exists already, is too long, or the table is full. */
static struct index_part *index_add(struct index_writer *writer, const char *name, const void *data,
                                    uint64_t size)
{
	for (size_t i = 0; i < writer->count; i++)
		if (strncmp(writer->part[i].name, name, INDEX_NAME) == 0)
			return NULL;
	if (writer->count == INDEX_SECTIONS || strlen(name) >= INDEX_NAME)
		return NULL;
	struct index_part *part = &writer->part[writer->count++];
	*part = (struct index_part){.data = data, .size = size};
	strcpy(part->name, name);
	return part;
}

void index_put(struct index_writer *writer, const char *name, const void *data, uint64_t size)
{
	index_add(writer, name, data, size);
}

void index_put_copy(struct index_writer *writer, const char *name, const void *data, uint64_t size)
{
	void *copy = mem_alloc(size);
	if (size)
		memcpy(copy, data, size);
	struct index_part *part = index_add(writer, name, copy, size);
	if (part)
		part->own = copy;
	else
		free(copy);
}

void index_put_column(struct index_writer *writer, const char *name, void *column, uint64_t size)
{
	struct index_part *part = index_add(writer, name, column, size);
	if (part)
		part->column = column;
}

void index_writer_fini(struct index_writer *writer)
{
	for (size_t i = 0; i < writer->count; i++)
		free(writer->part[i].own);
	writer->count = 0;
}

uint64_t index_writer_bytes(const struct index_writer *writer)
{
	uint64_t bytes = index_page_up(index_head_size(writer->count));
	for (size_t i = 0; i < writer->count; i++)
		bytes += index_page_up(writer->part[i].size);
	return bytes;
}

static bool index_write_at(int fd, const void *data, uint64_t size, uint64_t offset)
{
	const char *bytes = data;
	while (size) {
		ssize_t written = pwrite(fd, bytes, size, (off_t)offset);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		bytes += written;
		offset += (uint64_t)written;
		size -= (uint64_t)written;
	}
	return true;
}

/* Writes the sections first and the head last: a file without a head is no index. */
static bool index_fill(struct index_writer *writer, int fd, struct index_key key,
                       const struct index_secret *secret)
{
	size_t size = index_head_size(writer->count);
	SCOPED_FREE char *head = mem_alloc(size);
	struct index_header *header = (struct index_header *)head;
	struct index_section *section = (struct index_section *)(header + 1);
	uint64_t at = index_page_up(size);
	bool written = true;
	for (size_t i = 0; written && i < writer->count; i++) {
		struct index_part *part = &writer->part[i];
		part->offset = at;
		section[i] = (struct index_section){.offset = at, .size = part->size};
		memcpy(section[i].name, part->name, INDEX_NAME);
		section[i].sum = index_sum(secret, key, part->name, part->data, part->size);
		written = index_write_at(fd, part->data, part->size, at);
		at += index_page_up(part->size);
	}
	*header = (struct index_header){.format = INDEX_FORMAT, .order = INDEX_ORDER};
	memcpy(header->magic, index_magic, sizeof index_magic);
	header->count = writer->count;
	header->size = at;
	struct index_key sum = index_sum(secret, key, index_head_name, head, size - sizeof sum);
	memcpy(head + size - sizeof sum, &sum, sizeof sum);
	written = written && ftruncate(fd, (off_t)at) == 0 && index_write_at(fd, head, size, 0);
	return written;
}

/* Opens an unnamed file, which disappears however the process ends; linkat and rename name it when
   it is complete. A file system without O_TMPFILE gets a file named .part from the start. */
static int index_make(const char *path, const char *part)
{
	char *folder = mem_strdup(path), *slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	int fd = open(slash ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(folder);
	return fd >= 0 ? fd : open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static bool index_name(int fd, const char *path, const char *part)
{
	char self[64];
	struct stat info;
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	if (fstat(fd, &info) != 0
	    || (info.st_nlink == 0 && linkat(AT_FDCWD, self, AT_FDCWD, part, AT_SYMLINK_FOLLOW) != 0))
		return false;
	return rename(part, path) == 0;
}

bool index_write(struct index_writer *writer, const char *path, struct index_key key,
                 const struct index_secret *secret, struct err *err)
{
	size_t length = strlen(path) + 32;
	SCOPED_FREE char *part = mem_alloc(length);
	snprintf(part, length, "%s.%ld.part", path, (long)getpid());
	unlink(part); /* left by an earlier process with the same pid */
	int fd = index_make(path, part);
	bool made = fd >= 0 && index_fill(writer, fd, key, secret) && index_name(fd, path, part);
	if (!made) {
		err_set(err, "The index cannot be written: %s", strerror(errno));
		unlink(part);
	}
	if (made) {
		sigbus_guard_tell(index_shortened);
		for (const struct index_part *p = writer->part; p < writer->part + writer->count; p++)
			if (p->column)
				mem_column_to_file(p->column, p->size, fd, p->offset);
	}
	if (fd >= 0)
		close(fd);
	return made;
}

bool index_may_replace(const char *path)
{
	char magic[sizeof index_magic];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT;
	bool is_index = read(fd, magic, sizeof magic) == sizeof magic
	                && memcmp(magic, index_magic, sizeof magic) == 0;
	close(fd);
	return is_index;
}
