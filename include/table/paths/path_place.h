/* Places of several objects as operands: "main.jobs[*]", as tables print them. */
#pragma once

#include "analysis/analysis.h"
#include "base/text.h"

#include <string.h>

struct kept_kind;

/* Returns true for a text that may name one: it has [*], or a handle (base/text.h). */
static inline bool path_place_may_be(const char *text)
{
	return strstr(text, "[*]") || text_handle(text);
}
/* Returns the length of the longest such name, up to a blank, that `text` begins with; one without
   [*] is all of the text. Stores the first of its objects, with the shortest path, and whether
   there are several. 0: *err, as there is none. After the stages of path_tree_whole
   (table/paths/path_tree.h). */
size_t path_place_read(const struct analysis *analysis, const char *text, uint32_t *object,
                       bool *several, struct err *err);

/* The same for operands, with which paths are read in turn. */
extern const struct path_places {
	size_t (*read)(const struct analysis *analysis, const char *text, uint32_t *object,
	               bool *several, struct err *err);
	const struct kept_kind *tree; /* what it needs */
} path_places;
