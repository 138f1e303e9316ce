/* Steps of a path: what one writes behind the name of a holder to name what it holds. */
#ifndef TABLE_STEP_H
#define TABLE_STEP_H

#include "analysis/analysis.h"

/* Appends the field of an object that an offset from its address lies in: ".cache", "[12].Name",
   `["session-0042"]` for an entry of a map. Nothing where it is not known. Returns the type of the
   field, or 0. */
gotype_id step_add(const struct analysis *analysis, uint32_t object, uint64_t offset,
                   struct buf *out);

/* The same of a stretch of a path: from the object before its step `first`, or from the root if
   that is 0, to step `last`: "[12]" behind a slice, `["session-0042"]` behind a map. */
void step_add_stretch(const struct analysis *analysis, const struct path *path, size_t first,
                      size_t last, struct buf *out);

/* Is it only the way that the runtime goes to a map's entries or a channel's elements, which a
   program does not name: header, directory, table? */
bool step_is_inner(const struct analysis *analysis, uint32_t object);

/* Appends a whole path as one expression, without types only its root:
   `main.cache["session-0042"].Buf`, "goroutine 17 main.serve server.go:42 job.req". What comes many
   times in a row is counted, as in "main.list.Next x298", and of what is too long the middle is
   left out. */
void step_add_path(const struct analysis *analysis, const struct path *path, struct buf *out);

/* The same of the shortest path to an object; nothing where no root leads to it. */
void step_add_object(const struct analysis *analysis, uint32_t object, struct buf *out);

/* The type of the value that holds the last object of a path; 0: not known. */
gotype_id step_type(const struct analysis *analysis, const struct path *path);

#endif
