/* Internals of struct gotypes: types are first declared, which assigns ids, then read from a queue,
   so that cycles and depth do not matter. Private to src/go/exe. */
#pragma once

#include "base/map.h"
#include "dwarf_index.h"
#include "go/exe/gotypes.h"
#include "rtype.h"

struct declared {
	gotype_id id;
	bool dwarf; /* `where` is the key of a DIE (dwarf_files.h), else the address of a descriptor */
	uint64_t where;
};

/* Limits for malformed files; no program reaches them. */
enum { MAX_TYPES = 1 << 21, MAX_FIELDS = 1 << 23, MAX_NAME_BYTES = 1 << 28 };

struct gotypes {
	const struct image *image;
	struct gotype *types; /* columns: they never move */
	struct gofield *fields;
	uint32_t count, field_count, checked;
	struct map by_die, by_rtype;
	struct map slots; /* map type -> bucket or group type from the runtime's table */
	const struct gotypes_runtime *runtime; /* NULL: not known */
	const struct pclntab *functions;       /* NULL: not known */
	struct map channels;                   /* element type -> struct behind a chan */
	struct map rows;                       /* hash of name, element, count -> type */
	struct map closures;                   /* entry -> type, and whether it is exact */
	struct map by_name;                    /* hash of the name -> address of the descriptor */
	bool named;                            /* by_name is filled */
	struct declared *queue;
	size_t queued, queue_capacity;
	unsigned minor;             /* Go minor version: 24 for go1.24.4; 0: not known */
	struct dwarf_index *dwarf;  /* of the image; NULL: it has none */
	struct dwarf_index **files; /* that, and those of its parts: NULL where there is none */
	size_t file_count;
	struct dwarf_index *reading; /* the one whose DIEs are read */
	struct debug_damage damage;
	struct debug_damage *part_damage; /* of opening files after the first */
	uint64_t settled[DEBUG_PARTS];    /* damage.lost at the last gotypes_complete */
	struct rtypes table;              /* base 0: not found */
	bool complete;
	char **names; /* names allocated here */
	size_t name_count, name_capacity, name_bytes;
	struct exe_global *globals; /* NULL: not requested yet */
	size_t global_count;
};

/* Returns a new empty type; 0: too many types. */
gotype_id universe_add(struct gotypes *types);
/* Adds a field. All fields of a type must be added before those of another. Returns false if there
   are too many. */
bool universe_add_field(struct gotypes *types, gotype_id id, struct gofield field);
/* Returns a copy that lives as long as the types; "" once copies exceed MAX_NAME_BYTES. */
const char *universe_keep(struct gotypes *types, const char *name, size_t len);
gotype_id universe_declare(struct gotypes *types, bool dwarf, uint64_t where);
/* Reads declared types and all that they refer to, and corrects impossible ones. */
void universe_settle(struct gotypes *types);
void universe_check(struct gotypes *types);
/* Sets the instances of types of generic code, once all types are read. */
void instances_find(struct gotypes *types);
