/* What may be taken away, as people write it:

     0xc000012340               an object
     0xc000012340>0xc000056780  the references from one object to another
     main.cache                 a global variable
     goroutine=17               all that a goroutine holds
     0x5e8d98                   the variable, or the slot of a frame, that a word lies in
     root=12                    any other root, by its place among the roots */
#ifndef TABLE_CUT_H
#define TABLE_CUT_H

#include "analysis/analysis.h"
#include "analysis/without.h"

struct cut {
	enum { CUT_OBJECT, CUT_REFERENCE, CUT_ANCHOR, CUT_ROOT } kind;
	uint32_t node; /* object, index of an anchor, or root */
	uint32_t to;   /* of a reference */
};

/* After STAGE_DOMINATED. */
bool cut_parse(const struct analysis *analysis, const char *text, struct cut *cut,
               struct err *err);
/* Appends what it is called: "main.Node.Next to main.Node 0xc000056780". */
void cut_add_name(const struct analysis *analysis, const struct cut *cut, struct buf *out);
/* Appends how the root of a path is written. */
void cut_add_root(const struct analysis *analysis, uint32_t root, struct buf *out);
void cut_take(const struct analysis *analysis, const struct cut *cut, struct without *without);

#endif
