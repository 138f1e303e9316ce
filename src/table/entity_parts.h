/* The kinds of entities that have a file of their own: part of table/entity.h. */
#ifndef TABLE_ENTITY_PARTS_H
#define TABLE_ENTITY_PARTS_H

#include "table/entity.h"

enum { ENTITY_NAME_LIMIT = 200 }; /* bytes of a name that are shown: a damaged file's are longer */

/* ---- Root nodes, in entity_node.c: as the functions of table/entity.h */

typedef void entity_add(const struct analysis *, struct entity, struct buf *);
entity_add entity_node_add_name, entity_node_add_label, entity_node_add_alike,
	entity_node_add_argument, entity_node_link, entity_node_link_alike;
bool entity_node_add_type(const struct analysis *analysis, struct entity entity, struct buf *out);
const char *entity_node_word(const struct analysis *analysis, struct entity entity);
/* Its kind and group, below 1 << 60; UINT64_MAX: it is only like itself. */
uint64_t entity_node_key(const struct analysis *analysis, struct entity entity);

/* ---- Roots, in entity_root.c */

entity_add entity_root_add_name, entity_root_link, entity_root_add_argument;
/* "finalizer of 0xc000012340" */
void entity_add_finalizer(const struct finalizer_record *finalizer, struct buf *out);
/* "goroutine 17"; NULL: "a goroutine that the dump lacks". */
void entity_add_goroutine(const struct goroutine *goroutine, struct buf *out);
/* The word of a frame: "job.req" or "+0x18". */
void entity_add_slot(const struct analysis *analysis, const struct root *root, struct buf *out);
/* "main.serve" */
void entity_add_function(const struct heap *heap, uint32_t frame, struct buf *out);

#endif
