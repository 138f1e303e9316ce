/* Is what the answers are made of whole and unchanged? One state, told everywhere: on the standard
   error of every subcommand, in the head of the explorer, in `info --json`; `check` goes by it.

   A dump, log or trace, and the executable that names come from, is not whole when data is lost or
   changed:
   * it was written to, or became shorter, after it was opened;
   * it ends before the record that says it is complete;
   * its archive fails its sums or ends too soon;
   * its reader has left out or guessed something (a warning that is not harmless: heap/heap.h);
   * symbols or debug information of the executable cannot be read, as far as they are needed.
   What is odd and loses nothing (zeros after the end, a name that Go 1.5 itself wrote wrong) is
   told as well, and the file is whole all the same. No file of these formats has a sum of its
   contents: a byte that another one has replaced inside of an object cannot be noticed. */
#ifndef ANALYSIS_INPUT_STATE_H
#define ANALYSIS_INPUT_STATE_H

#include "analysis/analysis.h"
#include "base/buf.h"

struct input_state {
	bool whole;
	const char *mark; /* one word for a title: "cut", "damaged", "changed"; NULL: whole */
	struct buf text;  /* whole sentences, printable, without the last full stop; empty: nothing to
	                     tell */
};

/* After STAGE_READ, at any time: costs a few system calls. Give back with input_state_fini. */
struct input_state input_state_of(const struct analysis *analysis);
void input_state_fini(struct input_state *state);

/* The same as one answer. */
bool input_is_whole(const struct analysis *analysis);

/* Was a file written to after it was opened? Appends the sentence that says which. Answers from
   then on may mix what it held with what it holds. */
bool input_state_changed(const struct analysis *analysis, struct buf *out);

#endif
