/* Formats that a dump is exported in. One file each in src/main/exporters, which ends with
   PLUGIN(exporters, ...). */
#ifndef MAIN_EXPORTER_H
#define MAIN_EXPORTER_H

#include "base/plugin.h"
#include "main/subcommand.h"
#include "table/breakdown_query.h"

/* What is written of a dump beside the format, and the options that choose it. */
enum export_takes {
	EXPORT_WHOLE,     /* all of it */
	EXPORT_BREAKDOWN, /* the arguments of the table breakdown, and --cutoff */
	EXPORT_GRAPH,     /* what is named as in other subcommands, --limit and --depth */
	EXPORT_FOLDER,    /* several dumps, into a folder */
};
struct export_request {
	struct breakdown_query query; /* EXPORT_BREAKDOWN; else empty */
	struct buf argument;          /* what follows the dump */
	size_t limit;                 /* SIZE_MAX: not given */
	uint32_t depth;               /* 0: not given */
};

struct exporter {
	unsigned rank; /* place in help and manual */
	const char *name;
	const char *help;  /* what is written, for whom: a phrase */
	const char *about; /* what else one wants to know, in whole sentences; NULL: nothing */
	unsigned needs;
	unsigned parts; /* that the dump's format must have: enum format_part */
	bool binary;    /* nothing for a terminal */
	enum export_takes takes;
	/* False: *err, or the output has failed. */
	bool (*write)(const struct analysis *analysis, const struct export_request *request,
	              struct buf *out, struct err *err);
	enum status (*write_folder)(const struct options *options); /* EXPORT_FOLDER: in its stead */
};
extern const struct exporter *exporters[]; /* NULL at the end, by rank */

/* When the dump was written, as far as it says: its last collection, in ns since 1970; 0: unknown.
 */
uint64_t export_time(const struct heap *heap);
/* Reads the next object of a run; `at` is the run's offset before the first. False: the file has
   changed. */
bool export_next_object(const struct heap *heap, const struct objects_run_view *run,
                        uint32_t object, uint64_t *at, struct object_record *record);

#endif
