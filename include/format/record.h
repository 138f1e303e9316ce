/* The records of a dump as the readers hand them over. Texts and bytes are borrowed from the mapped
   file. `offset` is where the record starts in the file. Names are those of Go's heap dump
   (runtime/heapdump.go); formats that lack a record never tell it. */
#ifndef FORMAT_RECORD_H
#define FORMAT_RECORD_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* How words and pointer lists of this dump are to be read. */
struct layout {
	uint8_t pointer_size; /* 4 or 8 */
	bool big_endian;
	/* Objects that have pointers and more bytes than this, up to 32 KiB, begin with an allocation
	   header of 8 bytes (Go >= 1.22, runtime/mbitmap.go); 0: there are none. */
	uint16_t header_over;
};

/* The places of a piece of memory that hold pointers: a list (kind, offset)* 0 in the file.
   Decoded step by step, so that a list of megabytes needs no memory. */
struct old_fields;
struct fields {
	const uint8_t *at, *end; /* what is left of the list */
	/* From Go 1.5 on every pair of a list is a pointer, and this is NULL. Before, kinds differ and
	   a list may be repeated: src/format/old_fields.h, which is what the rest is for. Of memory
	   that a bit mask describes it is fields_masks, see below. */
	const struct old_fields *old;
	const uint8_t *list, *data;  /* the whole list (NULL: every word), the memory */
	uint64_t base, stride, size; /* of the element, of all elements (0: only one), of the memory */
	uint64_t word;
	uint32_t origin, pointers, period, mask;
};

/* Masks, in the stead of a list: bit n of `at`, counted from the bit `origin` on, is word n. `size`
   counts words, `word` is the next one. */
enum fields_mask {
	FIELDS_EVERY, /* every word may be a pointer */
	FIELDS_BITS,  /* a bit a word from the word `base` on; after `pointers` words there are none up
	                 to  `period`, where the mask begins anew (0: it does not) */
	FIELDS_NIBBLES, /* Go 1.17 to 1.19: bits 0 to 3 of a byte are 4 words, 4 to 7 say that the
	                   object goes on */
	FIELDS_ARENA, /* Go 1.20 and 1.21: a bit a word; bit n of `data`, counted from `base`, says that
	                 what crosses the end of the n-th 64 words has no pointers beyond */
};
extern const struct old_fields fields_masks;

struct object_record { /* heapdump.go: dumpobj */
	uint64_t offset;   /* of the record */
	uint64_t end;      /* of the record: where the next one starts */
	uint64_t slot;     /* address of the first byte of contents */
	uint64_t size;     /* of contents: the slot's size class */
	uint64_t stored;   /* of contents that are in the file: fewer than size only in objects that Go
	                      could not write whole */
	const uint8_t *data;  /* contents, `stored` bytes */
	struct fields fields; /* offsets count from slot */
	uint8_t header;       /* bytes of allocation header before what the program sees, 0 or 8:
	                         the program's address of the object is slot + header */
	bool untyped;         /* names a type that no record has told of: its pointers are not known */
};

/* Go hands contents to one write(2), which takes so many bytes at most, with a length that was cut
   to 32 bits, and does not look at what it has written (runtime/heapdump.go: dwrite). No heap has
   an object of more bytes than addresses (runtime/malloc.go: maxAlloc). */
#define OBJECT_WRITTEN_MAX 0x7ffff000U
#define OBJECT_SIZE_MAX    (UINT64_C(1) << 48)

/* How many bytes of an object of this size are in the file; more than any file has when there can
   be no such object. */
static inline uint64_t object_stored(uint64_t size)
{
	if (__builtin_expect(size <= OBJECT_WRITTEN_MAX, 1))
		return size;
	uint64_t asked = size & UINT32_MAX;
	if (size > OBJECT_SIZE_MAX)
		return UINT64_MAX;
	return asked < OBJECT_WRITTEN_MAX ? asked : OBJECT_WRITTEN_MAX;
}

enum goroutine_status { /* runtime2.go: _Gidle ... _Gleaked; other values are kept as they are */
	                    GOROUTINE_IDLE = 0,
	                    GOROUTINE_RUNNABLE = 1,
	                    GOROUTINE_RUNNING = 2,
	                    GOROUTINE_SYSCALL = 3,
	                    GOROUTINE_WAITING = 4,
	                    GOROUTINE_DEAD = 6,
	                    GOROUTINE_COPYSTACK = 8,
	                    GOROUTINE_PREEMPTED = 9,
	                    GOROUTINE_LEAKED = 10, /* Go 1.26: waits; its collector found it lost */
	                    GOROUTINE_DEAD_EXTRA = 11,
};
/* Does a goroutine of that status wait? Of others the runtime keeps the reason of the last wait. */
static inline bool goroutine_status_waits(uint64_t status)
{
	return status == GOROUTINE_WAITING || status == GOROUTINE_LEAKED;
}

enum span_state {                /* what the memory of a span is used for */
	              SPAN_IN_USE,   /* objects */
	              SPAN_STACK,    /* goroutines' stacks */
	              SPAN_RUNTIME,  /* work of the collector */
	              SPAN_FREE,     /* nothing */
	              SPAN_RELEASED, /* nothing, and the operating system has it back */
	              SPAN_STATES
};

