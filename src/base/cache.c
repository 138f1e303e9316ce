#include "base/cache.h"

#include "base/mem.h"
#include "base/user_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { CACHE_KEY_DIGITS = 32, CACHE_LEFT_S = 3600 };
static const char cache_suffix[] = ".index", cache_part[] = ".part", cache_key_file[] = "secret";

bool cache_folder(struct buf *path, bool make, struct err *err)
{
	struct stat info;
	if (!user_folder(path, USER_CACHE))
		return err_set(err,
		               "There is no folder for a cache: neither XDG_CACHE_HOME nor HOME is set");
	char *name = strrchr(path->data, '/');
	*name = '\0';
	if (make)
		mkdir(path->data, 0700);
	*name = '/';
	if (make)
		mkdir(path->data, 0700);
	if (lstat(path->data, &info) != 0)
		return err_set(err, "There is no folder %.200s: %s", path->data, strerror(errno));
	if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() || info.st_mode & (S_IWGRP | S_IWOTH))
		return err_set(err, "%.200s is no folder that only you may write to", path->data);
	return true;
}

/* ---- The secret */

static bool cache_read_secret(const char *path, struct index_secret *secret)
{
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool good = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)
	            && info.st_uid == geteuid() && !(info.st_mode & (S_IRWXG | S_IRWXO))
	            && info.st_size == INDEX_SECRET
	            && read(fd, secret->bytes, INDEX_SECRET) == INDEX_SECRET;
	if (fd >= 0)
		close(fd);
	return good;
}

/* Creates the secret atomically: the file is complete, or absent. If two processes create one at
   the same time, one of them wins and both succeed. */
static bool cache_make_secret(const char *path)
{
	struct index_secret secret;
	SCOPED_BUF part = {0};
	buf_addf(&part, "%s.%ld%s", path, (long)getpid(), cache_part);
	unlink(part.data);
	int fd = open(part.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool made = fd >= 0 && getrandom(secret.bytes, INDEX_SECRET, 0) == INDEX_SECRET
	            && write(fd, secret.bytes, INDEX_SECRET) == INDEX_SECRET && fsync(fd) == 0
	            && (link(part.data, path) == 0 || errno == EEXIST);
	if (fd >= 0)
		close(fd);
	unlink(part.data);
	return made;
}

/* Replaces a secret that is truncated by a full disk or a crash, or that others may read. Index
   files written with the old secret become invalid and are built again. */
static bool cache_renew_secret(const char *path, struct index_secret *secret)
{
	struct stat info;
	if (lstat(path, &info) == 0 && !S_ISDIR(info.st_mode))
		unlink(path);
	return cache_make_secret(path) && cache_read_secret(path, secret);
}

bool cache_secret(struct index_secret *secret, bool make, struct err *err)
{
	SCOPED_BUF path = {0};
	bool there = cache_folder(&path, make, err);
	if (there) {
		buf_addf(&path, "/%s", cache_key_file);
		there = cache_read_secret(path.data, secret)
		        || (make && cache_renew_secret(path.data, secret))
		        || err_set(err, "%.200s cannot be used: %s", path.data, strerror(errno));
	}
	return there;
}

bool cache_path(struct buf *path, struct index_key key, bool make, struct err *err)
{
	if (!cache_folder(path, make, err))
		return false;
	buf_addf(path, "/%016" PRIx64 "%016" PRIx64 "%s", key.high, key.low, cache_suffix);
	return true;
}

/* ---- Indices */

static bool cache_key_of(const char *name, struct index_key *key)
{
	char extra;
	int used = 0;
	return strlen(name) == CACHE_KEY_DIGITS + strlen(cache_suffix)
	       && sscanf(name, "%16" SCNx64 "%16" SCNx64 "%n%c", &key->high, &key->low, &used, &extra)
	              == 3
	       && used == CACHE_KEY_DIGITS && strcmp(name + used, cache_suffix) == 0;
}

static int cache_by_use(const void *a, const void *b)
{
	const struct cache_index *x = a, *y = b;
	return x->used != y->used ? (x->used < y->used ? -1 : 1) : strcmp(x->path, y->path);
}

static void cache_take(struct cache_list *list, size_t *capacity, const char *folder,
                       const char *name)
{
	struct cache_index index = {0};
	struct stat info;
	SCOPED_BUF path = {0};
	buf_addf(&path, "%s/%s", folder, name);
	if (cache_key_of(name, &index.key) && lstat(path.data, &info) == 0 && S_ISREG(info.st_mode)) {
		index.path = mem_strdup(path.data);
		index.bytes = (uint64_t)info.st_blocks * 512;
		index.used = info.st_mtime;
		MEM_PUSH(list->index, list->count, *capacity, index);
		list->bytes += index.bytes;
	}
}

struct cache_list cache_list(void)
{
	struct cache_list list = {0};
	struct buf folder = {0};
	struct dirent *entry;
	size_t capacity = 0;
	DIR *dir = cache_folder(&folder, false, &(struct err){0}) ? opendir(folder.data) : NULL;
	while (dir && (entry = readdir(dir)))
		cache_take(&list, &capacity, folder.data, entry->d_name);
	if (dir)
		closedir(dir);
	buf_free(&folder);
	if (list.count)
		qsort(list.index, list.count, sizeof *list.index, cache_by_use);
	return list;
}

void cache_list_free(struct cache_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->index[i].path);
	free(list->index);
	*list = (struct cache_list){0};
}

