/* Finds structures from each header along the pointers within a structure. Parts that no header in
   the heap reaches, as for a map whose header is on a stack, are searched from the outermost part
   on. */
#include "analysis/structures.h"

#include "base/index_io.h"
#include "base/mem.h"
#include "base/progress.h"
#include "go/runtime/gochan.h"
#include "go/runtime/gomap.h"
#include "go/runtime/gostructure.h"
#include "go/runtime/gosync.h"
#include "heap/edges.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

/* Prefetch distance in references: the types of targets are scattered in memory. */
enum { AHEAD = 16 };

struct id_list {
	uint32_t *id;
	size_t count, capacity;
};

struct gatherer {
	struct structures *structures;
	struct edges edges;
	struct id_list todo, loose; /* to be followed; parts whose header was not seen yet */
	struct id_list found;       /* for each head: the head, the number of its parts, the parts */
};

static void id_list_push(struct id_list *list, uint32_t id)
{
	MEM_PUSH(list->id, list->count, list->capacity, id);
}

static gotype_id structure_type(const struct structures *s, uint32_t object)
{
	return s->typing ? typing_type(s->typing, object) : 0;
}

static struct gostructure_object structure_object(const struct structures *s, uint32_t object)
{
	gotype_id type = structure_type(s, object);
	return (struct gostructure_object){type, type ? (enum gostructure_role)s->role[type]
	                                              : labels_role(s->labels, object)};
}

static enum gostructure_role structure_role(const struct structures *s, uint32_t object)
{
	return structure_object(s, object).role;
}

/* Returns true if `to` is a part of the same structure: by types if both are known, else by what
   both look like. */
static bool is_part(const struct structures *s, struct gostructure_object from, uint32_t to)
{
	gotype_id type = structure_type(s, to);
	struct gostructure_object other = {type, (enum gostructure_role)(type ? s->role[type] : 0)};
	if (from.type && type)
		return gostructure_is_inside(typing_runtime(s->typing), from, other);
	return labels_is_inside(from.role, s->labels, to);
}

static bool gather_has(const struct gatherer *g, uint32_t object)
{
	return ranks_has(&g->structures->heads.ranks, object);
}

/* Follows the references of one object. Returns its bytes. */
static uint64_t gather_from(struct gatherer *g, uint32_t head, uint32_t from)
{
	struct structures *s = g->structures;
	struct gostructure_object of = structure_object(s, from);
	struct ids to = edges_of(g->edges, from);
	uint64_t bytes = 0;
	for (size_t i = 0; i < to.count; i++) {
		if (s->typing && i + AHEAD < to.count)
			typing_ahead(s->typing, to.id[i + AHEAD]);
		if (to.id[i] == head || gather_has(g, to.id[i]) || !is_part(s, of, to.id[i]))
			continue;
		word_bit_set(s->heads.ranks.bits, to.id[i]);
		bytes += heap_size(s->heap, to.id[i]);
		id_list_push(&g->found, to.id[i]);
		id_list_push(&g->todo, to.id[i]);
	}
	return bytes;
}

static void gather(struct gatherer *g, uint32_t head)
{
	struct structures *s = g->structures;
	uint64_t bytes = 0;
	size_t first = g->found.count;
	id_list_push(&g->found, head);
	id_list_push(&g->found, 0);
	g->todo.count = 0;
	id_list_push(&g->todo, head);
	while (g->todo.count)
		bytes += gather_from(g, head, g->todo.id[--g->todo.count]);
	uint32_t parts = (uint32_t)(g->found.count - first - 2);
	if (!parts) {
		g->found.count = first;
		return;
	}
	g->found.id[first + 1] = parts;
	s->count += parts;
	map_put(&s->parts, head, bytes);
}

/* Stores the heads of all parts found. */
static void gather_settle(struct gatherer *g)
{
	struct sparse *heads = &g->structures->heads;
	const uint32_t *id = g->found.id;
	sparse_settle(heads);
	for (size_t at = 0; at < g->found.count;) {
		uint32_t head = id[at++], parts = id[at++];
		for (; parts; parts--)
			sparse_put(heads, id[at++], head + 1);
	}
}

static bool gather_headers(struct gatherer *g, struct progress *progress)
{
	struct structures *s = g->structures;
	uint32_t objects = heap_object_count(s->heap);
	progress_begin(progress, "putting maps and channels together", objects);
	for (uint32_t id = 0; id < objects; id++) {
		enum gostructure_role role = structure_role(s, id);
		if (id % STEP == 0 && !progress_step(progress, id))
			return false;
		if (role == GOSTRUCTURE_MAP || role == GOSTRUCTURE_CHAN) {
			gather(g, id);
		} else if (role != GOSTRUCTURE_NONE) {
			id_list_push(&g->loose, id);
		}
	}
	return true;
}

/* Returns the node above an inner node of a trie, to which it points, too; OBJECT_NONE: none. */
static uint32_t loose_above(const struct structures *s, uint32_t part)
{
	gotype_id type = structure_type(s, part);
	uint64_t above = type && s->role[type] == GOSTRUCTURE_SYNC ? gosync_above(
						 typing_runtime(s->typing), type, heap_address(s->heap, part))
	                                                           : 0;
	return above ? heap_find(s->heap, above) : OBJECT_NONE;
}

