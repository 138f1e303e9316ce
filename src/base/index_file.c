#include "base/index_file.h"

#include "base/mem.h"
#include "base/sigbus_guard.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { INDEX_FORMAT = 9, INDEX_PAGE = 4096, INDEX_ORDER = 0x01020304 };
static const char index_magic[8] = "goheapx";
static const char index_shortened[] = "goheapx: the index was shortened in use: try again.\n";

struct index_header {
	char magic[8];
	uint32_t format, order; /* as this machine writes it */
	uint64_t count, size;   /* sections; bytes of the file */
};
struct index_section {
	char name[INDEX_NAME];
	uint64_t offset, size;
	struct index_key sum;
};

struct index_file {
	int fd;
	struct index_key key;
	struct index_secret secret;
	uint64_t count, size;
	struct index_section section[INDEX_SECTIONS];
	pthread_mutex_t lock;               /* of the next */
	const void *mapped[INDEX_SECTIONS]; /* by index_get */
};

/* ---- Checksums */

struct index_key index_key_add(struct index_key key, const void *bytes, size_t size)
{
	XXH128_hash_t sum =
		XXH3_128bits_withSeed(bytes, size, key.low ^ (key.high << 1 | key.high >> 63));
	return (struct index_key){sum.low64, sum.high64};
}

/* Of what it is, whose and which part: no section can stand for another. */
static struct index_key index_sum(const struct index_secret *secret, struct index_key key,
                                  const char *name, const void *bytes, uint64_t size)
{
	XXH128_hash_t body = XXH3_128bits_withSecret(bytes, size, secret->bytes, INDEX_SECRET);
	struct {
		struct index_key key, body;
		uint64_t size;
		char name[INDEX_NAME];
	} whole = {.key = key, .body = {body.low64, body.high64}, .size = size};
	memcpy(whole.name, name, INDEX_NAME);
	XXH128_hash_t sum = XXH3_128bits_withSecret(&whole, sizeof whole, secret->bytes, INDEX_SECRET);
	return (struct index_key){sum.low64, sum.high64};
}

static bool index_same(struct index_key a, struct index_key b)
{
	return a.low == b.low && a.high == b.high;
}

static uint64_t index_page_up(uint64_t size)
{
	return (size + INDEX_PAGE - 1) / INDEX_PAGE * INDEX_PAGE;
}

/* The header, the sections and their checksum. */
static size_t index_head_size(uint64_t count)
{
	return sizeof(struct index_header) + count * sizeof(struct index_section)
	       + sizeof(struct index_key);
}

static const char index_head_name[INDEX_NAME] = "head";

/* ---- Writing */

/* NULL: there is one already, or no place. */
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
	struct index_part *part = index_add(writer, name, NULL, size);
	if (!part)
		return;
	part->data = part->own = mem_alloc(size);
	if (size)
		memcpy(part->own, data, size);
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

/* The first bytes come last: what has none is no index. */
static bool index_fill(struct index_writer *writer, int fd, struct index_key key,
                       const struct index_secret *secret)
{
	size_t size = index_head_size(writer->count);
	char *head = mem_alloc(size);
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
	free(head);
	return written;
}

/* In a file without a name, which is gone however the process ends, and named by linkat and rename;
   where the file system has no such files, under a name that ends with .part from the start. */
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

static void index_take_columns(const struct index_writer *writer, int fd)
{
	sigbus_guard_tell(index_shortened);
	for (const struct index_part *p = writer->part; p < writer->part + writer->count; p++)
		if (p->column)
			mem_column_to_file(p->column, p->size, fd, p->offset);
}

bool index_write(struct index_writer *writer, const char *path, struct index_key key,
                 const struct index_secret *secret, struct err *err)
{
	size_t length = strlen(path) + 32;
	char *part = mem_alloc(length);
	snprintf(part, length, "%s.%ld.part", path, (long)getpid());
	unlink(part); /* of a process that had this number before */
	int fd = index_make(path, part);
	bool made = fd >= 0 && index_fill(writer, fd, key, secret) && index_name(fd, path, part);
	if (!made) {
		err_set(err, "The index cannot be written: %s", strerror(errno));
		unlink(part);
	}
	if (made)
		index_take_columns(writer, fd);
	if (fd >= 0)
		close(fd);
	free(part);
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

/* ---- Reading */

static bool index_read_at(int fd, void *data, size_t size, uint64_t offset)
{
	ssize_t got = pread(fd, data, size, (off_t)offset);
	return got >= 0 && (size_t)got == size;
}

static bool index_is_own(int fd, uint64_t *size, struct err *err)
{
	struct stat info;
	if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
		return err_set(err, "It is no file");
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

/* The file is whole and its bytes are what they were; UINT64_MAX: not. */
static uint64_t index_find(const struct index_file *file, const char *name)
{
	for (uint64_t i = 0; file && i < file->count; i++)
		if (strcmp(file->section[i].name, name) == 0)
			return i;
	return UINT64_MAX;
}

/* `size` is not 0. */
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
	return size ? index_map(file, &file->section[i]) : mem_column(0);
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
