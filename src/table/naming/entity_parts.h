/* Functions and texts for each kind of entity: part of table/naming/entity.h. */
#pragma once

#include "analysis/root_nodes.h"
#include "table/naming/entity.h"

enum {
	ENTITY_NAME_LIMIT = 200
}; /* bytes of a name that are shown: a damaged file has longer ones */

/* The entity to name, and the output buffer. */
struct naming {
	const struct analysis *analysis;
	const struct heap *heap;
	uint32_t id;    /* of a root node: its index of its own kind, such as a frame's */
	uint64_t extra; /* of a root node: its index */
	const struct root_node *root_node; /* of a root node, else NULL */
	struct buf *out;
};

typedef void naming_add(const struct naming *n);

/* A kind of entity, or of root node. NULL functions: the kind lacks the property. */
struct entity_row {
	const char *word; /* JSON; NULL: what the runtime calls a thread */
	naming_add *name;
	naming_add *label; /* NULL: the name */
	naming_add *argument, *link;
	const char *alike; /* name of the kind's members; NULL: each has a name of its own */
	const char *list;  /* the command that lists the members */
	bool (*type)(const struct naming *n);
	uint32_t (*object)(const struct naming *n);
	uint64_t (*address)(const struct naming *n); /* NULL: the object's */
	const struct thread *(*thread)(const struct naming *n);
};
extern const struct entity_row entity_node_rows[ROOT_NODE_KINDS]; /* in entity_node.c */

/* In entity.c: append the name of a thread, and the same with its function. */
naming_add entity_thread_name, entity_thread_label;
/* In entity_root.c, like the following: names of a root, of a word of a frame, a frame, a
   finalizer. */
naming_add entity_root_name, entity_root_argument, entity_root_link, entity_slot_label,
	entity_frame_name, entity_frame_label, entity_finalizer_name;
/* Appends the word of a frame: "job.req" or "+0x18". */
void entity_add_slot(const struct analysis *analysis, const struct root *root, struct buf *out);
/* Appends the function of a frame: "main.serve". */
void entity_add_function(const struct heap *heap, uint32_t frame, struct buf *out);
