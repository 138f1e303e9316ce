/* Runs a fuzz entry on files instead of with libFuzzer, with any compiler, and always the same way.
   Says each file's name before it is run, so that the last one is the culprit.

       replay FILE...             each file once
       replay --claims FILE...    dumps, with every huge number at every place (changed.c)
       replay --changes N FILE... N times, each time changed otherwise (changed.c) */
#include "analysis/analysis.h"
#include "base/buf.h"
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

static unsigned changes;

static void run_whole(const char *bytes, size_t len)
{
	uint8_t *copy = malloc(len); /* of this size exactly, as libFuzzer gives it */
	if (len)
		memcpy(copy, bytes, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

static void analyse(const char *bytes, size_t len)
{
	analysis_free(fuzz_analysis(bytes, len));
}

static void run_claims(const char *bytes, size_t len)
{
	changed_claims(bytes, len, analyse);
}

static void run_changes(const char *bytes, size_t len)
{
	changed_anyhow(bytes, len, changes, run_whole);
}

static bool replay(const char *path, changed_run run)
{
	SCOPED_BUF bytes = {0};
	printf("%s\n", path);
	fflush(stdout);
	bool loaded = load(&bytes, path);
	if (loaded)
		run(bytes.data, bytes.len);
	else
		fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
	return loaded;
}

int main(int argc, char **argv)
{
	changed_run run = run_whole;
	int first = 1;
	if (argc > 1 && strcmp(argv[1], "--claims") == 0) {
		run = run_claims;
		first = 2;
	} else if (argc > 2 && strcmp(argv[1], "--changes") == 0) {
		run = run_changes;
		changes = (unsigned)strtoul(argv[2], NULL, 10);
		first = 3;
	}
	bool all = argc > first;
	for (int i = first; i < argc; i++)
		all &= replay(argv[i], run);
	return all ? 0 : 1;
}
