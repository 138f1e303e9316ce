/* The heap: everything that a dump says, as columns with dense 32-bit ids. Built in stages; what a
   stage has published never changes again and may be read by any thread.

     heap_read        objects, roots' records, goroutines, frames, statistics
     heap_link        forward edges, roots
     heap_reverse     the reverse-pointer graph

   Addresses of objects are those the program uses (after an allocation header). */
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

/* What keeps objects alive: a place outside the heap that holds a pointer into it. */
enum root_kind {
	ROOT_DATA,
	ROOT_BSS,
	ROOT_FRAME,
	ROOT_FINALIZER,
	ROOT_QUEUED_FINALIZER,
	ROOT_DEFER,
	ROOT_PANIC,
	ROOT_OTHER,
	ROOT_CLEANUP, /* these two only in core files */
	ROOT_WEAK_HANDLE,
	/* of a log: in the order of enum log_root_kind, then all others */
	ROOT_INTERNAL,
	ROOT_LOCAL,
	ROOT_FINALIZER_QUEUE,
	ROOT_HANDLE,
	ROOT_STATIC,
	ROOT_SPECIFIC,
	ROOT_UNKNOWN,
	ROOT_KINDS
};
extern const char *const root_kind_names[ROOT_KINDS]; /* "data", "bss", "frame", "finalizer", ...
                                                         (JSON names) */

struct root {
	uint32_t target; /* object */
	uint32_t holder; /* ROOT_FRAME: frame; *FINALIZER, DEFER, PANIC, OTHER, those of a log: index of
	                    the record; else 0 */
	uint64_t address; /* of the word that holds the pointer, 0 where there is none (finalizers ...)
	                   */
	uint8_t kind;     /* enum root_kind */
	uint8_t part;     /* finalizers: enum finalizer_part; defer: 0 record 1 closure */
	uint8_t flags;    /* enum root_flag */
};
enum finalizer_part { FINALIZER_FUNCTION, FINALIZER_OBJECT, FINALIZER_REFERENCE };

struct goroutine {
	struct goroutine_record record;
	uint32_t first_frame, frames; /* its frames are heap->frames[first_frame ...], innermost first
	                               */
	bool dumping;                 /* this one wrote the dump */
};
struct frame {
	struct frame_record record;
	uint32_t goroutine;         /* UINT32_MAX: a frame before any goroutine (damaged file) */
	uint32_t first_root, roots; /* heap->roots[first_root ...]: its pointers to objects */
};
/* A log that lists its objects by numbers has sections of one app domain each, and a list of roots,
   those that lead to no object included. */
struct domain {
	struct domain_record record;
	bool ended;
	uint64_t objects, types, roots, bytes; /* types: those with a name */
};
struct log_root {
	struct log_root_record record;
	uint32_t section, container; /* its domain; its type, or HEAP_NO_TYPE */
};
#define HEAP_NO_TYPE UINT32_MAX

struct warning {
	uint64_t offset;
	char *text;
	bool harmless; /* it is odd, but nothing is lost or changed by it */
};

struct ids {
	const uint32_t *id;
	size_t count;
}; /* borrowed */

