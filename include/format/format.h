/* Dump formats. A format is a file behind one struct: it reads an input and passes its records in
   file order to a sink, and does not know how the sink uses them. */
#pragma once

#include "base/err.h"
#include "base/input.h"
#include "base/plugin.h"
#include "base/process.h"
#include "base/progress.h"
#include "format/record.h"
#include "format/runtime.h"

struct heap_profiles;
struct estimate;

/* Receiver of records. Callbacks may be NULL. Records are valid only during the call, data that
   they borrow as long as the input. The order of calls that a format owes:
   - Objects with addresses: the record RECORD_PARAMS, which says how wide a pointer is, before the
     first `object` or `ghost`; `row` after the object that it follows. RECORD_FRAME, RECORD_DEFER
     and RECORD_PANIC come after the RECORD_GOROUTINE that they belong to; a frame without one is
     reported as damage.
   - Listed objects, those of a format with `references`: `domain`, {0} if the format has none,
     before the types, objects and roots in it, which come in any order; no record but RECORD_TYPE.
   - Last `heap_profiles`, and `end` if the dump is complete. `trace`, `warning` and `notice` come
     at any time.
   heap_read() fails with a message where a call comes before the one that it belongs to. */
struct sink {
	void *self;
	/* Records with their own structs: struct type_record for RECORD_TYPE, and so on. */
	void (*record)(void *self, enum record_kind kind, const void *record);
	void (*object)(void *self, const struct object_record *);
	/* `count` objects that follow the one told last: their records have `bytes` bytes each, their
	   slots these addresses, and all else is as in *before. NULL: `object` is told each. */
	void (*row)(void *self, const struct object_record *before, const uint64_t *slots, size_t count,
	            size_t bytes);
	/* A slot that holds no object (Go >= 1.22). */
	void (*ghost)(void *self, const struct object_record *);
	void (*domain)(void *self, const struct domain_record *);
	void (*domain_end)(void *self, uint64_t offset);
	void (*log)(void *self, const struct log_object_record *);
	void (*log_root)(void *self, const struct log_root_record *);
	void (*trace)(void *self, const struct trace_record *);
	/* called last; valid as long as the reader */
	void (*heap_profiles)(void *self, const struct heap_profiles *);
	void (*end)(void *self, uint64_t offset); /* the end record: the dump is complete */
	/* Some data is lost or may be wrong; reading continues, or stops if it must. */
	void (*warning)(void *self, uint64_t offset, const char *text);
	/* An irregularity without loss of data. */
	void (*notice)(void *self, uint64_t offset, const char *text);
	/* Returns the end of a row of objects that begins at an offset, if the receiver has them
	   already, or else the offset. Formats may report these objects anyway. */
	uint64_t (*skip)(void *self, uint64_t offset);
};

/* References of a listed object. Start with {0}; the owner frees `item`. */
struct listed_references {
	struct listed_reference *item;
	size_t count, capacity;
};
void listed_references_add(struct listed_references *, struct listed_reference);

/* State of a format for an input, needed to decode objects again. */
struct reader;

/* A plugin or shared library of Go that was read with the executable. */
struct format_module {
	const char *path;
	uint64_t bias; /* load bias: process address minus link-time address */
};
/* The executable that was read together with an input. */
struct format_executable {
	const char *path;
	uint64_t bias; /* load bias: process address minus link-time address */
	bool proven;   /* verified: the process's own file, or the same build id */
	const struct format_module *module;
	size_t modules;
};

/* What dumps of a format contain. It follows from the functions that the format has and from its
   runtime, see format_parts(). */
enum format_part {
	PART_OBJECTS = 1,      /* objects, references, roots */
	PART_MEMORY = 2,       /* objects are memory: addresses, contents, pointer words */
	PART_TYPES = 4,        /* the type of every object */
	PART_PROCESS = 8,      /* memory of the whole process: heap spans and everything else */
	PART_GO = 16,          /* goroutines and other records of the Go runtime */
	PART_DOMAINS = 32,     /* app domains */
	PART_WEAK = 64,        /* weak roots */
	PART_BREAKDOWN = 128,  /* sizes by call stack and type */
	PART_ALLOCATORS = 256, /* reports of the allocators of several processes */
	PART_NAMES = 512,      /* names and strengths of references: `place` below */
	PART_IDS = 1024,       /* objects keep their numbers as long as they live: `lasting` below */
};

/* How a format names a kind of its roots; name NULL: it has no such roots. */
struct listed_root_kind {
	const char *name; /* in JSON: "gchandle" */
	const char *text; /* of a root without a name of its own: "GC handle" */
};

struct crash_note {
	uint64_t thread; /* system id of the thread that got it */
	unsigned signal;
	/* What the runtime has said, where no goroutine did; empty: nothing. Borrowed. */
	struct text fatal;
};
/* What it says where no goroutine can ever run again. */
#define CRASH_ASLEEP "all goroutines are asleep - deadlock!"

/* What may still run code of a program, or wake a goroutine of it, where all goroutines wait. */
struct wakers_note {
	bool timers_known;        /* if not, the next four are not set */
	bool busy;                /* a processor of the scheduler was at work */
	uint64_t timers;          /* that are set and do more than send to a channel */
	const uint64_t *channels; /* addresses of channels that timers will send to; borrowed */
	size_t channel_count;
	bool threads_known; /* if not, the next one is not set */
	uint64_t foreign; /* threads that are not of Go: their code may call functions of the program */
	/* The variable with the channels that get signals; start 0: not known. */
	uint64_t signals_start, signals_end;
};

/* The chunks of memory of malloc. Those that caches of threads keep for the next call count as in
   use, the unused end as free. */
struct malloc_chunks {
	uint64_t used, free; /* bytes, with the 8 that malloc has in front of each */
	uint64_t count;      /* of those in use */
};

