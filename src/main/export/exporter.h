/* Export formats. Each is one file in src/main/exporters that registers itself with
   PLUGIN(exporters, ...). */
#pragma once

#include "base/plugin.h"
#include "main/subcommand.h"
#include "table/breakdown/breakdown_query.h"
#include "ui/explorer.h"

struct objects_run_view;
struct heap;
struct object_record;

/* The part of a dump that a format exports, and the options that select it. */
enum export_takes {
	EXPORT_WHOLE,     /* the whole dump */
	EXPORT_BREAKDOWN, /* the arguments of the table breakdown, and --cutoff */
	EXPORT_GRAPH,     /* entities named as in other subcommands, --limit and --depth */
	EXPORT_FOLDER,    /* several dumps, or the one of the explorer, into a directory */
};
struct export_request {
	struct breakdown_query query; /* EXPORT_BREAKDOWN; else empty */
	struct buf argument;          /* the operands after the dump */
	const char *folder;           /* EXPORT_FOLDER: the one to make */
	size_t limit;                 /* SIZE_MAX: not given */
	uint32_t depth;               /* 0: not given */
	struct progress *progress;    /* its cancel stops the export */
	struct buf *told;             /* what the format could not hold: lines without full stops */
};

struct exporter {
	unsigned rank; /* order in help and manual, ascending */
	const char *name;
	const char *tree_of; /* it is that format with --tree, and not listed; NULL: none */
	const char *former;  /* a name that it had, which is accepted; NULL: none */
	const char *help;    /* what it exports, and for which tool: a phrase */
	const char *about;   /* details in whole sentences; NULL: none */
	unsigned needs;
	unsigned parts; /* that the dump's format must have: enum format_part */
	bool binary;    /* not for a terminal */
	bool whole;     /* names and tables are those of list, with maps and channels as a whole; other
	                   tools show all objects (analysis_parts) */
	enum export_takes takes;
	/* Exports a dump. False: *err, or the output has failed. */
	bool (*write)(const struct analysis *analysis, const struct export_request *request,
	              struct buf *out, struct err *err);
	/* EXPORT_FOLDER, of dumps named on the command line: used instead */
	enum status (*write_folder)(const struct options *options);
};
extern const struct exporter *exporters[]; /* NULL at the end, by rank */

/* For the explorer: writes a new file, see struct explorer_writers. */
bool export_make(const struct analysis *analysis, const struct file_request *file,
                 struct progress *progress, struct buf *told, struct err *err);
/* Returns the name of a format that it writes, by number; NULL: there are no more. */
const char *export_format(size_t number);

/* Returns the time of the dump's last collection in ns since 1970; 0: unknown. */
uint64_t export_time(const struct heap *heap);
/* Reads the next object of a run; `at` is the run's offset before the first call. False: the file
   has changed. */
bool export_next_object(const struct heap *heap, const struct objects_run_view *run,
                        uint32_t object, uint64_t *at, struct object_record *record);
