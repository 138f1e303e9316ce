/* Saves and loads a tree of paths: part of analysis/merge.h. */
#include "analysis/merge.h"

#include "base/index_parts.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdio.h>

/* The fields that are not arrays. */
struct merge_about {
	uint64_t topmost, left_out;
};

static const char *merge_section(char section[INDEX_NAME], const char *name, const char *part)
{
	snprintf(section, INDEX_NAME, "%s/%s", name, part);
	return section;
}

void merged_paths_save(const struct merged_paths *paths, const char *name,
                       struct index_writer *writer)
{
	char section[INDEX_NAME];
	const struct merge_about about = {paths->topmost, paths->left_out};
	index_put_copy(writer, merge_section(section, name, "about"), &about, sizeof about);
	index_put_padded(writer, merge_section(section, name, "node"), paths->node, paths->count,
	                 sizeof *paths->node,
	                 offsetof(struct merge_node, objects) + sizeof paths->node->objects,
	                 offsetof(struct merge_node, bytes));
	index_put_column(writer, merge_section(section, name, "of"), paths->node_of,
	                 paths->objects * sizeof *paths->node_of);
}

struct merged_paths *merged_paths_load(const struct heap *heap, const char *name,
                                       struct index_file *file)
{
	char section[INDEX_NAME];
	struct merge_about about;
	struct merged_paths *paths = mem_alloc(sizeof *paths);
	paths->objects = heap_object_count(heap);
	paths->node =
		index_array(file, merge_section(section, name, "node"), sizeof *paths->node, &paths->count);
	paths->node_of = index_column(file, merge_section(section, name, "of"),
	                              paths->objects * sizeof *paths->node_of);
	if (paths->node && paths->node_of
	    && index_struct(file, merge_section(section, name, "about"), &about, sizeof about)) {
		paths->topmost = about.topmost;
		paths->left_out = about.left_out;
		return paths;
	}
	merged_paths_free(paths);
	return NULL;
}
