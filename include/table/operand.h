/* What people and links write to name a thing of a dump, everywhere the same:

     0xc000012340               the object that an address lies in, or whatever is there
     goroutine 17, goroutine=17 a goroutine; with a function and a line a frame, with a word of that
                                what is in it
     group=3                    all goroutines of a group, where holders are asked for
     main.cache                 a global variable
     data+0x18c8, main.x+0x8    a word of one, where no more is known; also with the package that
                                uses it before it (table/variable_user.h)
     @17, root=12               a node of the tree of owners, a root: what links write
     main.cluster.Nodes[0]      an expression (table/expression.h), from a variable, a word of a
                                frame or an address on

   and every path that is printed (table/step.h). */
#ifndef TABLE_OPERAND_H
#define TABLE_OPERAND_H

#include "table/expression.h"

enum operand_kind {
	OPERAND_ADDRESS,   /* `address`, as it was written */
	OPERAND_GOROUTINE, /* `index` in heap->goroutines */
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
	uint64_t size;           /* of a variable or word without steps behind it, else 0 */
	uint32_t root;           /* the word of a frame that it began with; UINT32_MAX: none */
	const char *start, *end; /* of its text */
};

/* Reads the one that *text begins with, and moves *text behind it and the blanks that follow. What
   is not an address or a goroutine's number needs STAGE_TYPED. False: *err, a sentence that says
   which step failed. */
bool operand_read(const struct analysis *analysis, const char **text, struct operand *operand,
                  struct err *err);
/* Are these words understood before STAGE_TYPED: addresses, numbers, and settings as in
   "type=NAME"? */
bool operand_is_plain(const char *text);

/* What it means where one object is wanted: the one that it is, or leads to; of a goroutine its
   descriptor; of memory outside of the heap the only one that this leads to. */
bool operand_object(const struct analysis *analysis, const struct operand *operand, uint32_t *id,
                    struct err *err);
/* What it means where something that holds is wanted (analysis/root_nodes.h): a variable, a
   goroutine and a frame themselves. After STAGE_DOMINATED. */
bool operand_node(const struct analysis *analysis, const struct operand *operand, uint32_t *node,
                  struct err *err);
/* The first byte that is meant, in an object, a variable or a frame: of what leads to an object,
   that object's. */
bool operand_address(const struct analysis *analysis, const struct operand *operand,
                     uint64_t *address, struct err *err);
/* The same within the object that it means. */
uint64_t operand_inside(const struct analysis *analysis, const struct operand *operand,
                        uint32_t object);
/* The same of several: the goroutines of a group, else the one node. *nodes are ascending, free()
   them; NULL: *err. */
uint32_t *operand_nodes(const struct analysis *analysis, const struct operand *operand,
                        size_t *count, struct err *err);
/* The memory outside of the heap that a variable is, or that it points to; false: it is none. */
bool operand_memory(const struct analysis *analysis, const struct operand *operand,
                    uint64_t *address, uint64_t *size);
/* Appends what a value is that neither is nor points to an object, such as a lock or a number in a
   variable: "main.reg.mu is locked, 250 wait (sync.RWMutex)". False: `argument` is no such value,
   or its type is not known. After STAGE_TYPED. */
bool operand_tell_value(const struct analysis *analysis, const char *argument, struct buf *out);
/* Is the object that operand_object gives only what the memory at *address, outside of the heap,
   points to? Such as where a variable points to a static value. */
bool operand_is_static(const struct analysis *analysis, const struct operand *operand,
                       uint64_t *address);
/* The first root in [address, address + size) of global variables, and how many there are. */
uint32_t operand_roots(const struct heap *heap, uint64_t address, uint64_t size, uint32_t *first);

/* Does the text of a root (table/root.h) lead back to it, and to no other? */
bool root_is_clear(const struct analysis *analysis, const struct root *root);

#endif
