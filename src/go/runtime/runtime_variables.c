#include "go/runtime/runtime_variables.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "format/record.h"
#include "go/runtime/gomemory.h"
#include "go/runtime/size_class.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "runtime_scheduler.h"
#include "runtime_semtable.h"

#include <stdlib.h>

enum {
	M_LEAST = 512,     /* minimum bytes of an m */
	P_LEAST = 4096,    /* minimum bytes of a p */
	P_STATUSES = 6,    /* number of states of a p */
	P_CACHE_FIRST = 6, /* range of words of a p with its mcache, which is outside of the heap */
	P_CACHE_END = 9,
	POOL_WORDS = 4,      /* words of a sync.Pool: local, its length, victim, its length */
	POOL_LOCAL = 128,    /* bytes of a pool per processor */
	POOL_LOCAL_USED = 4, /* used words of these; the rest is 0 */
	ITABS_LEAST = 512,   /* entries of the first table of itabs */
	LIST_MOST = 1 << 20,
	VISITS_LEAST = 1 << 20, /* threads that may be visited, and more for each object */
	VISITS_EACH = 64
};

struct runtime_finding {
	const struct heap *heap;
	unsigned width;
	struct map goroutines; /* g -> index */
	uint64_t g_size;       /* size of the object of a g */
	uint64_t at;           /* address of the current word */
	uint64_t list, length; /* its content, as a slice */
	uint64_t room;         /* capacity of the slice */
	struct runtime_waits {
		uint64_t *word; /* each refers to an object that begins with a goroutine */
		size_t count, capacity;
	} waits;
	struct runtime_threads threads; /* the longest list of them */
	struct runtime_threads last;    /* of the m asked about last: words may repeat it */
	uint64_t last_m, budget;        /* budget: threads that may still be visited */
	struct runtime_variables *variables;
};

/* Returns the size of the object that begins at an address; 0: none. */
static uint64_t runtime_object_size(const struct runtime_finding *f, uint64_t address)
{
	uint32_t id = heap_find(f->heap, address);
	return id != OBJECT_NONE && heap_address(f->heap, id) == address ? heap_size(f->heap, id) : 0;
}

static void runtime_add_object(struct runtime_objects *objects, uint32_t id)
{
	if (id == OBJECT_NONE)
		return;
	MEM_PUSH(objects->id, objects->count, objects->capacity, id);
}

static void runtime_add(struct runtime_finding *f, unsigned words, enum runtime_variable_kind kind,
                        uint64_t length)
{
	struct runtime_variables *v = f->variables;
	v->item = mem_grow(v->item, v->count, &v->capacity, sizeof *v->item);
	v->item[v->count++] = (struct runtime_variable){
		.address = f->at, .size = words * (uint64_t)f->width, .length = length, .kind = kind};
}

/* ---- Goroutines: runtime.allgs, and runtime.allgptr with the address of its first element */

/* Returns true for a list of all goroutines of the dump, and possibly of ended ones. */
static bool runtime_is_allgs(struct runtime_finding *f)
{
	uint64_t known = 0, index;
	if (f->length < f->heap->thread_count || !f->heap->thread_count)
		return false;
	for (uint64_t i = 0; i < f->length; i++) {
		uint64_t g = gomemory_word_in_dump(f->heap, f->list + i * f->width);
		if (runtime_object_size(f, g) != f->g_size)
			return false;
		known += map_get(&f->goroutines, g, &index);
	}
	return known == f->heap->thread_count;
}

/* The collector has a copy of the slice from its start, without spare capacity. */
static bool runtime_take_allgs(struct runtime_finding *f)
{
	if (!runtime_is_allgs(f))
		return false;
	runtime_add(f, 3, f->room > f->length ? RUNTIME_ALLGS : RUNTIME_ALLGS_COPY, f->length);
	return true;
}

/* ---- Processors */

