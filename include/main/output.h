/* The standard output: collected in a buffer, written in large pieces. */
#ifndef MAIN_OUTPUT_H
#define MAIN_OUTPUT_H

#include "base/buf.h"
#include "main/subcommand.h"

/* Writes what is in the buffer when that is much. False once the output has failed: stop then. */
bool output_some(struct buf *out);

/* Writes the rest and frees the buffer. Returns `status`, or STATUS_FAILED after a complaint; when
   the reader has merely gone away, there is none. */
enum status output_end(struct buf *out, enum status status);

/* Complains. What is merely absent is an answer, which JSON has, too: `none`, "null" or "[]". */
enum status output_none(enum output output, const char *none, const struct err *err);

#endif
