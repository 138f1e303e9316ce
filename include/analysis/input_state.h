/* The state of the input: intact or damaged, unchanged or changed. Every subcommand prints it on
   standard error, the explorer in its head, `info --json` as a field; `check` depends on it.

   A dump, log or trace, or the executable with the names, is damaged if data is lost or changed:
     * it was written to, or became shorter, after it was opened;
     * it ends before the record that marks its end;
     * its archive is truncated or a checksum fails;
     * the reader skipped or guessed something (a warning that is not harmless: heap/heap.h);
     * required symbols or debug information of the executable cannot be read.
   Anomalies that lose nothing (zeros after the end, a name that Go 1.5 itself wrote wrong) are
   reported, but the file counts as intact. These formats have no checksum of contents, so a
   replaced byte inside an object goes unnoticed. */
#pragma once

#include "analysis/analysis.h"
#include "base/buf.h"

struct input_state {
	bool whole;       /* nothing is lost */
	bool clean;       /* nothing is unusual either */
	const char *mark; /* for a title: "cut", "damaged", "changed", "redacted" and others, or NULL */
	struct buf text; /* printable sentences, without the last full stop; empty: nothing to report */
};

/* Returns the state, at any time after STAGE_READ. Costs a few system calls. The caller calls
   input_state_fini. */
struct input_state input_state_of(const struct analysis *analysis);
void input_state_fini(struct input_state *state);

/* Returns true if the input is intact. */
bool input_is_whole(const struct analysis *analysis);

/* Returns true if a file was written to after it was opened, and appends a sentence that names it.
   Later results may mix old and new contents. */
bool input_state_changed(const struct analysis *analysis, struct buf *out);
