#include "table/paths/path_place.h"

#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "path_tree.h"
#include "table/naming/argument.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ENDS = 64 }; /* blanks where a name may end */

static const char any_element[] = "[*]";

/* Returns the first object of the places whose paths have the keys of a text, if there are keys. */
static uint32_t path_place_first(const struct path_tree *tree, const bool *wanted, const char *keys,
                                 bool *several)
{
	const struct merged_paths *paths = tree->merged_paths;
	uint32_t found = OBJECT_NONE, members = 0;
	for (uint32_t place = 0; place < paths->count; place++)
		members += wanted[place] ? paths->node[place].members : 0;
	*several = members > 1;
	for (uint32_t place = 0; place < paths->count && found == OBJECT_NONE; place++) {
		if (!wanted[place])
			continue;
		struct path_filter *filter = keys ? path_filter_new(tree, place, keys) : NULL;
		found = filter ? OBJECT_NONE : paths->node[place].example;
		for (uint32_t id = 0; filter && id < paths->objects && found == OBJECT_NONE; id++)
			if (merged_paths_node(paths, id) == place && path_filter_has(filter, id))
				found = id;
		if (filter)
			path_filter_free(filter);
	}
	return found;
}

static uint32_t path_place_find(const struct path_tree *tree, const char *text, bool *several)
{
	size_t places;
	uint32_t found = OBJECT_NONE;
	for (int partly = 0; partly < 2 && found == OBJECT_NONE; partly++) {
		bool *wanted = path_tree_find_places(tree, text, partly, &places);
		if (wanted)
			found = path_place_first(tree, wanted, partly ? text : NULL, several);
		free(wanted);
	}
	return found;
}

size_t path_place_read(const struct analysis *analysis, const char *text, uint32_t *object,
                       bool *several, struct err *err)
{
	if (!analysis_has(analysis, path_tree_whole.needs))
		return err_set(err, "Which objects are at \"%.100s\" is not known yet", text);
	const struct path_tree *tree = analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, NULL);
	const char *first = strstr(text, any_element), *short_name = text_handle(text);
	first = first && short_name && short_name < first ? short_name : first ? first : short_name;
	size_t end = text_trimmed(text, strlen(text)), ends = 0;
	size_t least = first ? (size_t)(first - text) : 0;
	*object = OBJECT_NONE;
	while (tree && tree->merged_paths && end > least && ends++ < (first ? MOST_ENDS : 1)) {
		SCOPED_FREE char *name = mem_strndup(text, end);
		*object = path_place_find(tree, name, several);
		if (*object != OBJECT_NONE)
			return end;
		while (end && text[end - 1] != ' ')
			end--;
		end = text_trimmed(text, end);
		end -= end && text[end - 1] == ','; /* "main.x[*] key, shared with main.y" */
	}
	if (short_name)
		err_set(err,
		        "No place or type of this dump has the short name \"%.200s\": it may be that of "
		        "another dump; the tables where and types have all names",
		        text);
	else
		err_set(err,
		        "No reachable object is at \"%.100s\": [*] stands for the elements of a map, a "
		        "slice or an array, and the table where has all such places",
		        text);
	argument_unknown(analysis_heap(analysis), DAMAGE_ROOTS, err);
	return 0;
}

const struct path_places path_places = {path_place_read, &path_tree_whole};
