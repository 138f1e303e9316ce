/* Dump formats. A format is one file behind one struct; it tells what it reads, in file order, to a
   sink, and knows nothing of what the sink makes of it. */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "base/err.h"
#include "base/input.h"
#include "base/plugin.h"
#include "base/process.h"
#include "base/progress.h"
#include "format/estimate.h"
#include "format/heap_profile.h"
#include "format/record.h"

/* NULL where the receiver does not care. Records are valid during the call only, what they borrow
   as long as the input. */
struct sink {
	void *self;
	/* All that have fields of their own: struct type_record for RECORD_TYPE, and so on */
	void (*record)(void *self, enum record_kind kind, const void *record);
	void (*object)(void *self, const struct object_record *);
	/* A slot that is no object (Go >= 1.22) */
	void (*ghost)(void *self, const struct object_record *);
	void (*domain)(void *self, const struct domain_record *);
	void (*domain_end)(void *self, uint64_t offset);
	void (*log)(void *self, const struct log_object_record *);
	void (*log_root)(void *self, const struct log_root_record *);
	void (*trace)(void *self, const struct trace_record *);
	void (*heap_profiles)(void *self, const struct heap_profiles *); /* last; lives as long as the
	                                                                    reader */
	void (*end)(void *self, uint64_t offset); /* the record that says the dump is complete */
	/* Something of the file is lost or may be wrong; reading goes on, or stops if it cannot. */
	void (*warning)(void *self, uint64_t offset, const char *text);
	/* Something is not as it should be, and nothing is lost by it. */
	void (*oddity)(void *self, uint64_t offset, const char *text);
	/* Where a row of objects that begins at an offset ends, when the receiver has them already;
	   else that offset. Formats may tell them all the same. */
	uint64_t (*skip)(void *self, uint64_t offset);
};

struct numbers { /* start with {0}, free(item) */
	uint64_t *item;
	size_t count, capacity;
};

/* What a format remembers of an input, to decode its objects again. */
struct reader;

/* What dumps of a format can tell. Who needs something of it asks format_has(). */
struct format_executable {
	const char *path;
	uint64_t bias; /* what was added to its addresses */
	bool proven;   /* it is the one that ran: the process's own file, or of the same build id */
};

enum format_part {
	HAS_OBJECTS = 1,      /* objects, references, roots */
	HAS_CONTENTS = 2,     /* the bytes of objects, and where in them pointers are */
	HAS_ADDRESSES = 4,    /* where in memory objects are */
	HAS_RUNTIME = 8,      /* goroutines and the other records of Go's runtime */
	HAS_DOMAINS = 16,     /* app domains */
	HAS_BREAKDOWN = 32,   /* bytes by call stack and type */
	HAS_TYPES = 64,       /* which type every object has */
	HAS_WEAK = 128,       /* roots that keep nothing alive */
	HAS_PROCESS = 256,    /* the memory of the whole process: spans of the heap, all else */
	HAS_ALLOCATORS = 512, /* what the allocators of several processes report */
	HAS_GO = HAS_OBJECTS | HAS_CONTENTS | HAS_ADDRESSES | HAS_RUNTIME | HAS_BREAKDOWN
};

struct crash_note {
	uint64_t thread; /* that got it, by the system's number */
	unsigned signal;
};

struct format {
	unsigned rank; /* those with a lower one are asked first: the most telling probes */
	const char *name, *help;
	const char *noun;    /* "Go heap dump", for sentences */
	unsigned has;        /* enum format_part */
	const void *variant; /* of the functions' own: what tells apart formats that share them */
	/* Is a file with this content of this format? Quick, but for old versions that only trying can
	   tell apart. */
	bool (*probe)(const struct format *, const uint8_t *data, size_t size);
	/* Reads the whole input and gives a reader that lives as long as the input. NULL: nothing of it
	   can be used, *err says why. A file that ends early is read, with a warning and without `end`;
	   so is one whose reading was cancelled. */
	struct reader *(*read)(const struct format *, const struct input *, const struct sink *,
	                       struct progress *, struct err *);
	/* About how much is in it, from ESTIMATE_SAMPLES samples, fewer where they take longer than so
	   many milliseconds (or ESTIMATE_FOREVER). False: that cannot be told. NULL: of no file. */
	bool (*estimate)(const struct format *, const struct input *, unsigned milliseconds,
	                 struct estimate *);
	/* Decodes the object record at an offset that read() told, again. NULL: objects are listed. */
	bool (*object)(const struct reader *, uint64_t offset, struct object_record *);
	/* The one right behind a record that has been decoded. NULL: as any other. */
	bool (*next)(const struct reader *, struct object_record *);
	/* Appends the numbers of the objects that the one listed at an offset refers to. NULL: none is
	   listed; objects have addresses, and contents with pointers. */
	void (*references)(const struct reader *, uint64_t offset, struct numbers *);
	/* The memory of variables without pointers that an address lies in, which is no segment that is
	   told as a record: its address, size and data. NULL: no dump of the format has it. */
	bool (*variables)(const struct reader *, uint64_t address, struct segment_record *);
	/* Of which process the file is a snapshot, where it tells; NULL: of none. */
	const struct process_note *(*snapshot)(const struct reader *);
	/* The signal that a core file was written of. False: the file does not say one. NULL: no file
	   of the format does. */
	bool (*crash)(const struct reader *, struct crash_note *);
	/* How many bytes of a range of addresses were in memory; false: it does not tell. NULL: no dump
	   of the format does. */
	bool (*resident)(const struct reader *, uint64_t address, uint64_t bytes, uint64_t *resident);
	/* The executable that was read with the input; NULL: none is. */
	struct format_executable (*executable)(const struct reader *);
	void (*close)(struct reader *);
};

extern const struct format *formats[]; /* NULL at the end, by rank */

/* The format of an input by its content; NULL and *err when it is none. */
const struct format *format_find(const struct input *input, struct err *err);
/* Is there one for a file that begins with these bytes? For input_open(). */
bool format_known(const uint8_t *start, size_t size, struct err *err);

/* Decodes records in a row: first the one at `first`, then, with 0, the one behind the last. */
static inline bool format_row(const struct format *format, const struct reader *reader,
                              uint64_t first, struct object_record *record)
{
	if (!first && format->next)
		return format->next(reader, record);
	return format->object(reader, first ? first : record->end, record);
}

/* Can dumps of the format tell all these parts? False: *err says what they lack, as an answer. */
bool format_has(const struct format *format, unsigned parts, struct err *err);

#endif
