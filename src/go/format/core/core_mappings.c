#include "core_allocator.h"
#include "core_blocks.h"
#include "core_malloc.h"
#include "core_tell.h"

#include "base/bound.h"
#include "base/mem.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct mappings {
	const struct core_runtime *rt;
	const struct sink *sink;
	struct mapping_record *known; /* ranges with a known use, sorted by address */
	size_t count, capacity;
	bool libraries; /* other files than the executable are mapped, or which are is not known, or the
	                   program has a malloc of C: memory may belong to them */
	bool glibc;     /* it may be glibc's */
	struct malloc_main arena;
	struct core_blocks blocks;  /* of the runtime */
	uint32_t looks, heap_looks; /* pages looked at for a block, ranges for the heap */
	uint64_t *sp, *tls;         /* of the threads, sorted: stack pointers, thread-local memory */
	uint64_t program_end;       /* the end of the executable, which the heap of malloc follows */
};
enum {
	HEAP_DISTANCE = 1 << 30, /* the most that Linux leaves between them */
	BLOCK_AFTER = 1024,      /* pages of a range before a block of malloc, */
	BLOCK_LOOKS = 1 << 20,   /* and of all ranges */
	HEAP_LOOKS = 16,         /* ranges that may be the heap of malloc */
	MODULES = 100,           /* of a program, at most */
};

static void mappings_add(struct mappings *m, enum mapping_kind kind, uint64_t start, uint64_t end,
                         const char *path)
{
	if (start >= end)
		return;
	m->known = mem_grow(m->known, m->count, &m->capacity, sizeof *m->known);
	m->known[m->count++] = (struct mapping_record){
		.address = start, .bytes = end - start, .kind = kind, .path = {path, strlen(path)}};
}

/* ---- Ranges with a known use */

static void mappings_add_heap(struct mappings *m, const struct span_record *heap, size_t spans)
{
	for (size_t i = 0; i < spans;) {
		uint64_t start = heap[i].address, end = start;
		for (; i < spans && heap[i].address == end; i++)
			end += heap[i].bytes;
		mappings_add(m, MAPPING_HEAP, start, end, "");
	}
}

/* Adds a range without the static variables in it. */
static void mappings_add_beside(struct mappings *m, enum mapping_kind kind, uint64_t start,
                                uint64_t end, const char *path)
{
	const struct core_statics *statics = &m->rt->statics;
	size_t i = upper_bound(statics->part, statics->count, BOUND_BY(struct core_static, end), start);
	for (; i < statics->count && statics->part[i].start < end; i++) {
		mappings_add(m, kind, start, statics->part[i].start, path);
		start = statics->part[i].end;
	}
	mappings_add(m, kind, start, end, path);
}

static void mappings_add_statics(struct mappings *m)
{
	const struct core_statics *statics = &m->rt->statics;
	for (size_t i = 0; i < statics->count; i++) {
		const struct core_static *part = &statics->part[i];
		bool of_c = part->label.len;
		mappings_add(m, of_c ? MAPPING_STATIC : MAPPING_EXECUTABLE, part->start, part->end,
		             of_c ? part->label.data : "");
	}
}

/* Returns true for the file of the program or of a module of Go: a library or plugin. */
static bool mappings_is_program(const struct mappings *m, const char *path)
{
	const struct core_file *file = &m->rt->memory.file;
	const char *own = core_file_path(file, file->entry);
	uint64_t module = m->rt->module;
	for (int i = 0; i < MODULES && module && !(own && strcmp(own, path) == 0); i++) {
		own = core_file_path(file, module);
		module = rt_field(m->rt, module, RT_MODULEDATA_NEXT);
	}
	return own && strcmp(own, path) == 0;
}

/* Adds what the executable has in memory, for a core file that does not say which files are mapped,
   as of qemu. */
