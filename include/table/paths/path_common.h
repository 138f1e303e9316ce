/* The path that most of several objects have, by its steps as the table where merges them. */
#pragma once

#include "analysis/analysis.h"

struct path_common {
	struct buf name;  /* "main.app.Clients[*].Calls[*]" */
	uint32_t example; /* the first of the objects with it; OBJECT_NONE: none is reachable */
	uint32_t objects; /* how many have it */
};

/* Finds it, after STAGE_TYPED and STAGE_REVERSED. False: cancelled. The caller calls buf_free for
   the name. */
bool path_common_find(const struct analysis *analysis, const uint32_t *objects, size_t count,
                      struct progress *progress, struct path_common *common);

/* The object that a text names, or the first with that path of several. */
struct path_named {
	uint32_t object;
	size_t count;   /* it stands for so many objects; 0: for itself */
	uint32_t alike; /* so many of these have its path */
};
/* Finds it. After STAGE_TYPED and STAGE_REVERSED. False: *err. */
bool path_common_named(const struct analysis *analysis, const char *text, struct path_named *named,
                       struct err *err);
