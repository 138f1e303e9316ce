/* Texts and groups for the types of objects in tables. */
#pragma once

#include "table/cell.h"

/* Returns true if an object has a type, and that is a guess; OBJECT_NONE: false. */
bool typed_is_guess(const struct analysis *analysis, uint32_t object);
/* Returns true if a tenth of objects with one type or more are guesses: fewer leave its name
   unmarked. */
bool typed_are_guessed(uint64_t guessed, uint64_t count);
/* Appends the mark of a guess (type_mark), if the type of an object is one. */
void typed_add_mark_of(const struct analysis *analysis, uint32_t object, struct buf *out);

struct type_group;

/* Keys of similar objects: one type, several values of one type, or a label. */
enum { TYPED_KEY_UNKNOWN };
/* Returns the key of an object. Parts of a map or channel have its key, unless parts are shown
   (analysis_parts). */
size_t typed_key(const struct analysis *analysis, uint32_t object);
/* Appends the name of a key: "main.Session", "[]main.Session", "string data", "map[string]int",
   "~map"; if parts are shown, "[n]main.Session", "map[string]int (header)", "~map header". */
void typed_add_key(const struct analysis *analysis, size_t key, struct buf *out);
/* Appends a type as written in a program, also for the type of a part: "map[string]int",
   "[]main.Session" for `many` values. */
void typed_add_thing(const struct analysis *analysis, gotype_id type, bool many, struct buf *out);

/* A group of objects whose type has the same name; every object belongs to one group. */
struct type_group {
	char *name;
	uint64_t count, bytes, largest;
	uint64_t guessed; /* of `count`: it is a guess that they have the type */
	uint64_t entries; /* total number of entries of these maps or channels */
	bool holds;       /* `entries` is known: they are maps or channels */
	uint64_t waste;   /* bytes of slots beyond the values of the type; 0 for labels */
	bool label; /* the objects have no type: the name is a label that describes their contents */
	uint64_t retained; /* set by type_groups_retain: retained bytes of all together */
	uint32_t number;   /* among the groups of all objects, from 0 on */
};
struct type_groups {
	struct type_group *group;
	size_t count;
	uint32_t *of_key; /* the group of each typed_key; NULL: use the groups of all objects */
	size_t keys;
	bool parts;    /* parts of maps and channels form separate groups */
	bool retained; /* the retained bytes of all groups are known */
};
/* Initializes the groups of all objects, in the order of names. Labels group objects without a
   type. Copies groups that are computed once, after STAGE_TYPED, unless parts are shown. */
void type_groups_init(struct type_groups *groups, const struct analysis *analysis);
/* Initializes the groups of the reachable objects. After STAGE_TYPED and STAGE_REACHED. */
void type_groups_reachable(struct type_groups *groups, const struct analysis *analysis);
void type_groups_fini(struct type_groups *groups);
/* Counts the objects, with or without separate groups for parts of maps and channels; `among`: the
   reachable objects, NULL: all. The caller calls type_groups_fini. */
void type_groups_count(struct type_groups *groups, const struct analysis *analysis, bool parts,
                       const struct reach *among);
/* Returns the types of all objects, with or without parts of maps and channels, computed once and
   sorted by name. NULL: not known yet. */
const struct type_groups *type_groups_all(const struct analysis *analysis, bool parts);
/* Returns the group with a name; NULL: there is none. `groups` may be NULL. */
const struct type_group *type_groups_find(const struct type_groups *groups, const char *name);
/* Stores the group of each object of the heap; the groups, a struct type_groups, must have
   `of_key`. */
void type_groups_of_objects(const void *groups, const struct analysis *analysis,
                            uint32_t *group_of);
/* Stores class_of[object] = of_number[number of its group] for all objects. */
void type_groups_classes(const struct type_groups *groups, const struct analysis *analysis,
                         const uint32_t *of_number, uint32_t *class_of);
/* Computes the retained bytes. Call it after type_groups_init, before groups are removed. Takes
   some tenths of a second for ten million objects, once. False: cancelled. */
bool type_groups_retain(struct type_groups *groups, const struct analysis *analysis,
                        struct progress *progress);
/* Returns the objects whose type has this name, and stores *count. The caller frees the result. */
uint32_t *typed_select(const struct analysis *analysis, const char *name, size_t *count);
/* Appends the name that objects of an array of some length have: "[]byte" for "[12]uint8". False:
   the name is none of such an array. */
bool typed_add_any_length(const char *name, struct buf *out);
/* Returns true if objects have a type or a label with this name, which may begin with the mark of a
   guess. Faster than typed_select for names that nothing has. After STAGE_TYPED. */
bool typed_is_name(const struct analysis *analysis, const char *name);

/* Returns true if the text of an object's type is a label, because it has no type. */
bool typed_is_label(const struct analysis *analysis, uint32_t object);
/* Appends the first package in the name of a type: "net/http" for "[]*net/http.Request";
   "(built in)" if there is none, "(no type)" for a label. */
void typed_add_package(const char *name, bool label, struct buf *out);
/* Returns the rest of a name behind "[n]" or "[12]": "main.Session" for "[n]main.Session"
   and "~[12]main.Session". */
const char *typed_without_count(const char *name);
/* Returns the type with a name, with or without "~", "[n]" or "[12]" before it; 0: none. */
gotype_id typed_named(const struct analysis *analysis, const char *name);

