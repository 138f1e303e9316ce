/* A child of this test is copied: its memory is that of the test itself, byte for byte. */
#include "cmocka_all.h"

#include "base/process/pieces.h"
#include "base/process/watch.h"
#include "base/temporary.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, BIG = 48 << 20, FILE_BYTES = 3 << 20, FILE_LEFT = PAGE * 300 };

static int file_of_test(void)
{
	struct err err = {0};
	int fd = temporary_open(&err);
	assert_true(fd >= 0);
	return fd;
}

static void fill(uint8_t *memory, size_t size)
{
	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t number = (uintptr_t)(memory + i) * UINT64_C(0x9e3779b97f4a7c15);
		memcpy(memory + i, &number, sizeof number);
	}
}

static uint8_t *memory_of_test(void)
{
	uint8_t *memory = mmap(NULL, BIG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	fill(memory, BIG);
	return memory;
}

/* A file that has become shorter since it was mapped: the pages behind its end cannot be read. */
static uint8_t *memory_of_short_file(void)
{
	int fd = file_of_test();
	assert_int_equal(ftruncate(fd, FILE_BYTES), 0);
	uint8_t *memory = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	assert_true(memory != MAP_FAILED);
	fill(memory, FILE_BYTES);
	assert_int_equal(ftruncate(fd, FILE_LEFT), 0);
	close(fd);
	return memory;
}

/* Adds ever longer extents, two thirds of the memory: those between them stay holes of the file. */
static void add_extents(struct pieces *pieces, const uint8_t *memory)
{
	for (size_t at = 0, step = PAGE; at + step < BIG;
	     at += 3 * step / 2 / PAGE * PAGE, step += PAGE)
		pieces_add(pieces, (uintptr_t)memory + at, step, at);
}

static void check_extents(int fd, const struct pieces *pieces, const uint8_t *memory)
{
	uint8_t *bytes = calloc(1, BIG), *right = calloc(1, BIG);
	assert_true(pread(fd, bytes, BIG, 0) > BIG / 2);
	for (size_t i = 0; i + 1 < pieces->count; i++) /* the last one is the short file */
		memcpy(right + pieces->extent[i].offset, memory + pieces->extent[i].offset,
		       pieces->extent[i].size);
	assert_int_equal(memcmp(bytes, right, BIG), 0);
	free(bytes);
	free(right);
}

/* Copies to memory and then to a file, or at once to the file. */
static void check_copy(pid_t child, const uint8_t *big, const uint8_t *file, bool staged)
{
	struct staging staging;
	struct process_copy copy = {.pid = child};
	struct err err = {0};
	struct stat written;
	struct pieces pieces = {.pid = child, .staging = &staging, .copy = &copy, .err = &err};
	int fd = file_of_test();
	uint8_t *bytes = malloc(FILE_LEFT);
	add_extents(&pieces, big);
	pieces_add(&pieces, (uintptr_t)file, FILE_BYTES, BIG);
	staging_init(&staging, fd, staged ? pieces.bytes : 0);
	bool done = pieces_copy(&pieces);
	watch_allow(0);
	assert_string_equal(err.text, "");
	assert_true(done);
	assert_int_equal(copy.bytes, pieces.bytes - (FILE_BYTES - FILE_LEFT));
	assert_int_equal(fstat(fd, &written), 0);
	assert_int_equal(written.st_size, staging.memory ? 0 : BIG + FILE_LEFT);
	assert_true(staging_write(&staging, NULL, &err));
	check_extents(fd, &pieces, big);
	assert_int_equal(pread(fd, bytes, FILE_LEFT, BIG), FILE_LEFT);
	assert_int_equal(memcmp(bytes, file, FILE_LEFT), 0);
	staging_fini(&staging);
	pieces_free(&pieces);
	free(bytes);
	close(fd);
}

TEST(a_copy_is_the_memory)
{
	uint8_t *big = memory_of_test(), *file = memory_of_short_file(), byte;
	pid_t child = fork();
	if (child == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (child == 0)
		pause();
	struct iovec here = {&byte, 1}, there = {big, 1};
	bool may_read = process_vm_readv(child, &here, 1, &there, 1, 0) == 1;
	for (int staged = 0; may_read && staged < 2; staged++)
		check_copy(child, big, file, staged);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	munmap(big, BIG);
	munmap(file, FILE_BYTES);
	if (!may_read)
		skip();
}

TEST(a_process_that_has_ended_is_told)
{
	struct staging staging;
	struct process_copy copy = {.pid = fork()};
	struct err err = {0};
	struct pieces pieces = {.pid = copy.pid, .staging = &staging, .copy = &copy, .err = &err};
	if (copy.pid == 0)
		_exit(0);
	waitpid(copy.pid, NULL, 0);
	pieces_add(&pieces, PAGE, BIG, 0);
	staging_init(&staging, -1, BIG);
	assert_false(pieces_copy(&pieces));
	watch_allow(0);
	assert_non_null(strstr(err.text, "has ended while its memory was copied"));
	staging_fini(&staging);
	pieces_free(&pieces);
}

/* A process has grown between the look at its size and its stop: nothing is written yet. */
TEST(memory_for_a_copy_grows)
{
	enum { FIRST = 1 << 20, MORE = 40 << 20 };
	struct staging staging;
	struct err err = {0};
	struct stat file;
	int fd = file_of_test();
	staging_init(&staging, fd, FIRST);
	if (!staging.memory)
		skip();
	uint8_t *bytes = malloc(MORE);
	for (size_t i = 0; i < MORE; i++)
		bytes[i] = (uint8_t)(i * i >> 8);
	uint8_t *first = staging_take(&staging, FIRST);
	memcpy(first, bytes, FIRST);
	assert_null(staging_take(&staging, MORE));
	staging_grow(&staging, MORE);
	uint8_t *more = staging_take(&staging, MORE);
	assert_non_null(more);
	memcpy(more, bytes, MORE);
	assert_true(staging_put(&staging, more, MORE, FIRST, &err));
	assert_true(staging_put(&staging, staging.memory, FIRST, 0, &err));
	assert_int_equal(fstat(fd, &file), 0);
	assert_int_equal(file.st_size, 0);
	assert_true(staging_write(&staging, NULL, &err));
	uint8_t *got = malloc(FIRST + MORE);
	assert_int_equal(pread(fd, got, FIRST + MORE, 0), FIRST + MORE);
	assert_int_equal(memcmp(got, bytes, FIRST), 0);
	assert_int_equal(memcmp(got + FIRST, bytes, MORE), 0);
	staging_fini(&staging);
	free(bytes);
	free(got);
	close(fd);
}