struct heap {
	/* from heap_read */
	const struct input *input;
	const struct format *format;
	struct reader *reader; /* of the format */
	struct params_record params;
	struct objects *objects;
	/* Of a log that lists its objects, else nothing: borrowed of `objects` */
	const struct log_objects *log; /* private: src/heap/log_objects.h */
	const struct domain *domains;
	uint32_t domain_count;
	const struct log_root *log_roots;
	uint32_t log_root_count;
	/* HAS_TYPES: what objects are of, by heap_type(). Those that are only mentioned have no name.
	 */
	const struct type_record *told_types;
	uint32_t told_type_count;
	uint64_t ghosts; /* slots dropped because they are no objects */
	struct goroutine *goroutines;
	uint32_t goroutine_count;
	struct frame *frames;
	uint32_t frame_count;
	struct type_record *types;
	uint32_t type_count;
	struct itab_record *itabs;
	uint32_t itab_count;
	/* Registered and queued, in file order */
	struct finalizer_record *finalizers;
	uint32_t finalizer_count;
	uint32_t queued_finalizer_count;
	struct thread_record *threads;
	uint32_t thread_count;
	struct segment_record *segments;
	uint32_t segment_count;
	struct defer_record *defers;
	uint32_t defer_count;
	struct panic_record *panics;
	uint32_t panic_count;
	struct otherroot_record *otherroots;
	uint32_t otherroot_count;
	struct foundroot_record *foundroots;
	uint32_t foundroot_count; /* early format only */
	struct memstats_record memstats;
	struct profiles profiles;  /* with the samples */
	struct span_record *spans; /* HAS_PROCESS: by address */
	uint32_t span_count;
	struct mapping_record *mappings; /* HAS_PROCESS: by address */
	uint32_t mapping_count;
	struct record_index index;
	const struct heap_profiles *heap_profiles; /* NULL: the format tells none. Borrowed of the
	                                              reader */
	struct trace_record trace;
	struct warning *warnings;
	uint32_t warning_count;
	uint64_t warnings_dropped;
	uint64_t losses;      /* warnings that are not harmless, dropped ones included */
	bool complete;        /* the end record was seen */
	uint64_t latest_wait; /* the largest wait_since of all goroutines: the only "now" of that clock
	                       */

	/* from heap_link */
	struct root *roots;
	uint32_t root_count;                      /* sorted by kind, then as in the file */
	uint32_t root_kind_first[ROOT_KINDS + 1]; /* roots of kind k: [first[k], first[k+1]) */
	uint64_t edge_count;                      /* pointers from objects to objects */
	uint64_t dangling_count; /* pointers from objects into heap pages where no object is */

	struct heap_columns *columns; /* private: src/heap/columns.h */
};

/* Reads an input that stays open as long as the heap. NULL and *err when nothing can be used. */
struct heap *heap_read(const struct input *input, struct progress *progress, struct err *err);
/* The same with the objects of an index, which may be NULL, where it has them. */
struct heap *heap_read_indexed(const struct input *input, struct index_file *index,
                               struct progress *progress, struct err *err);
/* False when cancelled, or *err (more objects or edges than 32-bit ids can number). */
bool heap_link(struct heap *heap, struct progress *progress, struct err *err);
bool heap_reverse(struct heap *heap, struct progress *progress); /* false: cancelled */
void heap_free(struct heap *heap);

/* Of ROOT_DEFER or ROOT_PANIC: the first root whose record was told behind so many goroutines, the
   last of which it belongs to. */
uint32_t roots_behind(const struct heap *heap, enum root_kind kind, uint32_t goroutines);

/* The kinds of roots that a dump of this format may have: first ... end - 1. */
struct root_kinds {
	int first, end;
};
struct root_kinds heap_root_kinds(const struct heap *heap);

/* Objects. ids must be below heap_object_count. */
uint32_t heap_object_count(const struct heap *heap);
/* Any address within its slot; or OBJECT_NONE */
uint32_t heap_find(const struct heap *heap, uint64_t address);
/* The first object at an address or beyond, of objects with addresses; or OBJECT_NONE */
uint32_t heap_first_from(const struct heap *heap, uint64_t address);
uint64_t heap_address(const struct heap *heap, uint32_t id); /* as the program knows it */
/* Shallow: the whole slot, allocation header included */
uint64_t heap_size(const struct heap *heap, uint32_t id);
/* Its record, decoded from the dump: contents and pointer fields; a log has neither. False only
   when the file has changed under us. */
bool heap_object(const struct heap *heap, uint32_t id, struct object_record *record);

/* The same for many, ids ascending: a record is read from where the one before it ended, and need
   not be looked for. `struct object_reader reader = {.heap = heap}` has read none. */
struct object_reader {
	const struct heap *heap;
	uint64_t offset;    /* of the record of `next` */
	uint32_t next, end; /* objects from `next` on up to `end` have their records in a row */
};
bool object_reader_read(struct object_reader *reader, uint32_t id, struct object_record *record);

