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
};
/* Of a dump with HAS_BREAKDOWN, after STAGE_READ; with types as far as they are known. */
void account_set_init(struct account_set *set, const struct analysis *analysis);
void account_set_fini(struct account_set *set);

struct choice {
	struct buf process, dump, allocator, compare; /* empty: any, none */
	uint64_t least;     /* bytes, or millionths of the total */
	bool relative, bottom_up;
};
/* False: *err. Give back with choice_fini either way. */
bool choice_parse(struct choice *choice, const char *argument, struct err *err);
void choice_fini(struct choice *choice);
/* "77" or "5%" */
bool choice_set_least(struct choice *choice, const char *text, struct err *err);

bool choice_has(const struct choice *choice, const struct accounts *accounts,
                const struct account *account);
/* What an account is compared with; NULL: nothing. */
const struct account *choice_base(const struct choice *choice, const struct accounts *accounts,
                                  const struct account *account);
/* The least bytes of a part that is not folded into <other>. */
uint64_t choice_least(const struct choice *choice, uint64_t total);
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
