/* Writes small dumps for tests, in any layout: a heap is a table of structs, in the order of
   runtime/heapdump.go or any other. */
#pragma once

#include "base/buf.h"
#include "base/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dump_layout { DUMP_7, DUMP_6, DUMP_5, DUMP_4, DUMP_3, DUMP_3BETA };

struct dump_writer {
	struct buf out;
	enum dump_layout layout;
	unsigned pointer_size;
	bool big_endian;
	struct input input; /* for those who read it: what dump_input has given */
};

/* A word of contents that the field list names, as a pointer unless `kind` differs. */
struct dump_field {
	uint64_t offset, value;
	uint64_t kind; /* 0: 1, a pointer; DUMP_WORD: not listed */
};
#define DUMP_WORD UINT64_MAX

void dump_start(struct dump_writer *w, unsigned pointer_size, bool big_endian, const char *version);
/* Begins a dump of a layout before 7, which has no `version`. */
void dump_start_old(struct dump_writer *w, enum dump_layout layout, unsigned pointer_size);
void dump_uvarint(struct dump_writer *w, uint64_t value);
void dump_text(struct dump_writer *w, const char *text);
/* Writes the tag, fields before the contents, contents of `size` bytes with the words of `fields`,
   and the field list. */
void dump_object(struct dump_writer *w, uint64_t address, uint64_t size,
                 const struct dump_field *fields, size_t count);
/* Layout 3: an object names a type, whose fields apply according to `kind` (0 one, 1 array, 2
   channel, 127 all words); `words` are its contents. */
void dump_type(struct dump_writer *w, uint64_t address, uint64_t size, const char *name,
               bool pointer, const struct dump_field *fields, size_t count);
void dump_typed_object(struct dump_writer *w, uint64_t address, uint64_t size, uint64_t type,
                       uint64_t kind, const struct dump_field *words, size_t count);
/* Writes an itab; `second` is the type, in layout 3 whether the data word is a pointer. */
void dump_itab(struct dump_writer *w, uint64_t address, uint64_t second);
void dump_segment(struct dump_writer *w, bool bss, uint64_t address, uint64_t size,
                  const struct dump_field *fields, size_t count);
void dump_goroutine(struct dump_writer *w, uint64_t id, uint64_t status, uint64_t wait_since,
                    const char *reason);
void dump_frame(struct dump_writer *w, uint64_t sp, uint64_t depth, const char *function,
                uint64_t pc, uint64_t size, const struct dump_field *fields, size_t count);
void dump_finalizer(struct dump_writer *w, bool queued, uint64_t object, uint64_t function);
/* These belong to the goroutine before them. */
void dump_defer(struct dump_writer *w, uint64_t address, uint64_t function);
void dump_panic(struct dump_writer *w, uint64_t address, uint64_t data);
void dump_end(struct dump_writer *w);

/* Returns an input with all that was written; borrowed from the writer. */
struct input dump_input(const struct dump_writer *w);
void dump_free(struct dump_writer *w);
/* Declares a writer that is freed where its block ends. */
#define SCOPED_DUMP __attribute__((cleanup(dump_free))) struct dump_writer