struct format {
	unsigned rank; /* order of probes, lowest first: the most reliable ones */
	const char *name, *help;
	const char *noun;              /* "Go heap dump", for messages */
	const struct runtime *runtime; /* of the programs whose heaps it holds */
	/* LOG_KINDS + 1 rows, the last one for unknown kinds; NULL: objects are not listed */
	const struct listed_root_kind *root_kinds;
	/* Listed objects have the same numbers in all files of a process, and those that were made
	   later greater ones, apart from even numbers, whose order means nothing. */
	bool lasting;
	const void *variant; /* private data of the functions, for formats that share them */
	uint8_t otherroot;   /* heap dumps: the first byte of an "other root" record */
	/* Returns true if the content is of this format. Fast, except for old versions that can be
	   distinguished only by reading the file. */
	bool (*probe)(const struct format *, const uint8_t *data, size_t size);
	/* Reads the whole input. Returns a reader that lives as long as the input, or NULL with *err if
	   nothing is usable. A truncated file is read with a warning and without `end`; so is one whose
	   reading was cancelled. */
	struct reader *(*read)(const struct format *, const struct input *, const struct sink *,
	                       struct progress *, struct err *);
	/* Estimates the content from ESTIMATE_SAMPLES samples, or fewer if they take longer than
	   `milliseconds` (or ESTIMATE_FOREVER). Returns false if it cannot be estimated. NULL: not
	   supported. */
	bool (*estimate)(const struct format *, const struct input *, unsigned milliseconds,
	                 struct estimate *);
	/* Decodes the object record at an offset again. NULL: objects have no such records, they are
	   listed. */
	bool (*object)(const struct reader *, uint64_t offset, struct object_record *);
	/* Decodes the record right after a decoded one. NULL: use `object`. */
	bool (*next)(const struct reader *, struct object_record *);
	/* Appends the references of a listed object, from the offset and the handle of its record.
	   NULL: objects have addresses, and contents with pointers instead. */
	void (*references)(const struct reader *, uint64_t offset, uint32_t handle,
	                   struct listed_references *);
	/* Appends the name of a place that `references` has told, raw bytes, and returns true; for an
	   element without a name, returns false with its index. `name` may be NULL. NULL function:
	   places are not recorded. */
	bool (*place)(const struct reader *, uint32_t place, struct buf *name, uint64_t *index);
	/* Finds the memory of variables without pointers that contains an address, which is not
	   reported as a segment record: sets its address, size and data. NULL: not supported. */
	bool (*variables)(const struct reader *, uint64_t address, struct segment_record *);
	/* Returns the process that the file is a snapshot of, or NULL. NULL function: not supported. */
	const struct process_note *(*snapshot)(const struct reader *);
	/* Reads the signal that caused a core file. Returns false if there is none. NULL: not
	   supported. */
	bool (*crash)(const struct reader *, struct crash_note *);
	/* Tells what else than a goroutine may wake one. NULL: not supported. */
	const struct wakers_note *(*wakers)(const struct reader *);
	/* Counts the resident bytes of an address range; returns false if not known. NULL: not
	   supported. */
	bool (*resident)(const struct reader *, uint64_t address, uint64_t bytes, uint64_t *resident);
	/* Adds up the chunks of malloc in a mapping of MAPPING_MALLOC. False: its structures are
	   damaged, or cancelled. NULL: not supported. */
	bool (*malloc_chunks)(const struct reader *, uint64_t address, uint64_t bytes,
	                      struct progress *, struct malloc_chunks *);
	/* Returns the name of an allocator of C that the process uses and whose memory is not read:
	   "jemalloc"; NULL: none is known. NULL: not supported. */
	const char *(*allocator)(const struct reader *);
	/* Returns a sentence about what the process has that is not read, such as another Go runtime;
	   NULL: nothing is known. NULL: not supported. */
	const char *(*unread)(const struct reader *);
	/* Returns the path of another runtime of the process by number, which the executable that is
	   named for the input may be; NULL: there are no more. NULL function: not supported. */
	const char *(*other_runtime)(const struct reader *, size_t number);
	/* Returns the executable read with the input. NULL: not supported. */
	struct format_executable (*executable)(const struct reader *);
	/* Adds as zones what is not in the records of the sink, with what stays of it, and makes the
	   input say that it is redacted. NULL: records are all. */
	void (*redact)(const struct reader *, struct redaction *);
	void (*close)(struct reader *);
};

extern const struct format *formats[]; /* sorted by rank, NULL at the end */

/* Returns the format of an input by its content, or NULL with *err. */
const struct format *format_find(const struct input *input, struct err *err);
/* Returns true if a format accepts files that begin with these bytes. For input_open(). */
bool format_known(void *self, const uint8_t *start, size_t size, struct err *err);

/* Decodes consecutive records: the one at `first`, or, if that is 0, the one after *record. */
static inline bool format_row(const struct format *format, const struct reader *reader,
                              uint64_t first, struct object_record *record)
{
	if (!first && format->next)
		return format->next(reader, record);
	return format->object(reader, first ? first : record->end, record);
}

/* Returns bits of enum format_part. */
static inline unsigned format_parts(const struct format *format)
{
	return (format->object ? PART_OBJECTS | PART_MEMORY : 0)
	       | (format->references ? PART_OBJECTS | PART_TYPES : 0) | (format->place ? PART_NAMES : 0)
	       | (format->resident ? PART_PROCESS : 0) | (format->lasting ? PART_IDS : 0)
	       | format->runtime->parts;
}

/* Returns true if the format has all these parts. Otherwise *err says what is missing; err->absent
   is set. */
bool format_has(const struct format *format, unsigned parts, struct err *err);
