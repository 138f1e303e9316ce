/* The ways from roots to an object, in the forms that goheapx show and goheapx path print. */
#ifndef MAIN_PATH_PRINT_H
#define MAIN_PATH_PRINT_H

#include "analysis/paths.h"
#include "main/json.h"

/* Text: a line a step, from the root down; of a longer way the first and the last `ends` steps
   only. * marks dominators (analysis/path_dominators.h), which are followed by what they retain.
   False: the output has failed. */
bool way_print_text(const struct analysis *analysis, const struct path *path, size_t ends,
                    struct buf *out);
/* JSON: [{"kind", "address", "offset", "name", "dominator", "retained_bytes", "size", "type",
   "text"}, ...], the root first, which has "path", the whole way as one expression, and is a
   dominator when its variable, slot, frame or goroutine is. */
bool way_print_json(const struct analysis *analysis, const struct path *path, struct json *json);
/* CSV: a line a step, with the way's number first. */
bool way_print_csv(const struct analysis *analysis, const struct path *path, size_t number,
                   struct buf *out);

#endif
