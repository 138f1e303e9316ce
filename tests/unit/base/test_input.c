/* Opening files: what is refused and what is unpacked. */
#include "base/buf.h"
#include "base/input.h"

#include "cmocka_all.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	assert_false(input_open(&input, name, NULL, &err));
	assert_true(err.set);
	if (!strstr(err.text, because))
		fail_msg("\"%s\" does not say \"%s\"", err.text, because);
}

static void what_is_no_file_is_refused(void **state)
{
	(void)state;
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

static void a_plain_file_is_mapped(void **state)
{
	struct input input;
	struct err err = {0};
	(void)state;
	write_file("hello", 5);
	assert_true(input_open(&input, path, NULL, &err));
	assert_int_equal(input.size, 5);
	assert_memory_equal(input.data, "hello", 5);
	assert_null(input.filter);
	assert_string_equal(input.path, path);
	assert_true(input_shrunk(&input) == UINT64_MAX);
	input_close(&input);
}

/* "hello\n" as gzip, zstd and xz write it. */
static const struct packed { const char *filter; size_t len; unsigned char bytes[80]; } packed[] = {
	{"gzip", 26, {
		0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xe7,
		0x02, 0x00, 0x20, 0x30, 0x3a, 0x36, 0x06, 0x00, 0x00, 0x00,
	}},
	{"zstd", 19, {
		0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x31, 0x00, 0x00, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x0a, 0x53,
		0x88, 0xbd, 0x91,
	}},
	{"xz", 60, {
		0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02, 0x00, 0x21, 0x01,
		0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f,
		0x0a, 0x00, 0x00, 0x00, 0x20, 0x30, 0x3a, 0x36, 0x00, 0x01, 0x1a, 0x06, 0xc5, 0xea, 0xc8, 0x79,
		0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a,
	}},
};

static void compressed_files_are_unpacked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
		struct input input;
		struct err err = {0};
		write_file(packed[i].bytes, packed[i].len);
		assert_true(input_open(&input, path, NULL, &err));
		assert_string_equal(input.filter, packed[i].filter);
		assert_int_equal(input.size, 6);
		assert_memory_equal(input.data, "hello\n", 6);
		input_close(&input);
	}
}

static void a_compressed_file_that_is_cut_is_an_error_or_shorter(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
		for (size_t len = 6; len < packed[i].len; len++) {
			struct input input;
			struct err err = {0};
			write_file(packed[i].bytes, len);
			if (!input_open(&input, path, NULL, &err)) {
				assert_true(err.set);
				continue;
			}
			assert_true(input.size <= 6);
			assert_memory_equal(input.data, "hello\n", input.size);
			input_close(&input);
		}
}

static void set_time(int seconds)
{
	const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* The clock of a file system has steps of some milliseconds: an old file cannot have the time of
   what comes next. */
static void open_old(struct input *input, const void *bytes, size_t len)
{
	struct err err = {0};
	write_file(bytes, len);
	set_time(1000);
	assert_true(input_open(input, path, NULL, &err));
	assert_false(input_changed(input));
}

/* Until the inode's own time, which nobody can set, is another. */
static void wait_for_another_tick(const struct input *input)
{
	struct stat info;
	do {
		chmod(path, 0600);
		assert_int_equal(stat(path, &info), 0);
	} while (info.st_ctim.tv_sec == input->opened.st_ctim.tv_sec &&
	         info.st_ctim.tv_nsec == input->opened.st_ctim.tv_nsec);
}

static void a_file_that_is_written_to_has_changed(void **state)
{
	struct input input;
	(void)state;
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

static void a_file_that_gets_another_name_has_not_changed(void **state)
{
	char other[sizeof path + 8];
	struct input input;
	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_file_is_refused),
		cmocka_unit_test(a_plain_file_is_mapped),
		cmocka_unit_test(compressed_files_are_unpacked),
		cmocka_unit_test(a_compressed_file_that_is_cut_is_an_error_or_shorter),
		cmocka_unit_test(a_file_that_is_written_to_has_changed),
		cmocka_unit_test(a_file_that_gets_another_name_has_not_changed),
	};
	return cmocka_run_group_tests_name("input", tests, make_folder, remove_folder);
}
