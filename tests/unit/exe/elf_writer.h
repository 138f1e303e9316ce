/* Writes ELF files of one loaded segment and any sections, for tests. */
#ifndef TESTS_ELF_WRITER_H
#define TESTS_ELF_WRITER_H

#include "base/buf.h"

struct elf_part {
	const char *name;
	const void *data;
	size_t size;
};

/* A 64-bit little-endian file; the caller frees it. */
struct buf elf_write(const struct elf_part *parts, size_t count);

/* The sections of a real file whose names begin with .debug_, uncompressed, as a file of their own.
 */
struct buf elf_write_debug(const char *path);

#endif
