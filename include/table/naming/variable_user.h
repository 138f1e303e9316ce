/* Descriptions of variables without names: by the package that uses them
   (analysis/variable_users.h). */
#pragma once

#include "table/naming/entity.h"

struct value;
struct analysis;
struct buf;
struct root;

/* Appends the place of a word in a global variable without a name, after the variable that points
   to it, or its package, if known: "main.engine variable bss+0x1d0", "mvcc variable data+0xc90";
   "~" precedes a guess; else "data+0xc90". */
void variable_user_add_place(const struct analysis *analysis, const struct root *root,
                             struct buf *out);
/* Appends ", used by (*store).setupMetricsReporter" behind the name of such a variable; nothing for
   anything else. */
void variable_user_add_behind(const struct analysis *analysis, struct entity entity,
                              struct buf *out);

/* Appends the whole package of a global variable, with or without a name. False: it is not certain,
   or the root is in no such variable. */
bool variable_user_add_package(const struct analysis *analysis, const struct root *root,
                               struct buf *out);
/* Appends a sentence about how the package of such a variable is known. False: there is none. */
bool variable_user_explain(const struct analysis *analysis, const struct root *root,
                           struct buf *out);

/* Return the text after "mvcc variable " or "~mvcc variable ", which precede the place of a word;
   and after ", used by (*store).setupMetricsReporter", which follows it. Any other text is returned
   unchanged. */
const char *variable_user_skip_package(const char *text);
const char *variable_user_skip_function(const char *text);

/* Cells of the columns for such variables; empty for anything else. */
void variable_user_function_cell(const struct analysis *analysis, struct entity entity,
                                 struct value *value);
void variable_user_known_cell(const struct analysis *analysis, struct entity entity,
                              struct value *value);