/* Finds loose parts that another loose part reaches, other than one below them. */
static void find_led(const struct gatherer *g, struct map *led)
{
	const struct structures *s = g->structures;
	for (size_t i = 0; i < g->loose.count; i++) {
		uint32_t from = g->loose.id[i];
		struct gostructure_object of = structure_object(s, from);
		struct ids to = edges_of(g->edges, from);
		uint32_t above = gather_has(g, from) ? OBJECT_NONE : loose_above(s, from);
		for (size_t at = 0; !gather_has(g, from) && at < to.count; at++)
			if (to.id[at] != from && to.id[at] != above && is_part(s, of, to.id[at]))
				map_put(led, to.id[at], from);
	}
}

/* Gathers loose parts: the outermost first; in a second pass those that are left in a damaged dump,
   in any order. */
static void gather_loose(struct gatherer *g)
{
	const struct structures *s = g->structures;
	SCOPED_MAP led = {0};
	uint64_t ignored;
	find_led(g, &led);
	for (int all = 0; all < 2; all++)
		for (size_t i = 0; i < g->loose.count; i++) {
			uint32_t from = g->loose.id[i];
			if (!gather_has(g, from) && (all || !map_get(&led, from, &ignored))
			    && !map_get(&s->parts, from, &ignored))
				gather(g, from);
		}
}

static struct structures *structures_begin(const struct heap *heap, const struct typing *typing,
                                           const struct labels *labels)
{
	struct structures *s = mem_alloc(sizeof *s);
	*s = (struct structures){.heap = heap, .typing = typing, .labels = labels};
	gotype_id types = typing ? gotypes_count(typing_types(typing)) : 0;
	if (typing)
		s->role = mem_alloc(types + (size_t)1);
	for (gotype_id type = 1; type <= types; type++)
		s->role[type] = (uint8_t)gostructure_role(typing_runtime(typing), type);
	return s;
}

struct structures *structures_new(const struct heap *heap, const struct typing *typing,
                                  const struct labels *labels, struct progress *progress)
{
	struct structures *s = structures_begin(heap, typing, labels);
	struct gatherer g = {.structures = s, .edges = heap_edges(heap)};
	ranks_init(&s->heads.ranks, heap_object_count(heap));
	bool done = gather_headers(&g, progress);
	if (done)
		gather_loose(&g);
	gather_settle(&g);
	free(g.todo.id);
	free(g.loose.id);
	free(g.found.id);
	if (done)
		return s;
	structures_free(s);
	return NULL;
}

bool structures_index(struct structures *s, const struct index_io *io)
{
	const struct index_io heads = index_io_below(io, "structures/heads");
	return sparse_index(&s->heads, heap_object_count(s->heap), &heads)
	       && INDEX_VALUES(io, "structures/count", INDEX_VALUE(s->count))
	       && index_io_map(io, "structures/parts", &s->parts);
}

struct structures *structures_load(const struct heap *heap, const struct typing *typing,
                                   const struct labels *labels, const struct index_io *io)
{
	struct structures *s = structures_begin(heap, typing, labels);
	if (structures_index(s, io))
		return s;
	structures_free(s);
	return NULL;
}

void structures_free(struct structures *structures)
{
	if (!structures)
		return;
	sparse_fini(&structures->heads);
	map_free(&structures->parts);
	free(structures->role);
	free(structures);
}

bool structures_has_role(const struct structures *structures, uint32_t object)
{
	return structure_role(structures, object) != GOSTRUCTURE_NONE;
}

bool structures_is_inside(const struct structures *structures, uint32_t from, uint32_t to)
{
	if (!structures)
		return false;
	uint32_t head = structures_of(structures, from);
	return to != head && structures_of(structures, to) == head;
}

uint64_t structures_bytes(const struct structures *structures, uint32_t head)
{
	uint64_t parts = 0;
	map_get(&structures->parts, head, &parts);
	return heap_size(structures->heap, head) + parts;
}

bool structures_entries(const struct structures *structures, uint32_t head, uint64_t *entries)
{
	enum gostructure_role role = structure_role(structures, head);
	gotype_id type = structure_type(structures, head);
	const struct heap *heap = structures->heap;
	struct object_record record;
	uint64_t room;
	bool sync =
		role == GOSTRUCTURE_SYNC
		|| (type && role == GOSTRUCTURE_NONE
	        && gosync_role(gotype_get(typing_types(structures->typing), type)->name) == GOSYNC_MAP);
	if (type && sync && structures_of(structures, head) == head)
		return gosync_length(typing_runtime(structures->typing), type, heap_address(heap, head),
		                     entries);
	if (role != GOSTRUCTURE_MAP && role != GOSTRUCTURE_CHAN)
		return false;
	if (type && role == GOSTRUCTURE_MAP)
		return gomap_length(typing_runtime(structures->typing), type, heap_address(heap, head),
		                    entries);
	if (type)
		return gochan_length(heap, heap_address(heap, head), entries, &room);
	/* The headers of maps and channels both begin with the number of entries. */
	if (!heap_object(heap, head, &record)
	    || record.stored < record.header + (uint64_t)heap->params.layout.pointer_size)
		return false;
	*entries = heap_word(heap, record.data + record.header);
	return true;
}
