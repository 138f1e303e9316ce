/* Shared by the files that parse expressions (table/naming/expression.h). */
#pragma once

#include "table/naming/expression.h"

/* The state of one parse. */
struct reading_steps {
	const struct analysis *analysis;
	struct govalue in;
	struct expression *e;
	const char *at;   /* the current step */
	const char *last; /* the previous one; NULL: none */
	struct err *err;
};

/* Sets *r->err to the text before the step and to `why`; `place` (may be NULL) is the value whose
   possible steps are listed. Returns false. */
bool expression_fail_step(struct reading_steps *r, const struct datum *place, const char *why);

/* Applies a step to a value, else to the target of its pointer, and so on. */
typedef bool look_for_step(struct reading_steps *r, const struct datum *place, struct datum *found);
bool expression_take_step(struct reading_steps *r, look_for_step *look, const char *why);

/* Apply the steps [3] or ["key"], and ` key ["key"]`. False: *r->err. */
bool expression_take_index(struct reading_steps *r);
bool expression_take_key(struct reading_steps *r);
