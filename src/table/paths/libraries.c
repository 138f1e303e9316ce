#include "table/paths/libraries.h"

#include "analysis/root_nodes.h"
#include "base/mem.h"
#include "base/text.h"
#include "go/types/names.h"
#include "heap/heap.h"
#include "table/naming/variable_user.h"
#include "table/paths/path_tree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool libraries_type_is_own(const struct analysis *analysis, const char *type)
{
	for (const char *at = type; *at; at++) {
		bool begins = at == type || (!isalnum((unsigned char)at[-1]) && !strchr("_./-", at[-1]));
		if (begins && names_is_of_program(analysis_names(analysis), at))
			return true;
	}
	return false;
}

void libraries_add_package(const struct analysis *analysis, uint32_t root, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	if (root < heap->root_count)
		variable_user_add_package(analysis, heap_root(heap, root), out);
}

bool libraries_has_root(const struct analysis *analysis, uint32_t root)
{
	const struct reach *reach = analysis_reach(analysis);
	SCOPED_BUF package = {0};
	if (root >= reach->heap->root_count || reach->root_class[root] != ROOT_CLASS_GLOBAL)
		return false;
	libraries_add_package(analysis, root, &package);
	return package.len && names_is_of_library(analysis_names(analysis), buf_text(&package));
}

void libraries_add_name(uint64_t variables, struct buf *out)
{
	buf_add(out, text_number_of(variables, "variable of libraries", "variables of libraries").text);
}

bool libraries_is_small(uint64_t bytes, uint64_t whole)
{
	return !bytes || bytes * 100 < whole * LIBRARY_SMALL;
}

/* Returns by place whether it, or one below it, has objects of the program's own types. */
static bool *libraries_find_own(const struct analysis *analysis, const struct path_tree *tree)
{
	const struct merged_paths *paths = tree->merged_paths;
	bool *own = mem_alloc(paths->count + 1);
	for (size_t at = paths->count; at-- > 0;) { /* those below one come after it */
		const struct merge_node *node = &paths->node[at];
		own[at] =
			own[at]
			|| libraries_type_is_own(analysis, step_classes_type(tree->step_classes, node->label));
		if (own[at] && node->parent != OBJECT_NONE)
			own[node->parent] = true;
	}
	return own;
}

static void libraries_add(struct libraries *libraries, const struct merge_node *node, uint32_t at)
{
	libraries->is_one[at] = true;
	if (!libraries->count++ || node[at].bytes > node[libraries->largest].bytes)
		libraries->largest = at;
	libraries->bytes += node[at].bytes;
	libraries->own_bytes += node[at].own_bytes;
	libraries->objects += node[at].objects;
}

static void *libraries_make(const struct analysis *analysis, enum retain retain,
                            struct progress *progress)
{
	(void)retain;
	const struct path_tree *tree =
		analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, progress);
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	if (!tree)
		return NULL;
	const struct merged_paths *paths = tree->merged_paths;
	struct libraries *made = mem_alloc(sizeof *made);
	made->is_one = mem_alloc(paths->topmost + 1);
	if (!analysis_names(analysis) || !root_nodes)
		return made;
	SCOPED_FREE bool *own = libraries_find_own(analysis, tree);
	SCOPED_FREE bool *seen = mem_alloc(root_nodes->count + 1);
	for (uint32_t at = 0; at < paths->topmost; at++) {
		uint32_t root = path_tree_root(tree, analysis, at);
		if (own[at] || !libraries_is_small(paths->node[at].bytes, analysis_reach(analysis)->bytes)
		    || !libraries_has_root(analysis, root))
			continue;
		libraries_add(made, paths->node, at);
		made->variables += !seen[root_nodes->of_root[root]];
		seen[root_nodes->of_root[root]] = true;
	}
	return made;
}

static void libraries_free(void *made)
{
	struct libraries *self = made;
	free(self->is_one);
	free(self);
}

/* Not registered: quickly made from what an index has. */
static const struct kept_kind libraries_kept = {
	.needs = STAGE_TYPED | STAGE_OWNED | STAGE_REVERSED,
	.make = libraries_make,
	.free = libraries_free,
};

const struct libraries *libraries_of(const struct analysis *analysis, struct progress *progress)
{
	return analysis_kept(analysis, &libraries_kept, RETAIN_ALIVE, progress);
}