/* Returns true if objects have types or labels yet. */
bool typed_any(const struct analysis *analysis);
/* Appends the name of a type in a log, or "#1d" if the log records only its number. */
void typed_add_log(const struct type_record *type, struct buf *out);
/* Appends the name of the type of an object as written in a program: "main.Session",
   "[]main.Session" for an array of any length, "string data"; for a part of a map, the map, unless
   parts are shown; for an object without a type, its label: "~map" (go/types/label.h). False: not
   known yet. */
bool typed_add_name(const struct analysis *analysis, uint32_t object, struct buf *out);
/* Appends the same for people: "~main.Session" if it is a guess. */
bool typed_add(const struct analysis *analysis, uint32_t object, struct buf *out);
/* Appends the name of the type of the object itself, with the mark of a guess: "[12]main.Session",
   "map[string]int (group)". */
bool typed_add_part(const struct analysis *analysis, uint32_t object, struct buf *out);
/* Returns the code of the name that typed_add_name appends, above 0; of a guess with
   TYPED_CODE_GUESS. A code fits all objects with the same name and mark, if parts are shown as
   they are now. Codes with the bit TYPED_CODE_OTHER are never returned. */
#define TYPED_CODE_GUESS (1ULL << 60)
#define TYPED_CODE_OTHER (1ULL << 59)
uint64_t typed_code(const struct analysis *analysis, uint32_t object);
/* Returns the code of one value of a type. */
static inline uint64_t typed_code_of(gotype_id type)
{
	return (uint64_t)type << 32 | 1;
}
/* Returns true if objects of a code are bytes: of a slice, or of a string. */
bool typed_code_is_bytes(const struct analysis *analysis, uint64_t code);
/* Returns the code of the name of the object itself: that of typed_add_part. */
uint64_t typed_part_code(const struct analysis *analysis, uint32_t object);
/* Appends the name of a code. False: not known yet. */
bool typed_add_code(const struct analysis *analysis, uint64_t code, struct buf *out);
/* Appends it with the mark of a guess. */
bool typed_add_marked(const struct analysis *analysis, uint64_t code, struct buf *out);
/* Appends the package of the name of a code: see typed_add_package. */
void typed_add_code_package(const struct analysis *analysis, uint64_t code, struct buf *out);
/* Returns true if the name of a code, or a key, is a label. */
bool typed_code_is_label(const struct analysis *analysis, uint64_t code);
bool typed_key_is_label(const struct analysis *analysis, size_t key);
bool typed_key_is_bytes(const struct analysis *analysis, size_t key);
/* Appends the package of the type of a group, as typed_add_package. */
void type_group_add_package(const struct type_group *group, struct buf *out);
/* Returns how surely the type of an object is known; KNOWN_NONE: there is only a label. Its name is
   in type_known_names. */
enum type_known typed_known(const struct analysis *analysis, uint32_t object);
/* Returns how surely the type is known in words: "exact" ..., "a label" for KNOWN_NONE. */
const char *typed_level(const struct analysis *analysis, uint32_t object);
/* Returns how the type is known, as a phrase: "a field points to it". */
const char *typed_source(const struct analysis *analysis, uint32_t object);
/* Appends how the type is known: the place that determines it, `*main.Session at
   main.cache["session-0042"]`, or a phrase: "a record of the dump says it". After
   STAGE_REVERSED. */
void typed_add_why(const struct analysis *analysis, uint32_t object, struct buf *out);
/* Appends "  250 entries" for a map or channel that is shown as a whole. */
void typed_add_entries(const struct analysis *analysis, uint32_t object, struct buf *out);
void cell_type(struct value *value, const struct analysis *analysis, uint32_t object);
void cell_type_code(struct value *value, const struct analysis *analysis, uint64_t code);

/* Appends the global variable and the field that contain an address: "main.cache.mu"; for memory
   that a variable points to, an expression: "main.cache.entries[3]" for a slice, "main.config.name"
   for a pointer to a struct. Stores the type of that field in *type (may be NULL), a sync.Map as a
   whole, and the address of its value in *start. `out` may be NULL here and below. False:
   unknown. */
bool typed_add_global_from(const struct analysis *analysis, uint64_t address, gotype_id *type,
                           uint64_t *start, struct buf *out);
bool typed_add_global(const struct analysis *analysis, uint64_t address, gotype_id *type,
                      struct buf *out);
/* Appends the variable of a frame that contains an address: "job.req". *type is 0 if only the
   variable is known. */
bool typed_add_local(const struct analysis *analysis, const struct frame_record *frame,
                     uint64_t address, gotype_id *type, struct buf *out);

/* Reachable objects, counted by how their type is known, and those without a type by how their
   label was derived. */
struct typed_count {
	uint64_t objects, bytes;
};
struct typed_totals {
	struct typed_count known[KNOWN_COUNT], labelled[LABEL_CLASSES];
};
struct typed_totals typed_totals(const struct analysis *analysis);
/* For an empty table whose rows depend on the types of objects: appends to its note how many
   reachable objects have no known type, any of which may be `what`, such as "a context". If these
   are more than a few, sets rows->unknown. After STAGE_TYPED and STAGE_REACHED. False: all objects
   have a type, so there is none. */
bool typed_doubt(struct rows *rows, const char *what);
