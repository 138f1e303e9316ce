#include "base/input.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/redaction.h"
#include "base/sigbus_guard.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *input_kind_of(mode_t mode)
{
	static const struct {
		mode_t mode;
		const char *name;
	} kinds[] = {
		{S_IFDIR, "a directory"}, {S_IFCHR, "a device"},  {S_IFBLK, "a device"},
		{S_IFIFO, "a pipe"},      {S_IFSOCK, "a socket"},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if ((mode & S_IFMT) == kinds[i].mode)
			return kinds[i].name;
	return "no regular file";
}

/* Opens a regular file that is not empty. O_NONBLOCK avoids blocking on a pipe without a writer. */
static bool open_regular(struct input *input, struct err *err)
{
	struct stat *info = &input->opened;
	input->fd = open(input->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (input->fd < 0)
		return err_set(err, "%s", strerror(errno));
	if (fstat(input->fd, info) != 0)
		return err_set(err, "The file cannot be read: %s", strerror(errno));
	if (!S_ISREG(info->st_mode))
		return err_set(err, "This is %s; give the file that was written",
		               input_kind_of(info->st_mode));
	return info->st_size ? true : err_at(err, 0, "The file is empty: nothing was written into it");
}

/* Maps the file. The mapping stays valid after the descriptor is closed. */
static bool map(struct input *input, int fd, struct err *err)
{
	struct stat info;
	if (fstat(fd, &info) != 0)
		return err_set(err, "The file cannot be read: %s", strerror(errno));
	if (info.st_size == 0)
		return err_at(err, 0, "The file has no content once it is unpacked");
	input->size = (size_t)info.st_size;
	void *data = mmap(NULL, input->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return err_set(err, "The file cannot be mapped into memory: %s", strerror(errno));
	input->data = data;
	sigbus_guard_add(data, input->size);
	return true;
}

static bool map_unpacked(struct input *input, struct progress *progress, struct err *err)
{
	SCOPED_BUF damage = {0};
	int unpacked = unpack(input->fd, &input->options.unpack, progress, &damage, err);
	bool done = unpacked >= 0 && map(input, unpacked, err);
	if (unpacked >= 0)
		close(unpacked);
	if (damage.len)
		input->damage = mem_strdup(damage.data);
	return done;
}

/* Opens the unnamed file for the copy of a process. */
static int open_copy(pid_t pid, bool in_memory, struct err *err)
{
	if (!in_memory)
		return temporary_open(err);
	/* The process is staged, and then in the file; it lives on, and may share the limit. */
	if (!process_is_staged(2 * process_size(pid))) {
		err_set(
			err,
			"Process %d is not copied: until it is redacted the copy must not be on a disk, and "
			"there is no memory for it twice",
			(int)pid);
		return -1;
	}
	process_go_first();
	int fd = memfd_create("goheapx", MFD_CLOEXEC);
	if (fd < 0)
		err_set(err, "There is no memory for the copy of the process: %s", strerror(errno));
	return fd;
}

/* Copies the process into a core file in a temporary file, and maps it. */
static bool map_process(struct input *input, struct progress *progress, struct err *err)
{
	const struct input_options *options = &input->options;
	int fd = open_copy(input->pid, options->in_memory, err);
	bool done = fd >= 0
	            && process_copy(input->pid, fd, &options->process, &input->copy, progress, err)
	            && map(input, fd, err);
	if (fd >= 0)
		close(fd);
	input->process_executable = process_executable(input->pid);
	input->executable = input->process_executable;
	return done;
}

struct input_options input_options_for(const struct input_options *options, unpack_known *known)
{
	struct input_options with = options ? *options : (struct input_options){0};
	with.unpack.known = known;
	with.unpack.self = NULL;
	return with;
}

bool input_open(struct input *input, const char *path, const struct input_options *options,
                struct progress *progress, struct err *err)
{
	*input = (struct input){.path = mem_strdup(path), .fd = -1};
	if (options)
		input->options = *options;
	struct err none = {0};
	input->pid = process_named(path, true, &none);
	if (input->pid || none.set) {
		bool copied = input->pid ? map_process(input, progress, err)
		                         : err_set(err, "%s", none.text);
		if (!copied)
			input_close(input);
		return copied;
	}
	bool done = open_regular(input, err) && unpack_filter(input->fd, &input->filter, err);
	if (done && input->filter)
		done = map_unpacked(input, progress, err);
	else if (done)
		done = map(input, input->fd, err);
	if (!done)
		input_close(input);
	return done;
}

void input_close(struct input *input)
{
	if (input->data) {
		sigbus_guard_remove(input->data);
		munmap((void *)(uintptr_t)input->data, input->size);
	}
	if (input->fd >= 0)
		close(input->fd);
	free(input->path);
	free(input->damage);
	free(input->process_executable);
	*input = (struct input){.fd = -1};
}

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Returns true if something other than a write explains a new ctime with an old mtime, such as
   chmod, link or rename. Otherwise the content was written and its time set back. */
static bool other_change(const struct input *input, const struct stat *now)
{
	const struct stat *then = &input->opened;
	struct stat there;
	return now->st_nlink != then->st_nlink || now->st_mode != then->st_mode
	       || now->st_uid != then->st_uid || now->st_gid != then->st_gid
	       || stat(input->path, &there) != 0 || there.st_ino != now->st_ino
	       || there.st_dev != now->st_dev;
}

bool input_changed(const struct input *input)
{
	const struct stat *then = &input->opened;
	struct stat now;
	if (input->fd < 0)
		return false; /* built in memory by a test */
	if (fstat(input->fd, &now) != 0)
		return true; /* the file system is gone: cached pages may remain, the rest is lost */
	if (now.st_size != then->st_size || !same_time(now.st_mtim, then->st_mtim))
		return true;
	return !same_time(now.st_ctim, then->st_ctim) && !other_change(input, &now);
}

/* The last page of a shortened file reads as zero without a signal, so the size is checked as
   well. */
const char *input_loss(const struct input *input, uint64_t *offset)
{
	struct stat info;
	*offset = sigbus_guard_lost(input->data);
	if (!input->filter && fstat(input->fd, &info) == 0 && (uint64_t)info.st_size < input->size
	    && (uint64_t)info.st_size <= *offset) {
		*offset = (uint64_t)info.st_size;
		return "The file was shortened while it was read: what came after reads as zero";
	}
	return *offset != UINT64_MAX
	           ? "The file could not be read any further: what comes after reads as zero"
	           : NULL;
}

bool input_redact(struct input *input, struct redaction *redaction, struct err *err)
{
	uint8_t *data = (uint8_t *)(uintptr_t)input->data;
	if (mprotect(data, input->size, PROT_READ | PROT_WRITE) != 0)
		return err_set(err, "There is not enough memory to redact the file: %s", strerror(errno));
	redaction_apply(redaction, data);
	mprotect(data, input->size, PROT_READ);
	input->redacted = true;
	return true;
}

/* Releases only whole pages of the input. If a part of the file is lost, releasing would turn its
   zeros into faults again, so nothing is released. */
void input_forget(const struct input *input, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	from = (from + page - 1) / page * page;
	to = (to < input->size ? to : input->size) / page * page;
	if (input->fd >= 0 && !input->redacted && from < to
	    && sigbus_guard_lost(input->data) == UINT64_MAX)
		madvise((void *)(uintptr_t)(input->data + from), (size_t)(to - from), MADV_DONTNEED);
}

bool input_rescue(const void *address)
{
	return rescue(address);
}

void input_end_lost(void)
{
	sigbus_guard_end();
}
