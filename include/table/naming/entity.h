/* Names for everything that a row, a line of a page or a link can be about.

   An entity is a kind and a number. src/table/naming/entity.c defines for each kind its name, its
   form on the command line, the command that opens it, and the object that it stands for. An entity
   is a plain value: there is nothing to free, and it is valid as long as the analysis. Names
   contain what is known so far; names of root nodes require STAGE_DOMINATED. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct analysis;
struct buf;
struct heap;
struct root;
struct thread;

enum entity_kind {
	ENTITY_NONE,
	ENTITY_OBJECT,
	ENTITY_ROOT,    /* index in heap->roots: the word that holds the pointer */
	ENTITY_POINTER, /* the same index, for the pointer: it stands for the target object */
	/* index in root_nodes: a variable, thread, frame ... and all that it references */
	ENTITY_ROOT_NODE,
	ENTITY_THREAD,     /* index in heap->threads */
	ENTITY_GROUP,      /* index in analysis_groups */
	ENTITY_OS_THREAD,  /* index in heap->os_threads; extra: index of its thread, UINT32_MAX: none */
	ENTITY_DEFER,      /* index in heap->defers */
	ENTITY_PANIC,      /* index in heap->panics */
	ENTITY_ALLOC_SITE, /* index in heap->profiles */
	ENTITY_REFERENCE,  /* object; extra: the object that it references */
	ENTITY_MEMORY,     /* index of the first root in it; extra: number of roots */
	ENTITY_KINDS
};

struct entity {
	enum entity_kind kind;
	uint32_t id;
	uint64_t extra;
};

/* Returns ENTITY_NONE for OBJECT_NONE. */
struct entity entity_of_object(uint32_t object);
/* Returns the object or root node of a node (analysis/root_nodes.h). */
struct entity entity_of_node(const struct analysis *analysis, uint32_t node);
/* These return ENTITY_NONE for NULL. */
struct entity entity_of_root(const struct heap *heap, const struct root *root);
struct entity entity_of_pointer(const struct heap *heap, const struct root *root);

/* Appends the name of an entity that stands alone: "main.cache", "main.worker
   server.go:42 +0x28" behind its thread, "finalizer of 0xc000012340", "everything". For an object,
   appends its type, or nothing. */
void entity_add_name(const struct analysis *analysis, struct entity entity, struct buf *out);
/* Appends the name for use in a sentence, or below its owner: "main.Session 0xc000012340",
   "main.serve server.go:42", "req". */
void entity_add_label(const struct analysis *analysis, struct entity entity, struct buf *out);
/* Appends the type of an object, of a variable, or of the word of a frame. False: unknown. */
bool entity_add_type(const struct analysis *analysis, struct entity entity, struct buf *out);
/* Returns the kind as JSON and CSV show it: "object", "global", "frame" ... */
const char *entity_word(const struct analysis *analysis, struct entity entity);

/* Returns a key for similar objects and root nodes: objects of one type (of one size if the type is
   unknown), threads with the same stack, finalizers ... Any other root node has a key of its
   own. */
uint64_t entity_key(const struct analysis *analysis, struct entity entity);
/* Appends the name of the entities with that key: "main.Session", "[n]int", "object of 48 B", or a
   thread by its function. */
void entity_add_alike(const struct analysis *analysis, struct entity entity, struct buf *out);
/* Appends the command that lists the root nodes similar to a root node; nothing for objects. */
void entity_link_alike(const struct analysis *analysis, struct entity entity, struct buf *command);

/* Appends the entity as an argument (table/naming/operand.h parses it): "0xc000012340", "@17";
   nothing if it has no such form. */
void entity_add_argument(const struct analysis *analysis, struct entity entity, struct buf *out);
/* Appends the command that opens the entity; nothing if there is none. */
void entity_link(const struct analysis *analysis, struct entity entity, struct buf *command);

/* Returns the object that the entity stands for; OBJECT_NONE: none. */
uint32_t entity_object(const struct analysis *analysis, struct entity entity);
/* Returns the address of the entity or of its target; 0: none. */
uint64_t entity_address(const struct analysis *analysis, struct entity entity);
/* Return the root of an entity, and the thread that it is or belongs to; NULL: none. */
const struct root *entity_root(const struct analysis *analysis, struct entity entity);
/* Returns the root that is a word of a global variable; NULL: the entity is something else. */
const struct root *entity_variable(const struct analysis *analysis, struct entity entity);
const struct thread *entity_thread(const struct analysis *analysis, struct entity entity);
