/* Records of a dump as readers pass them on. Texts and bytes are borrowed from the mapped file.
   `offset` is the start of the record in the file. Names follow Go's heap dump
   (runtime/heapdump.go); a format without a kind of record never passes it. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Representation of words and pointer lists in this dump. */
struct layout {
	uint8_t pointer_size; /* 4 or 8 */
	bool big_endian;
	/* Objects with pointers and more bytes than this, up to 32 KiB, begin with an allocation header
	   of 8 bytes (Go >= 1.22, runtime/mbitmap.go); 0: no headers. */
	uint16_t header_over;
};

/* Iterator over the pointer offsets of a piece of memory: a list (kind, offset)* 0 in the file,
   decoded step by step, so that a list of megabytes needs no memory. */
struct old_fields;
struct fields {
	const uint8_t *at, *end; /* rest of the list */
	/* NULL since Go 1.5, where every pair of a list is a pointer. Before, kinds differ and a list
	   may be repeated (src/go/format/dump/old_fields.h); the fields below are for that. For memory
	   described by a bit mask it is &fields_masks, see below. */
	const struct old_fields *old;
	const uint8_t *list, *data; /* the whole list (NULL: every word), the memory */
	/* offset of the element, distance of elements (0: only one), size of the memory */
	uint64_t base, stride, size;
	uint64_t word;
	uint32_t origin, pointers, period, mask;
};

/* Bit masks, used instead of a list: bit n of `at`, counted from bit `origin` on, is word n. `size`
   counts words, `word` is the next one. */
enum fields_mask {
	FIELDS_EVERY, /* every word may be a pointer */
	/* one bit per word from word `base` on, `pointers` bits; the mask repeats every `period` words
	   (0: it does not) */
	FIELDS_BITS,
	/* Go 1.17 to 1.19: bits 0 to 3 of a byte are 4 words, bits 4 to 7 say that the object
	   continues */
	FIELDS_NIBBLES,
	/* Go 1.20 and 1.21: one bit per word; bit n of `data`, counted from `base`, says that an object
	   crossing the end of the n-th group of 64 words has no pointers after it */
	FIELDS_ARENA,
};
extern const struct old_fields fields_masks;

struct object_record { /* heapdump.go: dumpobj */
	uint64_t offset;   /* start of the record */
	uint64_t end;      /* end of the record: start of the next one */
	uint64_t slot;     /* address of the first byte of contents */
	uint64_t size;     /* bytes of contents: the slot's size class */
	/* bytes of contents in the file: fewer than size only for objects that Go could not write
	   completely */
	uint64_t stored;
	const uint8_t *data;  /* contents, `stored` bytes */
	struct fields fields; /* offsets are relative to slot */
	/* bytes of the allocation header, 0 or 8: the program's address of the object is slot +
	   header */
	uint8_t header;
	bool untyped; /* it refers to a type without a record: its pointers are unknown */
	/* the record of an object before it in the file has the same size and the same list of
	   fields; false: not compared */
	bool alike;
};

/* Steps to an alike record that ends `bytes` bytes later, and stores the address of its slot. */
static inline void object_record_step(struct object_record *record, uint64_t bytes, uint64_t slot)
{
	record->offset += bytes;
	record->end += bytes;
	record->data += bytes;
	record->fields.at += bytes;
	record->fields.end += bytes;
	record->slot = slot;
	record->alike = true;
}

/* Go writes contents with one write(2) of at most this many bytes, with the length truncated to 32
   bits, and ignores the result (runtime/heapdump.go: dwrite). No object is larger than the address
   space (runtime/malloc.go: maxAlloc). */
#define OBJECT_WRITTEN_MAX 0x7ffff000U
#define OBJECT_SIZE_MAX    (UINT64_C(1) << 48)

/* Returns the bytes of an object of this size that are in the file; UINT64_MAX if no such object
   can exist. */
static inline uint64_t object_stored(uint64_t size)
{
	if (__builtin_expect(size <= OBJECT_WRITTEN_MAX, 1))
		return size;
	uint64_t asked = size & UINT32_MAX;
	if (size > OBJECT_SIZE_MAX)
		return UINT64_MAX;
	return asked < OBJECT_WRITTEN_MAX ? asked : OBJECT_WRITTEN_MAX;
}

enum goroutine_status { /* runtime2.go: _Gidle ... _Gleaked; other values are passed on */
	                    GOROUTINE_IDLE = 0,
	                    GOROUTINE_RUNNABLE = 1,
	                    GOROUTINE_RUNNING = 2,
	                    GOROUTINE_SYSCALL = 3,
	                    GOROUTINE_WAITING = 4,
	                    GOROUTINE_DEAD = 6,
	                    GOROUTINE_COPYSTACK = 8,
	                    GOROUTINE_PREEMPTED = 9,
	                    /* Go 1.26: waits, and the collector found that nothing can wake it up */
	                    GOROUTINE_LEAKED = 10,
	                    GOROUTINE_DEAD_EXTRA = 11,
};
/* Returns true if a goroutine of that status waits. For others the runtime keeps the reason of the
   last wait. */
