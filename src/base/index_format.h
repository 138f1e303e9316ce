/* How an index lies in a file, for who writes and who reads it: see base/index_file.h. */
#ifndef BASE_INDEX_FORMAT_H
#define BASE_INDEX_FORMAT_H

#include "base/index_file.h"

enum { INDEX_FORMAT = 10, INDEX_PAGE = 4096, INDEX_ORDER = 0x01020304 };

extern const char index_magic[8];
extern const char index_head_name[INDEX_NAME]; /* of no section */
extern const char index_shortened[];           /* the line that a process ends with then */

struct index_header {
	char magic[8];
	uint32_t format, order; /* as this machine writes it */
	uint64_t count, size;   /* sections; bytes of the file */
};
struct index_section {
	char name[INDEX_NAME];
	uint64_t offset, size;
	struct index_key sum;
};

/* The header, the sections and their checksum: bytes. */
static inline size_t index_head_size(uint64_t count)
{
	return sizeof(struct index_header) + count * sizeof(struct index_section)
	       + sizeof(struct index_key);
}

/* Of what it is, whose and which part: no section can stand for another. */
struct index_key index_sum(const struct index_secret *secret, struct index_key key,
                           const char *name, const void *bytes, uint64_t size);

#endif
