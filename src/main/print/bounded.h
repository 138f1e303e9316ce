/* Output of at most so many bytes, for --max-bytes: cut after a whole line, and JSON closed, so
   that it stays JSON. */
#pragma once

#include "base/buf.h"
#include "main/options/options.h"

enum { BOUNDED_DEPTH = 64 }; /* nesting of JSON that is closed again */

struct bounded {
	size_t most;        /* bytes to print; 0: no bound */
	size_t skip;        /* lines of text to leave out first */
	enum output output; /* the form of what is printed */
	bool quoted;        /* what is printed becomes a string of JSON: escapes count, too */
	/* The state; all 0 at the beginning. */
	struct buf kept;      /* what has come since the last place to cut at */
	size_t size;          /* its bytes, with those of escapes */
	struct bounded_open { /* brackets that are open: '{' or '[' */
		char bracket[BOUNDED_DEPTH];
		size_t depth;
	} open, open_printed, open_at_comma; /* of all that has come, of what was printed, see comma */
	size_t comma;                        /* bytes of `kept` before its last comma, if they fit */
	bool in_string, escaped, full;
	size_t printed;                /* bytes, with those of escapes */
	size_t lines;                  /* that were printed */
	size_t left_lines, left_bytes; /* that were left out */
};

/* Takes a piece of the output, and appends to `out` what of it is to be printed now. */
void bounded_add(struct bounded *bounded, const char *bytes, size_t len, struct buf *out);
/* Appends what is still to be printed at the end. */
void bounded_end(struct bounded *bounded, struct buf *out);
/* Appends a sentence that says what was left out, and the options that show it; nothing if nothing
   was. `rows`: the lines are rows, the first line their head or an opening bracket. `skipped`: how
   many were left out before. */
void bounded_tell(const struct bounded *bounded, bool rows, size_t skipped, struct buf *text);
