/* The manual page, in mdoc(7): written by hand where it tells, made from the tables where it lists.
 */
#ifndef MAIN_MANUAL_H
#define MAIN_MANUAL_H

#include "base/buf.h"

/* By hand: what stands before and after what is made from the tables. */
extern const char manual_processes[]; /* src/main/manual_processes.c */
extern const char manual_head[], manual_types[], manual_filters[], manual_environment[],
	manual_tail[];
extern const char manual_output[], manual_ways[]; /* one after the other: together too long */

/* A line of text in mdoc: no byte of it is a request. Ends with a newline. */
void manual_text(struct buf *out, const char *text);

void manual_usage(struct buf *out);     /* subcommands and options */
void manual_exports(struct buf *out);   /* every exporter */
void manual_tables(struct buf *out);    /* every table with its columns */
void manual_sql(struct buf *out);       /* queries, with examples */
void manual_explorer(struct buf *out);  /* keys and commands */
void manual_questions(struct buf *out); /* which keys answer what */

#endif
