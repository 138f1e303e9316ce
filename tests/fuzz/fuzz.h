/* What the fuzz entries share. Each is linked with libFuzzer, or with replay.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis;
struct heap;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run as a finding when it does not hold. */
void fuzz_check(bool holds);
/* The same unless a text can go to a terminal as it is: valid UTF-8 without control characters. */
void fuzz_check_visible(const char *text);

/* The dump in these bytes, analysed to the end; NULL when it cannot be opened. Nothing is written
   to any disk. */
struct analysis *fuzz_analysis(const void *dump, size_t size);

/* Links a heap that was read and asks it all there is to ask, up to retaining paths. */
void fuzz_heap(struct heap *heap);

/* Runs changed versions of a file, always the same ones. Claims: with each of some huge numbers in
   the place of every number, so that whatever a record can claim is claimed once. Anyhow: bytes and
   pieces put elsewhere, `times` times. */
typedef void (*changed_run)(const char *bytes, size_t len);
void changed_claims(const char *bytes, size_t len, changed_run run);
void changed_anyhow(const char *bytes, size_t len, unsigned times, changed_run run);
