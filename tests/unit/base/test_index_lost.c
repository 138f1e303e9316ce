/* Sections of an index: columns of a file that changes while they are mapped, which ends the
   program; maps. */
#include "base/index_io.h"

#include "base/mem.h"

#include "cmocka_all.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 8 * 65536 };

/* Reads a part of the file that no longer exists. */
static _Noreturn void read_lost(const char *path, struct index_key key,
                                const struct index_secret *secret, int told)
{
	struct err err = {0};
	struct index_file *file = index_open(path, key, secret, &err);
	const volatile uint8_t *column = index_column(file, "column", SIZE);
	dup2(told, STDERR_FILENO);
	if (!column || truncate(path, SIZE / 2) != 0)
		_exit(1);
	_exit(column[SIZE - 1] ? 3 : 4);
}

TEST(test_it_ends_with_a_line)
{
	static const struct index_secret secret = {{1}};
	static uint8_t bytes[SIZE];
	const struct index_key key = {1, 2};
	char path[] = "/tmp/goheapx-test-XXXXXX", line[200] = {0};
	struct index_writer *writer = calloc(1, sizeof *writer);
	struct err err = {0};
	int told[2], status;
	close(mkstemp(path));
	memset(bytes, 'x', SIZE);
	index_put(writer, "column", bytes, SIZE);
	assert_true(index_write(writer, path, key, &secret, &err));
	assert_int_equal(pipe(told), 0);
	pid_t child = fork();
	if (child == 0)
		read_lost(path, key, &secret, told[1]);
	close(told[1]);
	assert_true(read(told[0], line, sizeof line - 1) > 0);
	assert_non_null(strstr(line, "the index was shortened"));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	close(told[0]);
	unlink(path);
	index_writer_fini(writer);
	free(writer);
}

/* After writing, the column's memory is that of the file, from which it can be read again. */
TEST(test_a_written_column_is_the_files)
{
	static const struct index_secret secret = {{1}};
	const struct index_key key = {1, 2};
	char path[] = "/tmp/goheapx-test-XXXXXX";
	struct index_writer *writer = calloc(1, sizeof *writer);
	struct err err = {0};
	volatile uint8_t *column = mem_column(4 * SIZE); /* larger than the used part */
	close(mkstemp(path));
	memset((uint8_t *)column, 'x', SIZE - 1);
	index_put_column(writer, "column", (uint8_t *)column, SIZE - 1);
	assert_true(index_write(writer, path, key, &secret, &err));
	int fd = open(path, O_RDWR);
	for (size_t i = 0; i < SIZE - 1; i++)
		assert_int_equal(column[i], 'x');
	assert_int_equal(column[SIZE - 1], 0);
	assert_int_equal(pwrite(fd, "y", 1, (off_t)writer->part[0].offset + 4096), 1);
	assert_int_equal(column[4096], 'y');
	close(fd);
	unlink(path); /* it stays mapped */
	assert_true(index_write(writer, path, key, &secret, &err));
	struct index_file *file = index_open(path, key, &secret, &err);
	uint64_t size;
	const char *again = index_get(file, "column", &size);
	assert_int_equal(size, SIZE - 1);
	assert_int_equal(again[0], 'x');
	assert_int_equal(again[4096], 'y');
	index_close(file);
	unlink(path);
	mem_column_free((uint8_t *)column, 4 * SIZE);
	index_writer_fini(writer);
	free(writer);
}

TEST(test_a_map_is_read_whole_or_not_at_all)
{
	static const struct index_secret secret = {{1}};
	static const uint64_t pairs[][2] = {{0, 7}, {3, 30}, {1ull << 40, 0}};
	enum { PAIRS = sizeof pairs / sizeof *pairs };
	const struct index_key key = {1, 2};
	char path[] = "/tmp/goheapx-test-XXXXXX";
	struct index_writer *writer = calloc(1, sizeof *writer);
	struct map map = {0}, again = {0};
	struct err err = {0};
	uint64_t value;
	close(mkstemp(path));
	for (size_t i = 0; i < PAIRS; i++)
		map_put(&map, pairs[i][0], pairs[i][1]);
	assert_true(index_io_map(&(struct index_io){.writer = writer}, "map", &map));
	index_put(writer, "odd", "12345678901234567", 17);
	assert_true(index_write(writer, path, key, &secret, &err));
	struct index_io io = {.file = index_open(path, key, &secret, &err)};
	assert_false(index_io_map(&io, "none", &again));
	assert_false(index_io_map(&io, "odd", &again));
	assert_int_equal(again.count, 0);
	assert_true(index_io_map(&io, "map", &again));
	assert_int_equal(again.count, map.count);
	for (size_t i = 0; i < PAIRS; i++)
		assert_true(map_get(&again, pairs[i][0], &value) && value == pairs[i][1]);
	index_close(io.file);
	unlink(path);
	map_free(&map);
	map_free(&again);
	index_writer_fini(writer);
	free(writer);
}
