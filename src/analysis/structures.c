/* From each header along the pointers that lead on within the structure. What no header of the heap
   leads to, as of a map whose header is on a stack, goes from its outermost part on. */
#include "analysis/structures.h"

#include "base/index_parts.h"
#include "base/mem.h"
#include "goruntime/gochan.h"
#include "goruntime/gomap.h"
#include "goruntime/gostructure.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

struct gatherer {
	struct structures *structures;
	struct edges edges;
	uint32_t *head;         /* as structures.heads */
	uint32_t *todo, *loose; /* to be gone on from; parts whose header has not been seen yet */
	size_t todo_count, todo_capacity, loose_count, loose_capacity;
};

static gotype_id structure_type(const struct structures *s, uint32_t object)
{
	return s->typing ? typing_type(s->typing, object) : 0;
}

static enum gostructure_role structure_role(const struct structures *s, uint32_t object)
{
	gotype_id type = structure_type(s, object);
	return type ? (enum gostructure_role)s->role[type] : labels_role(s->labels, object);
}

/* Between objects whose types are known by these, else by what both look like. */
static bool is_part(const struct structures *s, enum gostructure_role role, uint32_t from,
                    uint32_t to)
{
	gotype_id of = structure_type(s, from), type = structure_type(s, to);
	if (of && type)
		return gostructure_is_inside(typing_runtime(s->typing), role, of, type);
	return labels_is_inside(role, s->labels, to);
}

static void gather_push(struct gatherer *g, uint32_t object)
{
	g->todo = mem_grow(g->todo, g->todo_count, &g->todo_capacity, sizeof *g->todo);
	g->todo[g->todo_count++] = object;
}

static void gather(struct gatherer *g, uint32_t head)
{
	struct structures *s = g->structures;
	uint64_t bytes = 0;
	g->todo_count = 0;
	gather_push(g, head);
	while (g->todo_count) {
		uint32_t from = g->todo[--g->todo_count];
		enum gostructure_role role = structure_role(s, from);
		struct ids to = edges_of(g->edges, from);
		for (size_t i = 0; i < to.count; i++) {
			if (to.id[i] == head || g->head[to.id[i]] || !is_part(s, role, from, to.id[i]))
				continue;
			g->head[to.id[i]] = head + 1;
			s->count++;
			bytes += heap_size(s->heap, to.id[i]);
			gather_push(g, to.id[i]);
		}
	}
	if (bytes)
		map_put(&s->parts, head, bytes);
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
			g->loose = mem_grow(g->loose, g->loose_count, &g->loose_capacity, sizeof *g->loose);
			g->loose[g->loose_count++] = id;
		}
	}
	return true;
}

/* What another one leads to. */
static void find_led(const struct gatherer *g, struct map *led)
{
	const struct structures *s = g->structures;
	for (size_t i = 0; i < g->loose_count; i++) {
		uint32_t from = g->loose[i];
		struct ids to = edges_of(g->edges, from);
		for (size_t at = 0; !g->head[from] && at < to.count; at++)
			if (to.id[at] != from && is_part(s, structure_role(s, from), from, to.id[at]))
				map_put(led, to.id[at], from);
	}
}

/* The outermost first; then what is left, of a damaged dump, as it comes. */
static void gather_loose(struct gatherer *g)
{
	const struct structures *s = g->structures;
	struct map led = {0};
	uint64_t ignored;
	find_led(g, &led);
	for (int all = 0; all < 2; all++)
		for (size_t i = 0; i < g->loose_count; i++)
			if (!g->head[g->loose[i]] && (all || !map_get(&led, g->loose[i], &ignored))
			    && !map_get(&s->parts, g->loose[i], &ignored))
				gather(g, g->loose[i]);
	map_free(&led);
}

static void find_roles(struct structures *s)
{
	const struct goruntime *rt = typing_runtime(s->typing);
	gotype_id count = gotypes_count(typing_types(s->typing));
	s->role = mem_alloc(count + (size_t)1);
	for (gotype_id type = 1; type <= count; type++)
		s->role[type] = (uint8_t)gostructure_role(rt, type);
}

static struct structures *structures_begin(const struct heap *heap, const struct typing *typing,
                                           const struct labels *labels)
{
	struct structures *s = mem_alloc(sizeof *s);
	*s = (struct structures){.heap = heap, .typing = typing, .labels = labels};
	if (typing)
		find_roles(s);
	return s;
}

struct structures *structures_new(const struct heap *heap, const struct typing *typing,
                                  const struct labels *labels, struct progress *progress)
{
	struct structures *s = structures_begin(heap, typing, labels);
	struct gatherer g = {.structures = s, .edges = heap_edges(heap)};
	size_t objects = heap_object_count(heap), size = objects * sizeof *g.head;
	g.head = mem_column(size);
	bool done = gather_headers(&g, progress);
	if (done)
		gather_loose(&g);
	free(g.todo);
	free(g.loose);
	sparse_take(&s->heads, g.head, objects, size);
	if (done)
		return s;
	structures_free(s);
	return NULL;
}

void structures_save(const struct structures *s, struct index_writer *writer)
{
	sparse_save(&s->heads, "structures/heads", writer);
	index_put(writer, "structures/count", &s->count, sizeof s->count);
	index_put_map(writer, "structures/parts", &s->parts);
}

struct structures *structures_load(const struct heap *heap, const struct typing *typing,
                                   const struct labels *labels, struct index_file *file)
{
	struct structures *s = structures_begin(heap, typing, labels);
	if (sparse_load(&s->heads, heap_object_count(heap), "structures/heads", file)
	    && index_struct(file, "structures/count", &s->count, sizeof s->count)
	    && index_map_into(file, "structures/parts", &s->parts))
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

bool structures_is_inside(const struct structures *structures, uint32_t from, uint32_t to)
{
	if (!structures)
		return false;
	uint32_t head = structures_of(structures, from);
	return to != head && structures_of(structures, to) == head;
}
bool structures_is_thing(const struct structures *structures, uint32_t object)
{
	enum gostructure_role role = structure_role(structures, object);
	return role == GOSTRUCTURE_MAP || role == GOSTRUCTURE_CHAN;
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
	if (!structures_is_thing(structures, head))
		return false;
	if (type && role == GOSTRUCTURE_MAP)
		return gomap_length(typing_runtime(structures->typing), type, heap_address(heap, head),
		                    entries);
	if (type)
		return gochan_length(heap, heap_address(heap, head), entries, &room);
	/* Both begin with the number of what is in them. */
	if (!heap_object(heap, head, &record)
	    || record.stored < record.header + (uint64_t)heap->params.layout.pointer_size)
		return false;
	*entries = heap_word(heap, record.data + record.header);
	return true;
}
