/* Does an executable belong to a dump? Wrong names are worse than none, so everything that both
   tell of is compared. */
#ifndef TYPES_EXE_MATCH_H
#define TYPES_EXE_MATCH_H

#include "exe/exe.h"
#include "heap/heap.h"

struct exe_match {
	bool accepted;
	bool same_machine; /* as many bits, the same byte order; nothing else is compared otherwise */
	/* What to add to an address of the file: of code, types and all that is not written to; of
	   data and bss, which a stripped build of the same source may have some bytes off. */
	uint64_t bias, data_bias;
	/* Of how many things that could be compared how many agree. */
	uint64_t frames, frames_right;       /* its functions begin where the file has them */
	uint64_t types, types_right;         /* a type of the same size is at the address */
	uint64_t words, words_right;         /* words of data */
	bool segments_known, segments_right; /* data and bss are as large and as far apart */
	bool version_known, version_right;
};

/* `read` is what the format tells of the executable; one that is proven is accepted. */
struct exe_match exe_match_check(const struct exe *exe, const struct heap *heap,
                                 const struct format_executable *read);

/* Where the executable has what the dump has as data and bss. */
struct exe_segments exe_match_segments(const struct heap *heap, uint64_t data_bias);

/* Appends what was compared, with the numbers: "12 of 155 frames begin where it has their
   functions, ..." */
void exe_match_explain(const struct exe_match *fit, struct buf *out);

#endif
