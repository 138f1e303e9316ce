/* A writer of hprof, the heap format of Java tools: big-endian records in file order. Subrecords of
   the heap go through hprof_sub, which splits them into segments with 32-bit lengths.

   Texts have numbers of their own. Objects, classes and threads share the dump's addresses; those
   that are not in the dump get an address outside of all objects. */
#pragma once

#include "base/buf.h"
#include "base/string_set.h"

enum hprof_tag {
	HPROF_STRING = 0x01,
	HPROF_LOAD_CLASS = 0x02,
	HPROF_FRAME = 0x04,
	HPROF_TRACE = 0x05,
	HPROF_SEGMENT = 0x1c,
	HPROF_END = 0x2c
};

enum hprof_sub {
	HPROF_JNI_GLOBAL = 0x01,
	HPROF_JNI_LOCAL = 0x02,
	HPROF_JAVA_FRAME = 0x03,
	HPROF_STICKY_CLASS = 0x05,
	HPROF_THREAD = 0x08,
	HPROF_CLASS = 0x20,
	HPROF_INSTANCE = 0x21,
	HPROF_OBJECTS = 0x22,
	HPROF_PRIMITIVES = 0x23,
	HPROF_UNKNOWN = 0xff
};

enum hprof_type {
	HPROF_OBJECT = 2,
	HPROF_BOOL = 4,
	HPROF_CHAR = 5,
	HPROF_FLOAT = 6,
	HPROF_DOUBLE = 7,
	HPROF_BYTE = 8,
	HPROF_SHORT = 9,
	HPROF_INT = 10,
	HPROF_LONG = 11
};

/* Maximum number of fields of a class, and of static fields; maximum size of an object, because
   readers treat it as signed. */
enum { HPROF_FIELDS_MAX = UINT16_MAX, HPROF_SIZE_MAX = INT32_MAX };

struct hprof {
	const struct heap *heap;
	struct buf *out;
	struct buf segment;       /* not written yet */
	unsigned id_size;         /* 4 or 8 */
	unsigned word;            /* word size of the dump; irrelevant for a log */
	bool ok;                  /* the output has not failed */
	uint64_t last_id, nil_id; /* nil_id: of an object at address 0 */
	uint32_t classes;         /* number of class serial numbers assigned */
	struct string_set texts;  /* text number - 1 */
};

/* Writes the header; `time` in ms since 1970. Borrows `heap` and `out`. */
void hprof_begin(struct hprof *h, const struct heap *heap, struct buf *out, uint64_t time);
/* Writes the rest and the end record. */
void hprof_end(struct hprof *h);
void hprof_free(struct hprof *h);

/* Returns the bytes of a value; `type` is an enum hprof_type. */
unsigned hprof_width(const struct hprof *h, uint8_t type);
/* Appends the low `width` bytes of a number, big-endian. */
void hprof_number(struct buf *out, uint64_t number, unsigned width);
void hprof_id(const struct hprof *h, struct buf *out, uint64_t id);

/* Returns the number of a printable text, and writes a record if it is new: must not be called
   within a record. */
uint32_t hprof_text(struct hprof *h, const char *text);
/* Returns an id that no object has. */
uint64_t hprof_new_id(struct hprof *h);
/* Returns the id of an object by its address, which may be 0. */
uint64_t hprof_object_id(const struct hprof *h, uint64_t address);
/* Begins a record; the caller appends `length` bytes to h->out. */
void hprof_record(struct hprof *h, enum hprof_tag tag, uint32_t length);
/* Begins a subrecord of the heap with its tag; the caller appends at most `length` bytes to the
   result. */
struct buf *hprof_sub(struct hprof *h, enum hprof_sub tag, size_t length);

/* Names a class; returns its serial number. */
uint32_t hprof_load_class(struct hprof *h, uint64_t id, uint32_t name);
/* Begins a class: the count of static fields and these follow, then that of fields and these. */
struct buf *hprof_class(struct hprof *h, uint64_t id, uint64_t super, uint64_t size, size_t fields);
/* Begins an instance: `length` bytes of values follow. */
struct buf *hprof_instance(struct hprof *h, uint64_t id, uint64_t class, uint32_t length);
