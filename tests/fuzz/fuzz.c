#include "fuzz.h"

#include "analysis/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_check(bool holds)
{
	if (!holds)
		abort();
}

void fuzz_check_visible(const char *text)
{
	size_t len = strlen(text);
	for (size_t i = 0; i < len;) {
		uint32_t c;
		size_t step = text_decode(text + i, len - i, &c);
		fuzz_check(c >= 0x20 && (c < 0x7f || c >= 0xa0));
		fuzz_check(c != 0xfffd || step == 3);
		i += step;
	}
}

struct analysis *fuzz_analysis(const void *dump, size_t size)
{
	char path[64];
	struct err err = {0};
	int fd = memfd_create("dump", MFD_CLOEXEC);
	fuzz_check(fd >= 0 && write(fd, dump, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	struct analysis *analysis = analysis_new(path, NULL);
	if (!analysis_run(analysis, STAGE_ALL, &err)) {
		fuzz_check(err.set);
		fuzz_check_visible(err.text);
		analysis_free(analysis);
		analysis = NULL;
	}
	close(fd);
	return analysis;
}
