/* The runtime's own type descriptors (internal/abi: Type), as every executable since Go 1.7 has
   them, stripped ones too. Private to src/exe. */
#ifndef EXE_RTYPE_H
#define EXE_RTYPE_H

#include "base/buf.h"
#include "base/text.h"
#include "exe/gotypes.h"
#include "exe/image.h"

struct rtypes {
	const struct image *image;
	uint64_t base, end;   /* where descriptors are; names count from base. 0: not found */
	bool fixed_lengths;   /* of names: two bytes, up to Go 1.16 */
	bool shifted_offsets; /* of fields: times two, plus whether it is embedded, up to Go 1.18 */
	struct gotypes_memory memory; /* where others are; bytes NULL: nowhere */
};

/* What all descriptors begin with. */
struct rtype {
	uint64_t address, size, pointers; /* `pointers`: of the first so many bytes some are */
	uint32_t hash, name;
	uint8_t flags, align, field_align;
	enum gokind kind;
};
enum { RTYPE_UNCOMMON = 1, RTYPE_EXTRA_STAR = 2 }; /* flags */

/* Looks for the descriptors and at how they are written. `module`: see gotypes_new; `minor`: of the
   Go release, 0: not known. */
void rtypes_init(struct rtypes *table, const struct image *image, uint64_t module, unsigned minor);

/* The descriptor at an address. False: there is none, or none that a compiler would write. */
bool rtype_at(const struct rtypes *table, uint64_t address, struct rtype *type);
/* Its name as it is in the file, with the last part of the package's path only. Empty: it has
   none. */
struct text rtype_short_name(const struct rtypes *table, const struct rtype *type);
/* Its name with whole package paths, as DWARF has it. */
void rtype_add_name(const struct rtypes *table, const struct rtype *type, struct buf *out);

/* A name with its flags, by its address. False: it is none. */
enum { RTYPE_NAME_EMBEDDED = 8 };
bool rtype_name_at(const struct rtypes *table, uint64_t address, uint8_t *flags, struct text *name);
/* Is it one that package reflect has made? These have no name but what their parts make it. */
bool rtype_is_made(const struct rtypes *table, const struct rtype *type);
/* The words that follow the common part, as addresses: element, key, fields ...; and as numbers:
   length ... 0 where there are none. */
uint64_t rtype_word(const struct rtypes *table, const struct rtype *type, unsigned word);
uint64_t rtype_count(const struct rtypes *table, const struct rtype *type, unsigned word);
/* What is there, in the file or in memory. NULL, 0: nothing. */
const uint8_t *rtype_bytes(const struct rtypes *table, uint64_t address, uint64_t *room);
uint64_t rtype_pointer(const struct rtypes *table, uint64_t address);
uint64_t rtype_number(const struct rtypes *table, uint64_t address);

#endif
