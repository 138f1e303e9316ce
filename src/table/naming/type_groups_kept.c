/* The cached types of all objects, and the bytes that the objects of each type retain together:
   part of table/naming/typed.h. */
#include "table/naming/typed.h"

#include "analysis/kept.h"
#include "analysis/retained_of_class.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>
#include <string.h>

/* ---- Groups, without parts of maps and channels */

/* The numbers of a group in an index; the names are stored separately. */
struct type_group_numbers {
	uint64_t count, guessed, bytes, largest, entries, waste, holds, label;
};

static void *type_groups_make(const struct analysis *analysis, enum retain retain,
                              struct progress *progress)
{
	struct type_groups *groups = mem_alloc(sizeof *groups);
	(void)retain, (void)progress;
	type_groups_count(groups, analysis, false, NULL);
	return groups;
}

static void type_groups_drop(void *made)
{
	type_groups_fini(made);
	free(made);
}

static bool type_groups_index(void *made, const struct index_io *io)
{
	struct type_groups *groups = made;
	SCOPED_BUF numbers = {0}, names = {0};
	for (size_t i = 0; io->writer && i < groups->count; i++) {
		const struct type_group *g = &groups->group[i];
		const struct type_group_numbers own = {g->count,   g->guessed, g->bytes, g->largest,
		                                       g->entries, g->waste,   g->holds, g->label};
		buf_add_bytes(&numbers, &own, sizeof own);
		buf_add_bytes(&names, g->name, strlen(g->name) + 1);
	}
	bool done = index_io_buf(io, "counts", &numbers) && index_io_buf(io, "names", &names)
	            && INDEX_ARRAY(io, "of", groups->of_key, groups->keys);
	if (done && io->file) {
		const struct type_group_numbers *n = (const void *)numbers.data;
		const char *name = names.data;
		groups->count = numbers.len / sizeof *n;
		groups->group = mem_alloc((groups->count + 1) * sizeof *groups->group);
		for (size_t i = 0; i < groups->count; i++, name += strlen(name) + 1)
			groups->group[i] = (struct type_group){
				.name = mem_strdup(name),
				.count = n[i].count,
				.guessed = n[i].guessed,
				.bytes = n[i].bytes,
				.largest = n[i].largest,
				.entries = n[i].entries,
				.waste = n[i].waste,
				.holds = n[i].holds,
				.label = n[i].label,
				.number = (uint32_t)i,
			};
	}
	return done;
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, type_groups_kept) = {
	.name = "type-groups",
	.needs = STAGE_TYPED,
	.make = type_groups_make,
	.free = type_groups_drop,
	.size = sizeof(struct type_groups),
	.index = type_groups_index,
};

static void *part_groups_make(const struct analysis *analysis, enum retain retain,
                              struct progress *progress)
{
	struct type_groups *groups = mem_alloc(sizeof *groups);
	(void)retain, (void)progress;
	type_groups_count(groups, analysis, true, NULL);
	return groups;
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, part_groups_kept) = {
	.needs = STAGE_TYPED,
	.make = part_groups_make,
	.free = type_groups_drop,
};

const struct type_groups *type_groups_all(const struct analysis *analysis, bool parts)
{
	return analysis_kept(analysis, parts ? &part_groups_kept : &type_groups_kept, RETAIN_ALIVE,
	                     NULL);
}

/* Compares a name with that of a group: groups are sorted by their names. */
static int type_group_named(const void *name, const void *group)
{
	return strcmp(name, ((const struct type_group *)group)->name);
}

const struct type_group *type_groups_find(const struct type_groups *groups, const char *name)
{
	return groups && groups->count ? bsearch(name, groups->group, groups->count,
	                                         sizeof *groups->group, type_group_named)
	                               : NULL;
}

bool typed_is_name(const struct analysis *analysis, const char *name)
{
	const struct type_groups *groups = type_groups_all(analysis, false);
	SCOPED_BUF rows = {0};
	if (typed_add_any_length(name, &rows) && typed_is_name(analysis, buf_text(&rows)))
		return true;
	return type_groups_find(groups, name)
	       || (*name == TYPE_MARK && type_groups_find(groups, type_unmarked(name)));
}

static void *reached_groups_make(const struct analysis *analysis, enum retain retain,
                                 struct progress *progress)
{
	(void)retain, (void)progress;
	if (!analysis_has_roots(analysis))
		return NULL;
	struct type_groups *groups = mem_alloc(sizeof *groups);
	type_groups_count(groups, analysis, false, analysis_reach(analysis));
	return groups;
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, reached_groups_kept) = {
	.name = "reached-groups",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.make = reached_groups_make,
	.free = type_groups_drop,
	.size = sizeof(struct type_groups),
	.index = type_groups_index,
};

/* Copies the groups, since the caller may remove some. */
static void type_groups_copy(struct type_groups *groups, const struct type_groups *from)
{
	*groups = (struct type_groups){
		.group = mem_alloc((from->count + 1) * sizeof *groups->group),
		.count = from->count,
	};
	for (size_t i = 0; i < from->count; i++) {
		groups->group[i] = from->group[i];
		groups->group[i].name = mem_strdup(from->group[i].name);
	}
}

/* Copies groups that are computed once, unless parts are shown or they are not known yet: then it
   counts the objects, those `among` the reachable ones or all. */
static void type_groups_take(struct type_groups *groups, const struct analysis *analysis,
                             const struct kept_kind *kept, const struct reach *among)
{
	bool shared = analysis_has(analysis, kept->needs) && !analysis_parts(analysis);
	const struct type_groups *made = shared ? analysis_kept(analysis, kept, RETAIN_ALIVE, NULL)
	                                        : NULL;
	if (made)
		type_groups_copy(groups, made);
	else
		type_groups_count(groups, analysis, analysis_parts(analysis), among);
}

void type_groups_init(struct type_groups *groups, const struct analysis *analysis)
{
	type_groups_take(groups, analysis, &type_groups_kept, NULL);
}

void type_groups_reachable(struct type_groups *groups, const struct analysis *analysis)
{
	type_groups_take(groups, analysis, &reached_groups_kept, analysis_reach(analysis));
}

void type_groups_classes(const struct type_groups *groups, const struct analysis *analysis,
                         const uint32_t *of_number, uint32_t *class_of)
{
	const struct type_groups *all = groups->of_key ? groups : type_groups_all(analysis, false);
	type_groups_of_objects(all, analysis, class_of);
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(analysis)); id++)
		class_of[id] = of_number[class_of[id]];
}

/* ---- Retained bytes of each type */

static struct object_classes type_groups_as_classes(const struct type_groups *groups)
{
	return (struct object_classes){groups->count, groups, type_groups_of_objects};
}

static void *type_retained_make(const struct analysis *analysis, enum retain retain,
                                struct progress *progress)
{
	const struct type_groups *groups = analysis_kept(analysis, &type_groups_kept, retain, progress);
	const struct object_classes classes = type_groups_as_classes(groups);
	return retained_of_classes(&classes, analysis, retain, progress);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, type_retained) = {
	.name = "type-retained",
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.make = type_retained_make,
	.free = retained_of_class_free,
	.size = sizeof(struct retained_of_class),
	.index = retained_of_class_index,
};

bool type_groups_retain(struct type_groups *groups, const struct analysis *analysis,
                        struct progress *progress)
{
	const struct object_classes classes = type_groups_as_classes(groups);
	return retained_of_classes_store(&classes, analysis, groups->of_key ? NULL : &type_retained,
	                                 progress, &groups->group->retained, sizeof *groups->group);
}
