/* The paths are those of the shortest path tree, so their union is a subtree of it. Every object on
   a path is assigned a node after its parent; sums of subtrees are computed on nodes, of which
   there are few. */
#include "analysis/merge.h"

#include "base/bits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/starts.h"
#include "format/format.h"
#include "format/record.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/pointer_walk.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

struct merger {
	const struct reach *reach;
	const struct heap *heap;
	const struct merge_labels *labels;
	struct progress *progress;
	uint32_t objects;
	/* Columns by object on a path. */
	uint64_t *on_path, *selected; /* bits */
	uint32_t *node;               /* 1 + its node; 0: not assigned yet */
	/* The label of its step, as merge_encode(); 0: unknown. After its assignment: the number of
	   steps from its root. */
	uint32_t *label;
	uint32_t *stack; /* objects to assign next */
	size_t stack_count, stack_capacity;
	uint32_t *steps;     /* by node: steps of its example from the root */
	struct map by_label; /* parent node and label -> 1 + node */
	struct merged_paths *out;
	size_t capacity, steps_capacity;
};

/* Marks the path of an object up to the first marked node. */
static void select_object(struct merger *m, uint32_t object)
{
	if (!reach_has(m->reach, object)) {
		m->out->left_out++;
		return;
	}
	word_bit_set(m->selected, object);
	while (object < m->objects && !word_bit_is_set(m->on_path, object)) {
		word_bit_set(m->on_path, object);
		object = m->reach->parent[object];
	}
}

/* Encodes a label, including MERGE_SAME and MERGE_PART, as a number other than 0. */
static uint32_t merge_encode(uint32_t label)
{
	return label + 3;
}

static uint32_t merge_decode(uint32_t encoded)
{
	return encoded - 3;
}

static bool is_held_by(const struct merger *m, uint32_t object, uint32_t parent)
{
	return m->reach->parent[object] == parent && word_bit_is_set(m->on_path, object);
}

/* Finds the labels of all children of a parent, in one pass over its pointers, so that the type of
   the parent is looked up once. */
static void find_offsets(struct merger *m, struct object_reader *reader, uint32_t parent)
{
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	if (!object_reader_read(reader, parent, &record))
		return;
	pointer_walk_linked(&walk, m->heap, parent, &record);
	while (pointer_walk_next(&walk, &pointer)) {
		uint32_t to = pointer.target;
		if (to != OBJECT_NONE && is_held_by(m, to, parent) && !m->label[to])
			m->label[to] =
				merge_encode(m->labels->step(m->labels->self, parent, pointer.offset, to));
	}
}

/* Prefetches the parents of targets, which are scattered in memory. */
enum { EDGES_AHEAD = 64 };

static bool holds_any(const struct merger *m, struct edges edges, uint32_t id)
{
	uint32_t end = starts_at(edges.starts, m->objects), last = starts_at(edges.starts, id + 1);
	bool any = false;
	for (uint32_t e = starts_at(edges.starts, id); e < last; e++) {
		if (end - e > EDGES_AHEAD) {
			uint32_t to = edges.to[e + EDGES_AHEAD];
			__builtin_prefetch(&m->reach->parent[to]);
			__builtin_prefetch(&m->label[to], 1);
			if (m->labels->ahead)
				m->labels->ahead(m->labels->self, to);
		}
		any = any || is_held_by(m, edges.to[e], id);
	}
	return any;
}

static bool find_all_offsets(struct merger *m)
{
	struct object_reader reader = {.heap = m->heap};
	struct edges edges = heap_edges(m->heap);
	progress_begin(m->progress, "finding the paths to objects", m->objects);
	if (!(format_parts(m->heap->format) & (PART_MEMORY | PART_NAMES)))
		return true; /* the dump does not record places of references */
	for (uint32_t id = 0; id < m->objects; id++) {
		if (word_bit_is_set(m->on_path, id) && holds_any(m, edges, id))
			find_offsets(m, &reader, id);
		if (id % STEP == 0 && !progress_step(m->progress, id))
			return false;
	}
	return true;
}

