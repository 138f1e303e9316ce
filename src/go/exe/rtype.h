/* The runtime's type descriptors (internal/abi: Type). Every executable since Go 1.7 has them, even
   if stripped. Private to src/go/exe. */
#pragma once

#include "base/buf.h"
#include "base/text.h"
#include "go/exe/gotypes.h"
#include "go/exe/image.h"

struct rtypes {
	const struct image *image;
	/* address range of descriptors; name offsets count from base; 0: not found */
	uint64_t base, end;
	struct rtypes_part {
		uint64_t base, end;
		size_t number; /* 0: the image's own */
	} * parts;         /* the same of other files of the process (go/exe/image.h: image_part) */
	size_t part_count;
	bool fixed_lengths;   /* name lengths take two bytes: up to Go 1.16 */
	bool shifted_offsets; /* field offsets are doubled plus the embedded flag: up to Go 1.18 */
	/* memory with further descriptors; bytes is NULL if there is none */
	struct gotypes_memory memory;
};

/* Common part of all descriptors. */
struct rtype {
	/* `pointers`: all pointers lie within the first so many bytes */
	uint64_t address, size, pointers;
	uint32_t hash, name;
	uint8_t flags, align, field_align;
	enum gokind kind;
};
enum { RTYPE_UNCOMMON = 1, RTYPE_EXTRA_STAR = 2 }; /* bits of `flags` */

/* Finds the descriptors and their format. For `module` see gotypes_new; `minor` is the Go minor
   version, 0: not known. */
void rtypes_init(struct rtypes *table, const struct image *image, uint64_t module, unsigned minor);

void rtypes_fini(struct rtypes *table);
/* Returns the range of descriptors of the image, which has the number 0, or of a part. */
struct rtypes_part rtypes_range(const struct rtypes *table, size_t number);
/* Finds the range that an address is in. Returns false if there is none. */
bool rtypes_range_of(const struct rtypes *table, uint64_t address, struct rtypes_part *range);

/* Reads the descriptor at an address. Returns false if there is none or it is implausible. */
bool rtype_at(const struct rtypes *table, uint64_t address, struct rtype *type);
/* Returns the name as stored in the file, with only the last element of package paths; empty: no
   name. */
struct text rtype_short_name(const struct rtypes *table, const struct rtype *type);
/* Appends the name with full package paths, as DWARF has it. */
void rtype_add_name(const struct rtypes *table, const struct rtype *type, struct buf *out);

/* Reads a name and its flags at an address. Returns false if it is invalid. */
enum { RTYPE_NAME_EMBEDDED = 8 };
bool rtype_name_at(const struct rtypes *table, uint64_t address, uint8_t *flags, struct text *name);
/* Returns true for a type created by package reflect. Such types have no stored name; it follows
   from their parts. */
bool rtype_is_made(const struct rtypes *table, const struct rtype *type);
/* Return a word after the common part: as an address (element, key, fields ...) or as a number
   (length ...). 0: none. */
uint64_t rtype_word(const struct rtypes *table, const struct rtype *type, unsigned word);
uint64_t rtype_count(const struct rtypes *table, const struct rtype *type, unsigned word);
/* Read the file or the process memory. NULL or 0: nothing there. */
const uint8_t *rtype_bytes(const struct rtypes *table, uint64_t address, uint64_t *room);
uint64_t rtype_pointer(const struct rtypes *table, uint64_t address);
uint64_t rtype_number(const struct rtypes *table, uint64_t address);
