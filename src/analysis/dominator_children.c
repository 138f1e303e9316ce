#include "analysis/dominators.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>

enum { STEP = 1 << 16 };

static size_t row_size(const struct dominator_children *children)
{
	return (children->inner.count + 2) * sizeof *children->row;
}

/* Counts the children of the r-th inner node in row[r + 2]; the prefix sums turn row[r + 1] into
   the position of its next child. */
static void dominator_children_count(struct dominator_children *children,
                                     const struct dominators *dominators)
{
	for (uint32_t n = 0, above; n < children->nodes; n++)
		if ((above = dominators_above(dominators, n)) != OBJECT_NONE)
			children->row[ranks_at(&children->inner, above) + 2]++;
	for (size_t r = 1; r < children->inner.count + 2; r++)
		children->row[r] += children->row[r - 1];
}

static bool dominator_children_place(struct dominator_children *children,
                                     const struct dominators *dominators, struct progress *progress)
{
	for (uint32_t n = 0, above; n < children->nodes; n++) {
		if (n % STEP == 0 && !progress_step(progress, n))
			return false;
		if ((above = dominators_above(dominators, n)) != OBJECT_NONE)
			children->node[children->row[ranks_at(&children->inner, above) + 1]++] = n;
	}
	return true;
}

struct dominator_children *dominator_children_new(const struct dominators *dominators,
                                                  struct progress *progress)
{
	struct dominator_children *children = mem_alloc(sizeof *children);
	children->nodes = dominators->nodes;
	dominators_find_inner(dominators, &children->inner);
	children->row = mem_column(row_size(children));
	children->node = mem_column(children->nodes * sizeof *children->node);
	progress_begin(progress, "sorting the tree", children->nodes);
	dominator_children_count(children, dominators);
	if (dominator_children_place(children, dominators, progress))
		return children;
	dominator_children_free(children);
	return NULL;
}

static size_t dominator_children_size(const struct dominator_children *children)
{
	return children->nodes * sizeof *children->node;
}

void dominator_children_free(struct dominator_children *children)
{
	if (!children)
		return;
	if (children->row)
		mem_column_free(children->row, row_size(children));
	if (children->node)
		mem_column_free(children->node, dominator_children_size(children));
	ranks_fini(&children->inner);
	free(children);
}

/* ---- Cached result */

static void *children_make(const struct analysis *analysis, enum retain retain,
                           struct progress *progress)
{
	return dominator_children_new(analysis_dominators(analysis, retain), progress);
}

static void children_drop(void *made)
{
	dominator_children_free(made);
}

static void *children_empty(const struct analysis *analysis, enum retain retain)
{
	struct dominator_children *children = mem_alloc(sizeof *children);
	children->nodes = analysis_dominators(analysis, retain)->nodes;
	return children;
}

static bool children_index(void *made, const struct index_io *io)
{
	struct dominator_children *children = made;
	const struct index_io inner = index_io_below(io, "inner");
	return ranks_index(&children->inner, children->nodes, &inner)
	       && index_io_column(io, "row", &children->row, row_size(children))
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
