/* The dominators of one object, by one search instead of a tree for all objects. Every dominator is
   on every path, and so on the path that reach has found. The search goes along this path: if the
   nodes visited up to a place reach no place of the path beyond the next one, no path bypasses the
   next one, and it is a dominator. What was visited before it is what it does not retain. */
#include "analysis/dom_graph.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 14 };

struct met {
	uint64_t bytes;
	uint32_t objects;
};

struct chain {
	const struct root_nodes *root_nodes;
	const struct heap *heap;
	struct edges edges;
	uint32_t *path; /* nodes of the path: the root, root nodes, objects; the object last */
	/* by place: what was visited when no path bypassed it; objects UINT32_MAX: some path does */
	struct met *before;
	size_t count, capacity;
	uint32_t nodes, *place; /* by node of the path: its place */
	size_t far;             /* the last place that visited nodes reach */
	uint64_t *seen, *along; /* bits by node: visited, or on the path; on the path */
	uint32_t *queue, head, tail;
	struct met met;
};

/* ---- The path to the object, from reach */

static void chain_reverse(struct chain *c)
{
	for (size_t low = 0, high = c->count - 1; low < high; low++, high--) {
		uint32_t node = c->path[low];
		c->path[low] = c->path[high];
		c->path[high] = node;
	}
}

/* Returns false if the object's root has no node. */
static bool chain_find_path(struct chain *c, const struct reach *reach, uint32_t object)
{
	uint32_t objects = heap_object_count(c->heap), root_node = 0, at = object;
	for (; at < objects; at = reach->parent[at])
		MEM_PUSH(c->path, c->count, c->capacity, at);
	if (at != OBJECT_NONE)
		root_node = c->root_nodes->of_root[at - objects];
	else
		c->count = 0; /* unreachable */
	if (root_node == UINT32_MAX)
		return false;
	for (; root_node; root_node = c->root_nodes->root_node[root_node].parent)
		MEM_PUSH(c->path, c->count, c->capacity, root_nodes_node(c->root_nodes, root_node));
	MEM_PUSH(c->path, c->count, c->capacity, root_nodes_node(c->root_nodes, 0));
	chain_reverse(c);
	return true;
}

static void chain_mark_path(struct chain *c)
{
	c->before = mem_alloc(c->count * sizeof *c->before);
	c->place = mem_column_few(c->nodes * sizeof *c->place);
	c->seen = mem_alloc((c->nodes / 64 + 1) * sizeof *c->seen);
	c->along = mem_alloc((c->nodes / 64 + 1) * sizeof *c->along);
	c->queue = mem_column_most(heap_object_count(c->heap) * sizeof *c->queue);
	for (size_t i = 0; i < c->count; i++) {
		c->before[i].objects = i ? UINT32_MAX : 0;
		c->place[c->path[i]] = (uint32_t)i;
		word_bit_set(c->seen, c->path[i]);
		word_bit_set(c->along, c->path[i]);
	}
}

/* ---- The search */

static inline void chain_visit(struct chain *c, uint32_t object)
{
	if (word_bit_add(c->seen, object))
		c->queue[c->tail++] = object;
	else if (word_bit_is_set(c->along, object) && c->place[object] > c->far)
		c->far = c->place[object];
}

/* Returns the end of the subtree of a root node. */
static uint32_t chain_behind(const struct root_nodes *h, uint32_t root_node)
{
	uint32_t end = root_node + 1;
	while (end < h->count && h->root_node[end].parent >= root_node)
		end++;
	return end;
}

/* Visits a root node and its subtree, without `next`, the next node of the path. */
static void chain_enter_root(struct chain *c, uint32_t root_node, uint32_t next)
{
	const struct root_nodes *h = c->root_nodes;
	for (uint32_t at = root_node, end = chain_behind(h, root_node); at < end;) {
		const struct root_node *node = &h->root_node[at];
		if (at == next
		    || (node->kind == ROOT_NODE_CLASS
		        && !dom_takes_part(RETAIN_ALIVE, (enum root_class)node->index))) {
			at = chain_behind(h, at);
			continue;
		}
		for (uint32_t i = h->row[at]; i < h->row[at + 1]; i++)
			chain_visit(c, h->target[i]);
		at++;
	}
}

