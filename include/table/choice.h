/* Which heaps of a dump are broken down, and how: the argument of the table and the view breakdown.

     [process=N] [dump=ID] [allocator=NAME] [compare=ID] [min=BYTES|min=P%] [bottom-up]

   The accounts come from the file, or are made of Go's allocation profile. */
#ifndef TABLE_CHOICE_H
#define TABLE_CHOICE_H

#include "analysis/breakdown.h"
#include "table/table.h"

struct account_set {
	const struct accounts *accounts;
	struct accounts *own;
	uint32_t *stack; /* of Go: by allocation profile, the frame that it ends with; or NULL */
};
/* Of a dump with HAS_BREAKDOWN, after STAGE_READ; with types as far as they are known. */
void account_set_init(struct account_set *set, const struct analysis *analysis);
void account_set_fini(struct account_set *set);
/* Appends the command that shows the objects that are known to be allocated by exactly this stack;
   nothing where there are none. */
void account_set_link(const struct account_set *set, const struct analysis *analysis,
                      uint32_t frame, struct buf *command);

struct choice {
	struct buf process, dump, allocator, compare; /* empty: any, none */
	uint64_t least;     /* bytes, or millionths of the total */
	bool has_least, relative, bottom_up; /* has_least: it was said */
};
/* False: *err. Give back with choice_fini either way. */
bool choice_parse(struct choice *choice, const char *argument, struct err *err);
void choice_fini(struct choice *choice);
/* "77" or "5%" */
bool choice_set_least(struct choice *choice, const char *text, struct err *err);
void choice_usual_least(struct choice *choice); /* what a person wants to see of a heap: 0.5% */
void choice_next_least(struct choice *choice);  /* another usual one */
void choice_add_least(const struct choice *choice, struct buf *out); /* "77 B", "5%" */
/* Appends the words that parse to the choice, each after a blank. */
void choice_add(const struct choice *choice, struct buf *out);

bool choice_has(const struct choice *choice, const struct accounts *accounts,
                const struct account *account);
/* Of the same process and allocator, in whatever dump? */
bool account_is_same_heap(const struct account *a, const struct account *b);
/* Makes the choice that of this account; the rest of it stays. */
void choice_set_account(struct choice *choice, const struct accounts *accounts,
                        const struct account *account);
/* What an account is compared with; NULL: nothing. */
const struct account *choice_base(const struct choice *choice, const struct accounts *accounts,
                                  const struct account *account);
/* The least bytes of a part that is not folded into <other>. */
uint64_t choice_least(const struct choice *choice, uint64_t total);
/* Appends "2 events, 1 memory dump and 1 process", which a trace has. */
void trace_add(const struct trace_record *trace, struct buf *out);
/* What to add to the sentence that a dump has no allocation profile: why, if that can be known. */
const char *choice_no_profile(const struct heap *heap);
/* Says which heaps there are when none is like the choice. Returns false. */
bool choice_none(const struct analysis *analysis, struct err *err);

/* Cells that say which account it is. */
enum account_part { ACCOUNT_PROCESS, ACCOUNT_DUMP, ACCOUNT_ALLOCATOR };
void cell_account(struct value *value, const struct accounts *accounts,
                  const struct account *account, enum account_part part);
void account_add_process(const struct account *account, struct buf *out); /* "21" */
/* The command that breaks it down. */
void account_link(const struct accounts *accounts, const struct account *account,
                  struct buf *command);

#endif
