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

struct params_record { /* heapdump.go: dumpparams */
	uint64_t offset;
	struct layout layout;
	uint64_t heap_start, heap_end; /* a hint, never a bound */
	struct text arch;              /* "amd64" */
	struct text version;           /* "go1.24.4"; empty before go1.17 */
	uint64_t cpus;
};

/* The places of a piece of memory that hold pointers: a list (kind, offset)* 0 in the file.
   Decoded step by step, so that a list of megabytes needs no memory. */
struct old_fields;
struct fields {
	const uint8_t *at, *end; /* what is left of the list */
	/* From Go 1.5 on every pair of a list is a pointer, and this is NULL. Before, kinds differ and
	   a list may be repeated: include/format/old_fields.h, which is what the rest is for. */
	const struct old_fields *old;
	const uint8_t *list, *data;  /* the whole list (NULL: every word), the memory */
	uint64_t base, stride, size; /* of the element, of all elements (0: only one), of the memory */
};

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

struct type_record {
	uint64_t offset, address, size;
	struct text name;
	bool pointer;         /* an interface's data word is a pointer; says nothing from Go 1.4 on */
	struct fields fields; /* Go 1.3 only */
};
/* `type`: the concrete type, in Go 1.4 to 1.6 *T when T is boxed; 0 in Go 1.3 */
struct itab_record {
	uint64_t offset, address, type;
	bool scalar; /* Go 1.3: the data word is the value itself, not a pointer */
};

enum goroutine_status { /* runtime2.go: _Gidle ... _Gwaiting; other values are kept as they are */
	                    GOROUTINE_IDLE = 0,
	                    GOROUTINE_RUNNABLE = 1,
	                    GOROUTINE_RUNNING = 2,
	                    GOROUTINE_SYSCALL = 3,
	                    GOROUTINE_WAITING = 4,
};

struct goroutine_record { /* heapdump.go: dumpgoroutine */
	uint64_t offset, address, sp, id, creator_pc, status;
	bool system, background;
	/* Monotonic ns; 0 = no collection has seen it waiting. Only differences mean something */
	uint64_t wait_since;
	struct text wait_reason;
	uint64_t context, m, defer, panic;
};

struct frame_record { /* heapdump.go: dumpframe; belongs to the last goroutine told */
	uint64_t offset, sp, depth, child_sp, entry_pc, pc, continue_pc;
	const uint8_t *data; /* contents, `size` bytes */
	uint64_t size;
	struct text function;
	struct fields fields; /* offsets count from sp and may lie beyond size */
};

struct finalizer_record { /* heapdump.go: finq_callback, dumpfinalizer */
	uint64_t offset, object, function, entry_pc, argument_type, object_type;
	bool queued; /* waiting to be run, or running */
};

struct thread_record {
	uint64_t offset, address, id, os_id;
};

struct segment_record { /* heapdump.go: dumproots: .data and .bss */
	uint64_t offset, address;
	bool bss;
	const uint8_t *data;
	uint64_t size;
	struct fields fields;
};

struct otherroot_record {
	uint64_t offset;
	struct text what;
	uint64_t target;
};
/* The early format of Go 1.3 only: a pointer found in a frame, or in data or bss. */
struct foundroot_record {
	uint64_t offset, address, target, frame_sp;
	bool on_stack;
	uint32_t next; /* for the receiver to chain those of a frame */
};
struct defer_record {
	uint64_t offset, address, goroutine, sp, pc, function, entry_pc, link;
};
struct panic_record {
	uint64_t offset, address, goroutine, type, data, defer, link;
};

enum { MEMSTATS_PAUSES = 256 };

struct memstats_record { /* heapdump.go: dumpmemstats; fields as in runtime.MemStats */
	uint64_t offset;
	bool present;
	uint64_t field[24]; /* named by memstats_names */
	uint64_t pause_ns[MEMSTATS_PAUSES];
	uint64_t num_gc;
};
extern const char *const memstats_names[24]; /* "Alloc", "TotalAlloc", ... "PauseTotalNs" */

struct profile_record { /* heapdump.go: dumpmemprof_callback */
	uint64_t offset, id, size, frames, allocs, frees;
	const uint8_t *stack; /* frames x (text function, text file, uvarint line), stack_size bytes */
	uint64_t stack_size;
};
struct sample_record {
	uint64_t offset, object, profile;
};

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

/* Steps to the next pointer field: true and its byte offset. */
static inline bool fields_next(struct fields *f, uint64_t *offset)
{
	if (f->old)
		return fields_next_old(f, offset);
	/* The reader has walked the list to its end, so at least a 0 or a whole pair is there;
	   the checks make that true for any bytes. */
	if (f->at >= f->end || *f->at == 0)
		return false;
	f->at++; /* kind */
	uint64_t value = 0;
	for (unsigned shift = 0; f->at < f->end && shift < 64; shift += 7) {
		uint8_t byte = *f->at++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*offset = value;
			return true;
		}
	}
	f->at = f->end;
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

#endif