/* Returns the node with a label below another node; creates it if needed. */
static uint32_t merge_node_of(struct merger *m, uint32_t parent, uint32_t label)
{
	struct merged_paths *out = m->out;
	uint64_t number = out->count;
	if (!map_add(&m->by_label, (uint64_t)parent << 32 | label, &number))
		return (uint32_t)number;
	struct merge_node node = {.parent = parent, .label = label};
	if (parent != OBJECT_NONE)
		node.depth = out->node[parent].depth + 1;
	MEM_PUSH(m->steps, number, m->steps_capacity, UINT32_MAX);
	MEM_PUSH(out->node, out->count, m->capacity, node);
	return (uint32_t)out->count - 1;
}

/* Returns the label of the step to an object. */
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
	uint32_t above = from >= m->objects ? OBJECT_NONE : m->node[from] - 1, at = above;
	if (above == OBJECT_NONE || (label < MERGE_PART && label != m->out->node[above].label))
		at = merge_node_of(m, above, label);
	struct merge_node *node = &m->out->node[at];
	uint32_t steps = above == OBJECT_NONE ? 0 : m->label[from] + 1;
	if (steps < m->steps[at] || (steps == m->steps[at] && id < node->example)) {
		m->steps[at] = steps;
		node->example = id;
	}
	if (word_bit_is_set(m->selected, id)) {
		node->here++;
		node->own_bytes += heap_size(m->heap, id);
	}
	node->members += label != MERGE_PART;
	m->node[id] = at + 1;
	m->label[id] = steps;
}

/* Assigns the objects of a path, from the root on. */
static void place_path(struct merger *m, uint32_t id)
{
	for (m->stack_count = 0; id < m->objects && !m->node[id]; id = m->reach->parent[id]) {
		MEM_PUSH(m->stack, m->stack_count, m->stack_capacity, id);
	}
	while (m->stack_count)
		merge_place(m, m->stack[--m->stack_count]);
}

/* Prefetches the parents, which are scattered in memory. */
enum { AHEAD = 16 };

static bool place_all(struct merger *m)
{
	progress_begin(m->progress, "merging paths", m->objects);
	for (uint32_t id = 0; id < m->objects; id++) {
		uint32_t soon = id + AHEAD < m->objects ? m->reach->parent[id + AHEAD] : m->objects;
		if (soon < m->objects) {
			__builtin_prefetch(&m->node[soon], 1);
			__builtin_prefetch(&m->label[soon], 1);
		}
		if (word_bit_is_set(m->on_path, id))
			place_path(m, id);
		if (id % STEP == 0 && !progress_step(m->progress, id))
			return false;
	}
	return true;
}

/* Adds up subtrees; a node comes after its parent. */
static void add_up(struct merged_paths *out)
{
	for (size_t i = 0; i < out->count; i++) {
		out->node[i].objects = out->node[i].here;
		out->node[i].bytes = out->node[i].own_bytes;
	}
	for (size_t i = out->count; i-- > 0;) {
		const struct merge_node *node = &out->node[i];
		if (node->parent == OBJECT_NONE)
			continue;
		out->node[node->parent].objects += node->objects;
		out->node[node->parent].bytes += node->bytes;
	}
}

static int merge_most_first(const void *a, const void *b, void *nodes)
{
	const struct merge_node *all = nodes;
	const struct merge_node *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->example < y->example ? -1 : x->example > y->example;
}

typedef uint32_t merge_key(const struct merge_node *node);

static uint32_t merge_parent_key(const struct merge_node *node)
{
	return node->parent + 1; /* 0: topmost */
}

static uint32_t merge_depth_key(const struct merge_node *node)
{
	return node->depth;
}

/* Stores the nodes `from`, NULL for all, sorted by a key up to their number; nodes of one key stay
   in order. Returns by key where its nodes end. */
