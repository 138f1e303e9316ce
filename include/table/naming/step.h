/* Steps of a path: the text that follows the name of a referrer and names what it references. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/paths.h"
#include "heap/reference.h"

/* Appends the field of an object at a place of one of its references: ".cache", "[12].Name",
   `["session-0042"]` for an entry of a map, ".target (weak)" for a weak reference; nothing if
   unknown. Returns the type of the field, or 0. */
gotype_id step_add(const struct analysis *analysis, uint32_t object, uint64_t offset,
                   struct buf *out);

/* Returns true if the object is an entry of its own, as in the trie of a sync.Map. */
bool step_is_trie_entry(const struct analysis *analysis, uint32_t object);
/* Appends the key of such an entry: `["session-0042"]`. False: the object is none. */
bool step_add_trie_key(const struct analysis *analysis, uint32_t object, struct buf *out);

/* Appends the place of a reference, which the format names: ".cache", "[12]"; nothing for
   PLACE_NONE. */
void step_add_place(const struct heap *heap, uint32_t place, struct buf *out);

/* Appends the name of a reference as its format tells it: ".cache", "[12]", `["a b"]`, with "
   (weak)" behind it if it does not retain; nothing if the format names no references. */
void step_add_reference(const struct heap *heap, const struct reference *reference,
                        struct buf *out);

/* Returns reference_offset for the pointer to step `at` of a path. The pointer to step 0 is the
   root's. */
uint64_t path_step_offset(const struct heap *heap, const struct path *path, size_t at);

/* Returns how many entries before ids.id[at] equal it. The ids are ascending. */
size_t reference_rank(struct ids ids, size_t at);

/* Like step_add for a part of a path: from the object before its step `first`, or from the root if
   `first` is 0, to step `last`: "[12]" after a slice, `["session-0042"]` after a map. */
void step_add_stretch(const struct analysis *analysis, const struct path *path, size_t first,
                      size_t last, struct buf *out);

/* Is it only the path that the runtime takes to a map's entries or a channel's elements, which a
   program does not name: header, directory, table? */
bool step_is_inner(const struct analysis *analysis, uint32_t object);

enum { STEPS_FOLDED = 4 }; /* so many equal steps, or more, are counted, not written out */

/* Appends a whole path as one expression: `main.cache["session-0042"].Buf`, "goroutine 17
   main.serve server.go:42 job.req"; without types only its root. Repeated steps are counted, as in
   "main.list.Next x298", and the middle of a long path is left out. */
void step_add_path(const struct analysis *analysis, const struct path *path, struct buf *out);

/* Appends the shortest path to an object; nothing if it is unreachable. */
void step_add_object(const struct analysis *analysis, uint32_t object, struct buf *out);

/* Returns the type of the value that references the last object of a path; 0: unknown. */
gotype_id step_type(const struct analysis *analysis, const struct path *path);
