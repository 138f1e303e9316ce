/* The options of the command line, a row each, and the functions that parse their values. */
#include "main/options/options.h"

#include "main/subcommand.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { SCREEN_LEAST = 10, SCREEN_MOST = 1000, SNAPSHOTS_MOST = 100 };

static bool set_sort(struct options *options, const char *argument, struct err *err)
{
	(void)err;
	bool minus = *argument == '-';
	options->sort = argument + minus;
	options->descending = minus;
	return true;
}

static bool options_set_every(struct options *options, const char *argument, struct err *err)
{
	static const struct {
		const char *name;
		double nanoseconds;
	} units[] = {{"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}};
	char *end;
	double number = strtod(argument, &end);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (end > argument && strcmp(end, units[i].name) == 0 && number > 0
		    && number * units[i].nanoseconds < 1e18)
			options->every = (uint64_t)(number * units[i].nanoseconds);
	return options->every
	       || err_set(err, "--every needs a time, such as 30s or 5m, not \"%.60s\"", argument);
}

static bool options_set_retain(struct options *options, const char *argument, struct err *err)
{
	enum retain retain;
	options->retain = argument;
	return retain_parse(argument, false, &retain)
	       || err_set(err, "--retain needs all or strong, not \"%.60s\"", argument);
}

static bool set_size(struct options *options, const char *argument, struct err *err)
{
	char *end;
	long width = strtol(argument, &end, 10);
	long height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
	if (*end || width < SCREEN_LEAST || width > SCREEN_MOST || height < SCREEN_LEAST
	    || height > SCREEN_MOST)
		return err_set(
			err, "--size needs columns and rows between %d and %d, such as 80x24, not \"%.60s\"",
			SCREEN_LEAST, SCREEN_MOST, argument);
	options->width = (int)width;
	options->height = (int)height;
	return true;
}

/* An option that may be repeated, with a line each time; a number with its bounds. */
/* A form feed stands before all but the first (ui/script.h). */
static bool options_set_commands(struct options *options, const char *argument, struct err *err)
{
	(void)err;
	buf_addf(&options->commands, "%s%s\n", options->commands.len ? "\f" : "", argument);
	return true;
}

#define LINES(member, what) .lines = offsetof(struct options, member), .line = (what)
#define NUMBER(member, least, most, needs) \
	.place = offsetof(struct options, member), .number = {least, most, needs}

const struct option_row option_table[] = {
	{"json", 0, NULL,
     " estimate processes pages report list path find what-if retained check diff top sql ",
     "Print JSON", .output = OUTPUT_JSON},
	{"csv", 0, NULL, " pages list path find what-if retained check top sql ",
     "Print comma-separated values, the names of the columns first", .output = OUTPUT_CSV},
	{"jsonl", 0, NULL, " list find what-if retained top sql ",
     "Print a line of JSON for each row, for programs that read one row after the other",
     .output = OUTPUT_JSONL},
	{"exe", 0, "FILE",
     " index explore pages report list path find what-if retained check diff top sql export "
     "note verdict redact ",
     "The executable of the program, for names and lines; found automatically beside the dump or "
     "by GOHEAPX_EXE",
     .text = offsetof(struct options, exe)},
	{"debug-file", 0, "FILE",
     " index explore pages report list path find what-if retained check diff top sql export "
     "note verdict redact ",
     "A separate file with symbols and debug information, if the executable is stripped; found "
     "automatically beside the executable or the dump, by .gnu_debuglink, and by build id in "
     "/usr/lib/debug or in GOHEAPX_DEBUG_DIR",
     .text = offsetof(struct options, input.debug_file)},
	{"index", 0, "FILE",
     " index explore pages report list path find what-if retained check top sql export ",
     "Save results in this index file, and load them from it; without it, results that took more "
     "than a second are saved in the cache",
     .text = offsetof(struct options, index)},
	{"no-cache", 0, NULL, NULL, "Compute everything again, and save nothing in the cache",
     .flag = offsetof(struct options, no_cache)},
	{"where", 0, "EXPR", " list find ",
     "Print only the rows that match a filter, see FILTERS in the manual",
     .text = offsetof(struct options, where)},
	{"group", 0, "FORM|COL,...", " list ",
     "Print the form of the table that is named so, such as size of types; else the values of a "
     "column or field, each with the number of its rows and their bytes; further columns are "
     "summed: .Country,sum(len(.Items))",
     .text = offsetof(struct options, group)},
	{"tree", 0, NULL, " list export ",
     "Print the form of the table that is a tree, as of retained; with export --format dot draw "
     "the tree of what an object dominates",
     .flag = offsetof(struct options, tree)},
	{"list", 0, NULL, " list ", "Print the form of the table that is a list, as of owners",
     .flag = offsetof(struct options, list)},
	{"all", 0, NULL, " help schema ", "Show rarely used tables, too",
     .flag = offsetof(struct options, all)},
	{"assert", 0, "EXPR", " check ",
     "A condition that must be true: retained(), bytes(), sum(), growth(), wasted() or rows of a "
     "table, such as 'retained(type ~ \"Session\") < 100MB'; may be repeated",
     LINES(asserts, "An assertion")},
	{"since", 0, "FILE", " explore pages report list check sql top find retained what-if ",
     "An earlier dump of the same process, for the table growth and the columns born and _delta, "
     "which are otherwise left out of text; may be repeated",
     LINES(since, "The name of an earlier dump")},
	{"every", 0, "TIME", " explore ",
     "For a process: take several snapshots at this interval, such as 30s, and open the last with "
     "what has grown since the others",
     .set = options_set_every},
	{"at", 0, "SIZE|P%", " watch ",
     "Take a snapshot when so much is resident, such as 400MB, or so much of the memory limit of "
     "its control group is used, such as 85%; of the machine's memory if there is no such limit; "
     "may be repeated",
     LINES(at, "A bound")},
	{"rate", 0, "SIZE/min", " watch ",
     "Take a snapshot when the resident memory has grown by so much within a minute, such as "
     "50MB/min",
     .text = offsetof(struct options, rate)},
	{"count", 0, "N", " explore watch ",
     "Number of snapshots for --every (default 2); alone, every 30s. For watch: go on when a "
     "snapshot of each bound has been taken, take one whenever a bound is reached again, and "
     "remove all but the last N",
     NUMBER(count, 1, SNAPSHOTS_MOST, "a number of snapshots, 100 at most")},
	{"columns", 0, "COL,...", " list find top what-if retained ",
     "Print only these columns, in this order; the others are not computed",
     .text = offsetof(struct options, columns)},
	{"sort", 0, "COL", " list find ", "Sort by a column; -COL sorts from the largest down",
     .set = set_sort},
	{"reverse", 0, NULL, " list find ", "Reverse the order of the rows",
     .flag = offsetof(struct options, reverse)},
	{"limit", 0, "N", " list show path find what-if top sql export ",
     "Print at most N rows or fields; for path, N paths (default 10); for top, N owners (20); for "
     "an exported graph, N nodes (100)",
     NUMBER(limit, 0, SIZE_MAX, "a number, such as 100")},
	{"skip", 0, "N",
     " estimate processes pages report list path find what-if retained check diff top sql help ",
     "Leave out the first N rows, or of a page the first N lines",
     NUMBER(skip, 0, SIZE_MAX, "a number, such as 100")},
	{"max-bytes", 0, "SIZE",
     " estimate processes pages report list path find what-if retained check diff top sql help ",
     "Print at most SIZE, such as 8K, and say how many rows or lines were left out and what shows "
     "them; JSON stays JSON",
     NUMBER(max_bytes, 256, SIZE_MAX, "a size of 256 bytes or more, such as 8K")},
	{"depth", 0, "N", " list export ",
     "Print N levels of a tree, such as owners, below its topmost rows; for an "
     "exported graph, draw N levels (see EXPORTS in the manual)",
     NUMBER(depth, 1, UINT32_MAX, "a number of levels, such as 2")},
	{"format", 0, "FORMAT", " export report ",
     "The output format: for export see EXPORTS in the manual; for report html, md or json. By "
     "default the end of the name after -o says which",
     .text = offsetof(struct options, format)},
	{"hide", 0, NULL,
     " explore pages report list path find what-if retained check diff top sql export note "
     "verdict ",
     "Show no texts and numbers of the program: everything is as in a redacted copy, see "
     "REDACTION in the manual",
     .flag = offsetof(struct options, hide)},
	{"redact", 0, NULL, " report export snapshot watch ",
     "Leave out the contents of objects, such as keys of maps in names; names of types, variables "
     "and functions, numbers and addresses stay. A snapshot is redacted before it is written; see "
     "REDACTION in the manual",
     .flag = offsetof(struct options, redact)},
	{"report", 0, NULL, " watch ",
     "After each snapshot of a process but its first, write a report of what has grown since the "
     "one before it, as FILE.html beside the core file",
     .flag = offsetof(struct options, report)},
	{"exec", 0, "COMMAND", " watch ",
     "After each snapshot, run a command with sh -c. GOHEAPX_SNAPSHOT is the file, GOHEAPX_PID the "
     "process and GOHEAPX_BOUND the bound",
     .text = offsetof(struct options, exec)},
	{"output", 'o', "FILE", " export redact snapshot report watch ",
     "The output file, which appears only when it is complete. By default, or with -, export and "
     "report write to the standard output; snapshot writes to the program's name and process id "
     "with .core, and .gz or .zst if it is compressed. For watch, the folder of its snapshots",
     .text = offsetof(struct options, file)},
	{"with-exe", 0, NULL, " snapshot watch ",
     "Copy the executable of the process to FILE.exe beside the core file, where every command "
     "finds it; done by default if the executable was deleted or replaced, or is in a container",
     .flag = offsetof(struct options, with_exe)},
	{"only-exe", 0, NULL, " snapshot ",
     "Copy only the executable of the process, to the file of -o, or with -o - to the standard "
     "output; the process is not stopped",
     .flag = offsetof(struct options, only_exe)},
	{"gzip", 0, NULL, " redact snapshot watch ",
     "Compress the core file with gzip after the process has been resumed; every command reads it",
     .flag = offsetof(struct options, gzip)},
	{"zstd", 0, NULL, " redact snapshot watch ",
     "Compress it with zstd, which is faster and smaller", .flag = offsetof(struct options, zstd)},
	{"cutoff", 0, "BYTES|P%", " export ",
     "Fold rows below this size into their parent (default 0: none)",
     .text = offsetof(struct options, cutoff)},
	{"retain", 0, "all|strong", " list retained top ",
     "Which paths to an object count: all, for what would be freed, or only those from the "
     "strongest kind of root, for ownership. For a GC log or heap snapshot, all includes weak "
     "roots, and strong, the default, does not",
     .set = options_set_retain},
	{"parts", 0, NULL, " pages report list path find top sql ",
     "Show the parts of maps, channels and slices as separate objects: headers, tables, groups, "
     "buckets, buffers and arrays; of a path all steps, also equal ones along a list",
     .flag = offsetof(struct options, parts)},
	{"strict", 0, NULL,
     " explore pages report list path find what-if retained check diff top sql export ",
     "Exit with status 2, after answering, when anything is wrong with the file, or when check "
     "names what is not there",
     .flag = offsetof(struct options, strict)},
	{"lenient", 0, NULL, " check ",
     "Accept results of an incomplete file; otherwise the status is 2",
     .flag = offsetof(struct options, lenient)},
	{"allow-empty", 0, NULL, " check ",
     "Accept assertions whose filter matches nothing; otherwise the status is 2, unless the "
     "condition is = 0 or similar",
     .flag = offsetof(struct options, allow_empty)},
	{"max-unpacked", 0, "SIZE",
     " explore pages report list path find what-if retained check diff top sql export redact ",
     "Unpack a compressed dump or executable up to this size, such as 20G (default: the larger of "
     "1 GB and 100 times the size of the file)",
     NUMBER(input.unpack.limit, 1, UINT64_MAX, "a size, such as 20G")},
	{"fork", 0, NULL,
     " explore pages report list path find what-if retained check diff top export redact snapshot ",
     "Copy a fork of a process, so that it is stopped only for milliseconds; needs more memory "
     "during the copy, see PROCESSES AND CORE FILES in the manual",
     .flag = offsetof(struct options, input.process.fork)},
	{"max-size", 0, "SIZE",
     " explore pages report list path find what-if retained check diff top export redact snapshot "
     "watch ",
     "For a process: do not stop or copy it if more than this is resident, such as 2G",
     NUMBER(input.process.most, 1, UINT64_MAX, "a size, such as 2G")},
	{"yes", 'y', NULL,
     " explore pages report list path find what-if retained check diff top export redact snapshot ",
     "For a process: do not ask before it is stopped; by default goheapx asks on a terminal, and "
     "prints a notice to the standard error elsewhere",
     .flag = offsetof(struct options, yes)},
	{"allow-processes", 0, NULL, " mcp ",
     "Let the agent open running processes, which are stopped for the copy, too",
     .flag = offsetof(struct options, allow_processes)},
	{"allow-texts", 0, NULL, " mcp ",
     "With --attach: show texts, keys and numbers of the heap to the agent, as the person sees "
     "them",
     .flag = offsetof(struct options, allow_texts)},
	{"seconds", 0, "N", " mcp ",
     "End a call of the agent that takes longer, with an error that says so; the next is answered "
     "(default 300)",
     NUMBER(seconds, 1, 1000000, "a number, such as 60")},
	{"attach", 0, NULL, " mcp ",
     "Ask about the dump that an explorer with --listen has open, and show in it what the agent "
     "looks at; its socket or process id may follow (default: the newest)",
     .flag = offsetof(struct options, attach)},
	{"listen", 0, NULL, " explore ",
     "Let goheapx mcp --attach show views in the explorer, over a socket of your own; see AGENTS "
     "in the manual",
     .flag = offsetof(struct options, listen)},
	{"command", 'e', "COMMANDS", " explore ",
     "Run commands of the explorer and print the screen that they lead to; may be repeated, each "
     "with its screen",
     .set = options_set_commands},
	{"script", 0, "FILE", " explore ", "Run the commands of a file; - is the standard input",
     .text = offsetof(struct options, script)},
	{"size", 0, "WxH", " explore ",
     "Size of the screens that -e and --script print (default 80x24)", .set = set_size},
	{"marks", 0, NULL, " explore ",
     "Print the styles and the cursor of those screens below each line",
     .flag = offsetof(struct options, marks)},
	{"ascii", 0, NULL, " explore ", "Draw with ASCII characters only",
     .flag = offsetof(struct options, ascii)},
	{"no-color", 0, NULL, " explore ", "Use no colors", .flag = offsetof(struct options, no_color)},
	{"no-mouse", 0, NULL, " explore ", "Leave the mouse to the terminal",
     .flag = offsetof(struct options, no_mouse)},
	{"fresh", 0, NULL, " explore ", "Begin at the overview, not where the explorer was left",
     .flag = offsetof(struct options, fresh)},
	{"help", 'h', NULL, NULL, "Print the usage", .flag = offsetof(struct options, help)},
	{"version", 'V', NULL, NULL, "Print the version", .flag = offsetof(struct options, version)},
	{0},
};

_Static_assert(sizeof option_table / sizeof *option_table <= OPTION_ROWS_MOST,
               "there is room for each");
