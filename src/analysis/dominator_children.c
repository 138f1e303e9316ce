#include "analysis/dominator_children.h"

#include "base/mem.h"

enum { STEP = 1 << 16 };

static size_t row_size(const struct dominator_children *children)
{
	return (children->inner.count + 2) * sizeof *children->row;
}

/* row[r + 2] counts the children of the r-th; after the sums, row[r + 1] is where the next one of
   them goes. */
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

bool dominator_children_init(struct dominator_children *children,
                             const struct dominators *dominators, struct progress *progress)
{
	*children = (struct dominator_children){.nodes = dominators->nodes};
	dominators_find_inner(dominators, &children->inner);
	children->row = mem_column(row_size(children));
	children->node = mem_column(children->nodes * sizeof *children->node);
	progress_begin(progress, "putting the tree in order", children->nodes);
	dominator_children_count(children, dominators);
	if (dominator_children_place(children, dominators, progress))
		return true;
	dominator_children_fini(children);
	return false;
}

static size_t dominator_children_size(const struct dominator_children *children)
{
	return children->nodes * sizeof *children->node;
}

void dominator_children_fini(struct dominator_children *children)
{
	if (children->row)
		mem_column_free(children->row, row_size(children));
	if (children->node)
		mem_column_free(children->node, dominator_children_size(children));
	ranks_fini(&children->inner);
	*children = (struct dominator_children){0};
}

void dominator_children_save(const struct dominator_children *children, enum retain retain,
                             struct index_writer *writer)
{
	char name[INDEX_NAME], before[INDEX_NAME];
	ranks_save(&children->inner, dominators_section(name, retain, "inner"),
	           dominators_section(before, retain, "before"), writer);
	index_put_column(writer, dominators_section(name, retain, "row"), children->row,
	                 row_size(children));
	index_put_column(writer, dominators_section(name, retain, "node"), children->node,
	                 dominator_children_size(children));
}

bool dominator_children_load(struct dominator_children *children,
                             const struct dominators *dominators, struct index_file *file)
{
	char name[INDEX_NAME], before[INDEX_NAME];
	enum retain retain = dominators->retain;
	children->nodes = dominators->nodes;
	if (!ranks_load(&children->inner, children->nodes, dominators_section(name, retain, "inner"),
	                dominators_section(before, retain, "before"), file))
		return false;
	children->row = index_column(file, dominators_section(name, retain, "row"), row_size(children));
	children->node = index_column(file, dominators_section(name, retain, "node"),
	                              dominator_children_size(children));
	return children->row && children->node;
}
