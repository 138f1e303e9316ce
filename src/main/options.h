/* The command line. One table of options is the source of the parser, the help, the completion and
 * the manual. */
#ifndef MAIN_OPTIONS_H
#define MAIN_OPTIONS_H

#include "analysis/dominators.h"
#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>

enum output { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_JSONL };

struct options {
	enum output output;
	const char *where;   /* filter of rows, or NULL */
	const char *group;   /* column, and what is added up, or NULL */
	const char *columns; /* names with commas between them, or NULL: all */
	const char *sort;    /* column, NULL: the table's own order */
	bool descending, reverse;
	uint32_t depth;      /* levels of a tree below its topmost rows; 0: not given */
	size_t limit;        /* rows or paths; SIZE_MAX: not given */
	struct buf commands; /* of -e, a line each */
	struct buf asserts;  /* of --assert, likewise */
	struct buf since;    /* of --since, likewise */
	uint64_t every;      /* ns between two snapshots of a process; 0: not given */
	size_t count;        /* of them; 0: not given */
	const char *retain;  /* what retain_parse takes, NULL: not given */
	const char *format;  /* of export, NULL: not given */
	const char *file;    /* likewise, to write to */
	const char *cutoff;  /* likewise */
	const char *index;   /* file of the index, NULL: in the cache */
	const char *exe;     /* the executable, NULL: not named */
	const char *script;  /* file, or NULL */
	int width, height;   /* of the screen of a script; 0: the default */
	bool ascii, no_color, no_mouse, marks;
	bool parts; /* those of maps and channels each for itself */
	bool strict, lenient, allow_empty;
	bool no_cache;             /* neither read nor written */
	bool gzip, zstd, with_exe; /* of snapshot */
	bool redact;               /* of report */
	bool help, version;
	uint64_t given;  /* a bit for each row of option_table */
	char **operands; /* what is no option, NULL at the end */
	size_t operand_count;
};

struct option_row {
	const char *name;     /* "json", for --json */
	char letter;          /* 'e' for -e, 0: none */
	const char *argument; /* "COL" or NULL */
	const char *use;  /* names of the subcommands that take it, blanks around each, "report" for all
	                     reports; NULL: all */
	const char *help; /* a sentence */
	size_t flag;      /* offset of a bool in struct options to set; without it: */
	bool (*set)(struct options *options, const char *argument, struct err *err);
};
enum { OPTION_ROWS_MOST = 60 };                /* with the end */
extern const struct option_row option_table[]; /* name NULL at the end */

/* Does a subcommand take this option? */
bool option_is_for(const struct option_row *row, const char *subcommand);

/* Reorders argv so that operands come last. False: *err. Give back with options_fini either way. */
bool options_parse(struct options *options, int argc, char **argv, struct err *err);
/* False and *err when one was given that the subcommand does not take. */
bool options_fit(const struct options *options, const char *subcommand, struct err *err);
void options_fini(struct options *options);

#endif
