/* Any bytes as a compressed file, unpacked to its end or to what is wrong with it, and then once
   more a part of it; the first byte says which. */
#include "fuzz.h"

#include "base/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LIMIT = 1 << 16 };

/* The content of a file with these bytes; false: it is refused, and *err says why. */
static bool open_bytes(struct input *input, const uint8_t *data, size_t size, struct err *err)
{
	char path[64];
	int fd = memfd_create("archive", MFD_CLOEXEC);
	fuzz_check(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	const struct input_options limited = {.unpack.limit = LIMIT};
	bool opened = input_open(input, path, &limited, NULL, err);
	close(fd);
	fuzz_check(opened || (err->set && err->text[0]));
	return opened;
}

static void check_opened(const struct input *input, const uint8_t *data, size_t size)
{
	uint64_t lost;
	fuzz_check(input->size > 0 && !input_changed(input) && !input_loss(input, &lost));
	if (input->damage)
		fuzz_check_visible(input->damage);
	if (input->filter)
		fuzz_check(input->size <= LIMIT);
	else
		fuzz_check(!input->damage && input->size == size && memcmp(input->data, data, size) == 0);
}

/* What is unpacked of a part of an archive begins what is unpacked of all of it. It may be more of
   it: zstd takes back a block where an error follows that the part does not have. */
static void check_part(const struct input *whole, const uint8_t *data, size_t size)
{
	struct input part;
	struct err err = {0};
	if (!open_bytes(&part, data, size, &err))
		return;
	if (part.filter) {
		check_opened(&part, data, size);
		size_t both = part.size < whole->size ? part.size : whole->size;
		fuzz_check(memcmp(part.data, whole->data, both) == 0);
	}
	input_close(&part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input;
	struct err err = {0};
	if (size < 2)
		return 0;
	size_t part = 1 + (size - 2) * data[0] / 256;
	setenv("TMPDIR", "/dev/shm", 1);
	if (!open_bytes(&input, data + 1, size - 1, &err)) {
		fuzz_check_visible(err.text);
		return 0;
	}
	check_opened(&input, data + 1, size - 1);
	if (input.filter)
		check_part(&input, data + 1, part);
	input_close(&input);
	return 0;
}
