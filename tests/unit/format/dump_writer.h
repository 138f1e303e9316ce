/* Writes small dumps of layout 7 for tests: a heap is a table of structs, as in
   runtime/heapdump.go's order or any other. */
#ifndef TESTS_DUMP_WRITER_H
#define TESTS_DUMP_WRITER_H

#include "base/buf.h"
#include "base/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_writer {
	struct buf out;
	unsigned pointer_size;
	bool big_endian;
};

/* A word of contents that the field list names as a pointer. */
struct dump_field {
	uint64_t offset, value;
};

void dump_start(struct dump_writer *w, unsigned pointer_size, bool big_endian, const char *version);
void dump_uvarint(struct dump_writer *w, uint64_t value);
void dump_text(struct dump_writer *w, const char *text);
/* Tag, fields before the contents, contents of `size` bytes with the words of `fields`, field list. */
void dump_object(struct dump_writer *w, uint64_t address, uint64_t size, const struct dump_field *fields,
                 size_t count);
void dump_segment(struct dump_writer *w, bool bss, uint64_t address, uint64_t size,
                  const struct dump_field *fields, size_t count);
void dump_goroutine(struct dump_writer *w, uint64_t id, uint64_t status, uint64_t wait_since,
                    const char *reason);
void dump_frame(struct dump_writer *w, uint64_t sp, uint64_t depth, const char *function, uint64_t pc,
                uint64_t size, const struct dump_field *fields, size_t count);
void dump_finalizer(struct dump_writer *w, bool queued, uint64_t object, uint64_t function);
void dump_end(struct dump_writer *w);

/* What was written so far as an input; borrowed from the writer. */
struct input dump_input(const struct dump_writer *w);
void dump_free(struct dump_writer *w);

#endif
