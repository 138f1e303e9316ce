/* Cached columns in a file, so that they need not be computed again. The file is written atomically
   under its name, and used only if every byte is what the same user's goheapx has written.

     magic, format, byte order | sections | checksum of these | the bytes of each section, by pages

   Checksums (XXH3, 128 bits) are keyed by a secret that only the user can read: a file of another
   user fails like a damaged one. A file that passes was written by this program, so that its values
   need no bounds checks. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INDEX_SECRET = 192, INDEX_NAME = 32, INDEX_SECTIONS = 256 };

struct index_secret {
	uint8_t bytes[INDEX_SECRET];
};
/* Identifies the input of a file; part of each checksum. */
struct index_key {
	uint64_t low, high;
};

/* Returns the hash of `key` and the bytes. Call it repeatedly with the previous result to hash
   several pieces. */
struct index_key index_key_add(struct index_key key, const void *bytes, size_t size);

/* ---- Writing. `struct index_writer writer = {0}` has no sections. */

struct index_writer {
	struct index_part {
		char name[INDEX_NAME];
		const void *data;
		uint64_t size, offset; /* offset in the file written last */
		void *own;             /* owned copy to free, or NULL: data is borrowed */
		void *column;          /* same as data if it is a column, else NULL */
	} part[INDEX_SECTIONS];
	size_t count;
};
/* Adds a section of borrowed bytes, which must not change until the file is written. If a name is
   added twice, only the first section counts. */
void index_put(struct index_writer *writer, const char *name, const void *data, uint64_t size);
/* Like index_put, but copies the bytes. */
void index_put_copy(struct index_writer *writer, const char *name, const void *data, uint64_t size);
/* Like index_put for a column (base/mem.h) that nobody writes to any more. Once the file is
   written, the column maps the file (mem_column_to_file). */
void index_put_column(struct index_writer *writer, const char *name, void *column, uint64_t size);
uint64_t index_writer_bytes(const struct index_writer *writer); /* approximate size of the file */
/* Writes the file atomically: it is complete, or absent. The folder must exist. Returns false with
 *err. */
bool index_write(struct index_writer *writer, const char *path, struct index_key key,
                 const struct index_secret *secret, struct err *err);
void index_writer_fini(struct index_writer *writer);

/* Returns true if the path is free or names an index file of any format. Other files must not be
   overwritten. */
bool index_may_replace(const char *path);

/* ---- Reading */

struct index_file;

/* Opens an index file. Returns NULL with *err if there is none, if its key, secret or format
   differs, if another user owns it or may write to it, or if it is damaged. */
struct index_file *index_open(const char *path, struct index_key key,
                              const struct index_secret *secret, struct err *err);
/* Closes the file. Mapped sections stay valid. */
void index_close(struct index_file *file);

/* Returns the bytes of a section, borrowed, or NULL if it is missing or damaged. Thread-safe. */
const void *index_get(struct index_file *file, const char *name, uint64_t *size);
/* Returns a section of exactly `size` bytes as a read-only column; release it with
   mem_column_free(column, size). Returns NULL also if the size differs. */
void *index_column(struct index_file *file, const char *name, size_t size);
/* Adds the sections that `writer` lacks to it, so that they are written again. */
void index_keep(struct index_file *file, struct index_writer *writer);
