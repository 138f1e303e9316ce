/* The parts of a process that are passed to the sink as records, each by its own source file. */
#pragma once

#include "core_spans.h"
#include "core_store.h"
#include "format/format.h"

/* All live goroutines, each with frames, deferred calls and panics. Returns false if cancelled. */
bool core_tell_goroutines(const struct core_runtime *rt, const struct sink *sink,
                          struct core_store *store, struct progress *progress);

/* Roots of the runtime: finalizers, cleanups and weak handles of objects, and queued finalizers and
   cleanups. */
void core_tell_roots(const struct core_spans *spans, const struct sink *sink);

/* Spans and free pages of the heap, in ascending order of addresses. */
void core_tell_spans(const struct core_spans *spans, const struct sink *sink);

/* The allocation profile, in the order of a heap dump: one bucket per allocating stack, and the
   sampled objects. Returns the bytes that the runtime has for profiles of all kinds (BuckHashSys);
   0: not known. *table: its table of them, or 0. */
uint64_t core_tell_profile(const struct core_spans *spans, const struct sink *sink,
                           struct core_store *store, uint64_t *table);

/* All mapped memory by its use (heap, runtime, executable ...), each byte once, in ascending order.
   `heap` are the spans and free pages of the heap, sorted by address. */
void core_tell_mappings(const struct core_runtime *rt, const struct span_record *heap, size_t spans,
                        const struct sink *sink);

/* Data laid out by the linker: variables of each module, and interface tables. */
void core_tell_modules(const struct core_runtime *rt, const struct sink *sink);
void core_tell_itabs(const struct core_runtime *rt, const struct sink *sink);

/* Variables without pointers: sections .noptrdata and .noptrbss of each module, which heap dumps
   lack. */
struct core_variables {
	struct segment_record *segment;
	size_t count;
};
void core_variables_init(struct core_variables *variables, const struct core_runtime *rt);
void core_variables_fini(struct core_variables *variables);
/* Finds the section that contains an address. Returns false if there is none. */
bool core_variables_find(const struct core_variables *variables, uint64_t address,
                         struct segment_record *segment);

/* Fills in the statistics that runtime.ReadMemStats would have returned when the core file was
   written. Sums over spans are always known, and what is passed of the bytes for profiles (0:
   nothing), other fields only with debug information; record->unknown has the unknown ones. */
void core_memstats(const struct core_runtime *rt, uint64_t profile_bytes,
                   struct memstats_record *record);
