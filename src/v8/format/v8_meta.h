/* What the header of a heap snapshot tells: where the fields of a node and of an edge are, and what
   the numbers of their types mean. */
#pragma once

#include "v8_json.h"

#include "base/err.h"

enum { V8_FIELDS = 32, V8_TYPES = 64 };

enum v8_node_type {
	V8_OBJECT,
	V8_NATIVE,
	V8_CLOSURE,
	V8_CODE,
	V8_REGEXP,
	V8_SYNTHETIC, /* the root and the groups of roots */
	V8_OTHER_NODE
};

enum v8_edge_type {
	V8_ELEMENT, /* it has an index, as has the next one; others have names */
	V8_HIDDEN,
	V8_INTERNAL,
	V8_SHORTCUT, /* it retains only from the root */
	V8_WEAK,
	V8_NAMED, /* properties and variables of contexts */
};

/* Fields are the positions in struct v8_meta; `fields` says how many numbers there are in all. */
struct v8_meta {
	unsigned node_fields, type, name, id, self_size, edge_count;
	unsigned edge_fields, edge_type, edge_name, to_node;
	struct text node_type_name[V8_TYPES];
	uint8_t node_type[V8_TYPES], edge_type_of[V8_TYPES]; /* by the number in the file */
	unsigned node_types, edge_types;
	bool has_counts[2];
	uint64_t counts[2]; /* of nodes and edges, as the header claims */
};

/* Reads the value of "snapshot". Returns false with *err if it does not tell all of this. */
bool v8_meta_read(struct v8_json *json, struct v8_meta *meta, struct err *err);
