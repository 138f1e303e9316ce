/* The standard output, or a file in its stead: collected in a buffer, written in large pieces. */
#ifndef MAIN_OUTPUT_H
#define MAIN_OUTPUT_H

#include "base/buf.h"
#include "main/subcommand.h"

#include <stdatomic.h>

/* Writes to a file from now on, 0600; NULL or "-": to the standard output. It has its name once it
   is whole; a pipe or a device is written to as it is. False: *err. */
bool output_begin(const char *path, struct err *err);
/* Would that write into this file? */
bool output_is_file(const char *path, const char *other);
/* What the file is called until it is whole, for libraries that write it themselves; NULL: it is
 * none. */
const char *output_path(void);
/* Takes away what has been written, unless that has ended well. */
void output_drop(void);

/* From now on what is left to write is dropped once that is set. */
void output_watch(const atomic_bool *stopped);

/* Writes what is in the buffer when that is much. False once the output has failed: stop then. */
bool output_some(struct buf *out);

/* Writes the rest and frees the buffer. Returns `status`, or STATUS_FAILED after a complaint; when
   the reader has merely gone away, there is none. */
enum status output_end(struct buf *out, enum status status);

/* Complains. What is merely absent is an answer, which JSON has, too: `none`, "null" or "[]". */
enum status output_none(enum output output, const char *none, const struct err *err);

#endif