static bool runtime_is_p(const struct runtime_finding *f, uint64_t p, uint64_t number)
{
	const uint8_t *data = gomemory_in_dump(f->heap, p, P_LEAST);
	if (!data || runtime_object_size(f, p) < P_LEAST || gomemory_number(f->heap, data, 4) != number
	    || gomemory_number(f->heap, data + 4, 4) >= P_STATUSES)
		return false;
	for (unsigned n = P_CACHE_FIRST; n < P_CACHE_END; n++) {
		uint64_t cache = heap_word(f->heap, data + n * f->width);
		struct gomemory_piece piece;
		if (cache > P_LEAST && cache % f->width == 0 && !gomemory_piece(f->heap, cache, &piece))
			return true;
	}
	return false;
}

static bool runtime_take_allp(struct runtime_finding *f)
{
	struct runtime_objects *p = &f->variables->processors;
	for (uint64_t i = 0; i < f->length; i++)
		if (!runtime_is_p(f, gomemory_word_in_dump(f->heap, f->list + i * f->width), i))
			return false;
	for (uint64_t i = 0; i < f->length; i++)
		runtime_add_object(
			p, heap_find(f->heap, gomemory_word_in_dump(f->heap, f->list + i * f->width)));
	runtime_add(f, 3, RUNTIME_ALLP, f->length);
	return true;
}

/* ---- Threads: the newest m leads to all others */

static bool runtime_take_allm(struct runtime_finding *f)
{
	if (runtime_object_size(f, f->list) < M_LEAST || !runtime_is_m(f->heap, f->list))
		return false;
	if (f->last_m != f->list)
		f->last = runtime_threads_of(f->heap, f->list, &f->budget);
	f->last_m = f->list;
	struct runtime_threads threads = f->last;
	if (threads.count > f->threads.count)
		f->threads = threads;
	runtime_add(f, 1, threads.count ? RUNTIME_ALLM : RUNTIME_OTHER, threads.count);
	return true;
}

static void runtime_add_threads(struct runtime_finding *f)
{
	uint64_t m = f->threads.newest;
	for (size_t i = 1; i < f->threads.count; i++) {
		runtime_add_object(&f->variables->threads, heap_find(f->heap, m));
		m = gomemory_word_in_dump(f->heap, m + f->threads.link);
	}
}

/* ---- Pools: those in sync.allPools have content now, those in sync.oldPools had it before the
   last collection */

/* Returns true if this is the array of a pool for `length` processors, or no array; *any: there is
   one. */
static bool runtime_is_pool_part(const struct runtime_finding *f, uint64_t local, uint64_t length,
                                 bool *any)
{
	const uint8_t *data = gomemory_in_dump(f->heap, local, length * POOL_LOCAL);
	*any = local;
	if (!local || !length)
		return !local && !length;
	if (!data || length > LIST_MOST
	    || !size_class_fits(runtime_object_size(f, local), length * POOL_LOCAL))
		return false;
	for (uint64_t i = 0; i < length; i++)
		for (unsigned at = POOL_LOCAL_USED * f->width; at < POOL_LOCAL; at += f->width)
			if (heap_word(f->heap, data + i * POOL_LOCAL + at))
				return false;
	return true;
}

static bool runtime_take_pools(struct runtime_finding *f)
{
	bool now = true, before = true;
	for (uint64_t i = 0; i < f->length; i++) {
		const uint8_t *pool = gomemory_in_dump(
			f->heap, gomemory_word_in_dump(f->heap, f->list + i * f->width), POOL_WORDS * f->width);
		uint64_t word[POOL_WORDS];
		bool local, victim;
		for (unsigned n = 0; pool && n < POOL_WORDS; n++)
			word[n] = heap_word(f->heap, pool + n * f->width);
		if (!pool || !runtime_is_pool_part(f, word[0], word[1], &local)
		    || !runtime_is_pool_part(f, word[2], word[3], &victim) || (!local && !victim))
			return false;
		now &= local;
		before &= victim;
	}
	if (now || before)
		runtime_add(f, 3,
		            now && before ? RUNTIME_OTHER_POOLS
		            : now         ? RUNTIME_POOLS
		                          : RUNTIME_OLD_POOLS,
		            f->length);
	return now || before;
}

