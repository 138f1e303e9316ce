/* What allocation profilers tell of a heap: bytes and allocations by call stack and type. An
   account is one heap of one process in one dump; its entries are either

     self        what was allocated by exactly this stack and type, or
     cumulative  by all stacks that begin with this one; by all types where none is given. Entries
                 may be missing: what an entry has more than those below it is theirs.

   Frames form one tree for all accounts, so that equal stacks are equal numbers. */
#ifndef FORMAT_ACCOUNT_H
#define FORMAT_ACCOUNT_H

#include "base/map.h"
#include "base/text.h"

/* The empty stack; over all types; "<self>" */
enum { FRAME_ROOT = 0, TYPE_ALL = 0, NAME_SELF = 1 };

struct account_frame { uint32_t name, parent; }; /* FRAME_ROOT is its own parent */

struct account_entry {
	uint32_t frame, type; /* type: a name, or TYPE_ALL */
	uint64_t size, count;
};

struct account {
	bool has_process, has_time, cumulative, counted; /* counted: entries have their counts */
	uint64_t process, time;     /* us, of the trace's own clock */
	uint32_t process_name, dump, dump_kind, allocator; /* names; 0: none */
	size_t first, count;        /* its entries */
};

struct accounts {
	struct text *name;          /* [0] is "" */
	size_t name_count, name_capacity;
	struct account_frame *frame;
	size_t frame_count, frame_capacity;
	struct account_entry *entry;
	size_t entry_count, entry_capacity;
	struct account *account;
	size_t count, capacity;
	struct map frames;          /* parent << 32 | name -> frame */
	uint32_t *places;           /* hash table of name + 1 */
	unsigned bits;
	uint64_t multiplier;
	struct account_piece *pieces; /* memory of the names */
};

struct accounts *accounts_new(void);
void accounts_free(struct accounts *accounts); /* NULL: nothing */

/* The number of a name, of a frame below another one; the same again for the same. */
uint32_t accounts_name(struct accounts *accounts, struct text name);
uint32_t accounts_frame(struct accounts *accounts, uint32_t parent, uint32_t name);
/* Begins an account; entries that are added then are its. What it is must be said before.
   Stacks with bytes of their own get a frame "<self>". */
struct account *accounts_begin(struct accounts *accounts);
void accounts_add(struct accounts *accounts, struct account_entry entry);

/* a + b, or the largest number where that is too much. */
uint64_t accounts_sum(uint64_t a, uint64_t b);

#endif
