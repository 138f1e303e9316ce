/* Operands: the names of things in a dump, in arguments and links alike:

     0xc000012340               the object that contains an address, or the memory there
     goroutine 17, goroutine=17 a thread; followed by a function and a line, a frame; followed
                                by a variable, its value
     group=3, main.serve        all threads of a group; those with a function on their stacks
     main.cache                 a global variable
     data+0x18c8, main.x+0x8    a word of a segment or variable, if no more is known; the package
                                that uses it may precede it (table/naming/variable_user.h)
     @17, root=12               a root node, a root; only links use these
     main.jobs[*]               a place that tables print, of several objects: the first of them
     main.Session, 9 × main.Job the objects of a type: the first of them
     18 × finalizer, main.a and main.b
                                a shared set as the table owners prints it: its first object
     timer in 60 min, select    the threads that wait so, as tables print it
     finalizer of 0xc000012340  any other root as it is printed
     main.Session 0xc000012340  an object as it is printed
     main.cluster.Nodes[0]      an expression (table/naming/expression.h) that begins with a
   variable, a word of a frame or an address

   and every path that is printed (table/naming/step.h). */
#pragma once

#include "table/naming/expression.h"

enum operand_kind {
	OPERAND_ADDRESS,   /* `address`, as written */
	OPERAND_THREAD,    /* `index` in heap->threads */
	OPERAND_GROUP,     /* `index` in analysis_groups(analysis) */
	OPERAND_FRAME,     /* `index` in heap->frames */
	OPERAND_ROOT_NODE, /* `index` of a root node */
	OPERAND_ROOT,      /* `index` in heap->roots */
	OPERAND_VALUE      /* `value` */
};

struct operand {
	enum operand_kind kind;
	uint32_t index;
	uint64_t address;
	struct expression value;
	uint64_t size;           /* of a variable or word without steps after it, else 0 */
	uint32_t root;           /* the word of a frame that it begins with; UINT32_MAX: none */
	const char *start, *end; /* of its text */
	/* of several objects, of which this is the first: "at=", "type=" or one of the two below, which
	   makes a set of its text (operand_add_set); else NULL */
	const char *set;
};
#define OPERAND_OF_THREADS "threads="
#define OPERAND_OF_ROOTS   "roots="

/* Parses the operand at the start of *text, and advances *text past it and the blanks that follow.
   Anything but an address or a thread's number requires STAGE_TYPED. False: *err says which step
   failed. With `err` NULL nothing is computed for it that is not known: no place without [*]. */
bool operand_read(const struct analysis *analysis, const char **text, struct operand *operand,
                  struct err *err);
/* Appends the set of all objects of an operand (table/contents/object_set.h), of which it is the
   first: "at=main.jobs[*]". */
void operand_add_set(const struct operand *operand, struct buf *out);
/* Returns the threads that a text begins with the name of, allocated: those of a group ("group=3"),
   or with a function on their stacks ("main.serve"); stores the length of the name and their
   number. NULL: there are none. After STAGE_TYPED. */
uint32_t *operand_threads(const struct analysis *analysis, const char *text, size_t *length,
                          size_t *count);
/* Returns the stages without which places and types are no operands. */
unsigned operand_set_needs(void);
/* Returns true if all words can be resolved before STAGE_TYPED: addresses, numbers, and settings as
   in "type=NAME". */
bool operand_is_plain(const char *text);

/* Stores the object that an operand is or points to; for a thread, its descriptor; for memory
   outside of the heap, the only object that it points to. False: *err. */
bool operand_object(const struct analysis *analysis, const struct operand *operand, uint32_t *id,
                    struct err *err);
/* Stores the node of an operand (analysis/root_nodes.h): variables, threads and frames are nodes
   themselves. After STAGE_DOMINATED. False: *err. */
bool operand_node(const struct analysis *analysis, const struct operand *operand, uint32_t *node,
                  struct err *err);
/* Stores the address of the first byte of an operand in an object, a variable or a frame; for a
   value that points to an object, the address of the object. */
bool operand_address(const struct analysis *analysis, const struct operand *operand,
                     uint64_t *address, struct err *err);
/* Returns the offset of the operand's first byte in the object that it resolves to. */
uint64_t operand_inside(const struct analysis *analysis, const struct operand *operand,
                        uint32_t object);
/* Returns the nodes of an operand, ascending: the threads of a group, else one node. The caller
   frees the result. NULL: *err. */
uint32_t *operand_nodes(const struct analysis *analysis, const struct operand *operand,
                        size_t *count, struct err *err);
/* Stores the memory outside of the heap that a variable occupies or points to. False: there is
   none. */
bool operand_memory(const struct analysis *analysis, const struct operand *operand,
                    uint64_t *address, uint64_t *size);
/* Appends the value of an operand that neither is nor points to an object, such as a lock or a
   number in a variable: "main.reg.mu is locked, 250 wait (sync.RWMutex)". False: `argument` is no
   such value, or its type is unknown. After STAGE_TYPED. */
bool operand_tell_value(const struct analysis *analysis, const char *argument, struct buf *out);
/* Appends what an argument is that names something which is no object of the heap: a value as
   above, a variable, code, a word of a stack, a function that no thread is in, a type without
   objects: a sentence without a full stop. False: it names nothing. */
bool operand_tell(const struct analysis *analysis, const char *argument, struct buf *out);
/* Appends where an address is that is no object's: "in the variable main.mu+0x8", "in the function
   main.serve a.go:12"; nothing if that is not known. */
void operand_add_place(const struct analysis *analysis, uint64_t address, struct buf *out);
/* Returns true if the operand is memory outside of the heap, so that operand_object returns only
   what that memory points to. For example, a variable that points to a static value. Stores
   *address. */
bool operand_is_static(const struct analysis *analysis, const struct operand *operand,
                       uint64_t *address);
/* Returns the number of roots of global variables in [address, address + size), and stores the
   index of the first. */
uint32_t operand_roots(const struct heap *heap, uint64_t address, uint64_t size, uint32_t *first);

/* Returns true if the text of a root (table/naming/root.h) resolves to it, and to no other root. */
bool root_is_clear(const struct analysis *analysis, const struct root *root);

/* Appends "; the program's executable is not there, which names variables", if that is so of a
   program in Go, or it has no symbols. */
void operand_add_nameless(const struct analysis *analysis, struct buf *out);
