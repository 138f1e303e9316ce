/* The heap: the content of a dump as columns with dense 32-bit ids. Built in stages; published data
   is immutable, and any thread may read it.

     heap_read        objects, records of roots, threads, frames, statistics
     heap_link        forward edges, roots
     heap_reverse     backward edges

   Addresses of objects are those that the program uses (after an allocation header). */
#ifndef HEAP_HEAP_H
#define HEAP_HEAP_H

#include "base/err.h"
#include "base/index_file.h"
#include "base/input.h"
#include "base/progress.h"
#include "base/starts.h"
#include "format/format.h"
#include "heap/objects.h"
#include "heap/profile.h"
#include "heap/record_index.h"

/* Kinds of GC roots: places outside the heap that hold pointers into it. */
enum root_kind {
	ROOT_DATA,
	ROOT_BSS,
	ROOT_FRAME,
	ROOT_FINALIZER,
	ROOT_QUEUED_FINALIZER,
	ROOT_DEFER,
	ROOT_PANIC,
	ROOT_OTHER,
	ROOT_CLEANUP, /* this one and the next only in core files */
	ROOT_WEAK_HANDLE,
	/* of listed objects: in the order of enum log_root_kind, then all others; the format has their
	   words */
	ROOT_INTERNAL,
	ROOT_LOCAL,
	ROOT_FINALIZER_QUEUE,
	ROOT_HANDLE,
	ROOT_STATIC,
	ROOT_SPECIFIC,
	ROOT_UNKNOWN,
	ROOT_KINDS
};

struct root {
	uint32_t target; /* object */
	/* ROOT_FRAME: the frame; *FINALIZER, DEFER, PANIC, OTHER and roots of a log: index of the
	   record; else 0 */
	uint32_t holder;
	/* address of the word that holds the pointer; 0 if there is none (finalizers ...) */
	uint64_t address;
	uint8_t kind;  /* enum root_kind */
	uint8_t part;  /* finalizers: enum finalizer_part; defer: 0 record, 1 closure */
	uint8_t flags; /* bits of enum root_flag */
};
enum finalizer_part { FINALIZER_FUNCTION, FINALIZER_OBJECT, FINALIZER_REFERENCE };

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

struct ids {
	const uint32_t *id;
	size_t count;
}; /* borrowed */