/* ---- The table of itabs, if it has grown beyond the first one */

static bool runtime_take_itabs(struct runtime_finding *f)
{
	const uint8_t *data = gomemory_in_dump(f->heap, f->list, 2 * f->width);
	uint64_t size = data ? heap_word(f->heap, data) : 0, used = 0,
			 object = runtime_object_size(f, f->list);
	if (size <= ITABS_LEAST || size & (size - 1) || size > object / f->width
	    || !size_class_fits(object, (size + 2) * f->width))
		return false;
	data = gomemory_in_dump(f->heap, f->list, (size + 2) * f->width);
	for (uint64_t i = 0; data && i < size; i++)
		used += heap_word(f->heap, data + (i + 2) * f->width) != 0;
	if (!data || used != heap_word(f->heap, data + f->width) || used > size)
		return false;
	runtime_add(f, 1, RUNTIME_ITABS, size);
	return true;
}

/* ---- Semaphores */

/* Collects words that point to a sudog, which begins with a pointer to its goroutine. */
static void runtime_take_wait(struct runtime_finding *f)
{
	struct runtime_waits *w = &f->waits;
	uint64_t index;
	if (!map_get(&f->goroutines, gomemory_word_in_dump(f->heap, f->list), &index))
		return;
	MEM_PUSH(w->word, w->count, w->capacity, f->at);
}

static void runtime_take_semtable(struct runtime_finding *f)
{
	struct runtime_semtable table;
	if (!runtime_semtable_find(f->heap, f->waits.word, f->waits.count, &table))
		return;
	f->at = table.address;
	runtime_add(f, (unsigned)(table.size / f->width), RUNTIME_SEMTABLE, table.words);
}

/* ---- Entry points */

/* Recognizers for slices and for pointers; the first match counts. */
typedef bool runtime_take(struct runtime_finding *f);
static runtime_take *const runtime_slices[] = {runtime_take_allgs, runtime_take_allp,
                                               runtime_take_pools};
static runtime_take *const runtime_pointers[] = {runtime_take_allm, runtime_take_itabs};

static bool runtime_take_any(struct runtime_finding *f, runtime_take *const *take, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (take[i](f))
			return true;
	return false;
}

static void runtime_look(struct runtime_finding *f, const uint8_t *data, uint64_t left)
{
	uint64_t size = runtime_object_size(f, f->list), index;
	bool taken = false;
	if (!size)
		return;
	if (left >= 3 * f->width) {
		f->length = heap_word(f->heap, data + f->width);
		f->room = heap_word(f->heap, data + 2 * f->width);
		if (f->length && f->length <= f->room && f->room <= size / f->width)
			taken =
				runtime_take_any(f, runtime_slices, sizeof runtime_slices / sizeof *runtime_slices);
	}
	if (!taken)
		taken = runtime_take_any(f, runtime_pointers,
		                         sizeof runtime_pointers / sizeof *runtime_pointers);
	if (!taken && map_get(&f->goroutines, f->list, &index))
		runtime_add(f, 1, RUNTIME_OTHER, 0);
	else if (!taken)
		runtime_take_wait(f);
}

static void runtime_look_at_segments(struct runtime_finding *f)
{
	for (uint32_t i = 0; i < f->heap->segment_count; i++) {
		const struct segment_record *segment = &f->heap->segments[i];
		for (uint64_t at = 0; at + f->width <= segment->size; at += f->width) {
			f->at = segment->address + at;
			f->list = heap_word(f->heap, segment->data + at);
			runtime_look(f, segment->data + at, segment->size - at);
		}
	}
}

/* Returns the number of variables of a kind with a list of at least this length. */
static size_t runtime_count(const struct runtime_variables *v, enum runtime_variable_kind kind,
                            uint64_t length)
{
	size_t count = 0;
	for (size_t i = 0; i < v->count; i++)
		count += v->item[i].kind == kind && v->item[i].length >= length;
	return count;
}

/* Returns the name of a variable: it must have the longest list of its kind, and no other as long.
   A variable of two possible kinds gets the other name if one of them is found, or else the
   first. */
