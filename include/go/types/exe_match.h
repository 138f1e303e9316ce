/* Checks whether an executable belongs to a dump. Wrong names are worse than none, so everything
   that both contain is compared. */
#pragma once

#include "go/exe/exe.h"

struct format_executable;
struct heap;

struct exe_match {
	bool accepted;
	bool same_machine; /* same word size and byte order; otherwise nothing else is compared */
	/* Load bias (dump address minus address in the file) of code, types and constants; and of data
	   and bss, which a stripped build of the same source may shift by some bytes. */
	uint64_t bias, data_bias;
	/* Numbers of compared items, and of those that agree. */
	uint64_t frames, frames_right;       /* functions begin where the file has them */
	uint64_t types, types_right;         /* a type of the same size is at the address */
	uint64_t frames_elsewhere;           /* not compared: its functions, but outside of its code */
	uint64_t types_elsewhere;            /* not compared: at no address of it, as of a plugin */
	uint64_t words, words_right;         /* words of data */
	bool segments_known, segments_right; /* sizes and distance of data and bss agree */
	bool version_known, version_right;
};

/* Compares an executable with a dump. `read` is the executable that the format knows; a proven one
   is accepted. */
struct exe_match exe_match_check(const struct exe *exe, const struct heap *heap,
                                 const struct format_executable *read);

/* Returns the addresses of data and bss in the executable, computed from those in the dump. */
struct exe_segments exe_match_segments(const struct heap *heap, uint64_t data_bias);

/* Appends the result of the comparison with numbers: "12 of 155 frames begin where it has their
   functions, ..." */
void exe_match_explain(const struct exe_match *fit, struct buf *out);
