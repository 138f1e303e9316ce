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
	uint64_t count, bytes, largest, entries, waste, holds, label;
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

static void type_groups_save(const void *made, enum retain retain, struct index_writer *writer)
{
	const struct type_groups *groups = made;
	struct type_group_numbers *numbers = mem_alloc((groups->count + 1) * sizeof *numbers);
	struct buf names = {0};
	(void)retain;
	for (size_t i = 0; i < groups->count; i++) {
		const struct type_group *g = &groups->group[i];
		numbers[i] = (struct type_group_numbers){g->count, g->bytes, g->largest, g->entries,
		                                         g->waste, g->holds, g->label};
		buf_add_bytes(&names, g->name, strlen(g->name) + 1);
	}
	index_put_copy(writer, "groups/numbers", numbers, groups->count * sizeof *numbers);
	index_put_copy(writer, "groups/names", names.data, names.len);
	index_put(writer, "groups/of", groups->of_key, groups->keys * sizeof *groups->of_key);
	buf_free(&names);
	free(numbers);
}

static void *type_groups_load(const struct analysis *analysis, enum retain retain,
                              struct index_file *file)
{
	uint64_t size;
	struct type_groups *groups = mem_alloc(sizeof *groups);
	const struct type_group_numbers *n = index_get(file, "groups/numbers", &size);
	const char *name = index_get(file, "groups/names", &(uint64_t){0});
	(void)analysis, (void)retain;
	groups->of_key = index_array(file, "groups/of", sizeof *groups->of_key, &groups->keys);
	if (!n || !name || !groups->of_key) {
		type_groups_drop(groups);
		return NULL;
	}
	groups->count = size / sizeof *n;
	groups->group = mem_alloc((groups->count + 1) * sizeof *groups->group);
	for (size_t i = 0; i < groups->count; i++) {
		groups->group[i] = (struct type_group){
			.name = mem_strdup(name),
			.count = n[i].count,
			.bytes = n[i].bytes,
			.largest = n[i].largest,
			.entries = n[i].entries,
			.waste = n[i].waste,
			.holds = n[i].holds,
			.label = n[i].label,
		};
		name += strlen(name) + 1;
	}
	return groups;
}

static const struct kept_kind type_groups_kept = {
	.needs = STAGE_TYPED,
	.make = type_groups_make,
	.free = type_groups_drop,
	.save = type_groups_save,
	.load = type_groups_load,
};
PLUGIN(kept_kinds, type_groups_kept);

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

void type_groups_init(struct type_groups *groups, const struct analysis *analysis)
{
	bool shared = analysis_has(analysis, STAGE_TYPED) && !analysis_parts(analysis);
	if (shared)
		type_groups_copy(groups, analysis_kept(analysis, &type_groups_kept, RETAIN_ALIVE, NULL));
	else
		type_groups_count(groups, analysis, analysis_parts(analysis), NULL);
}

/* ---- Retained bytes of each type */

static struct retained_of_class *type_retained_sum(const struct type_groups *groups,
                                                   const struct analysis *analysis,
                                                   const struct dominators *dominators,
                                                   struct progress *progress)
{
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	size_t size = objects * sizeof(uint32_t);
	uint32_t *class_of = mem_column(size);
	for (uint32_t id = 0; id < objects; id++)
		class_of[id] = groups->of_key[type_groups_key(analysis, id, groups->parts)];
	struct retained_of_class *sums =
		retained_of_class_new(dominators, class_of, (uint32_t)groups->count, progress);
	mem_column_free(class_of, size);
	return sums;
}

static void *type_retained_make(const struct analysis *analysis, enum retain retain,
                                struct progress *progress)
{
	const struct type_groups *groups = analysis_kept(analysis, &type_groups_kept, retain, progress);
	return analysis_has_roots(analysis) ? type_retained_sum(
			   groups, analysis, analysis_dominators(analysis, retain), progress)
	                                    : NULL;
}

static void type_retained_save(const void *made, enum retain retain, struct index_writer *writer)
{
	char name[INDEX_NAME];
	retained_of_class_save(made, dominators_section(name, retain, "types"), writer);
}

static void *type_retained_load(const struct analysis *analysis, enum retain retain,
                                struct index_file *file)
{
	char name[INDEX_NAME];
	(void)analysis;
	return retained_of_class_load(file, dominators_section(name, retain, "types"));
}

static const struct kept_kind type_retained = {
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.make = type_retained_make,
	.free = free,
	.save = type_retained_save,
	.load = type_retained_load,
};
PLUGIN(kept_kinds, type_retained);

bool type_groups_retain(struct type_groups *groups, const struct analysis *analysis,
                        struct progress *progress)
{
	const struct dominators *dominators = analysis_retained(analysis);
	struct retained_of_class *own =
		groups->of_key ? type_retained_sum(groups, analysis, dominators, progress) : NULL;
	const struct retained_of_class *sums =
		groups->of_key ? own
					   : analysis_kept(analysis, &type_retained, dominators->retain, progress);
	for (size_t i = 0; sums && i < groups->count; i++)
		groups->group[i].retained = sums->bytes[i];
	free(own);
	return sums;
}
