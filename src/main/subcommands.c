#include "main/commands.h"

#include "analysis/index.h"
#include "analysis/input_state.h"
#include "format/runtime.h"
#include "report/report.h"
#include "table/naming/former_names.h"

#include <string.h>

static const struct subcommand subcommands[] = {
	{"explore", "DUMP [DUMP ...] [EXE]", 1, SIZE_MAX,
     "Open the explorer; this is what goheapx DUMP does. Of several dumps of one process the "
     "newest, with what has grown since the others. Every command takes - as a dump, for the "
     "standard input, and the executable wherever it stands",
     .run = run_explore, .alone = true},
	{"list", "TABLE DUMP [ARG ...]", 2, SIZE_MAX,
     "Print the rows of a table: findings, goroutines, objects, types ...", .run = run_list,
     .rows = true},
	{"path", "DUMP ADDR...", 2, SIZE_MAX,
     "Print what keeps objects alive: the paths from roots to each, one object after the other",
     .run = run_path},
	{"find", "DUMP TEXT|0xBYTES", 2, 2,
     "Print where a text or bytes stand in objects, data segments and stacks", .run = run_find,
     .rows = true},
	{"top", "DUMP [EXE]", 1, 2,
     "Print who owns the memory, 20 owners unless --limit says otherwise", .run = run_top,
     .rows = true},
	{"sql", "DUMP [QUERY]", 1, 2,
     "Print what a query of SQL answers, over the tables of list; without one queries are read, on "
     "a terminal with completion and history; see SQL in the manual",
     .run = run_sql, .rows = true},
	{"retained", "DUMP ADDR...", 2, SIZE_MAX,
     "Print the retained sizes of objects: the bytes that would be freed without each",
     .run = run_retained, .rows = true},
	{"check", "[OLD ...] DUMP [EXE]", 1, SIZE_MAX,
     "Exit with status 1 unless every --assert is true, for scripts", .run = run_check},
	{"diff", "OLD NEW [EXE]", 2, 3,
     "Print what has changed between two dumps of one process: what is reachable, by owners, "
     "fields, groups of " THREADS_WORD ", allocation sites and types, and which " THREADS_WORD " "
     "can never wake up or wait as they did before. Of two processes of one program the same but "
     "for objects is compared, of two programs shapes",
     .run = run_diff},
	{"what-if", "DUMP CUT ...", 2, SIZE_MAX,
     "Print what would be freed without objects, references, variables or " THREADS_WORD,
     .run = run_freed, .rows = true},
	{"export", "DUMP [ARG ...]", 1, SIZE_MAX,
     "Convert a dump to the format of another tool, see EXPORTS in the manual", .run = run_export},
	{"report", "DUMP [EXE]", 1, 2,
     "Write one file about a dump, for a ticket: HTML, Markdown or JSON, by the name after -o or "
     "by --format",
     .run = run_ticket},
	{"note", "DUMP ADDR TEXT", 3, 3,
     "Note a text on an object or a path, as the command of the explorer does; an empty text "
     "removes "
     "the note",
     .run = run_note},
	{"verdict", "DUMP ADDR leak|expected|open|none [WHY]", 3, 4,
     "Say whether an object or a path is a leak, and why; none removes the verdict",
     .run = run_verdict},
	{"snapshot", "PID", 1, 1,
     "Write the memory of a running Go program into a core file; PID is a number or a name",
     .run = run_snapshot},
	{"watch", "PID|NAME", 1, 1,
     "Follow the memory of a running Go program by reading only, and take a snapshot when it "
     "reaches a bound of --at or --rate. With a name, also follow the processes after it of that "
     "name. See WATCHING A PROCESS in the manual",
     .run = run_watch, .alone = true},
	{"redact", "DUMP [EXE]", 1, 2,
     "Write a copy without texts and numbers of the program: a Go heap dump, a core file or a "
     "process that says as much about the heap; see REDACTION in the manual",
     .run = run_redact},
	{"processes", "", 0, 0,
     "Print the Go programs that run and may be read: number, name, Go version, resident memory "
     "and executable. goheapx without arguments does this, too",
     .run = run_processes},
	{"estimate", "DUMP", 1, 1,
     "Print about how many objects and bytes a large dump has, at once, from samples of it",
     .run = run_estimate},
	{"index", "DUMP [EXE]", 1, 2,
     "Work everything out and keep it in an index, so that the next opening has it at once",
     .run = run_index},
	{"cache", "list|clear", 1, 1, "List the indices in the cache, or remove them",
     .run = run_cache},
	{"completion", "bash|fish|zsh", 1, 1, "Print a completion script for a shell",
     .run = run_completion},
	{"manual", "", 0, 0, "Print the manual page in the language of man(7)", .run = run_manual},
	{"help", "[NAME|options]", 0, 1,
     "Say how a subcommand or a table is used, or what each option does", .run = run_help},
	{"schema", "[TABLE]", 0, 1,
     "Print what list prints with --json as JSON Schema, of one table or of all",
     .run = run_schema},
	{"mcp", "[SOCKET|PID]", 0, 1,
     "Serve an agent by the Model Context Protocol, over the standard input and output; see AGENTS "
     "in the manual",
     .run = run_mcp, .alone = true},
	{"serve", "", 0, 0,
     "Answer command lines from the standard input, a line of JSON each, and keep what they have "
     "read for the next; see SERVER in the manual",
     .run = run_serve, .alone = true},
	{"skill", "", 0, 0, "Print a page that tells an agent with a shell how to ask",
     .run = run_skill},
	{"version", "", 0, 0, "Print the version", .run = run_version},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands, REPORTS = 16 /* maximum */ };

