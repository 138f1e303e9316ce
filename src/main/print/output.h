/* Buffered output to the standard output or a file. */
#pragma once

#include "base/buf.h"
#include "main/subcommand.h"

#include <stdatomic.h>

/* Redirects the output to a file with mode 0600; NULL or "-": the standard output. The file gets
   its name when it is complete; a pipe or a device is written directly. False: *err. */
bool output_begin(const char *path, struct err *err);
/* Like output_begin, but fails if there is a file of that name, now or when the output is complete.
 */
bool output_begin_new(const char *path, struct err *err);
/* Returns false with *err if there is a file of that name. */
bool output_is_new(const char *path, struct err *err);
/* Returns true if output to `path` would write into `other`. */
bool output_is_file(const char *path, const char *other);
/* Returns the temporary name of the file, for libraries that write it themselves; NULL: it is no
   file. */
const char *output_path(void);
/* Removes the output, unless it was completed. */
void output_drop(void);

/* Bounds the standard output by --max-bytes, and leaves out what --skip says: lines here, unless
   they are `rows`, which are skipped where they are chosen. What was left out is told at the end.
 */
void output_bound(const struct options *options, bool rows);

/* Says that the standard output becomes a string of a message to an agent, which names --skip and
   --max-bytes as arguments; before output_bound. */
void output_is_quoted(void);
bool output_for_agent(void); /* it was called */

/* Makes further output be dropped once *stopped is set; NULL: never. */
void output_watch(const atomic_bool *stopped);

/* Writes the buffer if it is large. False once the output has failed: the caller should stop. */
bool output_some(struct buf *out);

/* Writes the buffer and frees it; more follows, for which the same bounds hold. False once the
   output has failed, which output_end tells. */
bool output_part(struct buf *out);

/* Writes the rest, frees the buffer and completes the file. False: *err, and there is no file. */
bool output_finish(struct buf *out, struct err *err);
/* Does the same. Returns `status`, or STATUS_FAILED after it printed an
   error; a closed pipe prints none. */
enum status output_end(struct buf *out, enum status status);

/* Prints an error. If nothing was found, JSON output gets the text `none`, "null" or "[]". */
enum status output_none(enum output output, const char *none, const struct err *err);

/* Appends "  NAME   help", with the help wrapped. */
void help_add_entry(struct buf *out, const char *name, const char *help);