static void mappings_add_executable(struct mappings *m)
{
	enum { PAGE = 4096 };
	const struct core_memory *memory = &m->rt->memory;
	const struct image *image = exe_image(memory->exe);
	for (size_t i = 0; i < image->segment_count && !memory->file.mappings; i++) {
		uint64_t start = image->segments[i].address + memory->bias;
		uint64_t end = (start + image->segments[i].size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
		mappings_add(m, MAPPING_EXECUTABLE, start, end, "");
	}
}

static void mappings_add_files(struct mappings *m)
{
	const struct core_file *file = &m->rt->memory.file;
	bool own = false;
	m->libraries = !file->mappings || m->rt->allocator;
	m->glibc = !m->rt->allocator || strcmp(m->rt->allocator, CORE_ALLOCATOR_MUSL) != 0;
	if (m->glibc && m->rt->memory.file.mappings)
		core_malloc_find(&m->rt->memory, &m->arena);
	for (size_t i = 0; i < file->mappings; i++) {
		const struct core_mapping *at = &file->mapping[i];
		if (!i || strcmp(at[-1].path, at->path) != 0)
			own = mappings_is_program(m, at->path);
		m->libraries |= !own;
		mappings_add_beside(m, own ? MAPPING_EXECUTABLE : MAPPING_FILE, at->start, at->end,
		                    at->path);
	}
	mappings_add_executable(m);
	/* Zero-initialized variables are not part of the file mapping. */
	for (uint64_t module = m->rt->module, i = 0; module && i < MODULES; i++) {
		struct core_run range = core_module_variables(m->rt, module);
		mappings_add_beside(m, MAPPING_EXECUTABLE, range.start, range.end, "");
		module = rt_field(m->rt, module, RT_MODULEDATA_NEXT);
	}
}

ORDER_BY_TWO(mapping_by_address, struct mapping_record, address, kind);

/* Sorts ranges. Where they overlap, the later one begins at the end of the earlier. */
static void mappings_order(struct mappings *m)
{
	size_t kept = 0;
	uint64_t end = 0;
	if (m->count)
		qsort(m->known, m->count, sizeof *m->known, mapping_by_address);
	for (size_t i = 0; i < m->count; i++) {
		struct mapping_record next = m->known[i];
		uint64_t next_end = next.address + next.bytes;
		if (next_end <= end)
			continue;
		if (next.address < end) {
			next.address = end;
			next.bytes = next_end - end;
		}
		end = next_end;
		m->known[kept++] = next;
	}
	m->count = kept;
}

/* ---- All mapped ranges */

/* Notes where the threads have their stacks. */
static void mappings_find_threads(struct mappings *m)
{
	const struct core_file *file = &m->rt->memory.file;
	m->sp = mem_alloc((file->threads + 1) * sizeof *m->sp);
	m->tls = mem_alloc((file->threads + 1) * sizeof *m->tls);
	for (size_t i = 0; i < file->threads; i++) {
		m->sp[i] = file->thread[i].sp;
		m->tls[i] = file->thread[i].tls;
	}
	bound_sort(m->sp, file->threads, BOUND_ITSELF(uint64_t));
	bound_sort(m->tls, file->threads, BOUND_ITSELF(uint64_t));
}

/* Returns the first of sorted addresses in a range; 0: there is none. */
static uint64_t mappings_first(const uint64_t *sorted, size_t count, uint64_t start, uint64_t end)
{
	size_t at = lower_bound(sorted, count, BOUND_ITSELF(uint64_t), start);
	return at < count && sorted[at] < end ? sorted[at] : 0;
}

/* Returns the bytes of the stack of a thread that a C library started, from the start of a range
   on; 0: there is none. glibc keeps what it knows of the thread in the last page of that, where its
   register for thread-local memory points; the first thread's is in a smaller range. Without that
   register it is the whole range. */
static uint64_t mappings_stack(const struct mappings *m, uint64_t start, uint64_t end)
{
	enum { LEAST = 64 << 10, PAGE = 4096 };
	size_t threads = m->rt->memory.file.threads;
	uint64_t tls = end - start < LEAST ? 0 : mappings_first(m->tls, threads, start, end);
	uint64_t bytes = tls ? ((tls - start) | (PAGE - 1)) + 1 : 0;
	if (!tls && end - start >= LEAST && mappings_first(m->sp, threads, start, end))
		bytes = end - start;
	return bytes < end - start ? bytes : end - start;
}

static enum mapping_kind range_kind(const struct mappings *m, const struct core_range *range)
{
	const struct core_file *file = &m->rt->memory.file;
	uint64_t end = range->start + range->bytes;
	if (!range->flags)
		return MAPPING_RESERVED;
	if (file->initial_stack >= range->start && file->initial_stack < end)
		return MAPPING_STACK;
	if (!(range->flags & PF_W))
		return MAPPING_OTHER;
	/* Without libraries what is small is the runtime's, too. */
	return m->libraries && !core_blocks_touch(&m->blocks, range->start, end) ? MAPPING_OTHER
	                                                                         : MAPPING_RUNTIME;
}

static void mappings_tell(const struct mappings *m, const struct mapping_record *of, uint64_t start,
                          uint64_t end)
{
	struct mapping_record record = *of;
	record.offset = memory_offset(&m->rt->memory, start);
	record.address = start;
	record.bytes = end - start;
	if (start < end)
		m->sink->record(m->sink->self, RECORD_MAPPING, &record);
}

/* Passes a part of a range that is nothing of C to the sink; of one of the runtime, split by what
   that has. */
static void mappings_tell_split(const struct mappings *m, const struct mapping_record *of,
                                uint64_t start, uint64_t end)
{
	struct mapping_record part = *of;
	while (start < end) {
		bool own = true;
		uint64_t next = of->kind == MAPPING_RUNTIME ? core_blocks_part(&m->blocks, start, end, &own)
		                                            : end;
		part.kind = own ? of->kind : MAPPING_OTHER;
		mappings_tell(m, &part, start, next);
		start = next;
	}
}

/* Recognizes what C code has at the start of a part of a range; returns its bytes, 0: unknown. A
   stack has nothing of the runtime in it, though the kernel may have joined the two. */
static uint64_t mappings_of_c(struct mappings *m, uint64_t start, uint64_t end,
                              struct mapping_record *piece)
{
	const char *part = "";
	uint64_t bytes = m->glibc ? core_malloc_piece(&m->rt->memory, &m->arena, start, end, &part) : 0;
	*piece = (struct mapping_record){.kind = MAPPING_MALLOC, .path = {part, strlen(part)}};
	if (bytes)
		return bytes;
	bytes = mappings_stack(m, start, end);
	*piece = (struct mapping_record){.kind = MAPPING_THREAD_STACK};
	return core_blocks_touch(&m->blocks, start, start + bytes) ? 0 : bytes;
}

/* The kernel joins mappings that touch each other. Returns the address from which on blocks of
   malloc take all of a part of a range; `end`: there is none, or it is too far from the start. */
static uint64_t mappings_block_after(struct mappings *m, uint64_t start, uint64_t end)
{
	enum { PAGE = 4096, LARGE = 1 << 20 };
	uint64_t at = (start | (PAGE - 1)) + 1;
	const char *part = "";
	uint32_t most = m->arena.scattered ? BLOCK_LOOKS : BLOCK_AFTER;
	for (uint32_t i = 0; m->glibc && at < end && i < most && m->looks < BLOCK_LOOKS;
	     i++, at += PAGE) {
		uint64_t last = at, bytes;
		m->looks++;
		while (last < end
		       && (bytes = core_malloc_piece(&m->rt->memory, &m->arena, last, end, &part)))
			last += bytes;
		if (last > at && (last == end || last - at >= LARGE || part == core_malloc_region))
			return at;
	}
	return end;
}

/* Returns where the heap of malloc ends, if a part of a range begins with it; 0: it does not. */
static uint64_t mappings_heap(struct mappings *m, const struct core_range *range, uint64_t start,
                              uint64_t end)
{
	if (!m->glibc || start != range->start || !m->program_end || start < m->program_end
	    || start - m->program_end >= HEAP_DISTANCE || m->heap_looks++ >= HEAP_LOOKS)
		return 0;
	uint64_t first = core_malloc_first_chunk(&m->rt->memory, start, end);
	if (!first)
		return 0;
	m->libraries = true;
	m->arena.scattered = m->arena.top && m->arena.top - start >= end - start;
	uint64_t last = m->arena.scattered ? core_malloc_end(&m->rt->memory, &m->arena, first, end) : 0;
	return last ? last : end;
}

/* Passes a part of a range without a known use to the sink, split where another use begins. */
static void mappings_tell_rest(struct mappings *m, const struct core_range *range, uint64_t start,
                               uint64_t end)
{
	struct mapping_record rest = {.kind = range_kind(m, range)}, piece;
	bool written = range->flags & PF_W && start < end;
	uint64_t heap = written ? mappings_heap(m, range, start, end) : 0;
	if (heap) {
		piece = (struct mapping_record){.kind = MAPPING_MALLOC, .path = {"[heap]", 6}};
		mappings_tell(m, &piece, start, heap);
		start = heap;
	}
	bool of_c = written && m->libraries
	            && (rest.kind == MAPPING_OTHER || rest.kind == MAPPING_RUNTIME);
	while (of_c && start < end) {
		uint64_t bytes = mappings_of_c(m, start, end, &piece);
		uint64_t next = bytes ? start + bytes : mappings_block_after(m, start, end);
		if (next == end && !bytes)
			break;
		if (bytes)
			mappings_tell(m, &piece, start, next);
		else
			mappings_tell_split(m, &rest, start, next);
		start = next;
	}
	mappings_tell_split(m, &rest, start, end);
}

/* Passes one range to the sink, split at the borders of ranges with a known use. */
static void mappings_tell_range(struct mappings *m, const struct core_range *range, size_t *next)
{
	uint64_t at = range->start, end = range->start + range->bytes;
	while (*next < m->count && m->known[*next].address < end) {
		const struct mapping_record *known = &m->known[*next];
		uint64_t first = known->address > at ? known->address : at;
		uint64_t last = known->address + known->bytes < end ? known->address + known->bytes : end;
		if (last > first) {
			mappings_tell_rest(m, range, at, first);
			mappings_tell(m, known, first, last);
			at = last;
			if (known->kind == MAPPING_EXECUTABLE
			    || (known->kind == MAPPING_STATIC && m->program_end == first))
				m->program_end = last;
		}
		if (known->address + known->bytes > end)
			break;
		++*next;
	}
	mappings_tell_rest(m, range, at, end);
}

void core_tell_mappings(const struct core_runtime *rt, const struct span_record *heap, size_t spans,
                        const struct sink *sink)
{
	const struct core_file *file = &rt->memory.file;
	struct mappings m = {.rt = rt, .sink = sink};
	size_t next = 0;
	mappings_add_heap(&m, heap, spans);
	mappings_add_files(&m);
	mappings_add_statics(&m);
	mappings_order(&m);
	mappings_find_threads(&m);
	core_blocks_init(&m.blocks, rt);
	for (size_t i = 0; i < file->ranges; i++)
		mappings_tell_range(&m, &file->range[i], &next);
	core_blocks_fini(&m.blocks);
	free(m.known);
	free(m.sp);
	free(m.tls);
}
