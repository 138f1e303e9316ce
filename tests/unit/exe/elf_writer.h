/* Writes ELF files of one loaded segment and any sections, for tests. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

struct elf_part {
	const char *name;
	const void *data;
	size_t size;
};

/* Returns a 64-bit little-endian file; the caller frees it. */
struct buf elf_write(const struct elf_part *parts, size_t count);

/* Returns a file without a section .gopclntab. Its section .data.rel.ro, which is loaded, contains
   `count` tables of two functions, each with a record of the runtime that refers to it,
   ELF_TABLE_BYTES apart from ELF_FIRST_TABLE on. All tables before the last are fakes, with
   functions out of order, and so is the last unless `good`. */
enum { ELF_FIRST_TABLE = 0x400000 + 64 + 56, ELF_TABLE_BYTES = 256 + 40 * 8 };
struct buf elf_write_tables(size_t count, bool good);

/* Returns a file with the uncompressed sections of a real file whose names begin with .debug_. */
struct buf elf_write_debug(const char *path);
