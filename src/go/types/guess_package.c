/* Breadth-first search through untyped objects, from variables and frames. Their objects are mostly
   allocated by functions of the same package, so candidates are the types whose descriptors the
   code of that package names. */
#include "go/types/guess.h"

#include "base/mem.h"
#include "go/exe/package_uses.h"
#include "go/types/exe_match.h"
#include "heap/heap.h"

#include <stdlib.h>

/* An untyped object, and the package of the variable or frame that it was reached from. There may
   be one for each object: memory_need.c counts it. */
struct untyped {
	uint32_t object;
	uint32_t package; /* index in package[] */
};

struct packages {
	struct guesser *guesser;
	const struct pclntab *functions;
	struct package_uses uses;
	struct map number; /* package -> index in package[] */
	struct package {
		uint64_t hash;
		bool read; /* its types are candidates */
	} * package;
	size_t package_count, package_capacity;
	struct map named; /* package ^ type -> 1: the type is a candidate */
	uint64_t *seen;   /* one bit per object: it is or was in the queue */
	struct untyped *queue;
	size_t count, capacity;
};

/* Adds the types that a package names. A pointer type is named if one is stored into an interface,
   or if a slice of them grows; its element becomes the candidate. */
static void packages_read(struct packages *p, struct package *of)
{
	struct gotypes *types = p->guesser->typing->types;
	size_t count;
	uint64_t package = of->hash;
	if (of->read)
		return;
	of->read = true;
	const struct package_use *use = package_uses_types(&p->uses, package, &count);
	for (size_t i = 0; i < count; i++) {
		gotype_id id = gotypes_at(types, use[i].address);
		const struct gotype *type = gotype_get(types, id);
		if (type->kind == GO_POINTER)
			id = type->elem;
		if (id && map_add(&p->named, package ^ id, &(uint64_t){1}))
			guess_add_candidate(p->guesser, id, package);
	}
}

/* Returns the index of a package, which it adds at the first time. */
static uint32_t packages_number(struct packages *p, uint64_t hash)
{
	uint64_t number = p->package_count;
	if (map_add(&p->number, hash, &number))
		MEM_PUSH(p->package, p->package_count, p->package_capacity, (struct package){hash, false});
	return (uint32_t)number;
}

/* Queues the object that a word points to. */
static void packages_put(struct packages *p, uint64_t address, uint32_t package)
{
	const struct typing *t = p->guesser->typing;
	struct region region;
	if (!regions_find(&t->regions, address, &region) || region.kind != REGION_OBJECT
	    || region.noscan || t->object[region.ref].type || !word_bit_add(p->seen, region.ref))
		return;
	MEM_PUSH(p->queue, p->count, p->capacity, (struct untyped){region.ref, package});
}

static uint64_t packages_of_frame(const struct packages *p, uint64_t entry)
{
	size_t function = pclntab_find(p->functions, entry);
	const char *name = function == SIZE_MAX ? "" : pclntab_name(p->functions, function);
	size_t length = pclntab_package(name);
	return length ? package_hash((struct text){name, length}) : 0;
}

static void packages_put_roots(struct packages *p, uint32_t ref)
{
	const struct typing *t = p->guesser->typing;
	const struct regions *regions = &t->regions;
	struct region root;
	regions_get(regions, ref, &root);
	bool is_frame = root.kind == REGION_FRAME;
	uint32_t frame = ref - regions->objects - regions->segments;
	uint64_t package =
		is_frame ? packages_of_frame(p, t->heap->frames[frame].record.entry_pc - t->bias) : 0;
	for (uint64_t at = 0; at + regions->width <= root.size; at += regions->width) {
		if (!region_points(regions, &root, at))
			continue;
		if (!is_frame)
			package = package_uses_variable(&p->uses, root.address + at - t->data_bias);
		if (package)
			packages_put(p, region_word(regions, &root, at), packages_number(p, package));
	}
}

/* Types an object, or queues the objects that it points to. */
static void packages_visit(struct packages *p, struct untyped from)
{
	struct guesser *g = p->guesser;
	const struct regions *regions = &g->typing->regions;
	struct region region;
	regions_get(regions, from.object, &region);
	packages_read(p, &p->package[from.package]);
	uint64_t package = p->package[from.package].hash;
	gotype_id type = region.size > GUESS_LARGEST ? 0 : guess_type(g, &region, package);
	if (type)
		guess_take(g, from.object, type, 1, 0);
	if (g->typing->object[from.object].type)
		return;
	for (uint64_t at = region.header; at + regions->width <= region.size; at += regions->width)
		if (region_points(regions, &region, at))
			packages_put(p, region_word(regions, &region, at), from.package);
}

void guess_by_package(struct guesser *g)
{
	const struct typing *t = g->typing;
	struct packages p = {.guesser = g, .functions = gotypes_functions(t->types)};
	uint64_t low, high;
	if (!p.functions || !gotypes_range(t->types, &low, &high))
		return;
	const struct exe_segments segments = exe_match_segments(t->heap, t->data_bias);
	p.uses = package_uses_scan(p.functions, low, high, segments, g->progress);
	p.seen = mem_alloc((t->regions.objects / 64 + 1) * sizeof *p.seen);
	for (uint32_t i = 0; i < t->regions.segments + t->regions.frames && guess_goes_on(g, i); i++)
		packages_put_roots(&p, t->regions.objects + i);
	for (size_t i = 0; i < p.count && guess_goes_on(g, i); i++)
		packages_visit(&p, p.queue[i]);
	package_uses_fini(&p.uses);
	map_free(&p.number);
	free(p.package);
	map_free(&p.named);
	free(p.seen);
	free(p.queue);
}
