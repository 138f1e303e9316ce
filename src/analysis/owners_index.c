/* Owners as a cached result in the index: part of analysis/owners.h. Intermediate results are not
   saved. */
#include "analysis/owners.h"

#include "analysis/kept.h"
#include "base/index_parts.h"
#include "base/mem.h"
#include "base/plugin.h"

static void owners_save(const void *made, enum retain retain, struct index_writer *writer)
{
	const struct owners *o = made;
	const struct {
		const char *what;
		const void *data;
		uint64_t size;
	} parts[] = {
		{"owner", o->owner, o->count * sizeof *o->owner},
		{"of", o->of_root_node, o->dominators->root_nodes->count * sizeof *o->of_root_node},
		{"shared", o->shared_set, o->shared_sets * sizeof *o->shared_set},
		{"top", o->top, o->tops * sizeof *o->top},
		{"set", o->sets.set, o->sets.count * sizeof *o->sets.set},
		{"member", o->sets.member, o->sets.members * sizeof *o->sets.member},
	};
	char name[INDEX_NAME];
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		index_put(writer, dominators_section(name, retain, parts[i].what), parts[i].data,
		          parts[i].size);
}

static void *owners_array(const struct owners *o, struct index_file *file, const char *what,
                          size_t each, uint32_t *count)
{
	char name[INDEX_NAME];
	size_t there = 0;
	void *array =
		index_array(file, dominators_section(name, o->dominators->retain, what), each, &there);
	*count = (uint32_t)there;
	return array;
}

static void *owners_load(const struct analysis *analysis, enum retain retain,
                         struct index_file *file)
{
	const struct dominators *dominators = analysis_dominators(analysis, retain);
	struct owners *o = mem_alloc(sizeof *o);
	uint32_t root_nodes, sets, members;
	o->dominators = dominators;
	o->owner = owners_array(o, file, "owner", sizeof *o->owner, &o->count);
	o->of_root_node = owners_array(o, file, "of", sizeof *o->of_root_node, &root_nodes);
	o->shared_set = owners_array(o, file, "shared", sizeof *o->shared_set, &o->shared_sets);
	o->top = owners_array(o, file, "top", sizeof *o->top, &o->tops);
	o->sets.set = owners_array(o, file, "set", sizeof *o->sets.set, &sets);
	o->sets.member = owners_array(o, file, "member", sizeof *o->sets.member, &members);
	o->sets.count = o->sets.capacity = sets;
	o->sets.members = o->sets.member_capacity = members;
	if (o->owner && o->of_root_node && o->shared_set && o->top && o->sets.set && o->sets.member
	    && root_nodes == dominators->root_nodes->count)
		return o;
	owners_free(o);
	return NULL;
}

static void *owners_make(const struct analysis *analysis, enum retain retain,
                         struct progress *progress)
{
	return owners_new(analysis_dominators(analysis, retain), analysis_groups(analysis), progress);
}

static void owners_drop(void *made)
{
	owners_free(made);
}

const struct kept_kind owners_kept = {
	.needs = STAGE_OWNED,
	.by_retain = true,
	.make = owners_make,
	.free = owners_drop,
	.save = owners_save,
	.load = owners_load,
};
PLUGIN(kept_kinds, owners_kept);