struct heap {
	/* set by heap_read */
	const struct input *input;
	const struct format *format;
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
	uint64_t losses; /* warnings that are not harmless, including dropped ones */
	bool complete;   /* the end record was read */
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
bool heap_reverse(struct heap *heap, struct progress *progress); /* returns false if cancelled */
void heap_free(struct heap *heap);

/* For ROOT_DEFER or ROOT_PANIC: returns the first root whose record comes after so many threads; it
   belongs to the last of them. */
uint32_t roots_behind(const struct heap *heap, enum root_kind kind, uint32_t threads);

/* Range of root kinds that dumps of this format may have: first ... end - 1. */
struct root_kinds {
	int first, end;
};
struct root_kinds heap_root_kinds(const struct heap *heap);
/* Returns the name of a kind in JSON: "data", "bss", "frame", "finalizer", ...; NULL: dumps of this
   format have no such roots. */
const char *heap_root_kind(const struct heap *heap, int kind);

/* ---- Objects. Ids must be below heap_object_count. */
uint32_t heap_object_count(const struct heap *heap);
/* Returns the object whose slot contains the address, or OBJECT_NONE. */
uint32_t heap_find(const struct heap *heap, uint64_t address);
/* Returns the first object at or after an address, or OBJECT_NONE. Objects must have addresses. */
uint32_t heap_first_from(const struct heap *heap, uint64_t address);
uint64_t heap_address(const struct heap *heap, uint32_t id); /* as the program uses it */
/* Returns the bytes of the whole slot, allocation header included. */
uint64_t heap_size(const struct heap *heap, uint32_t id);
/* Decodes the record of an object from the dump, with contents and pointer fields; a log has
   neither. Returns false only if the file has changed meanwhile. */
bool heap_object(const struct heap *heap, uint32_t id, struct object_record *record);

/* Reads records of many objects in ascending order: consecutive records are decoded without a
   search. Start with `struct object_reader reader = {.heap = heap}`. */
struct object_reader {
	const struct heap *heap;
	uint64_t offset;    /* of the record of `next` */
	uint32_t next, end; /* objects [next, end) have consecutive records */
};
bool object_reader_read(struct object_reader *reader, uint32_t id, struct object_record *record);

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

/* parts: bits of enum format_part */
static inline bool heap_has(const struct heap *heap, unsigned parts)
{
	return (format_parts(heap->format) & parts) == parts;
}
/* Returns the process that the heap is a snapshot of, or NULL. */
static inline const struct process_note *heap_snapshot(const struct heap *heap)
{
	return heap->format->snapshot && heap->reader ? heap->format->snapshot(heap->reader) : NULL;
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
/* PART_TYPES: returns the type of an object, an index into told_types. PART_DOMAINS: returns its
   section, an index into domains. */
uint32_t heap_type(const struct heap *heap, uint32_t id);
uint32_t heap_section(const struct heap *heap, uint32_t id);

/* Records of a kind: `count` structs of `stride` bytes that begin with the record. Kinds that share
   an array have the same result. */
struct heap_records {
	const void *items;
	size_t count, stride;
};
struct heap_records heap_records(const struct heap *heap, enum record_kind kind);

/* Returns the targets of an object's references in the order of its fields, including duplicates.
   Requires heap_link. */
struct ids heap_references(const struct heap *heap, uint32_t id);
/* Returns the referrers of an object, ascending, including duplicates. Requires heap_reverse. */
struct ids heap_referrers(const struct heap *heap, uint32_t id);

/* Edge arrays for loops over the whole graph, valid as long as the heap. */
struct edges {
	const struct starts *starts;
	const uint32_t *to;
};
struct edges heap_edges(const struct heap *heap);      /* references */
struct edges heap_back_edges(const struct heap *heap); /* referrers */

static inline struct ids edges_of(struct edges edges, uint32_t id)
{
	uint32_t first = starts_at(edges.starts, id);
	return (struct ids){edges.to + first, starts_at(edges.starts, id + 1) - first};
}

/* Prefetch for a breadth-first search, which is bound by memory latency: of the `left` objects next
   in its queue, prefetches the CSR offsets and then the edges of those that come soon. */
enum { EDGES_ROW_AHEAD = 32, EDGES_LIST_AHEAD = 16 };
static inline void edges_ahead(struct edges edges, const uint32_t *queue, size_t left)
{
	if (left <= EDGES_ROW_AHEAD)
		return;
	starts_prefetch(edges.starts, queue[EDGES_ROW_AHEAD]);
	__builtin_prefetch(edges_of(edges, queue[EDGES_LIST_AHEAD]).id);
}

/* References that do not retain their target, sorted by their source; only formats with PART_NAMES
   have any. They are not among the references above, which retain. */
struct weak_reference {
	uint32_t from, target;
	uint32_t place; /* see reference_add_place() */
	uint8_t strength;
};
struct weak_references {
	const struct weak_reference *item;
	size_t count;
}; /* borrowed */
struct weak_references heap_weak_references(const struct heap *heap);
struct weak_references heap_weak_references_of(const struct heap *heap, uint32_t id);
/* Returns those to an object, a copy that the caller frees; NULL if there are none. Searches all of
   them. */
struct weak_reference *heap_weak_references_to(const struct heap *heap, uint32_t id, size_t *count);

/* The place of a reference in an object: the offset of a field or element, or PLACE_NUMBER and the
   number of the reference, for a listed object; UINT64_MAX if unknown. */
#define PLACE_NUMBER (UINT64_C(1) << 63)
static inline bool place_is_offset(uint64_t place)
{
	return place < PLACE_NUMBER;
}

/* A pointer of an object and its position. `struct pointer_walk w; pointer_walk_object(&w,
   ...)`. */
struct pointer {
	/* offset of the word from the start of the object, frame or segment; a place as above for
	   objects */
	uint64_t offset;
	uint64_t value;  /* the word */
	uint32_t target; /* object, or OBJECT_NONE: nil, outside of the heap or dangling */
};
struct pointer_walk {
	const struct heap *heap;
	struct ids ids; /* remaining references of the object, if `listed` or `linked` */
	bool listed;    /* object of a log, which has no other data */
	size_t number;  /* of the next one of `ids`, if `listed` */
	/* each pointer into the address range of the heap leads to an object, so that `ids` are its
	   targets */
	bool linked;
	struct fields fields;
	const uint8_t *data;
	uint64_t size;
	unsigned header;
};
void pointer_walk_object(struct pointer_walk *walk, const struct heap *heap,
                         const struct object_record *record);
/* Like pointer_walk_object, but without lookups if all targets are known. Requires heap_link. */
void pointer_walk_linked(struct pointer_walk *walk, const struct heap *heap, uint32_t id,
                         const struct object_record *record);
void pointer_walk_frame(struct pointer_walk *walk, const struct heap *heap,
                        const struct frame_record *frame);
void pointer_walk_segment(struct pointer_walk *walk, const struct heap *heap,
                          const struct segment_record *segment);
/* Steps to the next pointer; returns false at the end. Skips fields beyond the contents. */
bool pointer_walk_next(struct pointer_walk *walk, struct pointer *pointer);

/* Returns a pointer-sized word. */
static inline uint64_t heap_word(const struct heap *heap, const uint8_t *data)
{
	return layout_word(&heap->params.layout, data);
}

/* Returns true for heap dumps of Go 1.24 or later: they do not record cleanups
   (runtime.AddCleanup), which are roots. */
bool heap_lacks_cleanups(const struct heap *heap);

#endif
