/* The one place that names things: what a row, a line of a page or a link is about.

   Everything that can be named is a kind and a number; what it is called, how it is written for the
   shell, which command opens it and what it stands for are said once a kind, in src/table/entity.c.
   An entity is a value: nothing to free, and good for as long as the analysis is. Names say what is
   known so far; those of root nodes can be asked for after STAGE_DOMINATED. */
#ifndef TABLE_ENTITY_H
#define TABLE_ENTITY_H

#include "analysis/analysis.h"

enum entity_kind {
	ENTITY_NONE,
	ENTITY_OBJECT,
	ENTITY_ROOT,       /* index in heap->roots: where the pointer stands */
	ENTITY_POINTER,    /* the same, as the pointer: it stands for the object that it leads to */
	ENTITY_ROOT_NODE,  /* index in root_nodes: variable, goroutine, frame ... with all it holds */
	ENTITY_GOROUTINE,  /* index in heap->goroutines */
	ENTITY_GROUP,      /* of goroutines: index in groups */
	ENTITY_THREAD,     /* index in heap->threads; extra: that of its goroutine, UINT32_MAX: none */
	ENTITY_DEFER,      /* index in heap->defers */
	ENTITY_PANIC,      /* index in heap->panics */
	ENTITY_ALLOC_SITE, /* index in heap->profiles */
	ENTITY_REFERENCE,  /* object; extra: the object that it refers to */
	ENTITY_MEMORY,     /* index of the first root in it; extra: how many roots are */
	ENTITY_KINDS
};

struct entity {
	enum entity_kind kind;
	uint32_t id;
	uint64_t extra;
};

/* ENTITY_NONE for OBJECT_NONE. */
struct entity entity_of_object(uint32_t object);
/* Of a node (analysis/root_nodes.h): an object or a root node. */
struct entity entity_of_node(const struct analysis *analysis, uint32_t node);
/* ENTITY_NONE for NULL. */
struct entity entity_of_root(const struct heap *heap, const struct root *root);
struct entity entity_of_pointer(const struct heap *heap, const struct root *root);

/* Appends what it is called where it stands alone: "main.cache", "goroutine 17", "goroutine 17
   main.worker server.go:42 +0x28", "finalizer of 0xc000012340", "everything"; of an object its
   type, or nothing. */
void entity_add_name(const struct analysis *analysis, struct entity entity, struct buf *out);
/* The same in a sentence, or below what holds it: "main.Session 0xc000012340", "goroutine 17
   main.worker", "main.serve server.go:42", "req". */
void entity_add_label(const struct analysis *analysis, struct entity entity, struct buf *out);
/* The type of an object, a variable, or what a word of a frame holds; false: not known. */
bool entity_add_type(const struct analysis *analysis, struct entity entity, struct buf *out);
/* What kind of thing it is, in JSON and CSV: "object", "global", "goroutine" ... */
const char *entity_word(const struct analysis *analysis, struct entity entity);

/* Of objects and root nodes: those of one key are alike, which are objects of one type (of one size
   where that is not known), goroutines with one stack, finalizers ... Each other root node is only
   like itself. */
uint64_t entity_key(const struct analysis *analysis, struct entity entity);
/* What those that are like it are called: "main.Session", "[n]int", "object of 48 B", "goroutine
   main.worker". */
void entity_add_alike(const struct analysis *analysis, struct entity entity, struct buf *out);
/* Appends the command that lists those that are like a root node; nothing for objects. */
void entity_link_alike(const struct analysis *analysis, struct entity entity, struct buf *command);

/* Appends how it is written as an argument (table/operand.h reads it): "0xc000012340", "@17",
   "goroutine=17"; nothing where it cannot be. */
void entity_add_argument(const struct analysis *analysis, struct entity entity, struct buf *out);
/* Appends the command that opens it: its page where it has one; nothing where none does. */
void entity_link(const struct analysis *analysis, struct entity entity, struct buf *command);

/* The object that it stands for; OBJECT_NONE: none. */
uint32_t entity_object(const struct analysis *analysis, struct entity entity);
/* Where it is, or what it leads to is, in memory; 0: nowhere. */
uint64_t entity_address(const struct analysis *analysis, struct entity entity);
/* The root that it is, and the goroutine that it is or is of; NULL: none. */
const struct root *entity_root(const struct analysis *analysis, struct entity entity);
/* Returns the root that is a word of a global variable; NULL: the entity is something else. */
const struct root *entity_variable(const struct analysis *analysis, struct entity entity);
const struct goroutine *entity_goroutine(const struct analysis *analysis, struct entity entity);

#endif
