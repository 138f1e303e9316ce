/* The paths are those of the tree of shortest paths, so that what lies on them is a part of that
   tree. It is gone through from its leaves to the roots for the sums, and back from the roots for
   the nodes; the order is that in which leaves are taken off. */
#include "analysis/merge.h"

#include "base/bits.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

struct merger {
	const struct reach *reach;
	const struct heap *heap;
	const struct merge_labels *labels;
	struct progress *progress;
	uint32_t objects;
	/* By object, of those on paths. */
	uint64_t *on_path, *selected; /* bits */
	uint32_t *kids;               /* on paths, whose path leads through it; later 1 + its node */
	uint32_t *leads;              /* selected objects that it leads to */
	uint64_t *bytes;              /* theirs */
	uint32_t *label; /* how it is called that it is where it is: merge_encode(); 0: not known */
	uint32_t *order; /* objects on paths, a parent after those below it */
	size_t count;
	struct map by_label; /* parent node and label -> 1 + node */
	struct merged_paths *out;
	size_t capacity;
};

/* Marks the path of an object up to where others have been. */
static void select_object(struct merger *m, uint32_t object)
{
	if (!reach_has(m->reach, object)) {
		m->out->left_out++;
		return;
	}
	word_bit_set(m->selected, object);
	while (object < m->objects && !word_bit_is_set(m->on_path, object)) {
		word_bit_set(m->on_path, object);
		m->count++;
		object = m->reach->parent[object];
		if (object < m->objects)
			m->kids[object]++;
	}
}

/* Labels may be MERGE_SAME and MERGE_PART; 0 is none of them. */
static uint32_t merge_encode(uint32_t label)
{
	return label + 3;
}

static uint32_t merge_decode(uint32_t encoded)
{
	return encoded - 3;
}

/* Where each is held: one pass over the pointers of each parent, as long as any is missing. What
   one holds is called one after the other, as its own type is at hand. */
static void find_offsets(struct merger *m, struct object_reader *reader, uint32_t parent)
{
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	uint32_t missing = m->kids[parent];
	if (!missing || !object_reader_read(reader, parent, &record))
		return;
	pointer_walk_linked(&walk, m->heap, parent, &record);
	while (missing && pointer_walk_next(&walk, &pointer)) {
		uint32_t to = pointer.target;
		if (to == OBJECT_NONE || m->reach->parent[to] != parent || !word_bit_is_set(m->on_path, to)
		    || m->label[to])
			continue;
		m->label[to] = merge_encode(m->labels->step(m->labels->self, parent, pointer.offset, to));
		missing--;
	}
}

/* Parents of what is pointed at lie anywhere, so they are asked for ahead. */
enum { EDGES_AHEAD = 32 };

static void find_offsets_prefetch(const struct merger *m, struct edges edges, uint32_t id)
{
	uint32_t end = edges.row[m->objects];
	for (uint32_t e = edges.row[id]; e < edges.row[id + 1] && end - e > EDGES_AHEAD; e++)
		__builtin_prefetch(&m->reach->parent[edges.to[e + EDGES_AHEAD]]);
}

static bool find_all_offsets(struct merger *m)
{
	struct object_reader reader = {.heap = m->heap};
	struct edges edges = heap_edges(m->heap);
	progress_begin(m->progress, "looking where objects are held", m->objects);
	if (!heap_has(m->heap, HAS_CONTENTS))
		return true; /* a log does not say where in an object its references are */
	for (uint32_t id = 0; id < m->objects; id++) {
		if (word_bit_is_set(m->on_path, id)) {
			find_offsets_prefetch(m, edges, id);
			find_offsets(m, &reader, id);
		}
		if (id % STEP == 0 && !progress_step(m->progress, id))
			return false;
	}
	return true;
}

static void take_leaf(struct merger *m, uint32_t id)
{
	uint32_t parent = m->reach->parent[id];
	if (word_bit_is_set(m->selected, id)) {
		m->leads[id]++;
		m->bytes[id] += heap_size(m->heap, id);
	}
	if (parent >= m->objects)
		return;
	m->leads[parent] += m->leads[id];
	m->bytes[parent] += m->bytes[id];
	if (--m->kids[parent] == 0)
		m->order[m->count++] = parent;
}

