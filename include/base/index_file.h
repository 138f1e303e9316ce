/* Columns kept in a file, so that they need not be worked out again: made whole under its name, and
   believed only when every byte is what the same user's program has written.

     magic, format, byte order | sections | checksum of these | the bytes of each section, by pages

   Checksums are keyed by a secret that only the user has (XXH3, 128 bits): a file of somebody else
   is as wrong as a damaged one, and what passes has been made by a program like this, so that
   values in it need no bounds of their own. */
#ifndef BASE_INDEX_FILE_H
#define BASE_INDEX_FILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INDEX_SECRET = 192, INDEX_NAME = 32, INDEX_SECTIONS = 256 };

struct index_secret {
	uint8_t bytes[INDEX_SECRET];
};
/* What a file is of; part of each checksum. */
struct index_key {
	uint64_t low, high;
};

/* Hashes; may be called again for more: each takes the key that the last one gave. */
struct index_key index_key_add(struct index_key key, const void *bytes, size_t size);

/* ---- Writing. `struct index_writer writer = {0}` has no sections. */

struct index_writer {
	struct index_part {
		char name[INDEX_NAME];
		const void *data;
		uint64_t size, offset; /* in the file that was written last */
		void *own;             /* to be freed; NULL: data is borrowed */
		void *column;          /* data, if it is a column */
	} part[INDEX_SECTIONS];
	size_t count;
};
/* Bytes that stay as they are until the file is written. Of the same name only the first counts. */
void index_put(struct index_writer *writer, const char *name, const void *data, uint64_t size);
/* The same of bytes that go away before. */
void index_put_copy(struct index_writer *writer, const char *name, const void *data, uint64_t size);
/* The same of a column (base/mem.h) that nobody writes to any more: once the file is there, its
   memory is that of the file (mem_column_to_file). */
void index_put_column(struct index_writer *writer, const char *name, void *column, uint64_t size);
uint64_t index_writer_bytes(const struct index_writer *writer); /* of the file, about */
/* Makes the file: it is there whole, or not at all, in a folder that is there. False: *err. */
bool index_write(struct index_writer *writer, const char *path, struct index_key key,
                 const struct index_secret *secret, struct err *err);
void index_writer_fini(struct index_writer *writer);

/* Is there nothing at a path, or an index of whatever kind? What else is there must stay. */
bool index_may_replace(const char *path);

/* ---- Reading */

struct index_file;

/* NULL: there is none, it is of another key, secret or format, of another user, or damaged; *err
   says which. */
struct index_file *index_open(const char *path, struct index_key key,
                              const struct index_secret *secret, struct err *err);
/* What has been mapped stays. */
void index_close(struct index_file *file);

/* The bytes of a section, borrowed; NULL: there is none, or it is damaged. May be asked for by
   several threads. */
const void *index_get(struct index_file *file, const char *name, uint64_t *size);
/* The same as a column of that size, only to be read, which is given back with
   mem_column_free(column, size). NULL: it has another size, too. */
void *index_column(struct index_file *file, const char *name, size_t size);
/* The same of all that there is, elements of `each` bytes. NULL: they are not whole, too. */
void *index_column_array(struct index_file *file, const char *name, size_t each, size_t *count);
/* What it has and `writer` does not: to be written again. */
void index_keep(struct index_file *file, struct index_writer *writer);

#endif
