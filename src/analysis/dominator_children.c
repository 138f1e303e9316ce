#include "analysis/dominators.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>

enum { STEP = 1 << 16 };

static size_t dominator_children_size(const struct dominator_children *children)
{
	return children->listed * sizeof *children->node;
}

/* Returns the first node from `node` on in a set, NULL: all nodes. */
static uint32_t dominator_children_next(const struct dominator_children *children,
                                        const uint64_t *set, uint32_t node)
{
	while (set && node < children->nodes && !word_bit_is_set(set, node))
		node = set[node / 64] >> node % 64 ? node + 1 : (node / 64 + 1) * 64;
	return node;
}

/* Returns true if a row has the node; *above becomes its dominator. */
static bool dominator_children_has(const struct dominator_children *children,
                                   const struct dominators *dominators, uint32_t node,
                                   uint32_t *above)
{
	*above = dominators_above(dominators, node);
	return *above != OBJECT_NONE && ranks_has(&children->inner, *above);
}

/* Counts the children of the r-th inner node in row[r + 2]; the prefix sums turn row[r + 1] into
   the position of its next child. */
static void dominator_children_count(struct dominator_children *children,
                                     const struct dominators *dominators, const uint64_t *set,
                                     uint32_t *row)
{
	uint32_t above;
	for (uint32_t n = dominator_children_next(children, set, 0); n < children->nodes;
	     n = dominator_children_next(children, set, n + 1))
		if (dominator_children_has(children, dominators, n, &above))
			row[ranks_at(&children->inner, above) + 2]++;
	for (size_t r = 1; r < children->inner.count + 2; r++)
		row[r] += row[r - 1];
	children->listed = children->like ? row[children->inner.count + 1] : children->nodes;
}

static bool dominator_children_place(struct dominator_children *children,
                                     const struct dominators *dominators, const uint64_t *set,
                                     uint32_t *row, struct progress *progress)
{
	uint32_t above;
	for (uint32_t n = dominator_children_next(children, set, 0); n < children->nodes;
	     n = dominator_children_next(children, set, n + 1)) {
		if (n % STEP == 0 && !progress_step(progress, n))
			return false;
		if (dominator_children_has(children, dominators, n, &above))
			children->node[row[ranks_at(&children->inner, above) + 1]++] = n;
	}
	return true;
}

/* Stores the children of all nodes, or of a set, by inner node. False: cancelled. */
static bool dominator_children_sort(struct dominator_children *children,
                                    const struct dominators *dominators, const uint64_t *set,
                                    struct progress *progress)
{
	struct starts_maker starts;
	size_t count = children->inner.count, size = (count + 2) * sizeof(uint32_t);
	uint32_t *row = mem_column(size);
	dominator_children_count(children, dominators, set, row);
	children->node = mem_column(dominator_children_size(children));
	bool done = dominator_children_place(children, dominators, set, row, progress);
	starts_begin(&starts, count + 1);
	for (size_t r = 0; r <= count; r++)
		starts_put(&starts, row[r]);
	children->starts = starts_end(&starts);
	mem_column_free(row, size);
	return done;
}

struct dominator_children *dominator_children_new(const struct dominators *dominators,
                                                  struct progress *progress)
{
	struct dominator_children *children = mem_alloc(sizeof *children);
	children->nodes = dominators->nodes;
	dominators_find_inner(dominators, &children->inner);
	progress_begin(progress, "sorting the tree", children->nodes);
	if (dominator_children_sort(children, dominators, NULL, progress))
		return children;
	dominator_children_free(children);
	return NULL;
}

/* ---- The children of a reduced tree */

/* Adds both dominators of each node that has another one to `inner`, and the node to `set`. */
static void dominator_children_find_moved(struct dominator_children *children,
                                          const struct dominators *d, uint64_t *set)
{
	for (uint32_t n = dominator_children_next(children, d->differing.bits, 0); n < children->nodes;
	     n = dominator_children_next(children, d->differing.bits, n + 1)) {
		uint32_t above[] = {d->like->idom[n], dominators_above(d, n)};
		if (above[0] == above[1])
			continue;
		word_bit_set(set, n);
		for (int i = 0; i < 2; i++)
			if (above[i] != OBJECT_NONE)
				word_bit_set(children->inner.bits, above[i]);
	}
}

struct dominator_children *dominator_children_new_like(const struct dominators *dominators,
                                                       const struct dominator_children *like)
{
	struct dominator_children *children = mem_alloc(sizeof *children);
	size_t size = (dominators->nodes / 64 + 1) * sizeof(uint64_t);
	uint64_t *set = mem_column(size);
	children->nodes = dominators->nodes;
	children->like = like;
	ranks_init(&children->inner, children->nodes);
	dominator_children_find_moved(children, dominators, set);
	ranks_count(&children->inner);
	for (uint32_t n = dominator_children_next(children, children->inner.bits, 0);
	     n < children->nodes; n = dominator_children_next(children, children->inner.bits, n + 1)) {
		struct ids of = dominator_children_of(like, n);
		for (uint32_t i = 0; i < of.count; i++)
			word_bit_set(set, of.id[i]);
	}
	dominator_children_sort(children, dominators, set, NULL);
	mem_column_free(set, size);
	return children;
}

void dominator_children_free(struct dominator_children *children)
{
	if (!children)
		return;
	starts_fini(&children->starts);
	if (children->node)
		mem_column_free(children->node, dominator_children_size(children));
	ranks_fini(&children->inner);
	free(children);
}

/* ---- Cached result */

static void *children_make(const struct analysis *analysis, enum retain retain,
                           struct progress *progress)
{
	const struct dominators *dominators = analysis_dominators(analysis, retain);
	if (!dominators->like)
		return dominator_children_new(dominators, progress);
	const struct dominator_children *like =
		analysis_children(analysis, dominators->like->retain, progress);
	return like ? dominator_children_new_like(dominators, like) : NULL;
}

static void children_drop(void *made)
{
	dominator_children_free(made);
}

static void *children_empty(const struct analysis *analysis, enum retain retain)
{
	struct dominator_children *children = mem_alloc(sizeof *children);
	children->nodes = children->listed = analysis_dominators(analysis, retain)->nodes;
	return children;
}

static bool children_index(void *made, const struct index_io *io)
{
	struct dominator_children *children = made;
	const struct index_io inner = index_io_below(io, "inner"), row = index_io_below(io, "row");
	if (children->like) /* it is made anew from the other */
		return true;
	return ranks_index(&children->inner, children->nodes, &inner)
	       && starts_index(&children->starts, children->inner.count + 1, &row)
	       && index_io_column(io, "node", &children->node, dominator_children_size(children));
}

const struct kept_kind dominator_children_kept = {
	.name = "trees", /* a full tree has the same inner nodes */
	.needs = STAGE_OWNED,
	.by_retain = true,
	.make = children_make,
	.free = children_drop,
	.empty = children_empty,
	.index = children_index,
};
PLUGIN(kept_kinds, dominator_children_kept);
