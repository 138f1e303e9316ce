/* Saves and loads a tree of paths: part of analysis/merge.h. */
#include "analysis/merge.h"

bool merged_paths_index(struct merged_paths *paths, const struct index_io *io)
{
	return INDEX_VALUES(io, "counts", INDEX_VALUE(paths->count), INDEX_VALUE(paths->topmost),
	                    INDEX_VALUE(paths->left_out))
	       && INDEX_COLUMN(io, "node", paths->node, paths->count)
	       && runs_index(&paths->node_of, paths->objects, "of", io);
}