static inline bool goroutine_status_waits(uint64_t status)
{
	return status == GOROUTINE_WAITING || status == GOROUTINE_LEAKED;
}

enum span_state {                /* use of a span's memory */
	              SPAN_IN_USE,   /* objects */
	              SPAN_STACK,    /* stacks of goroutines */
	              SPAN_RUNTIME,  /* data of the collector */
	              SPAN_FREE,     /* free */
	              SPAN_RELEASED, /* free and returned to the operating system */
	              SPAN_STATES
};

enum mapping_kind {
	MAPPING_HEAP, /* spans and free pages of the heap */
	MAPPING_RUNTIME,
	MAPPING_EXECUTABLE,
	MAPPING_FILE,
	MAPPING_STATIC,       /* variables of C; `path` says of which file, and which if it is large */
	MAPPING_STACK,        /* of the first thread */
	MAPPING_THREAD_STACK, /* of another thread, which a C library started */
	MAPPING_MALLOC,       /* of the C library's malloc; `path` says which part */
	MAPPING_OTHER,
	MAPPING_RESERVED, /* inaccessible address space */
	MAPPING_KINDS
};

enum { MEMSTATS_FIELDS = 24, MEMSTATS_PAUSES = 256 };
/* "Alloc", ... "PauseTotalNs" */
extern const char *const memstats_names[MEMSTATS_FIELDS];
/* Bit of memstats_record.unknown for the pauses and the number of collections. */
#define MEMSTATS_PAUSES_UNKNOWN (UINT64_C(1) << MEMSTATS_FIELDS)

/* struct type_record, struct frame_record ...: one per record of Go dumps, generated from the table
   of their fields. Each begins with its offset. */
/* clang-format off */
#define RECORD(KIND, name, listed, title, text)    struct name##_record { uint64_t offset;
#define FIELD(type, member, encoding, when)        type member;
#define ARRAY(type, member, count, encoding, when) type member[count];
#define END(name)                                  };
/* clang-format on */
#include "format/records.def"

/* Stores the statistic of a name, one of memstats_names. False: the dump does not tell it. */
bool memstats_value(const struct memstats_record *stats, const char *name, uint64_t *value);

/* In the order of the kinds of roots from ROOT_OTHER on. */
enum otherroot_role { OTHERROOT_PLAIN, OTHERROOT_CLEANUP, OTHERROOT_WEAK_HANDLE };

/* The name of the record by which a redacted heap dump says so: an "other root" of nothing, which
   every reader of heap dumps skips. */
#define RECORD_REDACTED "redacted by goheapx"

enum record_kind {
#define RECORD(KIND, name, listed, title, text) RECORD_##KIND,
#define SAME(KIND, listed, like, title)         RECORD_##KIND,
#define OTHER(KIND, listed, title)              RECORD_##KIND,
#include "format/records.def"
	RECORD_KINDS
};

/* Encoding of a field in the file, which also decides how it is shown. */
enum record_encoding {
	ENCODING_ADDRESS, /* uvarint */
	ENCODING_NUMBER,
	ENCODING_SIZE,     /* size of the next CONTENTS, or number of items of the next STACK */
	ENCODING_LENGTH,   /* no bytes: length of the CONTENTS or STACK before it */
	ENCODING_CONTENTS, /* as many bytes as the SIZE before */
	ENCODING_POINTERS, /* pointer words of the CONTENTS before: (kind, offset)* 0 */
	ENCODING_PAIRS,    /* like POINTERS, preceded by their number */
	ENCODING_STACK,    /* (text function, text file, uvarint line)* */
	ENCODING_FLAG,     /* 0 or 1 */
	ENCODING_ZERO,     /* a number; the field is true if it is 0 */
	ENCODING_YES,      /* no bytes: true */
	ENCODING_TEXT,
	ENCODING_TYPE_NAME, /* a text that may be malformed in Go 1.5 */
	ENCODING_LETTER,    /* of the architecture */
	ENCODING_DEPTH,     /* depth of a stack frame, counted from 0 in each goroutine */
};

struct record_field {
	const char *name; /* name of the struct's member; NULL ends a list */
	uint8_t encoding; /* enum record_encoding */
	uint8_t when;     /* layouts that have it: bits of enum go_release */
	uint16_t count;   /* length of an array, else 1 */
	uint16_t place;   /* offset in the struct */
};

