/* The retained heap for go tool pprof: an object's dominators are its stack, so that the cumulative
   bytes of a name are what would be freed with it. */
#include "main/export/pprof.h"
#include "heap/objects.h"
#include "main/export/exporter.h"
#include "main/export/stacks.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "format/format.h"
#include "table/owners/object_owner.h"

#include <stdlib.h>
#include <string.h>

struct pprof_stacks {
	struct pprof pprof;
	struct stacks stacks;
	/* The innermost location of each node; the other locations of topmost nodes are in `outer`. */
	uint64_t *location;
	uint64_t *outer;
	size_t outers, capacity;
	struct buf names;
	/* The objects of each node by their owner, sorted by node. */
	struct pprof_part {
		uint64_t key; /* node << 32 | shared set */
		uint64_t values[2];
	} * part;
	size_t parts, part_capacity;
};

/* Divides the objects of each node by their owners. Those of nodes that are too deep count for the
   nearest node above that is not. */
static void pprof_stacks_divide(struct pprof_stacks *p, const struct analysis *analysis)
{
	const struct merged_paths *merged = p->stacks.merged;
	const struct heap *heap = analysis_heap(analysis);
	const uint32_t *sets = object_owner_sets(analysis, NULL);
	SCOPED_FREE uint32_t *shown = mem_alloc((merged->count + 1) * sizeof *shown);
	SCOPED_MAP places = {0};
	for (uint32_t i = 0; i < merged->count; i++)
		shown[i] = merged->node[i].depth < STACK_MOST ? i : shown[merged->node[i].parent];
	for (uint32_t id = 0; id < merged->objects; id++) {
		uint32_t place = merged_paths_node(merged, id);
		if (place == OBJECT_NONE)
			continue;
		uint64_t at = p->parts, set = sets ? sets[id] : UINT32_MAX;
		uint64_t key = (uint64_t)shown[place] << 32 | set;
		if (map_add(&places, key, &at))
			MEM_PUSH(p->part, p->parts, p->part_capacity, ((struct pprof_part){.key = key}));
		p->part[at].values[0]++;
		p->part[at].values[1] += heap_size(heap, id);
	}
	if (p->parts)
		bound_sort(p->part, p->parts, BOUND_BY(struct pprof_part, key));
}

/* Returns the innermost location of a node's names; appends the others to `outer`. */
static uint64_t pprof_stacks_name(struct pprof_stacks *p, size_t node)
{
	uint64_t location = 0;
	buf_clear(&p->names);
	stacks_add_names(&p->stacks, node, &p->names);
	char *end, *name = p->names.data;
	for (; (end = strchr(name, '\n')); name = end + 1) {
		*end = '\0';
		if (location)
			MEM_PUSH(p->outer, p->outers, p->capacity, location);
		location = pprof_location(&p->pprof, name, "", 0);
	}
	return location;
}

/* Writes the samples of a node, one for each owner of its objects; `at` is the first. Returns the
   one after the last. */
static size_t pprof_stacks_write_parts(struct pprof_stacks *p, const struct analysis *analysis,
                                       size_t node, size_t at)
{
	for (; at < p->parts && p->part[at].key >> 32 == node; at++) {
		pprof_owner(&p->pprof, analysis, (uint32_t)p->part[at].key);
		pprof_sample(&p->pprof, p->part[at].values);
	}
	return at;
}

/* Writes the samples. The locations in `outer` are found by the index of the topmost node. */
static void pprof_stacks_write(struct pprof_stacks *p, const struct analysis *analysis)
{
	size_t part = 0;
	const struct merged_paths *merged = p->stacks.merged;
	uint32_t nodes[STACK_MOST];
	SCOPED_FREE size_t *outer = mem_alloc((merged->topmost + 1) * sizeof *outer);
	p->location = mem_alloc(merged->count * sizeof *p->location);
	for (size_t i = 0; i < merged->count && p->pprof.ok; i++) {
		size_t count = stacks_walk(&p->stacks, i, nodes);
		if (!count)
			continue;
		p->location[i] = pprof_stacks_name(p, i);
		if (i < merged->topmost)
			outer[i + 1] = p->outers;
		if (part == p->parts || p->part[part].key >> 32 != i)
			continue;
		pprof_stack(&p->pprof);
		for (size_t k = 0; k < count; k++)
			pprof_push(&p->pprof, p->location[nodes[k]]);
		for (size_t top = nodes[count - 1], k = outer[top + 1]; k > outer[top]; k--)
			pprof_push(&p->pprof, p->outer[k - 1]);
		part = pprof_stacks_write_parts(p, analysis, i, part);
	}
}

static void pprof_stacks_write_rest(struct pprof_stacks *p)
{
	const struct stack_sum *sum = &p->stacks.unreachable;
	if (!sum->objects)
		return;
	pprof_stack(&p->pprof);
	pprof_push(&p->pprof, pprof_location(&p->pprof, "not reachable", "", 0));
	pprof_sample(&p->pprof, (const uint64_t[]){sum->objects, sum->bytes});
}

static bool exporter_pprof_write(const struct analysis *analysis,
                                 const struct export_request *request, struct buf *out,
                                 struct err *err)
{
	static const struct pprof_type types[] = {{"inuse_objects", "count"}, {"inuse_space", "bytes"}};
	struct pprof_stacks p = {.names = {0}};
	(void)request;
	bool ok = stacks_by_dominators(&p.stacks, analysis, err);
	if (ok) {
		pprof_begin(&p.pprof, out, types, 2, 1, export_time(analysis_heap(analysis)));
		pprof_stacks_divide(&p, analysis);
		pprof_stacks_write(&p, analysis);
		pprof_stacks_write_rest(&p);
		ok = pprof_end(&p.pprof, "cum is what would be freed: stacks are dominators");
	}
	stacks_fini(&p.stacks);
	free(p.location);
	free(p.outer);
	free(p.part);
	buf_free(&p.names);
	return ok;
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_pprof) = {
	.rank = 22,
	.name = "pprof",
	.help = "what retains the memory, for go tool pprof",
	.about =
		"A stack is a root, then its dominator tree step by step: cum is the retained size of a "
		"name, and flat the size of its own objects. Objects that several roots reach are below "
		"the nearest dominator that these have in common. The sums are those of all objects; "
		"unreachable objects are below \"not reachable\". A list or tree is one step, and stacks "
		"end after 256 steps. The label owner of a sample is the owner of its objects, as in the "
		"table owners: -tagfocus and -tagroot take it.",
	.needs = STAGE_TYPED | STAGE_DOMINATED | STAGE_OWNED,
	.parts = PART_OBJECTS,
	.binary = true,
	.write = exporter_pprof_write,
};
