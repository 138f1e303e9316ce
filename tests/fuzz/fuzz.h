/* What the fuzz entries share. Each is linked with libFuzzer, or with replay.c. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "analysis/analysis.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run as a finding when it does not hold. */
void fuzz_check(bool holds);
/* The same unless a text can go to a terminal as it is: valid UTF-8 without control characters. */
void fuzz_check_visible(const char *text);

/* The dump in these bytes, analysed to the end; NULL when it cannot be opened. Nothing is written
   to any disk. */
struct analysis *fuzz_analysis(const void *dump, size_t size);

#endif