/* Removes files that end with .part and were last changed at or before `before`: nobody will finish
   them. */
static void cache_sweep(const char *folder, time_t before)
{
	struct dirent *entry;
	struct stat info;
	SCOPED_BUF path = {0};
	DIR *dir = opendir(folder);
	while (dir && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name), part = strlen(cache_part);
		if (len < part || strcmp(entry->d_name + len - part, cache_part) != 0)
			continue;
		buf_clear(&path);
		buf_addf(&path, "%s/%s", folder, entry->d_name);
		if (lstat(path.data, &info) == 0 && S_ISREG(info.st_mode) && info.st_mtime <= before)
			unlink(path.data);
	}
	if (dir)
		closedir(dir);
}

/* Returns the limit of the total size of all index files, in bytes. */
static uint64_t cache_limit(const char *folder, uint64_t taken)
{
	struct statvfs info;
	uint64_t most = (uint64_t)CACHE_GIB << 30;
	if (statvfs(folder, &info) != 0)
		return most;
	uint64_t half = ((uint64_t)info.f_bavail * info.f_frsize + taken) / 2;
	return half < most ? half : most;
}

bool cache_make_room(uint64_t bytes)
{
	SCOPED_BUF folder = {0};
	struct cache_list list = cache_list();
	bool room = false;
	if (cache_folder(&folder, true, &(struct err){0})) {
		uint64_t limit = cache_limit(folder.data, list.bytes), taken = list.bytes;
		cache_sweep(folder.data, time(NULL) - CACHE_LEFT_S);
		room = bytes <= limit;
		for (size_t i = 0; room && i < list.count && taken > limit - bytes; i++)
			if (unlink(list.index[i].path) == 0)
				taken -= list.index[i].bytes;
	}
	cache_list_free(&list);
	return room;
}

bool cache_clear(struct cache_list *removed, struct err *err)
{
	SCOPED_BUF folder = {0};
	bool done = true;
	*removed = cache_list();
	for (size_t i = 0; i < removed->count; i++)
		if (unlink(removed->index[i].path) != 0 && errno != ENOENT)
			done = err_set(err, "%.200s cannot be removed: %s", removed->index[i].path,
			               strerror(errno));
	if (cache_folder(&folder, false, &(struct err){0}))
		cache_sweep(folder.data, time(NULL));
	return done;
}
