/* The paths are those of the shortest path tree, so their union is a subtree of it. Every object on
   a path is assigned a node after its parent; sums of subtrees are computed on nodes, of which
   there are few. */
#include "analysis/merge.h"

#include "analysis/merge_chain.h"
#include "analysis/merge_order.h"
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

enum { STEP = 1 << 14, FEW = 6 };

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
	uint64_t *met;  /* bits: those that were among the next ones */
	uint32_t *next; /* objects to assign next, each after its parent */
	size_t next_count, next_capacity;
	struct merge_node top; /* above the topmost nodes */
	struct map by_label;   /* parent node and label -> node, below parents with many children */
	bool chains;           /* there are some */
	struct objects_run_view run; /* of the last object whose size was asked for */
	struct merged_paths *out;
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
		bool asked = word_bit_is_set(m->on_path, id)
		             && (!m->labels->by_offset || m->labels->by_offset(m->labels->self, id));
		if (asked && holds_any(m, edges, id))
			find_offsets(m, &reader, id);
		if (id % STEP == 0 && !progress_step(m->progress, id))
			return false;
	}
	return true;
}

static struct merge_node *merge_node(struct merger *m, uint32_t node)
{
	return node == OBJECT_NONE ? &m->top : &m->out->node[node];
}

/* Returns the node with a label below another node; creates it if needed, unless the step goes on
   with a chain. Most nodes have few children, which are looked through. */
