/* What may be taken away: all that table/operand.h names, a variable or a goroutine with all that
   it holds; and references,

     0xc000012340>0xc000056780  those from one object to another

   An address may also be that of the word of a variable or a frame. */
#ifndef TABLE_WHAT_IF_PART_H
#define TABLE_WHAT_IF_PART_H

#include "analysis/analysis.h"
#include "analysis/what_if.h"

struct what_if_part {
	enum {
		WHAT_IF_OBJECT,
		WHAT_IF_REFERENCE,
		WHAT_IF_ROOT_NODE,
		WHAT_IF_ROOT,
		WHAT_IF_MEMORY,
		WHAT_IF_GROUP
	} kind;
	uint32_t node; /* object, index of a root node, root, or group; of memory the first root in it
	                */
	uint32_t to;   /* of a reference */
	uint64_t address, size; /* of memory outside of the heap: every root in it */
};

/* Reads one, and moves *text behind it. After STAGE_DOMINATED. */
bool what_if_part_read(const struct analysis *analysis, const char **text,
                       struct what_if_part *what_if_part, struct err *err);
/* Appends what it is called: "main.Node.Next to main.Node 0xc000056780". */
void what_if_part_add_name(const struct analysis *analysis, const struct what_if_part *what_if_part,
                           struct buf *out);
/* Appends how the root of a path is written. */
void what_if_part_add_root(const struct analysis *analysis, uint32_t root, struct buf *out);
void what_if_part_take(const struct analysis *analysis, const struct what_if_part *what_if_part,
                       struct what_if *what_if);

#endif
