/* What tables say of the types of objects. */
#ifndef TABLE_TYPED_H
#define TABLE_TYPED_H

#include "table/cell.h"

/* Objects that are alike have one key: of a type, of several values of one type, of a label. */
enum { TYPED_KEY_UNKNOWN };
/* Parts of a map or channel have its key, unless parts are shown (analysis_parts). */
size_t typed_key(const struct analysis *analysis, uint32_t object);
/* "main.Session", "[]main.Session", "string data", "map[string]int", "~map"; where parts are shown,
   "[n]main.Session", "map[string]int (header)", "~map header" */
void typed_add_key(const struct analysis *analysis, size_t key, struct buf *out);
/* Makes of the name of a part that of the whole: "map[string]int" of "*map[string]int (table)". */
void typed_leave_part(struct buf *out, size_t from);
/* A type as the program has it, also where it is that of a part: "map[string]int", "[]main.Session"
   for `many` of them. */
void typed_add_thing(const struct analysis *analysis, gotype_id type, bool many, struct buf *out);

/* Types by their names: every object is of one group. */
struct type_group {
	char *name;
	uint64_t count, bytes, largest;
	uint64_t entries;  /* in all the maps or channels that they are */
	bool holds;        /* that is known: they are such */
	uint64_t waste;    /* bytes of slots that no value of the type uses; not of labels */
	bool label;        /* the objects have no type: this is what they look like */
	uint64_t retained; /* after type_groups_retain: what they retain, no byte twice */
};
struct type_groups {
	struct type_group *group;
	size_t count;
	uint32_t *of_key; /* by typed_key: its group; NULL: those of all objects know */
	size_t keys;
	bool parts;    /* parts of maps and channels are groups of their own */
	bool retained; /* of all groups, what they retain is known */
};
/* Of all objects, in the order of the names. Those without a type are grouped by their labels. Made
   once, after STAGE_TYPED and unless parts are shown; this is a copy. */
void type_groups_init(struct type_groups *groups, const struct analysis *analysis);
/* The same of those that are reachable. */
void type_groups_reachable(struct type_groups *groups, const struct analysis *analysis);
void type_groups_fini(struct type_groups *groups);
/* After type_groups_init, before groups are left out. Some tenths of a second for ten million
   objects, once. False: cancelled. */
bool type_groups_retain(struct type_groups *groups, const struct analysis *analysis,
                        struct progress *progress);
/* The objects of the type with this name: *count ids, free() them. */
uint32_t *typed_select(const struct analysis *analysis, const char *name, size_t *count);

/* Appends the first package that the types of a group have in their names: "net/http" of
   "[]*net/http.Request"; "(built in)" where there is none, "(no type)" of labels. */
void type_group_add_package(const struct type_group *group, struct buf *out);
/* "main.Session" of "[n]main.Session" and of "[12]main.Session": the rest of the name. */
const char *typed_without_count(const char *name);
/* A type by its name, with or without "[n]" or "[12]" before it; 0: none. */
gotype_id typed_named(const struct analysis *analysis, const char *name);

/* Do objects have types or labels, yet? */
bool typed_any(const struct analysis *analysis);
/* Appends the name of a type of a log, or "#1d" where the log has only its number. */
void typed_add_log(const struct type_record *type, struct buf *out);
/* Appends the type of an object as a program names it: "main.Session", "[]main.Session" of an array
   however long, "string data", of a part of a map that map, unless parts are shown; of an object
   without a type its label: "~map" (types/label.h). False: these are not there yet. */
bool typed_add(const struct analysis *analysis, uint32_t object, struct buf *out);
/* The same of the object alone: "[12]main.Session", "map[string]int (group)". */
bool typed_add_part(const struct analysis *analysis, uint32_t object, struct buf *out);
/* For objects with the same key that appends the same; 0: that is not known. */
uint64_t typed_text_key(const struct analysis *analysis, uint32_t object);
/* How surely the type of an object is known; KNOWN_NONE: there is only a label. Its name is in
   type_known_names. */
enum type_known typed_known(const struct analysis *analysis, uint32_t object);
/* Returns how surely the type is known in words: "exact" ..., "a label" for KNOWN_NONE. */
const char *typed_level(const struct analysis *analysis, uint32_t object);
/* Why it is known, a phrase: "a field points to it". */
const char *typed_source(const struct analysis *analysis, uint32_t object);
/* Appends why it is known: the place that says it, `*main.Session at main.cache["session-0042"]`,
   or a phrase: "a record of the dump says it". After STAGE_REVERSED. */
void typed_add_why(const struct analysis *analysis, uint32_t object, struct buf *out);
/* Appends "  250 entries" of a map or channel that is shown as one. */
void typed_add_entries(const struct analysis *analysis, uint32_t object, struct buf *out);
void cell_type(struct value *value, const struct analysis *analysis, uint32_t object);

/* The global variable and its field that an address of the dump lies in: "main.cache.mu"; of what a
   variable points at, as Go writes it: "main.cache.entries[3]" of a slice, "main.config.name" of a
   pointer to a struct. False: not known. *type (may be NULL) is the type of that field; a sync.Map
   is one. *start: where its value begins. */
bool typed_add_global_from(const struct analysis *analysis, uint64_t address, gotype_id *type,
                           uint64_t *start, struct buf *out);
bool typed_add_global(const struct analysis *analysis, uint64_t address, gotype_id *type,
                      struct buf *out);
/* The same of the variable of a frame: "job.req". *type is 0 where only the variable is known. */
bool typed_add_local(const struct analysis *analysis, const struct frame_record *frame,
                     uint64_t address, gotype_id *type, struct buf *out);

/* Reachable objects by how well their type is known, and those without one by what their label
   goes by. */
struct typed_count {
	uint64_t objects, bytes;
};
struct typed_totals {
	struct typed_count known[KNOWN_COUNT], labelled[LABEL_CLASSES];
};
struct typed_totals typed_totals(const struct analysis *analysis);
/* For a table without rows, which are found by the types of objects: appends to its note how many
   reachable objects have no known type, so that one of them may be `what`, such as "a context";
   where these are more than a few, rows->unknown has their number. After STAGE_TYPED and
   STAGE_REACHED. False: all have one, and there is none. */
bool typed_doubt(struct rows *rows, const char *what);

#endif
