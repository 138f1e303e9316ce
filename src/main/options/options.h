/* The command line. One table of options is the source of the parser, the help, the completion and
   the manual. */
#pragma once

#include "analysis/dominators.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/input.h"

#include <stddef.h>

enum output { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_JSONL };

struct options {
	enum output output;
	const char *where;   /* filter of rows, or NULL */
	const char *group;   /* column and aggregates, or NULL */
	const char *columns; /* comma-separated names, or NULL: all */
	const char *sort;    /* column, NULL: the table's own order */
	bool descending, reverse;
	bool tree, list;     /* that form of the table */
	bool all;            /* of help and schema: rare tables, too */
	uint64_t depth;      /* levels of a tree below its topmost rows; 0: not given */
	uint64_t limit;      /* rows or paths; SIZE_MAX: not given */
	uint64_t skip;       /* rows or lines to leave out first */
	uint64_t max_bytes;  /* to print; 0: not given */
	struct buf commands; /* of -e, a line each */
	struct buf asserts;  /* of --assert, likewise */
	struct buf since;    /* of --since, likewise */
	struct buf at;       /* of --at, likewise */
	const char *rate;    /* of watch, NULL: not given */
	const char *exec;    /* of watch, a command of the shell, NULL: not given */
	uint64_t every;      /* ns between two snapshots of a process; 0: not given */
	uint64_t count;      /* number of snapshots, or how many watch keeps; 0: not given */
	const char *retain;  /* argument of retain_parse, NULL: not given */
	const char *format;  /* of export, NULL: not given */
	const char *file;    /* of export, the output, NULL: not given */
	const char *cutoff;  /* of export, NULL: not given */
	const char *index;   /* file of the index, NULL: in the cache */
	const char *exe;     /* the executable, NULL: not named */
	const char *script;  /* file, or NULL */
	int width, height;   /* of the screen of a script; 0: the default */
	bool ascii, no_color, no_mouse, fresh, marks;
	bool yes;                   /* a process is stopped without a question */
	struct input_options input; /* of opening dumps */
	char standard_input[32];    /* path of it, that operands refer to */
	bool parts;                 /* show the parts of maps and channels as separate objects */
	bool strict, lenient, allow_empty;
	bool hide;                                 /* texts, keys and numbers of the program */
	bool no_cache;                             /* the cache is neither read nor written */
	bool gzip, zstd, with_exe, only_exe;       /* of snapshot */
	bool redact;                               /* of report, export, snapshot, watch */
	bool report;                               /* of watch */
	bool allow_processes, allow_texts, attach; /* of mcp */
	uint64_t seconds;                          /* of mcp, that a call may take; 0: not given */
	bool listen;                               /* of the explorer */
	bool help, version;
	uint64_t given;  /* a bit for each row of option_table */
	char **operands; /* operands, NULL at the end */
	size_t operand_count;
};

struct option_row {
	const char *name;     /* "json", for --json */
	char letter;          /* 'e' for -e, 0: none */
	const char *argument; /* "COL" or NULL */
	const char *use;  /* names of the subcommands that take it, blanks around each, "pages" for all
	                     that print a page (report/report.h); NULL: all */
	const char *help; /* a sentence */
	/* One of these is set: */
	size_t flag;        /* offset in struct options of a bool to set */
	size_t text;        /* offset of a text that is the argument */
	size_t lines;       /* offset of a struct buf that gets the argument as a line */
	enum output output; /* the form of output */
	size_t place;       /* offset of an uint64_t that is set to the `number` below */
	bool (*set)(struct options *options, const char *argument, struct err *err);
	/* Further: */
	const char *line; /* of `lines`: what is one line, for the message about several; NULL: any */
	struct {
		uint64_t least, most;
		const char *needs; /* "a number, such as 100" */
	} number;
};
enum { OPTION_ROWS_MOST = 64 };                /* including the end */
extern const struct option_row option_table[]; /* name NULL at the end */

/* Returns true if a subcommand takes this option. */
bool option_is_for(const struct option_row *row, const char *subcommand);

/* Parses the command line; reorders argv so that operands come last. False: *err. Call options_fini
   in either case. */
bool options_parse(struct options *options, int argc, char **argv, struct err *err);
/* Returns false and sets *err if an option was given that the subcommand does not take. */
bool options_fit(const struct options *options, const char *subcommand, struct err *err);
void options_fini(struct options *options);