static uint32_t merge_node_of(struct merger *m, uint32_t parent, uint32_t label)
{
	const struct merge_node *above = merge_node(m, parent), *node = m->out->node;
	uint64_t key = (uint64_t)parent << 32, found;
	uint32_t at = above->below > FEW ? 0 : above->first;
	if (above->below > FEW && map_get(&m->by_label, key | label, &found))
		return (uint32_t)found;
	for (; at; at = node[at - 1].next)
		if (node[at - 1].label == label)
			return at - 1;
	uint32_t link = parent == OBJECT_NONE ? OBJECT_NONE
	                                      : merge_chain_link(m->out->node, parent, label);
	if (link != OBJECT_NONE)
		return m->chains = true, link;
	uint32_t number = merge_order_add(m->out, &m->top, parent, label);
	if (above->below > FEW + 1)
		map_put(&m->by_label, key | label, number);
	for (at = above->below == FEW + 1 ? above->first : 0; at; at = node[at - 1].next)
		map_put(&m->by_label, key | node[at - 1].label, at - 1);
	return number;
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

static uint64_t merge_size(struct merger *m, uint32_t id)
{
	const struct objects *objects = m->heap->objects;
	if (id - m->run.first >= m->run.count)
		objects_run(objects, objects_run_of(objects, id), &m->run);
	return m->run.size;
}

static void merge_place(struct merger *m, uint32_t id)
{
	uint32_t from = m->reach->parent[id], label = merge_label_of(m, id);
	uint32_t above = from >= m->objects ? OBJECT_NONE : m->node[from] - 1, at = above;
	if (above == OBJECT_NONE || (label < MERGE_PART && label != m->out->node[above].label))
		at = merge_node_of(m, above, label);
	struct merge_node *node = &m->out->node[at];
	uint32_t steps = above == OBJECT_NONE ? 0 : m->label[from] + 1;
	uint32_t least = node->example == OBJECT_NONE ? UINT32_MAX : m->label[node->example];
	if (steps < least || (steps == least && id < node->example))
		node->example = id;
	if (word_bit_is_set(m->selected, id)) {
		node->here++;
		node->own_bytes += merge_size(m, id);
	}
	node->members += label != MERGE_PART;
	node->links += label != MERGE_PART && at == above;
	m->node[id] = at + 1;
	m->label[id] = steps;
}

/* Adds the objects of a path that are not assigned yet to the next ones, from the root on. */
static void collect_path(struct merger *m, uint32_t id)
{
	size_t first = m->next_count;
	for (; id < m->objects && word_bit_add(m->met, id); id = m->reach->parent[id])
		MEM_PUSH(m->next, m->next_count, m->next_capacity, id);
	for (size_t last = m->next_count; first + 1 < last; first++) {
		uint32_t swapped = m->next[--last];
		m->next[last] = m->next[first];
		m->next[first] = swapped;
	}
}

/* Prefetches what the next objects need, which is scattered in memory: their parents; when these
   are there, the nodes of these, unless there are few; at last the first children of the nodes. */
enum { BLOCK = 4096, AHEAD = 24, AHEAD_NODE = 12, AHEAD_CHILD = 6, NODES_CACHED = 4096 };

static const struct merge_node *merge_node_above(const struct merger *m, size_t at)
{
	uint32_t from = at < m->next_count ? m->reach->parent[m->next[at]] : m->objects;
	return from < m->objects && m->node[from] ? &m->out->node[m->node[from] - 1] : NULL;
}

static void place_ahead_node(const struct merger *m, size_t at)
{
	const struct merge_node *soon = merge_node_above(m, at + AHEAD_NODE),
							*next = merge_node_above(m, at + AHEAD_CHILD);
	if (soon)
		__builtin_prefetch(soon, 1);
	if (next && next->first)
		__builtin_prefetch(&m->out->node[next->first - 1]);
}

static void place_ahead(const struct merger *m, size_t at)
{
	if (m->out->count > NODES_CACHED)
		place_ahead_node(m, at);
	if (m->next_count - at <= AHEAD)
		return;
	uint32_t id = m->next[at + AHEAD], from = m->reach->parent[id];
	if (from >= m->objects)
		return;
	__builtin_prefetch(&m->node[from]);
	__builtin_prefetch(&m->label[from]);
	__builtin_prefetch(&m->label[id], 1);
	if (m->labels->ahead)
		m->labels->ahead(m->labels->self, id);
}

static void place_next(struct merger *m)
{
	for (size_t at = 0; at < m->next_count; at++) {
		place_ahead(m, at);
		merge_place(m, m->next[at]);
	}
	m->next_count = 0;
}

static bool place_all(struct merger *m)
{
	progress_begin(m->progress, "merging paths", m->objects);
	for (uint32_t id = 0; id < m->objects; id++) {
		if (word_bit_is_set(m->on_path, id))
			collect_path(m, id);
		if (m->next_count >= BLOCK)
			place_next(m);
		if (id % STEP == 0 && !progress_step(m->progress, id))
			return false;
	}
	place_next(m);
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

static void merge_fold_chains(struct merger *m)
{
	SCOPED_FREE uint32_t *place = merge_chain_fold(m->out, &m->top, m->label);
	for (uint32_t id = 0; id < m->objects; id++)
		m->node[id] = m->node[id] ? 1 + place[m->node[id] - 1] : 0;
}

/* Sorts the nodes; see merge_order(). */
static void sort_nodes(struct merger *m)
{
	struct merged_paths *out = m->out;
	SCOPED_FREE uint32_t *place = merge_order(out, m->objects, &m->top);
	for (uint32_t id = 0; id < m->objects; id++)
		m->node[id] = m->node[id] ? place[m->node[id] - 1] : OBJECT_NONE;
	out->objects = m->objects;
	runs_take(&out->node_of, m->node, m->objects, m->objects * sizeof *m->node);
	m->node = NULL;
}

static void merge_init(struct merger *m, bool all)
{
	size_t labels = m->objects * sizeof *m->label;
	m->on_path = mem_column(m->objects / 8 + 8ULL);
	m->selected = mem_column(m->objects / 8 + 8ULL);
	m->met = mem_column(m->objects / 8 + 8ULL);
	m->node = mem_column_whole(m->objects * sizeof *m->node);
	m->label = all ? mem_column_whole(labels) : mem_column(labels);
	m->out->node = mem_column_most(m->objects * sizeof *m->out->node);
}

static void merge_fini(struct merger *m)
{
	mem_column_free(m->on_path, m->objects / 8 + 8ULL);
	mem_column_free(m->selected, m->objects / 8 + 8ULL);
	mem_column_free(m->met, m->objects / 8 + 8ULL);
	if (m->node)
		mem_column_free(m->node, m->objects * sizeof *m->node);
	mem_column_free(m->label, m->objects * sizeof *m->label);
	map_free(&m->by_label);
	free(m->next);
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
		if (m.chains)
			merge_fold_chains(&m);
		add_up(m.out);
		sort_nodes(&m);
	}
	merge_fini(&m);
	if (done)
		return m.out;
	mem_column_free(m.out->node, m.objects * sizeof *m.out->node);
	free(m.out);
	return NULL;
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
	runs_fini(&merged_paths->node_of);
	mem_column_free(merged_paths->node, merged_paths->count * sizeof *merged_paths->node);
	free(merged_paths);
}