enum mapping_kind {
	MAPPING_HEAP, /* spans and free pages of the heap */
	MAPPING_RUNTIME,
	MAPPING_EXECUTABLE,
	MAPPING_FILE,
	MAPPING_STACK, /* of the first thread */
	MAPPING_OTHER,
	MAPPING_RESERVED, /* that nobody can use yet */
	MAPPING_KINDS
};

enum { MEMSTATS_FIELDS = 24, MEMSTATS_PAUSES = 256 };
/* "Alloc", ... "PauseTotalNs" */
extern const char *const memstats_names[MEMSTATS_FIELDS];
/* Of memstats_record.unknown: the pauses and the number of collections. */
#define MEMSTATS_PAUSES_UNKNOWN (UINT64_C(1) << MEMSTATS_FIELDS)

/* struct type_record, struct frame_record ...: one a record of Go's dumps, made of the table of
   their fields. Each begins with its offset. */
/* clang-format off */
#define RECORD(KIND, name, listed, title, text)    struct name##_record { uint64_t offset;
#define FIELD(type, member, encoding, when)        type member;
#define ARRAY(type, member, count, encoding, when) type member[count];
#define END(name)                                  };
/* clang-format on */
#include "format/records.def"

/* In the order of the kinds of roots from ROOT_OTHER on. */
enum otherroot_role { OTHERROOT_PLAIN, OTHERROOT_CLEANUP, OTHERROOT_WEAK_HANDLE };

enum record_kind {
#define RECORD(KIND, name, listed, title, text) RECORD_##KIND,
#define SAME(KIND, listed, like, title)         RECORD_##KIND,
#define OTHER(KIND, listed, title)              RECORD_##KIND,
#include "format/records.def"
	RECORD_KINDS
};

/* How a field stands in the file, and so how it is shown. */
enum record_encoding {
	ENCODING_ADDRESS, /* uvarint */
	ENCODING_NUMBER,
	ENCODING_SIZE,     /* the same: of the next CONTENTS, or items of the next STACK */
	ENCODING_LENGTH,   /* no bytes: of the CONTENTS or STACK before it */
	ENCODING_CONTENTS, /* so many bytes */
	ENCODING_POINTERS, /* which words of these are pointers: (kind, offset)* 0 */
	ENCODING_PAIRS,    /* the same, with their number before */
	ENCODING_STACK,    /* (text function, text file, uvarint line)* */
	ENCODING_FLAG,     /* 0 or 1 */
	ENCODING_ZERO,     /* a number: is it 0? */
	ENCODING_YES,      /* no bytes */
	ENCODING_TEXT,
	ENCODING_TYPE_NAME, /* a text that Go 1.5 may have broken */
	ENCODING_LETTER,    /* of the architecture */
	ENCODING_DEPTH,     /* of a stack frame: they are counted from 0 in each goroutine */
};

struct record_field {
	const char *name; /* of the struct's member; NULL ends a list */
	uint8_t encoding; /* enum record_encoding */
	uint8_t when;     /* layouts that have it: enum go_release */
	uint16_t count;   /* of an array, else 1 */
	uint16_t place;   /* in the struct */
};

struct record_type {
	const char *listed;                         /* "otherroot": in lists */
	const char *title;                          /* "other root": in sentences */
	const char *text;                           /* what it says in short, see format/records.def */
	const struct record_field *(*fields)(void); /* in the order of the file; NULL: of an object */
	size_t size;                                /* of the struct */
};
extern const struct record_type record_types[RECORD_KINDS];

/* A trace, of whatever it may be. */
/* Dumps: of memory, with heaps or not */
struct trace_record {
	uint64_t events, processes, dumps;
};

/* Logs that list objects by numbers. A number names one object of its section, and says nothing
   else: it is no address. Types are told as struct type_record, whose address is the type's
   number. */
struct domain_record { /* begins a section: what follows is of it */
	uint64_t offset, version;
	struct text name;
	bool has_time;
	uint64_t time; /* ms since the device was started, modulo 2^32 */
};
struct log_object_record {
	uint64_t offset, id, type;
	uint32_t size;
};
enum log_root_kind { /* as in the file; other numbers are kept as they are */
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
	uint8_t flags; /* enum root_flag */
	bool has_container;
	uint64_t container; /* of a static: the type that it is declared in */
};
enum root_flag { ROOT_PINNED = 1, ROOT_WEAK = 2, ROOT_INTERIOR = 4 };

bool fields_next_old(struct fields *f, uint64_t *offset); /* src/format/old_fields.c */
/* Makes it a mask of so many words; the caller fills the rest. */
void fields_of_mask(struct fields *f, enum fields_mask mask, uint64_t words);
bool fields_next_mask(struct fields *f, uint64_t *offset); /* src/format/mask_fields.c */

/* Steps to the next pointer field: true and its byte offset. */
static inline bool fields_next(struct fields *f, uint64_t *offset)
{
	if (f->old)
		return fields_next_old(f, offset);
	/* The reader has walked the list to its end, so at least a 0 or a whole pair is there;
	   the checks make that true for any bytes. */
	const uint8_t *at = f->at, *end = f->end;
	if (at >= end || *at == 0)
		return false;
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

/* A pointer-sized word of the dump's byte order. `data` must hold layout->pointer_size bytes. */
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

/* The N of "go1.N"; 0 when the version does not say. */
unsigned record_minor_version(struct text version);

#endif