static void chain_enter(struct chain *c, size_t place)
{
	uint32_t node = c->path[place];
	uint32_t root_node = root_nodes_of_node(c->root_nodes, node), next = UINT32_MAX;
	if (place + 1 < c->count)
		next = root_nodes_of_node(c->root_nodes, c->path[place + 1]);
	if (next != UINT32_MAX && c->far <= place)
		c->far = place + 1;
	if (root_node == UINT32_MAX)
		c->queue[c->tail++] = node;
	else
		chain_enter_root(c, root_node, next);
}

static bool chain_spread(struct chain *c, struct progress *progress)
{
	for (; c->head < c->tail; c->head++) {
		uint32_t object = c->queue[c->head];
		struct ids ids = edges_of(c->edges, object);
		edges_ahead(c->edges, c->queue + c->head, c->tail - c->head);
		for (size_t i = 0; i < ids.count; i++)
			chain_visit(c, ids.id[i]);
		c->met.bytes += heap_size(c->heap, object);
		c->met.objects++;
		if (c->head % STEP == 0 && !progress_step(progress, c->head))
			return false;
	}
	return true;
}

/* ---- The result, as a tree that contains nothing else */

static struct met chain_retained(const struct chain *c, size_t place)
{
	const struct met *before = &c->before[place];
	return (struct met){c->met.bytes - before->bytes, c->met.objects - before->objects};
}

static void chain_store_sums(const struct chain *c, struct dominators *out)
{
	ranks_count(&out->inner);
	size_t size = out->inner.count * sizeof *out->inner_bytes;
	uint32_t *high = mem_column(size);
	out->inner_bytes = mem_column(size);
	uint32_t *objects = mem_column(size);
	for (size_t i = 0; i < c->count; i++) {
		struct met retained = chain_retained(c, i);
		if (!ranks_has(&out->inner, c->path[i]))
			continue;
		uint32_t at = ranks_at(&out->inner, c->path[i]);
		out->inner_bytes[at] = (uint32_t)retained.bytes;
		objects[at] = retained.objects;
		high[at] = (uint32_t)(retained.bytes >> 32);
	}
	sparse_take(&out->inner_high, high, out->inner.count, size);
	dom_sums_take_objects(out, objects);
}

static struct dominators *chain_tree(const struct chain *c)
{
	struct dominators *out = mem_alloc(sizeof *out);
	size_t size = c->nodes * sizeof *out->idom;
	uint32_t above = OBJECT_NONE;
	*out = (struct dominators){.root_nodes = c->root_nodes,
	                           .retain = RETAIN_ALIVE,
	                           .nodes = c->nodes,
	                           .root = root_nodes_node(c->root_nodes, 0),
	                           .partial = true};
	out->idom = mem_column(size);
	memset(out->idom, 0xff, size);
	ranks_init(&out->inner, c->nodes);
	for (size_t i = 0; i < c->count; i++) {
		if (c->before[i].objects == UINT32_MAX)
			continue;
		out->idom[c->path[i]] = above;
		above = c->path[i];
		if (above >= out->root || chain_retained(c, i).objects != 1)
			word_bit_set(out->inner.bits, above);
	}
	chain_store_sums(c, out);
	return out;
}

static void chain_fini(struct chain *c)
{
	mem_column_free(c->place, c->nodes * sizeof *c->place);
	mem_column_free(c->queue, heap_object_count(c->heap) * sizeof *c->queue);
	free(c->seen);
	free(c->along);
	free(c->before);
}

struct dominators *dominators_new_of(const struct root_nodes *root_nodes, const struct reach *reach,
                                     uint32_t object, struct progress *progress)
{
	struct chain c = {.root_nodes = root_nodes,
	                  .heap = root_nodes->heap,
	                  .edges = heap_edges(root_nodes->heap),
	                  .nodes = heap_object_count(root_nodes->heap) + root_nodes->count};
	struct dominators *out = NULL;
	bool going_on = true;
	progress_begin(progress, "finding what dominates it", reach->objects);
	if (chain_find_path(&c, reach, object)) {
		chain_mark_path(&c);
		for (size_t place = 0; place < c.count && going_on; place++) {
			chain_enter(&c, place);
			going_on = chain_spread(&c, progress);
			if (going_on && c.far == place + 1)
				c.before[place + 1] = c.met;
		}
		out = going_on ? chain_tree(&c) : NULL;
		chain_fini(&c);
	}
	free(c.path);
	return out;
}