/* The memory of a goroutine's stack: what the runtime has given to it, or where that is not known
   the sum of its frames, which is less. */
struct goroutine_stack {
	uint64_t address; /* where it begins, when exact */
	uint64_t bytes;
	bool exact;
};
struct goroutine_stack heap_goroutine_stack(const struct heap *heap, uint32_t goroutine);

static inline bool heap_has(const struct heap *heap, unsigned parts) /* enum format_part */
{
	return (heap->format->has & parts) == parts;
}
/* HAS_TYPES: the type of an object, in told_types. HAS_DOMAINS: its section, in domains. */
uint32_t heap_type(const struct heap *heap, uint32_t id);
uint32_t heap_section(const struct heap *heap, uint32_t id);

/* The records of a kind: `count` structs of `stride` bytes that begin with the record, for kinds
   that share an array all of these. */
struct heap_records {
	const void *items;
	size_t count, stride;
};
struct heap_records heap_records(const struct heap *heap, enum record_kind kind);

/* The objects that this one points to, in the order of its fields, repeated as often as it does.
   After heap_link. */
struct ids heap_references(const struct heap *heap, uint32_t id);
/* The objects that point to it, ascending, repeated as often as they do. After heap_reverse. */
struct ids heap_referrers(const struct heap *heap, uint32_t id);

/* The same for loops over the whole graph. The pointers stay valid as long as the heap. */
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

/* In a search that waits for memory all the time: of `left` objects that are next in its queue, the
   rows and then the lists of those that come soon are asked for. */
enum { EDGES_ROW_AHEAD = 32, EDGES_LIST_AHEAD = 16 };
static inline void edges_ahead(struct edges edges, const uint32_t *queue, size_t left)
{
	if (left <= EDGES_ROW_AHEAD)
		return;
	starts_prefetch(edges.starts, queue[EDGES_ROW_AHEAD]);
	__builtin_prefetch(edges_of(edges, queue[EDGES_LIST_AHEAD]).id);
}

/* One pointer of an object, with where it is. `struct pointer_walk w; pointer_walk_start(...)`. */
struct pointer {
	uint64_t offset; /* of the word, from the object's address (a frame's or segment's start);
	                    UINT64_MAX: the dump does not say */
	uint64_t value;  /* the word */
	uint32_t target; /* object, or OBJECT_NONE: nil, outside of the heap, dangling */
};
struct pointer_walk {
	const struct heap *heap;
	struct ids ids; /* what is left of an object's references, where `listed` or `linked` */
	bool listed;    /* of a log: there is nothing else */
	bool linked; /* its pointers that may lead to objects all do, so that these are their targets */
	struct fields fields;
	const uint8_t *data;
	uint64_t size;
	unsigned header;
};
void pointer_walk_object(struct pointer_walk *walk, const struct heap *heap,
                         const struct object_record *record);
/* The same, after heap_link, without looking for what is pointed at where that is known. */
void pointer_walk_linked(struct pointer_walk *walk, const struct heap *heap, uint32_t id,
                         const struct object_record *record);
void pointer_walk_frame(struct pointer_walk *walk, const struct heap *heap,
                        const struct frame_record *frame);
void pointer_walk_segment(struct pointer_walk *walk, const struct heap *heap,
                          const struct segment_record *segment);
/* Skips fields beyond the contents */
bool pointer_walk_next(struct pointer_walk *walk, struct pointer *pointer);

/* A pointer-sized word. */
static inline uint64_t heap_word(const struct heap *heap, const uint8_t *data)
{
	return layout_word(&heap->params.layout, data);
}

/* Is it a heap dump of Go 1.24 or later? runtime.AddCleanup keeps things alive there, which dumps
   do not record. */
bool heap_lacks_cleanups(const struct heap *heap);

/* Bytes of anonymous memory, by part; the sum is what the model costs. */
struct heap_memory {
	uint64_t objects, edges, referrers, roots, records;
};
struct heap_memory heap_memory(const struct heap *heap);

#endif
