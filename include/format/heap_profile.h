/* Heap profiles of allocation profilers: bytes and allocations by call stack and type. A profile
   describes one heap of one process in one dump. Its entries are either

     self        allocations of exactly this stack and type, or
     cumulative  allocations of all stacks that begin with this one; of all types if none is given.
                 Entries may be missing: the excess of an entry over its children belongs to them.

   Frames of all profiles form one tree, so that equal stacks have equal numbers. */
#pragma once

#include "base/map.h"
#include "base/text.h"

/* The empty stack; all types; "<self>" */
enum { FRAME_ROOT = 0, TYPE_ALL = 0, NAME_SELF = 1 };

struct heap_profile_frame {
	uint32_t name, parent;
}; /* FRAME_ROOT is its own parent */

struct heap_profile_entry {
	uint32_t frame, type; /* type: a name, or TYPE_ALL */
	uint64_t size, count;
};

struct heap_profile {
	bool has_process, has_time, cumulative, counted;   /* counted: entries have counts */
	uint64_t process, time;                            /* microseconds of the trace's own clock */
	uint32_t process_name, dump, dump_kind, allocator; /* names; 0: none */
	size_t first, count;                               /* range of its entries */
};

/* What an allocator of a process, or a part of it, reports in one memory dump. The name of a part
   begins with the name of the whole and a slash: "malloc/allocated_objects". */
struct allocator_use {
	uint64_t process, time;                 /* microseconds of the trace's own clock */
	uint64_t dump_time;                     /* time of the first process in the dump */
	uint64_t size, effective_size, objects; /* size: sum of its parts if it reports none */
	uint64_t parts_size;                    /* sum of its direct parts */
	uint32_t process_name, dump, name;      /* names */
	/* index of the use that it is a part of, or NO_USE */
	uint32_t whole;
	uint32_t end; /* index of the first later use that is no part of it */
	bool has_time, has_size, has_effective_size, has_objects;
};
#define NO_USE UINT32_MAX

struct heap_profiles {
	struct text *name; /* name[0] is "" */
	size_t name_count, name_capacity;
	struct heap_profile_frame *frame;
	size_t frame_count, frame_capacity;
	struct heap_profile_entry *entry;
	size_t entry_count, entry_capacity;
	struct heap_profile *heap_profile;
	size_t count, capacity;
	struct allocator_use *use; /* sorted by dump, process and name: preorder of the trees */
	size_t uses, use_capacity;
	struct map frames; /* parent << 32 | name -> frame */
	uint32_t *places;  /* hash table of name numbers + 1 */
	unsigned bits;
	uint64_t multiplier;
	struct heap_profile_piece *pieces; /* storage of the names */
};

struct heap_profiles *heap_profiles_new(void);
void heap_profiles_free(struct heap_profiles *heap_profiles); /* accepts NULL */

/* Return the number of a name, and of a frame with a parent; equal arguments give equal numbers. */
uint32_t heap_profiles_name(struct heap_profiles *heap_profiles, struct text name);
uint32_t heap_profiles_frame(struct heap_profiles *heap_profiles, uint32_t parent, uint32_t name);
/* Begins a heap profile, to which later entries are added. Set its properties first. In a profile
   that is not cumulative, the frame of each entry gets a child frame "<self>". */
struct heap_profile *heap_profiles_begin(struct heap_profiles *heap_profiles);
void heap_profiles_add(struct heap_profiles *heap_profiles, struct heap_profile_entry entry);

/* Compares two uses by dump, process and name; returns a value below, equal to or above 0. A slash
   sorts before all other characters. */
int allocator_use_compare(const struct heap_profiles *heap_profiles, const struct allocator_use *a,
                          const struct allocator_use *b);
/* Sorts the uses and links each to what it is a part of, once all have been added. Returns how many
   it has dropped because the same dump, process and name came before. */
size_t heap_profiles_settle_uses(struct heap_profiles *heap_profiles);

/* Returns a + b, saturated. */
uint64_t heap_profiles_sum(uint64_t a, uint64_t b);
/* Returns the entries of a profile, or NULL if it has none. */
const struct heap_profile_entry *heap_profiles_entries(const struct heap_profiles *profiles,
                                                       const struct heap_profile *profile);
