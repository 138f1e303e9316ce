/* Opening files: which are refused, and which are decompressed. */
#include "base/input.h"

#include "base/packed.h"
#include "cmocka_all.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCOPED_INPUT __attribute__((cleanup(input_close))) struct input

static char folder[] = "/tmp/goheapx-test-XXXXXX";
static char path[sizeof folder + 8];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	strcpy(path, folder);
	strcat(path, "/file");
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static void write_file(const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

static void check_refused(const char *name, const char *because)
{
	struct input input;
	struct err err = {0};
	assert_false(input_open(&input, name, NULL, NULL, &err));
	assert_true(err.set);
	if (!strstr(err.text, because))
		fail_msg("\"%s\" does not say \"%s\"", err.text, because);
}

/* A series of dumps has all of its files open. */
TEST(any_number_of_files_is_open)
{
	enum { FILES = 150 };
	static struct input inputs[FILES];
	struct err err = {0};
	uint64_t lost;
	write_file("text", 4);
	for (int i = 0; i < FILES; i++)
		if (!input_open(&inputs[i], path, NULL, NULL, &err))
			fail_msg("file %d: %s", i, err.text);
	for (int i = 0; i < FILES; i++) {
		assert_null(input_loss(&inputs[i], &lost));
		input_close(&inputs[i]);
	}
}

TEST(what_is_no_file_is_refused)
{
	check_refused(folder, "directory");
	check_refused("/dev/null", "device");
	check_refused("/dev/zero", "device");
	check_refused("/nonexistent/file", "No such file");
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	check_refused(path, "pipe");
	unlink(path);
	write_file("", 0);
	check_refused(path, "empty");
}

TEST(a_plain_file_is_mapped)
{
	SCOPED_INPUT input;
	struct err err = {0};
	write_file("hello", 5);
	assert_true(input_open(&input, path, NULL, NULL, &err));
	assert_int_equal(input.size, 5);
	assert_memory_equal(input.data, "hello", 5);
	assert_null(input.filter);
	assert_string_equal(input.path, path);
	uint64_t lost;
	assert_null(input_loss(&input, &lost));
}

/* The SIGBUS handler sees the same for a disk error: the file still has its size. */
TEST(a_page_that_cannot_be_read_is_no_shorter_file)
{
	enum { SIZE = 4 * 65536 };
	static char bytes[SIZE];
	SCOPED_INPUT input;
	struct err err = {0};
	uint64_t lost;
	memset(bytes, 'x', SIZE);
	write_file(bytes, SIZE);
	assert_true(input_open(&input, path, NULL, NULL, &err));
	assert_true(input_rescue(input.data + SIZE / 2 + 7));
	assert_int_equal(input.data[SIZE / 2], 0);
	assert_int_equal(input.data[SIZE / 2 - 1], 'x');
	assert_non_null(strstr(input_loss(&input, &lost), "could not be read"));
	assert_int_equal(lost, SIZE / 2);
}

TEST(compressed_files_are_unpacked)
{
	for (size_t i = 0; i < PACKED; i++) {
		SCOPED_INPUT input;
		struct err err = {0};
		write_file(packed[i].bytes, packed[i].len);
		assert_true(input_open(&input, path, NULL, NULL, &err));
		assert_string_equal(input.filter, packed[i].filter);
		assert_int_equal(input.size, 6);
		assert_memory_equal(input.data, "hello\n", 6);
	}
}

static void flip(unsigned char *byte)
{
	*byte = (unsigned char)(*byte ^ 4);
}

/* Opens an archive from which all or a part of "hello\n" can be decompressed. False: it is refused,
   which is allowed only without any content. */
static bool open_packed(struct input *input, const void *bytes, size_t len)
{
	struct err err = {0};
	write_file(bytes, len);
	if (!input_open(input, path, NULL, NULL, &err)) {
		assert_true(err.set);
		return false;
	}
	assert_true(input->size <= 6);
	assert_memory_equal(input->data, "hello\n", input->size);
	return true;
}

TEST(an_archive_that_is_cut_says_so)
{
	for (size_t i = 0; i < PACKED; i++)
		for (size_t len = 6; len < packed[i].len; len++) {
			SCOPED_INPUT input;
			bool opened = open_packed(&input, packed[i].bytes, len);
			/* the last bytes are checksums and lengths, not data */
			assert_true(opened || len < packed[i].len - 8);
			if (!opened)
				continue;
			assert_non_null(strstr(input.damage, "is cut"));
		}
}

TEST(every_sum_and_length_is_verified)
{
	static const struct {
		size_t archive, byte;
	} sums[] = {
		{0, 18}, {0, 22}, {0, 25}, {1, 15}, {1, 18}, {2, 36}, {2, 39},
		{2, 56}, {2, 59}, {3, 10}, {3, 13}, {4, 21}, {4, 24},
	};
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
		struct packed copy = packed[sums[i].archive];
		SCOPED_INPUT input;
		flip(&copy.bytes[sums[i].byte]);
		assert_true(open_packed(&input, copy.bytes, copy.len));
		assert_int_equal(input.size, 6);
		assert_non_null(strstr(input.damage, "is damaged after the first 6 bytes"));
		assert_non_null(strstr(input.damage, "lib"));
	}
}

