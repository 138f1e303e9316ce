/* The manual page in mdoc(7): prose written by hand, lists generated from tables. */
#ifndef MAIN_MANUAL_H
#define MAIN_MANUAL_H

#include "base/buf.h"

/* Prose before and after the generated parts. */
extern const char manual_processes[]; /* src/main/manual_processes.c */
extern const char manual_head[], manual_types[], manual_filters[], manual_environment[],
	manual_tail[];
extern const char manual_output[], manual_paths[]; /* consecutive */

/* Appends a line of text and a newline; escapes bytes that mdoc would take as requests. */
void manual_text(struct buf *out, const char *text);

void manual_usage(struct buf *out);     /* subcommands and options */
void manual_exports(struct buf *out);   /* every exporter */
void manual_tables(struct buf *out);    /* every table with its columns */
void manual_sql(struct buf *out);       /* queries, with examples */
void manual_explorer(struct buf *out);  /* keys and commands */
void manual_questions(struct buf *out); /* which keys answer which question */

#endif
