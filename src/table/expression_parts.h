/* What the files that read expressions (table/expression.h) share. */
#ifndef TABLE_EXPRESSION_PARTS_H
#define TABLE_EXPRESSION_PARTS_H

#include "table/expression.h"

/* One reading of a text. */
struct reading_steps {
	const struct analysis *analysis;
	struct govalue in;
	struct expression *e;
	const char *at;   /* the step that is taken */
	const char *last; /* the one before it; NULL: none */
	struct err *err;
};

/* Fails: what stands before the step, and `why` it is none. `place`, which may be NULL: what would
   be one there is said, too. Returns false. */
bool expression_fail_step(struct reading_steps *r, const struct datum *place, const char *why);

/* Looks for a step in a value, then in what it leads to, and so on. */
typedef bool look_for_step(struct reading_steps *r, const struct datum *place, struct datum *found);
bool expression_take_step(struct reading_steps *r, look_for_step *look, const char *why);

/* The steps [3] or ["key"], and ` key ["key"]`. False: *r->err. */
bool expression_take_index(struct reading_steps *r);
bool expression_take_key(struct reading_steps *r);

#endif
