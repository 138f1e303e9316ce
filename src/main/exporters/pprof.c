/* The retained heap for go tool pprof: an object's dominators are its stack, so that the cumulative
   bytes of a name are what would be freed with it. */
#include "main/pprof.h"
#include "main/exporter.h"
#include "main/stacks.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct pprof_stacks {
	struct pprof pprof;
	struct stacks stacks;
	/* By node: its innermost location; the other locations of topmost nodes are in `outer`. */
	uint64_t *location;
	uint64_t *outer;
	size_t outers, capacity;
	struct buf names;
};

/* Returns the innermost location of a node's names; appends the others to `outer`. */
static uint64_t pprof_stacks_name(struct pprof_stacks *p, size_t node)
{
	uint64_t location = 0;
	buf_clear(&p->names);
	stacks_add_names(&p->stacks, node, &p->names);
	char *end, *name = p->names.data;
	for (; (end = strchr(name, '\n')); name = end + 1) {
		*end = '\0';
		if (location) {
			p->outer = mem_grow(p->outer, p->outers, &p->capacity, sizeof *p->outer);
			p->outer[p->outers++] = location;
		}
		location = pprof_location(&p->pprof, name, "", 0);
	}
	return location;
}

/* Writes the samples. The locations in `outer` are found by the index of the topmost node. */
static void pprof_stacks_write(struct pprof_stacks *p)
{
	const struct merged_paths *merged = p->stacks.merged;
	uint32_t nodes[STACK_MOST];
	size_t *outer = mem_alloc((merged->topmost + 1) * sizeof *outer);
	p->location = mem_alloc(merged->count * sizeof *p->location);
	for (size_t i = 0; i < merged->count && p->pprof.ok; i++) {
		size_t count = stacks_walk(&p->stacks, i, nodes);
		const struct stack_sum *sum = &p->stacks.sum[i];
		if (!count)
			continue;
		p->location[i] = pprof_stacks_name(p, i);
		if (i < merged->topmost)
			outer[i + 1] = p->outers;
		if (!sum->objects)
			continue;
		for (size_t k = 0; k < count; k++)
			pprof_push(&p->pprof, p->location[nodes[k]]);
		for (size_t top = nodes[count - 1], k = outer[top + 1]; k > outer[top]; k--)
			pprof_push(&p->pprof, p->outer[k - 1]);
		pprof_sample(&p->pprof, (const uint64_t[]){sum->objects, sum->bytes});
	}
	free(outer);
}

static void pprof_stacks_write_rest(struct pprof_stacks *p)
{
	const struct stack_sum *sum = &p->stacks.unreachable;
	if (!sum->objects)
		return;
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
		pprof_stacks_write(&p);
		pprof_stacks_write_rest(&p);
		ok = pprof_end(&p.pprof, "cum is what would be freed: stacks are dominators");
	}
	stacks_fini(&p.stacks);
	free(p.location);
	free(p.outer);
	buf_free(&p.names);
	return ok;
}

static const struct exporter exporter_pprof = {
	.rank = 22,
	.name = "pprof",
	.help = "what retains the memory, for go tool pprof",
	.about =
		"A stack is a root, then its dominator tree step by step: cum is the retained size of a "
		"name, and flat the size of its own objects. Objects that several roots reach are below "
		"the nearest dominator that these have in common. The sums are those of all objects; "
		"unreachable objects are below \"not reachable\". A list or tree is one step, and stacks "
		"end after 256 steps.",
	.needs = STAGE_TYPED | STAGE_DOMINATED,
	.parts = PART_OBJECTS,
	.binary = true,
	.write = exporter_pprof_write,
};
PLUGIN(exporters, exporter_pprof);
