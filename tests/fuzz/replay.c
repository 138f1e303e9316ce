/* Runs a fuzz entry on files instead of with libFuzzer: what was found once, with any compiler.
   Says each file's name before it is run, so that the last one is the culprit. */
#include "fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool load(struct buf *bytes, const char *path)
{
	char piece[4096];
	size_t len;
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	while ((len = fread(piece, 1, sizeof piece, file)) > 0)
		buf_add_bytes(bytes, piece, len);
	fclose(file);
	return true;
}

static bool replay(const char *path)
{
	struct buf bytes = {0};
	printf("%s\n", path);
	fflush(stdout);
	if (!load(&bytes, path)) {
		fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
		return false;
	}
	uint8_t *copy = malloc(bytes.len); /* of this size exactly, as libFuzzer gives it */
	if (bytes.len)
		memcpy(copy, bytes.data, bytes.len);
	LLVMFuzzerTestOneInput(copy, bytes.len);
	free(copy);
	buf_free(&bytes);
	return true;
}

int main(int argc, char **argv)
{
	bool all = argc > 1;
	for (int i = 1; i < argc; i++)
		all &= replay(argv[i]);
	return all ? 0 : 1;
}
