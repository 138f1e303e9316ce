/* Sets of objects, by selectors and their combinations:

     at=main.cache.items[*] minus type=main.Item
     retained=main.cache and type=[]byte
     retained=(type=main.A or type=main.B)

   Selectors are reachable, unreachable, size=N, section=N, span=ADDR, object=OPERAND, type=NAME,
   threads=GROUP or FUNCTION (descriptors; without the set, the stacks are gone), at=STEPS (a place
   of the table where, which may have type=NAME behind it), owned=NAME (an owner of the table
   owners, or a variable of which several are parts), rows=TABLE (the objects that the rows of a
   table are about, which may have its word behind it: rows=timers started), libraries (what the
   small variables of libraries lead to first), a combination in parentheses, and retained=,
   with an argument of the table what-if or another selector: the objects that would be freed
   without these. They are combined from left to right. */
#pragma once

#include "table/table.h"

struct freed;
struct ids;
struct what_if;
struct operand;

#define OBJECT_SET_ARGUMENT                                                             \
	"[reachable|unreachable|size=N|section=N|span=ADDR|object=ADDR|type=NAME|at=STEPS " \
	"[type=NAME]|owned=NAME|threads=NAME|roots=NAME|rows=TABLE|libraries|retained=X] "  \
	"[and|or|minus ...]"

/* Fills rows->data with the ids of the set in ascending order (NULL: all objects; allocated), their
   number and the title. False: *err. After the stages below. */
bool object_set_select(struct rows *rows, const char *argument, struct err *err);
/* Returns the ids of the set, ascending, allocated, and stores their number. NULL: *err, also if
   `needed` and the set is empty. `progress` may be NULL. */
uint32_t *object_set_ids(const struct analysis *analysis, const char *set, bool needed,
                         struct progress *progress, size_t *count, struct err *err);
/* Removes what a set stands for, of which the caller has the objects. */
void object_set_remove(const struct analysis *analysis, const char *set, struct ids ids,
                       struct what_if *what_if);
/* Counts what is freed by that. False: cancelled. */
bool object_set_count(const struct analysis *analysis, const char *set, struct ids ids,
                      struct progress *progress, struct freed *freed);
/* Counts what would be freed without all objects of a set, which is not empty. False: *err. */
bool object_set_frees(const struct analysis *analysis, const char *set, struct progress *progress,
                      size_t *count, struct freed *freed, struct err *err);
/* Reads what a text begins with, and advances *text past it and the blanks that follow: one object,
   *operand; or several, whose set it appends to *set: a set as above, which is all of the text, or
   an operand of several objects. False: *err. */
bool object_set_next(const struct analysis *analysis, const char **text, struct operand *operand,
                     struct buf *set, struct err *err);
/* Does so with an argument, which has nothing behind it. */
bool object_set_named(const struct analysis *analysis, const char *argument,
                      struct operand *operand, struct buf *set, struct err *err);
/* Returns the number of objects of which it is a guess that they have a type; 0 for the name of a
   guess. */
size_t object_set_guessed(const struct analysis *analysis, const char *name);
/* Returns the objects whose type has a name, allocated, and stores their number: 0 if only other
   objects hold values of it. NULL: nothing has the type, *err. After STAGE_TYPED, STAGE_REACHED and
   STAGE_REVERSED. */
uint32_t *object_set_of_type(const struct analysis *analysis, const char *name, size_t *count,
                             struct err *err);
/* What the operands of a set say of its objects, without what is in parentheses. */
struct object_set_form {
	bool of_type, of_place; /* it begins with type= or at= */
	bool and_type;          /* a later operand is "and type=" */
	bool names_type;        /* an operand is type=, and the title has its name */
	bool either;            /* operands are joined by "or" */
};
struct object_set_form object_set_form(const char *argument);
/* Returns the stages that a set requires. */
unsigned object_set_needs(const char *argument);
/* Returns true if a text begins as a set does: what follows is checked when it is selected. */
bool object_set_begins(const char *text);
/* Returns the words that sets consist of, for completion: selectors ("type="), then operators.
   NULL: there are no more. */
const char *object_set_word(size_t n);
/* Returns the operator ("or") that a text begins with as a word, and stores what follows it. NULL:
   none. */
const char *object_set_operator(const char *text, const char **rest);
/* Appends a set so that an operator may stand beside it: a combination in parentheses. */
void object_set_add_operand(struct buf *out, const char *set);