/* Parents lie anywhere: what is needed soon is asked for ahead, who it is before what is known of
   it. */
enum { AHEAD_OBJECT = 24, AHEAD_PARENT = 12 };

static inline void prefetch_parents(const struct merger *m, uint32_t later, uint32_t soon)
{
	uint32_t parent = m->reach->parent[soon];
	__builtin_prefetch(&m->reach->parent[later]);
	if (parent >= m->objects)
		return;
	__builtin_prefetch(&m->kids[parent], 1);
	__builtin_prefetch(&m->leads[parent], 1);
	__builtin_prefetch(&m->bytes[parent], 1);
}

/* From the leaves to the roots. */
static bool add_up(struct merger *m)
{
	progress_begin(m->progress, "adding up paths", m->count);
	m->count = 0;
	for (uint32_t id = 0; id < m->objects; id++)
		if (word_bit_is_set(m->on_path, id) && !m->kids[id])
			m->order[m->count++] = id;
	for (size_t at = 0; at < m->count; at++) {
		if (at + AHEAD_OBJECT < m->count)
			prefetch_parents(m, m->order[at + AHEAD_OBJECT], m->order[at + AHEAD_PARENT]);
		take_leaf(m, m->order[at]);
		if (at % STEP == 0 && !progress_step(m->progress, at))
			return false;
	}
	return true;
}

/* The node below another one with a label. */
static uint32_t merge_node_of(struct merger *m, uint32_t parent, uint32_t label, uint32_t example)
{
	uint64_t key = (uint64_t)parent << 32 | label, found;
	if (map_get(&m->by_label, key, &found))
		return (uint32_t)found;
	struct merged_paths *out = m->out;
	out->node = mem_grow(out->node, out->count, &m->capacity, sizeof *out->node);
	out->node[out->count] = (struct merge_node){
		.parent = parent,
		.label = label,
		.example = example,
		.depth = parent == OBJECT_NONE ? 0 : out->node[parent].depth + 1,
	};
	map_put(&m->by_label, key, out->count);
	return (uint32_t)out->count++;
}

/* How it is called that an object is where it is. */
static uint32_t merge_label_of(struct merger *m, uint32_t id)
{
	uint32_t from = m->reach->parent[id];
	if (from >= m->objects)
		return m->labels->root(m->labels->self, from - m->objects, id);
	return m->label[id] ? merge_decode(m->label[id])
	                    : m->labels->step(m->labels->self, from, UINT64_MAX, id);
}

static void merge_place(struct merger *m, uint32_t id)
{
	uint32_t from = m->reach->parent[id], label = merge_label_of(m, id);
	uint32_t above = from >= m->objects ? OBJECT_NONE : m->kids[from] - 1, at = above;
	if (above == OBJECT_NONE || (label < MERGE_PART && label != m->out->node[above].label))
		at = merge_node_of(m, above, label, id);
	struct merge_node *node = &m->out->node[at];
	if (at != above) { /* a path comes in from outside */
		node->objects += m->leads[id];
		node->bytes += m->bytes[id];
	}
	node->members += label != MERGE_PART;
	m->kids[id] = at + 1;
}

static inline void prefetch_place(const struct merger *m, uint32_t later, uint32_t soon)
{
	uint32_t parent = m->reach->parent[soon];
	__builtin_prefetch(&m->reach->parent[later]);
	__builtin_prefetch(&m->label[later]);
	__builtin_prefetch(&m->kids[later], 1);
	if (parent < m->objects)
		__builtin_prefetch(&m->kids[parent]);
}

/* From the roots to the leaves. */
static bool place_all(struct merger *m)
{
	progress_begin(m->progress, "merging paths", m->count);
	for (size_t at = m->count; at-- > 0;) {
		if (at >= AHEAD_OBJECT)
			prefetch_place(m, m->order[at - AHEAD_OBJECT], m->order[at - AHEAD_PARENT]);
		merge_place(m, m->order[at]);
		if (at % STEP == 0 && !progress_step(m->progress, m->count - at))
			return false;
	}
	return true;
}

static int by_parent(const void *a, const void *b, void *nodes)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct merge_node *all = nodes, *x = &all[i], *y = &all[j];
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return i < j ? -1 : i > j;
}

