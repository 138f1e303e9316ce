#include "table/findings/libraries.h"

#include "analysis/root_nodes.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "table/naming/variable_user.h"
#include "types/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 3 }; /* percent of the whole: places with more are findings of their own */

/* Returns true if a type has the name of a package of the program in it:
   "map[string]main.session". */
static bool libraries_type_is_own(const struct names *names, const char *type)
{
	for (const char *at = type; *at; at++) {
		bool begins = at == type || (!isalnum((unsigned char)at[-1]) && !strchr("_./-", at[-1]));
		if (begins && names_is_of_program(names, at))
			return true;
	}
	return false;
}

/* Returns by place whether it, or one below it, has objects of the program's own types. */
static bool *libraries_find_own(const struct names *names, const struct path_tree *tree)
{
	const struct merged_paths *paths = tree->merged_paths;
	bool *own = mem_alloc(paths->count + 1);
	for (size_t at = paths->count; at-- > 0;) { /* those below one come after it */
		const struct merge_node *node = &paths->node[at];
		own[at] =
			own[at]
			|| libraries_type_is_own(names, step_classes_type(tree->step_classes, node->label));
		if (own[at] && node->parent != OBJECT_NONE)
			own[node->parent] = true;
	}
	return own;
}

/* Returns true if a root is a variable of a library. */
static bool libraries_has_root(const struct analysis *analysis, uint32_t root)
{
	const struct reach *reach = analysis_reach(analysis);
	SCOPED_BUF package = {0};
	return root < reach->heap->root_count && reach->root_class[root] == ROOT_CLASS_GLOBAL
	       && variable_user_add_package(analysis, &reach->heap->roots[root], &package)
	       && names_is_of_library(analysis_names(analysis), buf_text(&package));
}

void libraries_init(struct libraries *libraries, const struct findings *findings,
                    const struct path_tree *tree)
{
	const struct analysis *analysis = findings->analysis;
	const struct merged_paths *paths = tree->merged_paths;
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	*libraries = (struct libraries){.is_one = mem_alloc(paths->topmost + 1)};
	if (!analysis_names(analysis) || !root_nodes)
		return;
	SCOPED_FREE bool *own = libraries_find_own(analysis_names(analysis), tree);
	SCOPED_FREE bool *seen = mem_alloc(root_nodes->count + 1);
	for (uint32_t at = 0; at < paths->topmost; at++) {
		uint32_t root = path_tree_root(tree, analysis, at);
		if (own[at] || findings_is_much(findings, paths->node[at].bytes, SMALL)
		    || !libraries_has_root(analysis, root))
			continue;
		libraries->is_one[at] = true;
		libraries->bytes += paths->node[at].bytes;
		if (!libraries->count++ || paths->node[at].bytes > paths->node[libraries->largest].bytes)
			libraries->largest = at;
		libraries->variables += !seen[root_nodes->of_root[root]];
		seen[root_nodes->of_root[root]] = true;
	}
}

void libraries_fini(struct libraries *libraries)
{
	free(libraries->is_one);
}