static const char *runtime_name_of(const struct runtime_variables *v,
                                   const struct runtime_variable *one)
{
	static const char *const names[RUNTIME_KINDS] = {
		[RUNTIME_ALLGS] = "runtime.allgs",     [RUNTIME_ALLGS_COPY] = "runtime.allgs",
		[RUNTIME_ALLP] = "runtime.allp",       [RUNTIME_ALLM] = "runtime.allm",
		[RUNTIME_ITABS] = "runtime.itabTable", [RUNTIME_POOLS] = "sync.allPools",
		[RUNTIME_OLD_POOLS] = "sync.oldPools", [RUNTIME_SEMTABLE] = "runtime.semtable",
		[RUNTIME_M0] = "runtime.m0",           [RUNTIME_SCHED] = "runtime.sched",
		[RUNTIME_ALLGPTR] = "runtime.allgptr", [RUNTIME_FING] = "runtime.fing",
		[RUNTIME_FORCEGC] = "runtime.forcegc", [RUNTIME_SWEEP] = "runtime.sweep",
	};
	if (!names[one->kind] && one->kind != RUNTIME_OTHER_POOLS)
		return NULL;
	size_t now = runtime_count(v, RUNTIME_POOLS, 0),
		   before = runtime_count(v, RUNTIME_OLD_POOLS, 0);
	if (runtime_count(v, one->kind, one->length) > 1
	    || (one->kind == RUNTIME_ALLGS_COPY && runtime_count(v, RUNTIME_ALLGS, 0)))
		return NULL;
	if (one->kind == RUNTIME_OTHER_POOLS && now + before == 1)
		return names[now ? RUNTIME_OLD_POOLS : RUNTIME_POOLS];
	return names[one->kind];
}

/* Returns the address of the first element of runtime.allgs; 0: not found. */
static uint64_t runtime_allgs_list(const struct runtime_finding *f)
{
	const struct runtime_variables *v = f->variables;
	for (size_t i = 0; i < v->count; i++)
		if (v->item[i].kind == RUNTIME_ALLGS && runtime_name_of(v, &v->item[i]))
			return gomemory_word_in_dump(f->heap, v->item[i].address);
	return 0;
}

static void runtime_name_all(struct runtime_variables *v)
{
	for (size_t i = 0; i < v->count; i++)
		v->item[i].name = runtime_name_of(v, &v->item[i]);
}

struct runtime_variables *runtime_variables_new(const struct heap *heap)
{
	struct runtime_variables *variables = mem_alloc(sizeof *variables);
	if (!heap)
		return variables;
	struct runtime_finding f = {.heap = heap,
	                            .width = heap->params.layout.pointer_size,
	                            .variables = variables,
	                            .budget = VISITS_LEAST
	                                      + (uint64_t)VISITS_EACH * heap_object_count(heap)};
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		uint64_t g = heap->threads[i].record.address;
		map_put(&f.goroutines, g, i);
		f.g_size = runtime_object_size(&f, g);
	}
	runtime_look_at_segments(&f);
	runtime_take_semtable(&f);
	runtime_add_threads(&f);
	runtime_scheduler_find(heap, &f.threads, variables);
	runtime_allgptr_find(heap, runtime_allgs_list(&f), variables);
	runtime_name_all(variables);
	bound_sort(variables->item, variables->count, BOUND_BY(struct runtime_variable, address));
	map_free(&f.goroutines);
	free(f.waits.word);
	return variables;
}

void runtime_variables_free(struct runtime_variables *variables)
{
	if (!variables)
		return;
	free(variables->item);
	free(variables->threads.id);
	free(variables->processors.id);
	free(variables);
}

const struct runtime_variable *runtime_variables_at(const struct runtime_variables *variables,
                                                    uint64_t address)
{
	for (size_t low = 0, high = variables ? variables->count : 0; low < high;) {
		size_t middle = (low + high) / 2;
		const struct runtime_variable *v = &variables->item[middle];
		if (address - v->address < v->size)
			return v;
		if (address < v->address)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