struct record_type {
	const char *listed;                         /* "otherroot": in lists */
	const char *title;                          /* "other root": in messages */
	const char *text;                           /* summary, see format/records.def */
	const struct record_field *(*fields)(void); /* in file order; NULL for an object */
	size_t size;                                /* size of the struct */
};
extern const struct record_type record_types[RECORD_KINDS];

/* A summary of a trace. */
/* dumps: memory dumps, with or without heaps */
struct trace_record {
	uint64_t events, processes, dumps;
};

/* Logs that list objects by number. A number identifies an object within its section; it is no
   address. Types are reported as struct type_record, whose address is the type's number. */
struct domain_record { /* begins a section; later records belong to it */
	uint64_t offset, version;
	struct text name;
	bool has_time;
	uint64_t time; /* ms since the device was started, modulo 2^32 */
};
struct log_object_record {
	uint64_t offset, id, type;
	uint64_t size;   /* 0 for objects that take no memory of their own */
	uint32_t handle; /* the reader's own, to find the references again */
};
/* What a reference does for the life of its target. */
enum strength {
	STRENGTH_STRONG, /* retains it */
	STRENGTH_SOFT,   /* retains it until memory is short: counts as strong */
	STRENGTH_WEAK,   /* never retains it */
	/* From a weak table to the value of an entry: retains it only as long as the key lives. It
	   counts as weak. The format tells, too, a strong reference from the key to the value. */
	STRENGTH_EPHEMERON,
	STRENGTHS
};
#define PLACE_NONE UINT32_MAX
struct listed_reference {
	uint64_t target; /* number of an object */
	uint32_t place;  /* an id that the format's function `place` knows, or PLACE_NONE */
	uint8_t strength;
};
enum log_root_kind { /* as in a GC log; other numbers are passed on */
	                 LOG_INTERNAL,
	                 LOG_LOCAL,
	                 LOG_FINALIZER,
	                 LOG_HANDLE,
	                 LOG_STATIC,
	                 LOG_SPECIFIC,
	                 LOG_KINDS
};
struct log_root_record {
	uint64_t offset, id, kind;
	uint8_t flags; /* bits of enum root_flag */
	/* If not empty, the name of the root, followed by a place (struct listed_reference); otherwise
	   its kind names it. Raw bytes. */
	struct text name;
	uint32_t place;
	bool has_container;
	uint64_t container; /* for a static variable: the type that declares it */
};
enum root_flag {
	ROOT_PINNED = 1,
	ROOT_WEAK = 2,
	ROOT_INTERIOR = 4,
	/* Of a frame, never in a log: its word may be no pointer; it stands before any place in the
	   frame that a pointer leads to. */
	ROOT_GUESS = 8,
	ROOT_UNLIKELY = 16,
};

bool fields_next_old(struct fields *f, uint64_t *offset); /* src/go/format/dump/old_fields.c */
/* Initializes *f with a mask over so many words; the caller sets the rest. */
void fields_of_mask(struct fields *f, enum fields_mask mask, uint64_t words);
bool fields_next_mask(struct fields *f, uint64_t *offset); /* src/go/format/dump/mask_fields.c */

/* Steps to the next pointer. Returns true and its byte offset, or false at the end. */
static inline bool fields_next(struct fields *f, uint64_t *offset)
{
	if (f->old)
		return fields_next_old(f, offset);
	/* The reader has validated the list, so at least a 0 or a whole pair is left; the checks keep
	   any other bytes safe, too. */
	const uint8_t *at = f->at, *end = f->end;
	if (at >= end || *at == 0)
		return false;
	if (end - at > 2 && at[1] < 0x80) {
		*offset = at[1];
		f->at = at + 2;
		return true;
	}
	if (end - at > 2 && at[2] < 0x80) {
		*offset = (at[1] & 0x7fU) | (unsigned)at[2] << 7;
		f->at = at + 3;
		return true;
	}
	at++; /* kind */
	uint64_t value = 0;
	for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
		uint8_t byte = *at++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*offset = value;
			f->at = at;
			return true;
		}
	}
	f->at = end;
	return false;
}

/* Returns a pointer-sized word in the dump's byte order. `data` must hold layout->pointer_size
   bytes. */
uint64_t layout_word_slow(const struct layout *layout, const uint8_t *data);

static inline uint64_t layout_word(const struct layout *layout, const uint8_t *data)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (layout->pointer_size == 8 && !layout->big_endian) {
		uint64_t word;
		__builtin_memcpy(&word, data, sizeof word);
		return word;
	}
#endif
	return layout_word_slow(layout, data);
}

/* Returns the N of "go1.N"; 0 if the version is unknown. */
unsigned record_minor_version(struct text version);
