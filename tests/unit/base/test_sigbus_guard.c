/* A file that shrinks while it is mapped. cmocka puts its own SIGBUS handler in place before each
   test, and ours is installed only once: hence a program with a single test. */
#include "base/input.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Truncated pages read as zero instead of ending the process. */
TEST(a_file_that_shrinks_reads_as_zero)
{
	enum { SIZE = 8 * 65536 };
	static unsigned char bytes[SIZE];
	char path[] = "/tmp/goheapx-test-XXXXXX";
	struct input input;
	struct err err = {0};
	memset(bytes, 'x', SIZE);
	int fd = mkstemp(path);
	assert_int_equal(write(fd, bytes, SIZE), SIZE);
	assert_true(input_open(&input, path, NULL, NULL, &err));
	unlink(path);
	const volatile uint8_t *data = input.data;
	assert_int_equal(data[SIZE - 1], 'x');
	assert_int_equal(ftruncate(fd, SIZE / 2), 0);
	assert_int_equal(data[SIZE - 1], 0);
	assert_int_equal(data[SIZE / 2], 0);
	assert_int_equal(data[SIZE / 2 - 1], 'x');
	uint64_t lost;
	assert_non_null(strstr(input_loss(&input, &lost), "was shortened"));
	assert_int_equal(lost, SIZE / 2);
	input_close(&input);
	close(fd);
}
