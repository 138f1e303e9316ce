/* The heap: the content of a dump as columns with dense 32-bit ids. Built in stages; published data
   is immutable, and any thread may read it.

     heap_read        objects, records of roots, threads, frames, statistics
     heap_link        forward edges, roots
     heap_reverse     backward edges

   Addresses of objects are those that the program uses (after an allocation header). */
#pragma once

#include "format/format.h"
#include "heap/profile.h"
#include "heap/record_index.h"
#include "heap/root.h"

struct buf;
struct err;
struct index_file;
struct input;
struct objects;
struct progress;

/* What has a stack of its own: a goroutine of Go. Threads of the system are os_threads. */
struct thread {
	struct goroutine_record record;
	/* its frames are heap->frames[first_frame ...], innermost first */
	uint32_t first_frame, frames;
	bool dumping; /* it wrote the dump */
};
struct frame {
	struct frame_record record;
	uint32_t thread;            /* UINT32_MAX: precedes all threads (damaged file) */
	uint32_t first_root, roots; /* heap->roots[first_root ...]: its pointers to objects */
};
/* Domains and roots of a log. A log lists objects by number, in one section per app domain; its
   list of roots includes those without an object. */
struct domain {
	struct domain_record record;
	bool ended;
	uint64_t objects, types, roots, bytes; /* types: those with a name */
};
struct log_root {
	struct log_root_record record;
	uint32_t section, container; /* index of its domain; index of its type, or HEAP_NO_TYPE */
};
#define HEAP_NO_TYPE UINT32_MAX

struct warning {
	uint64_t offset;
	char *text;
	bool harmless; /* an irregularity without loss of data */
};

struct heap {
	/* set by heap_read */
	const struct input *input;
	const struct format *format;
	unsigned parts;        /* of the format, see format_parts() */
	struct reader *reader; /* of the format */
	struct params_record params;
	struct objects *objects;
	/* Data of a log, otherwise empty; borrowed from `objects`. */
	const struct log_objects *log; /* private: src/heap/log_objects.h */
	const struct domain *domains;
	uint32_t domain_count;
	const struct log_root *log_roots;
	uint32_t log_root_count;
	/* PART_TYPES: types of objects, see heap_type(). Types that are only mentioned have no name. */
	const struct type_record *told_types;
	uint32_t told_type_count;
	uint64_t ghosts; /* number of slots that hold no object */
	struct thread *threads;
	uint32_t thread_count;
	struct frame *frames;
	uint32_t frame_count;
	struct type_record *types;
	uint32_t type_count;
	struct itab_record *itabs;
	uint32_t itab_count;
	/* registered and queued ones, in file order */
	struct finalizer_record *finalizers;
	uint32_t finalizer_count;
	uint32_t queued_finalizer_count;
	struct os_thread_record *os_threads;
	uint32_t os_thread_count;
	struct segment_record *segments;
	uint32_t segment_count;
	struct defer_record *defers;
	uint32_t defer_count;
	struct panic_record *panics;
	uint32_t panic_count;
	struct otherroot_record *otherroots;
	uint32_t otherroot_count;
	struct foundroot_record *foundroots;
	uint32_t foundroot_count; /* only in the early format of Go 1.3 */
	struct memstats_record memstats;
	struct profiles profiles;  /* including samples */
	struct span_record *spans; /* PART_PROCESS: sorted by address */
	uint32_t span_count;
	struct mapping_record *mappings; /* PART_PROCESS: sorted by address */
	uint32_t mapping_count;
	struct record_index index;
	/* NULL if the format has none; borrowed from the reader */
	const struct heap_profiles *heap_profiles;
	struct trace_record trace;
	struct warning *warnings;
	uint32_t warning_count;
	uint64_t warnings_dropped;
	uint64_t losses;     /* warnings that are not harmless, including dropped ones */
	uint64_t first_loss; /* the lowest offset of a loss; 0: of one it is not known */
	bool complete;       /* the end record was read */
	/* maximum of wait_since, which approximates the time of the dump on that clock */
	uint64_t latest_wait;

