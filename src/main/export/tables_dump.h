/* Identifies a dump among those whose tables are exported (main/exporters/exported_tables.c). */
#pragma once

#include "analysis/analysis.h"

/* The identification of a dump, repeated in each row. */
struct tables_dump {
	struct buf id, host, time, build;
	struct buf folder, part; /* its directory, and the temporary name of that */
};

/* Fills the identification of a file, and names its directory in a folder. False: *err. The caller
   calls tables_dump_fini in any case. */
bool tables_dump_name(struct tables_dump *dump, const char *path, const char *folder,
                      struct err *err);
/* Adds what is known once the dump is open. */
void tables_dump_complete(struct tables_dump *dump, const struct analysis *analysis);
void tables_dump_fini(struct tables_dump *dump);