static const struct subcommand *subcommand_of_report(size_t number)
{
	static struct subcommand made[REPORTS];
	const struct report *report = report_at(number);
	if (!report || number >= REPORTS || !report->subcommand)
		return NULL;
	const char *usage = report->argument ? "DUMP ADDR" : "DUMP [EXE]";
	made[number] = (struct subcommand){
		report->subcommand, usage, report->argument ? 2 : 1, 2, report->prints, .report = report,
	};
	return &made[number];
}

/* Reports come after the first subcommand. */
const struct subcommand *subcommand_at(size_t number)
{
	size_t reports = report_command_count();
	if (number && number <= reports)
		return subcommand_of_report(number - 1);
	number -= number ? reports : 0;
	return number < SUBCOMMANDS ? &subcommands[number] : NULL;
}

const struct subcommand *subcommand_find(const char *name)
{
	const struct subcommand *subcommand;
	name = current_name(name);
	for (size_t i = 0; (subcommand = subcommand_at(i)); i++)
		if (strcmp(subcommand->name, name) == 0)
			return subcommand;
	return NULL;
}

static bool any_complaint;

bool complained(void)
{
	return any_complaint;
}

enum status complain(const char *about, const struct err *err)
{
	any_complaint = true;
	err_tell(err, about);
	return err->absent ? STATUS_NONE : STATUS_FAILED;
}

static bool changed_told; /* for the single dump of a run */

void tell_state(const struct analysis *analysis)
{
	struct input_state state = input_state_of(analysis);
	if (state.text.len)
		err_tell_text(buf_text(&state.text), analysis_path(analysis));
	changed_told = state.mark && strcmp(state.mark, "changed") == 0;
	input_state_fini(&state);
}

static bool is_clean(const struct analysis *analysis)
{
	struct input_state state = input_state_of(analysis);
	bool clean = state.clean;
	input_state_fini(&state);
	return clean;
}

/* An error was printed already if the dump could not be read. */
enum status close_dump(struct analysis *analysis, const struct options *options, enum status status)
{
	if (analysis_has(analysis, STAGE_READ)) {
		/* The dump may have been written to after it was opened. */
		SCOPED_BUF text = {0};
		if (!changed_told && input_state_changed(analysis, &text))
			err_tell_text(buf_text(&text), analysis_path(analysis));
		if (options->strict && !is_clean(analysis))
			status = STATUS_FAILED;
		analysis_keep(analysis);
		/* Only an index that was asked for can fail. */
		struct err err = {0};
		if (analysis_index_failed(analysis, &err))
			err_tell(&err, NULL);
	}
	analysis_free(analysis);
	return status;
}
