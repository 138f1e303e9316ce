/* The dominators of an object, and what it dominates, as a Graphviz graph. */
#include "heap/objects.h"
#include "main/export/dot.h"
#include "table/cell.h"
#include "table/naming/argument.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "format/runtime.h"

#include <stdlib.h>

enum { DOT_LEVELS = 3 }; /* default of --depth: levels above and below */

/* A drawn node, and the children that are not drawn yet. */
struct dot_below {
	size_t place;
	uint32_t level;
	uint32_t *child; /* those that retain most first */
	size_t count, next;
};
struct dot_tree {
	struct dot *dot;
	const struct dominators *dominators;
	struct dot_below *below;
	size_t count, capacity;
	uint32_t levels;
};

static size_t dot_tree_add(struct dot_tree *tree, uint32_t node, const char *style)
{
	return dot_add(tree->dot, entity_of_node(tree->dot->analysis, node), style);
}

static const char *dot_tree_style(const struct dot_tree *tree, uint32_t node)
{
	return root_nodes_of_node(tree->dominators->root_nodes, node) == UINT32_MAX ? ""
	                                                                            : "shape=ellipse";
}

/* ---- Ancestors. They take at most half of the nodes */

static void dot_tree_above(struct dot_tree *tree, uint32_t node, size_t place)
{
	const struct dominators *d = tree->dominators;
	uint64_t left = 0;
	uint32_t level = 0;
	for (; dominators_above(d, node) != OBJECT_NONE && level < tree->levels
	       && tree->dot->drawn < 1 + tree->dot->limit / 2;
	     level++) {
		node = dominators_above(d, node);
		size_t above = dot_tree_add(tree, node, dot_tree_style(tree, node));
		dot_connect(tree->dot, above, place, NULL, "");
		place = above;
	}
	for (; dominators_above(d, node) != OBJECT_NONE; node = dominators_above(d, node))
		left++;
	if (!left)
		return;
	SCOPED_BUF text = {0};
	buf_addf(&text, "%s more above", text_count(left).text);
	dot_connect(tree->dot, dot_add_note(tree->dot, buf_text(&text)), place, NULL, "style=dashed");
}

/* ---- Descendants: always the largest candidate next */

static void dot_tree_open(struct dot_tree *tree, uint32_t node, size_t place, uint32_t level)
{
	const struct dominators *d = tree->dominators;
	struct dot_below below = {.place = place, .level = level};
	if (dominators_bytes(d, node) == dominators_self(d, node) && dominators_objects(d, node) <= 1)
		return;
	below.child = dominators_children(d, node, &below.count);
	MEM_PUSH(tree->below, tree->count, tree->capacity, below);
}

static struct dot_below *dot_tree_largest(const struct dot_tree *tree)
{
	struct dot_below *best = NULL;
	const struct dominators *d = tree->dominators;
	for (size_t i = 0; i < tree->count; i++) {
		struct dot_below *below = &tree->below[i];
		if (below->level < tree->levels && below->next < below->count
		    && (!best
		        || dominators_bytes(d, below->child[below->next])
		               > dominators_bytes(d, best->child[best->next])))
			best = below;
	}
	return best;
}

/* Adds one note for the children that are not drawn. */
static void dot_tree_rest(const struct dot_tree *tree, const struct dot_below *below)
{
	uint64_t bytes = 0;
	SCOPED_BUF text = {0};
	for (size_t i = below->next; i < below->count; i++)
		bytes += dominators_bytes(tree->dominators, below->child[i]);
	buf_addf(&text, "%s%s%s", text_count(below->count - below->next).text,
	         below->next ? " others, " : " below, ", text_size(bytes).text);
	dot_connect(tree->dot, below->place, dot_add_note(tree->dot, buf_text(&text)), NULL,
	            "style=dashed");
}

static void dot_tree_below(struct dot_tree *tree, uint32_t node, size_t place)
{
	struct dot_below *from;
	dot_tree_open(tree, node, place, 0);
	while (tree->dot->drawn < tree->dot->limit && (from = dot_tree_largest(tree)) != NULL) {
		uint32_t child = from->child[from->next++], level = from->level + 1;
		size_t above = from->place, at = dot_tree_add(tree, child, dot_tree_style(tree, child));
		dot_connect(tree->dot, above, at, NULL, "");
		dot_tree_open(tree, child, at, level);
	}
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->below[i].next < tree->below[i].count)
			dot_tree_rest(tree, &tree->below[i]);
		free(tree->below[i].child);
	}
	free(tree->below);
}

static bool dot_tree_draw(struct dot *dot, uint32_t node, uint32_t depth, struct err *err)
{
	const struct dominators *d = analysis_retained(dot->analysis);
	struct dot_tree tree = {.dot = dot, .dominators = d, .levels = depth ? depth : DOT_LEVELS};
	if (!dominators_has(d, node)) {
		err_set(err, "It is unreachable from any %s: it has no dominator and retains nothing",
		        damage_any_root(analysis_heap(dot->analysis)));
		return argument_absent(analysis_heap(dot->analysis), DAMAGE_ROOTS, err);
	}
	size_t place = dot_tree_add(&tree, node, "penwidth=2, style=filled, fillcolor=\"#ffe0b0\"");
	dot_tree_above(&tree, node, place);
	dot_tree_below(&tree, node, place);
	return true;
}

static bool dot_dominators_export(const struct analysis *analysis,
                                  const struct export_request *request, struct buf *out,
                                  struct err *err)
{
	struct dot dot;
	SCOPED_BUF title = {0};
	uint32_t node;
	bool ok = dot_init(&dot, analysis, request, err)
	          && argument_node(analysis, buf_text(&request->argument), &node, err)
	          && reach_must_be_known(analysis, err)
	          && dot_tree_draw(&dot, node, request->depth, err);
	if (ok) {
		buf_add(&title, "what holds ");
		entity_add_label(analysis, entity_of_node(analysis, node), &title);
		buf_add(&title, ": its dominators, and what it dominates");
		dot_write(&dot, buf_text(&title), out);
	}
	dot_fini(&dot);
	return ok;
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_dot_dominators) = {
	.rank = 34,
	.name = "dot-tree",
	.tree_of = "dot",
	.former = "dot-dominators",
	.help = "the dominators of an object, a variable or a " THREAD_WORD
			", and what it dominates, for "
			"graphviz",
	.needs = STAGE_REVERSED | STAGE_DOMINATED | STAGE_TYPED,
	.parts = PART_OBJECTS,
	.takes = EXPORT_GRAPH,
	.write = dot_dominators_export,
};
