/* A library to be preloaded that makes one call of the system fail, as it does when there is no
   memory, no room, no file. tests/faults/faults.py drives it.

   FAULT=CLASS:N   the Nth call of the class fails; 0: none
   FAULT_CALLS=FILE   at exit the numbers of calls are written there: the last one, and before it
                      the first of every stack of calls that the class was called from

   A class is a row of `calls`. Calls are counted from the program's own main on: what the loader
   needs is not the program's. Only what the program and its libraries ask the C library for is
   seen, not what that does within itself. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum call { CALL_NONE, CALL_MALLOC, CALL_MMAP, CALL_READ, CALL_WRITE, CALL_OPEN, CALLS };

static const struct {
	const char *name;
	int error;
} calls[CALLS] = {
	[CALL_MALLOC] = {"malloc", ENOMEM}, [CALL_MMAP] = {"mmap", ENOMEM}, [CALL_READ] = {"read", EIO},
	[CALL_WRITE] = {"write", ENOSPC},   [CALL_OPEN] = {"open", EMFILE},
};

static enum call chosen; /* CALL_NONE until main begins, and once it has ended */
static unsigned long target;
static atomic_ulong seen;

/* ---- Where calls come from */

enum { STACKS = 1 << 16, DEPTH = 24 };

static uint64_t stacks[STACKS]; /* hashes, open addressing; 0: none */
static unsigned long first[STACKS];
static bool noting; /* set before there are threads; calls of other threads may be lost */

static void note_stack(unsigned long number)
{
	static _Thread_local bool inside;
	void *frames[DEPTH];
	uint64_t hash = 14695981039346656037u;
	if (inside)
		return;
	inside = true;
	int depth = backtrace(frames, DEPTH);
	inside = false;
	for (int i = 0; i < depth; i++)
		hash = (hash ^ (uintptr_t)frames[i]) * 0x9e3779b97f4a7c15;
	size_t at = hash >> 48;
	for (size_t i = 0; i < STACKS && stacks[at] && stacks[at] != hash; i++)
		at = (at + 1) % STACKS;
	if (!stacks[at]) {
		stacks[at] = hash;
		first[at] = number;
	}
}

/* Is this the call that has to fail? Sets errno then. */
static bool fails(enum call call)
{
	if (call != chosen)
		return false;
	unsigned long number = atomic_fetch_add(&seen, 1) + 1;
	if (noting)
		note_stack(number);
	if (number != target)
		return false;
	errno = calls[call].error;
	return true;
}

/* ---- Memory: the C library's own names of these functions are there before anything else is. */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
	return fails(CALL_MALLOC) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(CALL_MALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails(CALL_MALLOC) ? NULL : __libc_realloc(old, size);
}

/* ---- The system */

#define NEXT(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fails(CALL_MMAP) ? MAP_FAILED : NEXT(mmap)(at, size, protection, flags, fd, offset);
}

ssize_t read(int fd, void *bytes, size_t size)
{
	return fails(CALL_READ) ? -1 : NEXT(read)(fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	return fails(CALL_READ) ? -1 : NEXT(pread)(fd, bytes, size, offset);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
	return fails(CALL_READ) ? 0 : NEXT(fread)(bytes, size, count, file);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return fails(CALL_WRITE) ? -1 : NEXT(write)(fd, bytes, size);
}

int open(const char *path, int flags, ...)
{
	va_list more;
	va_start(more, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
	va_end(more);
	return fails(CALL_OPEN) ? -1 : NEXT(open)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	return fails(CALL_OPEN) ? NULL : NEXT(fopen)(path, mode);
}

/* ---- Beginning and end */

static void report(void)
{
	const char *path = getenv("FAULT_CALLS");
	chosen = CALL_NONE;
	FILE *file = path ? fopen(path, "w") : NULL;
	if (!file)
		return;
	for (size_t i = 0; i < STACKS; i++)
		if (stacks[i])
			fprintf(file, "%lu\n", first[i]);
	fprintf(file, "%lu\n", atomic_load(&seen));
	fclose(file);
}

static void choose(void)
{
	const char *fault = getenv("FAULT"), *colon = fault ? strchr(fault, ':') : NULL;
	for (enum call call = CALL_NONE + 1; colon && call < CALLS; call++)
		if (strncmp(fault, calls[call].name, (size_t)(colon - fault)) == 0) {
			target = strtoul(colon + 1, NULL, 10);
			chosen = call;
		}
}

static int (*program)(int, char **, char **);

static int run(int argc, char **argv, char **environment)
{
	void *frame;
	atexit(report);
	noting = getenv("FAULT_CALLS") != NULL;
	backtrace(&frame, 1); /* the first one loads a library */
	choose();
	return program(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
	program = main;
	return NEXT(__libc_start_main)(run, argc, argv, init, fini, loader_fini, stack_end);
}
