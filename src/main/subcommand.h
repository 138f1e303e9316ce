/* What the first word of a command line may be. One file each in src/main, one line in the table of
   src/main/subcommands.c; every report (report/report.h) is one, too. */
#ifndef MAIN_SUBCOMMAND_H
#define MAIN_SUBCOMMAND_H

#include "analysis/analysis.h"
#include "main/options.h"
#include "report/report.h"

enum status {
	STATUS_ANSWERED = 0,
	STATUS_NONE = 1,   /* the answer is that there is none */
	STATUS_FAILED = 2, /* wrong usage, unreadable input, or an output that cannot be written */
	STATUS_EMPTY,      /* no rows, which is as good an answer: 0 for who has started the program */
};

struct subcommand {
	const char *name;
	const char *usage;  /* what follows the name: "TABLE DUMP [ARG]" */
	size_t least, most; /* operands, without the name */
	const char *help;   /* a sentence */
	/* options->operands are those after the name. NULL: prints a report. */
	enum status (*run)(const struct options *options);
	const struct report *report; /* NULL: none */
};

/* NULL behind the last; the first is what runs without a name. */
const struct subcommand *subcommand_at(size_t number);
const struct subcommand *subcommand_find(const char *name);

/* Puts a page together, for its form. False: *err. report_close in any case. */
bool report_build(const struct report *report, struct page *page, const char *argument,
                  struct err *err);
enum status print_report(const struct report *report, const struct options *options);

/* Says what went wrong on stderr, as one line "goheapx: ...". Returns STATUS_FAILED, or STATUS_NONE
   for what is merely absent. `about` (a file, or NULL) is named first. */
enum status complain(const char *about, const struct err *err);

/* Opens a dump and runs the stages of the analysis that an answer needs, with what they take. NULL
   after a complaint. That the executable which the user has named is not used is said on stderr,
   and so is what is wrong with the files; the work goes on. */
struct analysis *open_dump(const char *path, const char *exe, unsigned stages);
/* The same where nothing will be asked of dominators but of the object that `argument` names, if it
   is an address (analysis_expect_only); NULL: it may be. */
struct analysis *open_dump_of(const char *path, const char *exe, unsigned stages,
                              const char *argument);
/* The same in two steps, for whom the first may be enough to know that no more is needed: what is
   wrong with the files is said with the second, which may be of no stages. */
struct analysis *open_dump_part(const char *path, const char *exe, unsigned stages);
bool open_dump_rest(struct analysis *analysis, unsigned stages); /* false: after a complaint */

/* Says on stderr, as one line, what is wrong with a dump and its executable, if anything is. Who
   opens a dump with what stands above has that done already. */
void tell_state(const struct analysis *analysis);

/* Closes a dump, and says if it was written to since. Returns `status`, or with --strict
   STATUS_FAILED when anything was wrong with the file. */
enum status close_dump(struct analysis *analysis, const struct options *options,
                       enum status status);

/* Of a process, which is about to be stopped: says so on stderr, how much is copied and how long
   about that takes. On a terminal it asks. False: *err. Other paths are always allowed. */
bool process_allowed(const char *path, struct err *err);
/* From now on nothing is said, nor asked. */
void process_agree(void);

extern const char goheapx_version[];

#endif