	/* set by heap_link */
	struct root *roots;
	uint32_t root_count;                      /* roots are sorted by kind, then in file order */
	uint32_t root_kind_first[ROOT_KINDS + 1]; /* roots of kind k: [first[k], first[k + 1]) */
	uint64_t edge_count;                      /* pointers from objects to objects */
	/* pointers from objects to heap pages without an object at that address */
	uint64_t dangling_count;

	struct heap_columns *columns; /* private: src/heap/columns.h */
};

/* Reads an input, which must stay open as long as the heap. Returns NULL with *err if nothing is
   usable. */
struct heap *heap_read(const struct input *input, struct progress *progress, struct err *err);
/* Like heap_read, but loads the objects from an index if it has them. `index` may be NULL. */
struct heap *heap_read_indexed(const struct input *input, struct index_file *index,
                               struct progress *progress, struct err *err);
/* Builds forward edges and roots. Returns false if cancelled, or with *err (more objects or edges
   than 32-bit ids). */
bool heap_link(struct heap *heap, struct progress *progress, struct err *err);
/* Builds the backward edges, if they are not there. Returns false if cancelled. Without this call
   the first question about referrers builds them. */
bool heap_reverse(const struct heap *heap, struct progress *progress);
void heap_free(struct heap *heap);

/* The stack of a thread: its memory from the runtime's record or, if that is not known, the
   smaller sum of its frames. */
struct thread_stack {
	uint64_t address; /* start of the memory, if exact */
	uint64_t bytes;
	bool exact;
};
struct thread_stack heap_thread_stack(const struct heap *heap, uint32_t thread);
/* Returns the sum of all stacks, exact if each is; it has no address. */
struct thread_stack heap_stacks(const struct heap *heap);

/* Returns the process that the heap is a snapshot of, or NULL. */
static inline const struct process_note *heap_snapshot(const struct heap *heap)
{
	return heap->format->snapshot && heap->reader ? heap->format->snapshot(heap->reader) : NULL;
}
/* Returns a sentence about another runtime of the process, which is not read; NULL: none is known.
 */
static inline const char *heap_unread(const struct heap *heap)
{
	return heap->format->unread && heap->reader ? heap->format->unread(heap->reader) : NULL;
}
/* Stores how many bytes of a range are resident. False: not known, as of heap dumps. */
static inline bool heap_resident(const struct heap *heap, uint64_t address, uint64_t bytes,
                                 uint64_t *resident)
{
	return heap->format->resident && heap->reader
	       && heap->format->resident(heap->reader, address, bytes, resident);
}
/* Returns the words of the runtime whose heap it is. */
static inline const struct runtime_words *heap_words(const struct heap *heap)
{
	return &heap->format->runtime->words;
}
/* Returns true if a thread waits for something. */
static inline bool thread_waits(const struct heap *heap, const struct thread *thread)
{
	return heap->format->runtime->waits(&thread->record);
}
/* Returns "waiting", "running", "status 17" ..., in buf if needed. */
static inline const char *thread_state(const struct heap *heap, uint64_t status, char buf[32])
{
	return heap->format->runtime->state(status, buf);
}
/* Appends the runtime's word and, unless NAME_ID is not wanted, the id: also the command that opens
   the thread. */
void thread_add_name(const struct heap *heap, const struct thread *thread, struct buf *out);
/* Records of a kind: `count` structs of `stride` bytes that begin with the record. Kinds that share
   an array have the same result. */
struct heap_records {
	const void *items;
	size_t count, stride;
};
struct heap_records heap_records(const struct heap *heap, enum record_kind kind);

/* Returns a pointer-sized word. */
static inline uint64_t heap_word(const struct heap *heap, const uint8_t *data)
{
	return layout_word(&heap->params.layout, data);
}

/* Returns true for heap dumps of Go 1.24 or later: they do not record cleanups
   (runtime.AddCleanup), which are roots. */
bool heap_lacks_cleanups(const struct heap *heap);
