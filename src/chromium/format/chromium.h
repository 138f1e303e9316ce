/* Data that the reader of Chromium traces collects until the end of the file, since names may come
   before or after their use. */
#pragma once

#include "format/format.h"
#include "format/heap_profile.h"

/* Kinds of ids. Each process has its own ids of each kind; the newer dialect has its own kinds. */
enum id_kind { ID_FRAME, ID_TYPE, ID_NODE, ID_NODE_TYPE, ID_STRING, ID_KINDS };

struct definition {
	uint32_t name;   /* for nodes and their types: the id of a string */
	uint32_t parent; /* an id; 0: none */
	uint32_t frame;  /* set once resolved */
	uint8_t kind, state;
	uint32_t process;
};

enum dialect { DIALECT_SELF, DIALECT_CUMULATIVE, DIALECT_V2 };

struct raw_entry {
	uint32_t frame, type; /* ids; 0: none */
	uint64_t size, count;
};

struct raw_heap {
	enum dialect dialect;
	bool counted, has_time;
	uint64_t offset, time;
	uint32_t process;                    /* index into chromium.process */
	uint32_t dump, dump_kind, allocator; /* names */
	size_t first, count;                 /* range of its entries */
	uint64_t total; /* self sizes only: total that the heap declares; 0: none */
};

struct process {
	uint64_t pid;
	uint32_t name;
	uint64_t dumps;
	bool has_types;
};

struct chromium {
	const struct sink *sink;
	struct heap_profiles *heap_profiles;
	struct definition *definition;
	size_t definition_count, definition_capacity;
	struct map definitions; /* (process, kind), id -> index */
	struct raw_entry *entry;
	size_t entry_count, entry_capacity;
	struct raw_heap *heap;
	size_t heap_count, heap_capacity;
	struct process *process;
	size_t process_count, process_capacity;
	struct map processes;    /* pid -> index */
	struct map taken;        /* (dump, process) pairs that already have heaps */
	uint64_t orphans, loops; /* frames without a known parent, frames in cycles */
	uint64_t events;
};

/* Defines an id. Returns false if it is already defined differently; the first definition
   counts. */
bool chromium_define(struct chromium *c, uint32_t process, enum id_kind kind, uint32_t id,
                     uint32_t name, uint32_t parent);
/* Return the frame or type of an id; false: unknown. */
bool chromium_frame(struct chromium *c, uint32_t process, enum id_kind kind, uint32_t id,
                    uint32_t *frame);
bool chromium_type(struct chromium *c, uint32_t process, enum id_kind kind, uint32_t id,
                   uint32_t *name);
/* Builds heap profiles from all heaps. */
void chromium_resolve(struct chromium *c);
