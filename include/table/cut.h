/* What may be taken away: all that table/operand.h names, a variable or a goroutine with all that
   it holds; and references,

     0xc000012340>0xc000056780  those from one object to another

   An address may also be that of the word of a variable or a frame. */
#ifndef TABLE_CUT_H
#define TABLE_CUT_H

#include "analysis/analysis.h"
#include "analysis/without.h"

struct cut {
	enum { CUT_OBJECT, CUT_REFERENCE, CUT_ANCHOR, CUT_ROOT, CUT_MEMORY, CUT_GROUP } kind;
	uint32_t node; /* object, index of an anchor, root, or group; of memory the first root in it */
	uint32_t to;   /* of a reference */
	uint64_t address, size; /* of memory outside of the heap: every root in it */
};

/* Reads one, and moves *text behind it. After STAGE_DOMINATED. */
bool cut_read(const struct analysis *analysis, const char **text, struct cut *cut,
              struct err *err);
/* Appends what it is called: "main.Node.Next to main.Node 0xc000056780". */
void cut_add_name(const struct analysis *analysis, const struct cut *cut, struct buf *out);
/* Appends how the root of a path is written. */
void cut_add_root(const struct analysis *analysis, uint32_t root, struct buf *out);
void cut_take(const struct analysis *analysis, const struct cut *cut, struct without *without);

#endif
