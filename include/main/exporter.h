/* Formats that a dump is exported in. One file each in src/main, one line in the table of
   src/main/export.c. */
#ifndef MAIN_EXPORTER_H
#define MAIN_EXPORTER_H

#include "main/options.h"
#include "table/breakdown_query.h"

struct exporter {
	const char *name;
	unsigned needs;
	unsigned parts; /* that the dump's format must have: enum format_part */
	/* False: *err, or the output has failed. */
	bool (*write)(const struct analysis *analysis, const struct breakdown_query *query,
	              struct buf *out, struct err *err);
};
extern const struct exporter exporter_chromium; /* src/main/export_chromium.c */

#endif
