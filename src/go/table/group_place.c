/* What goroutines do and wait for, as findings name them, and operands that are written so. */
#include "go/table/group_place.h"

#include "analysis/kept.h"
#include "base/text.h"
#include "go/table/waits.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "table/naming/operand_parts.h"
#include "table/naming/thread.h"
#include "table/paths/path_tree.h"

#include <string.h>

enum { SHOWN = 200 }; /* bytes of a function's name */

/* Returns the place of the one channel that a goroutine waits for; OBJECT_NONE: none. */
static uint32_t group_place_awaited_place(const struct analysis *analysis,
                                          const struct path_tree *tree, uint32_t thread)
{
	const struct gowaits *waits = analysis_waits(analysis);
	const struct gowait *wait = &waits->of[thread];
	if (!tree || wait->kind != GOWAIT_CHANNEL || !wait->known)
		return OBJECT_NONE;
	uint32_t channel = waits->cases[wait->first].object;
	return channel < tree->merged_paths->objects ? merged_paths_node(tree->merged_paths, channel)
	                                             : OBJECT_NONE;
}

/* Returns true if a place is on a stack: that says nothing new of what waits there. */
static bool group_place_on_stack(const struct analysis *analysis, const struct path_tree *tree,
                                 uint32_t place)
{
	const struct heap *heap = analysis_heap(analysis);
	uint32_t root = path_tree_root(tree, analysis, place);
	return root < heap->root_count && heap->roots[root].kind == ROOT_FRAME;
}

/* Appends what goroutines wait for: the place of their channels, or the one thing that all wait
   for; nothing if they wait for different ones, or for nothing at all, as their wait reason says.
 */
static void group_place_add_awaited(const struct analysis *analysis, struct ids members,
                                    struct progress *progress, struct buf *out)
{
	const struct path_tree *tree =
		analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, progress);
	uint32_t place = group_place_awaited_place(analysis, tree, members.id[0]);
	for (size_t i = 1; i < members.count && place != OBJECT_NONE; i++)
		if (group_place_awaited_place(analysis, tree, members.id[i]) != place)
			place = OBJECT_NONE;
	if (place != OBJECT_NONE && !group_place_on_stack(analysis, tree, place))
		path_exact_add(tree, place, out);
	else if (waits_are_one(analysis, members)
	         && analysis_waits(analysis)->of[members.id[0]].kind != GOWAIT_FOREVER)
		waits_add_common(analysis, members, out);
}

void group_place_add(const struct analysis *analysis, struct ids members, struct progress *progress,
                     struct buf *out)
{
	const struct thread *first = &analysis_heap(analysis)->threads[members.id[0]];
	struct thread_place place;
	SCOPED_BUF waits = {.without = NAME_ADDRESS};
	if (thread_place_of(analysis, first, &place))
		text_add_symbol(out, place.function.data, place.function.len, SHOWN);
	group_place_add_awaited(analysis, members, progress, &waits);
	if (waits.len)
		buf_addf(out, "%s%s", out->len ? ", " : "", buf_text(&waits));
}

static bool group_place_read(const struct analysis *analysis, const char *text, struct operand *o)
{
	const struct groups *groups = analysis_groups(analysis);
	SCOPED_BUF name = {0};
	size_t length = 0;
	if (!analysis_has(analysis, path_tree_whole.needs))
		return false;
	for (uint32_t i = 0; i < groups->count; i++) {
		buf_clear(&name);
		group_place_add(analysis, groups_members(groups, i), NULL, &name);
		if (name.len <= length || strncmp(text, buf_text(&name), name.len) != 0
		    || !operand_ends_here(text + name.len))
			continue;
		length = name.len;
		*o = (struct operand){.kind = OPERAND_GROUP,
		                      .index = i,
		                      .root = UINT32_MAX,
		                      .start = text,
		                      .end = text + length,
		                      .set = OPERAND_OF_THREADS};
	}
	return length;
}

const struct operand_groups operand_groups = {group_place_read};
