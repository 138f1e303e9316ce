/* Subcommands: the first word of a command line. Each is one file in src/main and one line in the
   table of src/main/subcommands.c; every report (report/report.h) is one, too. */
#pragma once

#include "main/options/options.h"

struct analysis;
struct err;
struct page;
struct report;

enum status {
	STATUS_ANSWERED = 0,
	STATUS_NONE = 1,    /* nothing was found */
	STATUS_FAILED = 2,  /* wrong usage, unreadable input, or failed output */
	STATUS_STOPPED = 3, /* ended by a signal, of a subcommand that runs until then */
	STATUS_EMPTY,       /* no rows, which counts as an answer: exit status 0 */
};

struct subcommand {
	const char *name;
	const char *usage;  /* operands after the name: "TABLE DUMP [ARG]" */
	size_t least, most; /* number of operands, without the name */
	const char *help;   /* a sentence */
	/* options->operands are those after the name. NULL: prints a report. */
	enum status (*run)(const struct options *options);
	bool alone; /* for a terminal, an agent or a long time: no question to a server */
	bool rows;  /* what it prints are the rows of one table */
	const struct report *report; /* NULL: none */
};

/* Returns the subcommand with a number; NULL after the last. The first runs without a name. */
const struct subcommand *subcommand_at(size_t number);
const struct subcommand *subcommand_find(const char *name);

/* Builds a page for its form. False: *err. The caller calls report_close in either case. */
bool report_build(const struct report *report, struct page *page, const char *argument,
                  struct err *err);
enum status print_report(const struct report *report, const struct options *options);

/* Prints an error on stderr, as one line "goheapx: ...", prefixed with `about` (a file, or NULL).
   Returns STATUS_FAILED, or STATUS_NONE if nothing was found. */
enum status complain(const char *about, const struct err *err);
/* Returns true if complain was called: the answer is none, even if the status is STATUS_NONE. */
bool complained(void);

/* What is opened, and for what. */
struct opening {
	const struct options *options; /* what they say of the index and of what is hidden */
	const char *dump;
	const char *exe;  /* NULL: that of the options */
	unsigned stages;  /* to run, with all that they require */
	const char *only; /* an address: dominators are needed of this object only
	                     (analysis_expect_only); NULL, or no address: of all */
	/* operands that end with NULL, one of which may name several objects: the stages that this
	   needs run, too, where it does (table/naming/operand.h); NULL: there are none */
	const char *const *names;
	bool since;           /* the dumps of --since, too, with the same stages */
	bool later;           /* no stage is run now, and no warning printed */
	bool keeps;           /* all results are kept in an index */
	bool hide, hide_keys; /* as in struct analysis_options */
	/* For who may need only the `first` stages: returns the others that it needs instead of
	   `stages`; NULL: it needs all. */
	unsigned (*look)(void *self, const struct analysis *analysis);
	void *self;
	unsigned first;
};
/* Opens a dump and runs stages. NULL: an error was printed. Prints warnings on stderr if the named
   executable is not used, or files are damaged, and continues. */
struct analysis *open_dump(const struct opening *opening);

/* Returns the dump, asked in the way of --parts and --retain; after STAGE_READ. */
const struct analysis *asked_with(const struct analysis *analysis, const struct options *options);

/* Prints on stderr, as one line, what is wrong with a dump and its executable, if anything. The
   functions above do this already. */
void tell_state(const struct analysis *analysis);

/* Closes a dump, and prints a warning if it was written to meanwhile. Returns `status`, or with
   --strict STATUS_FAILED if anything was wrong with the file. */
enum status close_dump(struct analysis *analysis, const struct options *options,
                       enum status status);

/* Announces on stderr that a process will be stopped, how much is copied and about how long that
   takes. On a terminal, asks for permission. False: *err. Other paths are always allowed, and all
   with the option --yes. */
bool process_allowed(const char *path, const struct options *options, struct err *err);

extern const char goheapx_version[];