/* Bytes without information (flags, times, the name of a system) may change unnoticed: then the
   content is unchanged. */
TEST(no_change_of_an_archive_is_silent)
{
	for (size_t i = 0; i < PACKED; i++)
		for (size_t bit = 0; bit < 8 * packed[i].len; bit++) {
			struct packed copy = packed[i];
			SCOPED_INPUT input;
			struct err err = {0};
			copy.bytes[bit / 8] = (unsigned char)(copy.bytes[bit / 8] ^ 1 << bit % 8);
			write_file(copy.bytes, copy.len);
			if (!input_open(&input, path, NULL, NULL, &err))
				continue;
			if (input.filter && !input.damage) {
				assert_int_equal(input.size, 6);
				assert_memory_equal(input.data, "hello\n", 6);
			}
		}
}

/* Writes an archive followed by other bytes. */
static void write_with(const struct packed *archive, const void *rest, size_t len)
{
	unsigned char both[1000];
	memcpy(both, archive->bytes, archive->len);
	memcpy(both + archive->len, rest, len);
	write_file(both, archive->len + len);
}

TEST(what_follows_an_archive_is_told)
{
	static const char zeros[800];
	for (size_t i = 0; i < PACKED; i++) {
		struct input input;
		struct err err = {0};
		write_with(&packed[i], "garbage", 7);
		assert_true(input_open(&input, path, NULL, NULL, &err));
		assert_int_equal(input.size, 6);
		assert_non_null(strstr(input.damage, "what follows is no archive"));
		input_close(&input);
		write_with(&packed[i], zeros, sizeof zeros);
		assert_true(input_open(&input, path, NULL, NULL, &err));
		assert_int_equal(input.size, 6);
		assert_null(input.damage);
		input_close(&input);
	}
}

TEST(archives_may_follow_each_other)
{
	for (size_t i = 0; i < PACKED; i++) {
		SCOPED_INPUT input;
		struct err err = {0};
		write_with(&packed[i], packed[i].bytes, packed[i].len);
		assert_true(input_open(&input, path, NULL, NULL, &err));
		assert_int_equal(input.size, 12);
		assert_memory_equal(input.data, "hello\nhello\n", 12);
		assert_null(input.damage);
	}
}

static bool never_known(void *self, const uint8_t *start, size_t size, struct err *err)
{
	assert_null(self);
	assert_int_equal(size, 6);
	assert_memory_equal(start, "hello\n", 6);
	return err_set(err, "what a pity");
}

TEST(what_is_not_known_is_not_unpacked)
{
	struct input input;
	struct err err = {0};
	write_file(packed[0].bytes, packed[0].len);
	const struct input_options never = {.unpack.known = never_known};
	assert_false(input_open(&input, path, &never, NULL, &err));
	assert_string_equal(err.text, "what a pity");
}

TEST(an_archive_unpacks_to_a_limit)
{
	struct input input;
	write_file(packed[0].bytes, packed[0].len);
	struct input_options limited = {.unpack.limit = 5};
	struct err err = {0};
	assert_false(input_open(&input, path, &limited, NULL, &err));
	assert_non_null(strstr(err.text, "--max-unpacked"));
	limited.unpack.limit = 6;
	assert_true(input_open(&input, path, &limited, NULL, NULL));
	input_close(&input);
}