/* Those below a node next to each other, the topmost first. */
static void sort_nodes(struct merger *m)
{
	struct merged_paths *out = m->out;
	uint32_t *order = mem_alloc((out->count + 1) * sizeof *order);
	uint32_t *place = mem_alloc((out->count + 1) * sizeof *place);
	struct merge_node *sorted = mem_alloc((out->count + 1) * sizeof *sorted);
	for (uint32_t i = 0; i < out->count; i++)
		order[i] = i;
	qsort_r(order, out->count, sizeof *order, by_parent, out->node);
	for (uint32_t i = 0; i < out->count; i++)
		place[order[i]] = i;
	for (uint32_t i = 0; i < out->count; i++) {
		struct merge_node *node = &sorted[i];
		*node = out->node[order[i]];
		node->here = node->objects; /* but for those of the nodes below it */
		node->own_bytes = node->bytes;
		if (node->parent == OBJECT_NONE) {
			out->topmost++;
			continue;
		}
		struct merge_node *parent = &sorted[node->parent = place[node->parent]];
		parent->here -= node->objects;
		parent->own_bytes -= node->bytes;
		if (parent->below++ == 0)
			parent->first = i;
	}
	for (uint32_t id = 0; id < m->objects; id++)
		m->kids[id] = word_bit_is_set(m->on_path, id) ? place[m->kids[id] - 1] : OBJECT_NONE;
	free(out->node);
	out->node = sorted;
	out->objects = m->objects;
	out->node_of = m->kids;
	m->kids = NULL;
	free(order);
	free(place);
}

static void merge_init(struct merger *m)
{
	m->on_path = mem_column(m->objects / 8 + 8ULL);
	m->selected = mem_column(m->objects / 8 + 8ULL);
	m->kids = mem_column(m->objects * sizeof *m->kids);
	m->leads = mem_column(m->objects * sizeof *m->leads);
	m->bytes = mem_column(m->objects * sizeof *m->bytes);
	m->label = mem_column(m->objects * sizeof *m->label);
	m->order = mem_column(m->objects * sizeof *m->order);
}

static void merge_fini(struct merger *m)
{
	mem_column_free(m->on_path, m->objects / 8 + 8ULL);
	mem_column_free(m->selected, m->objects / 8 + 8ULL);
	if (m->kids)
		mem_column_free(m->kids, m->objects * sizeof *m->kids);
	mem_column_free(m->leads, m->objects * sizeof *m->leads);
	mem_column_free(m->bytes, m->objects * sizeof *m->bytes);
	mem_column_free(m->label, m->objects * sizeof *m->label);
	mem_column_free(m->order, m->objects * sizeof *m->order);
	map_free(&m->by_label);
}

struct merged_paths *merge_paths(const struct reach *reach, const uint32_t *objects, size_t count,
                                 const struct merge_labels *labels, struct progress *progress)
{
	struct merger m = {.reach = reach,
	                   .heap = reach->heap,
	                   .labels = labels,
	                   .progress = progress,
	                   .objects = heap_object_count(reach->heap)};
	m.out = mem_alloc(sizeof *m.out);
	merge_init(&m);
	for (size_t i = 0; i < count; i++)
		select_object(&m, objects ? objects[i] : (uint32_t)i);
	bool done = find_all_offsets(&m) && add_up(&m) && place_all(&m);
	if (done)
		sort_nodes(&m);
	merge_fini(&m);
	if (!done) {
		merged_paths_free(m.out);
		return NULL;
	}
	return m.out;
}

struct merged_paths *merge_tree(const struct heap *heap, uint32_t *parent,
                                const struct merge_labels *labels, struct progress *progress)
{
	const struct reach ways = {.heap = heap, .parent = parent};
	return merge_paths(&ways, NULL, heap_object_count(heap), labels, progress);
}

void merged_paths_free(struct merged_paths *merged_paths)
{
	if (!merged_paths)
		return;
	if (merged_paths->node_of)
		mem_column_free(merged_paths->node_of,
		                merged_paths->objects * sizeof *merged_paths->node_of);
	free(merged_paths->node);
	free(merged_paths);
}
