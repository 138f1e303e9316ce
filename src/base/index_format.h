/* File layout of an index, shared by reader and writer: see base/index_file.h. */
#pragma once

#include "base/index_file.h"

enum { INDEX_FORMAT = 15, INDEX_PAGE = 4096, INDEX_ORDER = 0x01020304 };

extern const char index_magic[8];
extern const char index_head_name[INDEX_NAME]; /* checksum name of the head; no section has it */
/* last line of the process when the file is truncated while mapped */
extern const char index_shortened[];

struct index_header {
	char magic[8];
	uint32_t format, order; /* byte order mark in the order of this machine */
	uint64_t count, size;   /* number of sections; size of the file in bytes */
};
struct index_section {
	char name[INDEX_NAME];
	uint64_t offset, size;
	struct index_key sum;
};

/* Returns the bytes of the header, the section table and its checksum. */
static inline size_t index_head_size(uint64_t count)
{
	return sizeof(struct index_header) + count * sizeof(struct index_section)
	       + sizeof(struct index_key);
}

/* Returns the checksum of a section, keyed by the secret, the file's key and the section's name: no
   section can replace another. */
struct index_key index_sum(const struct index_secret *secret, struct index_key key,
                           const char *name, const void *bytes, uint64_t size);
