/* What allocation profilers tell of a heap: bytes and allocations by call stack and type. A
   heap profile is one heap of one process in one dump; its entries are either

     self        what was allocated by exactly this stack and type, or
     cumulative  by all stacks that begin with this one; by all types where none is given. Entries
                 may be missing: what an entry has more than those below it is theirs.

   Frames form one tree for all heap profiles, so that equal stacks are equal numbers. */
#ifndef FORMAT_HEAP_PROFILE_H
#define FORMAT_HEAP_PROFILE_H

#include "base/map.h"
#include "base/text.h"

/* The empty stack; over all types; "<self>" */
enum { FRAME_ROOT = 0, TYPE_ALL = 0, NAME_SELF = 1 };

struct heap_profile_frame {
	uint32_t name, parent;
}; /* FRAME_ROOT is its own parent */

struct heap_profile_entry {
	uint32_t frame, type; /* type: a name, or TYPE_ALL */
	uint64_t size, count;
};

struct heap_profile {
	bool has_process, has_time, cumulative, counted;   /* counted: entries have their counts */
	uint64_t process, time;                            /* us, of the trace's own clock */
	uint32_t process_name, dump, dump_kind, allocator; /* names; 0: none */
	size_t first, count;                               /* its entries */
};

struct heap_profiles {
	struct text *name; /* [0] is "" */
	size_t name_count, name_capacity;
	struct heap_profile_frame *frame;
	size_t frame_count, frame_capacity;
	struct heap_profile_entry *entry;
	size_t entry_count, entry_capacity;
	struct heap_profile *heap_profile;
	size_t count, capacity;
	struct map frames; /* parent << 32 | name -> frame */
	uint32_t *places;  /* hash table of name + 1 */
	unsigned bits;
	uint64_t multiplier;
	struct heap_profile_piece *pieces; /* memory of the names */
};

struct heap_profiles *heap_profiles_new(void);
void heap_profiles_free(struct heap_profiles *heap_profiles); /* NULL: nothing */

/* The number of a name, of a frame below another one; the same again for the same. */
uint32_t heap_profiles_name(struct heap_profiles *heap_profiles, struct text name);
uint32_t heap_profiles_frame(struct heap_profiles *heap_profiles, uint32_t parent, uint32_t name);
/* Begins a heap profile; entries that are added then are its. What it is must be said before.
   Stacks with bytes of their own get a frame "<self>". */
struct heap_profile *heap_profiles_begin(struct heap_profiles *heap_profiles);
void heap_profiles_add(struct heap_profiles *heap_profiles, struct heap_profile_entry entry);

/* a + b, or the largest number where that is too much. */
uint64_t heap_profiles_sum(uint64_t a, uint64_t b);
/* The entries of one heap; NULL: it has none. */
const struct heap_profile_entry *heap_profiles_entries(const struct heap_profiles *profiles,
                                                       const struct heap_profile *profile);

#endif