static uint32_t *merge_sort_by(const struct merged_paths *out, merge_key *key, const uint32_t *from,
                               uint32_t *to)
{
	uint32_t *end = mem_alloc((out->count + 2) * sizeof *end);
	for (uint32_t i = 0; i < out->count; i++)
		end[key(&out->node[i]) + 1]++;
	for (size_t k = 0; k <= out->count; k++)
		end[k + 1] += end[k];
	for (uint32_t i = 0; i < out->count; i++) {
		uint32_t node = from ? from[i] : i;
		to[end[key(&out->node[node])]++] = node;
	}
	return end;
}

/* Returns the nodes by depth, then by parent, then the largest first. */
static uint32_t *merge_order(const struct merged_paths *out)
{
	uint32_t *order = mem_alloc((out->count + 1) * sizeof *order), first = 0;
	uint32_t *by_parent = mem_alloc((out->count + 1) * sizeof *by_parent);
	uint32_t *end = merge_sort_by(out, merge_parent_key, NULL, by_parent);
	for (size_t k = 0; k <= out->count; first = end[k++])
		if (end[k] - first > 1)
			qsort_r(by_parent + first, end[k] - first, sizeof *by_parent, merge_most_first,
			        out->node);
	free(end);
	free(merge_sort_by(out, merge_depth_key, by_parent, order));
	free(by_parent);
	return order;
}

/* Sorts the nodes so that the children of a node are adjacent, topmost nodes first. */
static void sort_nodes(struct merger *m)
{
	struct merged_paths *out = m->out;
	uint32_t *order = merge_order(out);
	uint32_t *place = mem_alloc((out->count + 1) * sizeof *place);
	struct merge_node *sorted = mem_alloc((out->count + 1) * sizeof *sorted);
	for (uint32_t i = 0; i < out->count; i++)
		place[order[i]] = i;
	for (uint32_t i = 0; i < out->count; i++) {
		struct merge_node *node = &sorted[i];
		*node = out->node[order[i]];
		if (node->parent == OBJECT_NONE) {
			out->topmost++;
			continue;
		}
		struct merge_node *parent = &sorted[node->parent = place[node->parent]];
		if (parent->below++ == 0)
			parent->first = i;
	}
	for (uint32_t id = 0; id < m->objects; id++)
		m->node[id] = m->node[id] ? place[m->node[id] - 1] : OBJECT_NONE;
	free(out->node);
	out->node = sorted;
	out->objects = m->objects;
	out->node_of = m->node;
	m->node = NULL;
	free(order);
	free(place);
}

static void merge_init(struct merger *m, bool all)
{
	size_t labels = m->objects * sizeof *m->label;
	m->on_path = mem_column(m->objects / 8 + 8ULL);
	m->selected = mem_column(m->objects / 8 + 8ULL);
	m->node = mem_column_whole(m->objects * sizeof *m->node);
	m->label = all ? mem_column_whole(labels) : mem_column(labels);
}

static void merge_fini(struct merger *m)
{
	mem_column_free(m->on_path, m->objects / 8 + 8ULL);
	mem_column_free(m->selected, m->objects / 8 + 8ULL);
	if (m->node)
		mem_column_free(m->node, m->objects * sizeof *m->node);
	mem_column_free(m->label, m->objects * sizeof *m->label);
	map_free(&m->by_label);
	free(m->stack);
	free(m->steps);
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
	merge_init(&m, !objects);
	for (size_t i = 0; i < count; i++)
		select_object(&m, objects ? objects[i] : (uint32_t)i);
	bool done = find_all_offsets(&m) && place_all(&m);
	if (done) {
		add_up(m.out);
		sort_nodes(&m);
	}
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
	const struct reach reach = {.heap = heap, .parent = parent};
	return merge_paths(&reach, NULL, heap_object_count(heap), labels, progress);
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
