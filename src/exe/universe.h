/* Inside of the universe: types are first declared, which gives them an id, then read one after the
   other, so that neither cycles nor depth matter. Private to src/exe. */
#ifndef EXE_UNIVERSE_H
#define EXE_UNIVERSE_H

#include "base/map.h"
#include "dwarf_index.h"
#include "exe/gotypes.h"
#include "rtype.h"

struct declared {
	gotype_id id;
	bool dwarf; /* `where` is the offset of a DIE, not the address of a descriptor */
	uint64_t where;
};

/* More than any program has; a hostile file is stopped here. */
enum { MAX_TYPES = 1 << 21, MAX_FIELDS = 1 << 23, MAX_NAME_BYTES = 1 << 28 };

struct gotypes {
	const struct image *image;
	struct gotype *types; /* columns: they never move */
	struct gofield *fields;
	uint32_t count, field_count, checked;
	struct map by_die, by_rtype;
	struct map slots; /* map type -> type of its bucket or group, as the runtime's table says */
	const struct gotypes_runtime *runtime; /* NULL: not known */
	const struct pclntab *functions;       /* NULL: not known */
	struct map channels;                   /* type of elements -> type behind a chan */
	struct map rows;                       /* hash of name, element, count -> type */
	struct map closures;                   /* entry -> type, and whether it is exact */
	struct map by_name;                    /* hash -> address of the descriptor; */
	bool named;                            /* filled? */
	struct declared *queue;
	size_t queued, queue_capacity;
	unsigned minor;            /* of Go's version: 24 of go1.24.4; 0: not known */
	struct dwarf_index *dwarf; /* NULL: the file has none */
	struct debug_damage damage;
	uint64_t settled[DEBUG_PARTS]; /* damage.lost when gotypes_complete came last */
	struct rtypes table;           /* base 0: not found */
	bool complete;
	char **names; /* made here */
	size_t name_count, name_capacity, name_bytes;
	struct exe_global *globals; /* NULL: not yet asked for */
	size_t global_count;
};

/* A new type without contents, 0 when there are too many. */
gotype_id universe_add(struct gotypes *types);
/* One field more of a type; all of a type's are added before those of another. False: there are too
   many. */
bool universe_add_field(struct gotypes *types, gotype_id id, struct gofield field);
/* A copy that lives as long as the universe; "" once copies take more memory than any program's
   would. */
const char *universe_keep(struct gotypes *types, const char *name, size_t len);
gotype_id universe_declare(struct gotypes *types, bool dwarf, uint64_t where);
/* Reads what was declared and all it refers to, and puts right what cannot be. */
void universe_settle(struct gotypes *types);
void universe_check(struct gotypes *types);

#endif