/* Runs with a low resource limit, and checks the message. */
static void check_without(enum __rlimit_resource resource, rlim_t little, const char *because)
{
	struct rlimit all, few;
	assert_int_equal(getrlimit(resource, &all), 0);
	few = all;
	few.rlim_cur = little;
	assert_int_equal(setrlimit(resource, &few), 0);
	check_refused(path, because);
	assert_int_equal(setrlimit(resource, &all), 0);
}

TEST(what_the_system_refuses_is_told)
{
	struct err err = {0};
	const char *before = getenv("TMPDIR");
	char *kept = before ? strdup(before) : NULL;
	write_file(packed[0].bytes, packed[0].len);
	signal(SIGXFSZ, SIG_IGN);
	check_without(RLIMIT_FSIZE, 3, "File too large");
	int next = dup(0);
	close(next);
	check_without(RLIMIT_NOFILE, (rlim_t)next, "Too many open files");
	check_without(RLIMIT_NOFILE, (rlim_t)next + 1, "set TMPDIR");
	setenv("TMPDIR", "/nonexistent", 1);
	check_refused(path, "No such file");
	if (kept)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	free(kept);
	const char *filter;
	assert_false(unpack_filter(-1, &filter, &err));
	assert_non_null(strstr(err.text, "Bad file descriptor"));
}

/* Returns the used address space. */
static rlim_t used_already(void)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%llu", &pages), 1);
	fclose(file);
	return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

TEST(what_cannot_be_mapped_is_told)
{
	write_file("x", 1);
	assert_int_equal(truncate(path, 1 << 30), 0);
	check_without(RLIMIT_AS, used_already() + (64 << 20), "cannot be mapped into memory");
}

static void set_time(int seconds)
{
	const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Opens a file with an old time. The clock of a file system has steps of some milliseconds, so
   later changes could otherwise have the same time. */
static void open_old(struct input *input, const void *bytes, size_t len)
{
	struct err err = {0};
	write_file(bytes, len);
	set_time(1000);
	assert_true(input_open(input, path, NULL, NULL, &err));
	assert_false(input_changed(input));
}

/* Waits until the change time of the inode, which cannot be set, differs. */
static void wait_for_another_tick(const struct input *input)
{
	struct stat info;
	do {
		chmod(path, 0600);
		assert_int_equal(stat(path, &info), 0);
	} while (info.st_ctim.tv_sec == input->opened.st_ctim.tv_sec
	         && info.st_ctim.tv_nsec == input->opened.st_ctim.tv_nsec);
}

TEST(a_file_that_is_written_to_has_changed)
{
	struct input input;
	open_old(&input, "hello", 5);
	write_file("hullo", 5);
	assert_true(input_changed(&input));
	set_time(1000);
	wait_for_another_tick(&input);
	assert_true(input_changed(&input));
	input_close(&input);
	open_old(&input, "hello", 5);
	write_file("hello!", 6);
	set_time(1000);
	assert_true(input_changed(&input));
	input_close(&input);
	open_old(&input, packed[0].bytes, packed[0].len);
	write_file("hello", 5);
	assert_true(input_changed(&input));
	assert_memory_equal(input.data, "hello\n", 6);
	input_close(&input);
}

TEST(a_file_that_gets_another_name_has_not_changed)
{
	char other[sizeof path + 8];
	struct input input;
	strcpy(other, path);
	strcat(other, ".old");
	open_old(&input, "hello", 5);
	wait_for_another_tick(&input);
	assert_int_equal(rename(path, other), 0);
	assert_false(input_changed(&input));
	write_file("another", 7);
	assert_false(input_changed(&input));
	unlink(other);
	assert_false(input_changed(&input));
	input_close(&input);
	open_old(&input, "hello", 5);
	wait_for_another_tick(&input);
	assert_int_equal(chmod(path, 0400), 0);
	assert_false(input_changed(&input));
	input_close(&input);
	unlink(path);
}

TESTS_WITH(make_folder, remove_folder);
