/* Reports of allocators in a trace (memory-infra): trees by the slashes in names, stored in
   preorder. */
#include "format/heap_profile.h"

#include "base/bound.h"

#include <stdlib.h>
#include <string.h>

static int allocator_names_compare(struct text a, struct text b)
{
	size_t least = a.len < b.len ? a.len : b.len, i = 0;
	while (i < least && a.data[i] == b.data[i])
		i++;
	if (i == least)
		return bound_compare(a.len, b.len);
	if (a.data[i] == '/' || b.data[i] == '/')
		return a.data[i] == '/' ? -1 : 1;
	return (uint8_t)a.data[i] < (uint8_t)b.data[i] ? -1 : 1;
}

int allocator_use_compare(const struct heap_profiles *heap_profiles, const struct allocator_use *a,
                          const struct allocator_use *b)
{
	int times = bound_compare(a->dump_time, b->dump_time), dumps = bound_compare(a->dump, b->dump);
	int processes = bound_compare(a->process, b->process);
	return times       ? times
	       : dumps     ? dumps
	       : processes ? processes
	                   : allocator_names_compare(heap_profiles->name[a->name],
	                                             heap_profiles->name[b->name]);
}

/* Equal ones come in the order in which they were added: `whole` has it until they are sorted. */
static int allocator_uses_compare(const void *a, const void *b, void *heap_profiles)
{
	const struct allocator_use *x = a, *y = b;
	int order = allocator_use_compare(heap_profiles, x, y);
	return order ? order : bound_compare(x->whole, y->whole);
}

/* Gives each use the earliest time of its dump, as the order of events in the file means nothing; 0
   if no event of the dump has a time. */
static void settle_times(struct heap_profiles *h)
{
	SCOPED_MAP first = {0};
	uint64_t time;
	for (size_t i = 0; i < h->uses; i++)
		if (h->use[i].has_time
		    && (!map_get(&first, h->use[i].dump, &time) || h->use[i].time < time))
			map_put(&first, h->use[i].dump, h->use[i].time);
	for (size_t i = 0; i < h->uses; i++)
		map_get(&first, h->use[i].dump, &h->use[i].dump_time);
}

/* Leaves the first report of each name. Returns how many it has dropped. */
static size_t settle_repeated(struct heap_profiles *h)
{
	size_t kept = 0, all = h->uses;
	for (size_t i = 0; i < all; i++)
		if (!kept || allocator_use_compare(h, &h->use[kept - 1], &h->use[i]) != 0)
			h->use[kept++] = h->use[i];
	h->uses = kept;
	return all - kept;
}

static bool allocator_use_is_part(const struct heap_profiles *h, const struct allocator_use *part,
                                  const struct allocator_use *whole)
{
	struct text inner = h->name[part->name], outer = h->name[whole->name];
	return part->dump == whole->dump && part->process == whole->process && inner.len > outer.len
	       && inner.data[outer.len] == '/' && memcmp(inner.data, outer.data, outer.len) == 0;
}

/* Finds the whole of each part. If that reports nothing, the next outer one is used. */
static void settle_wholes(struct heap_profiles *h)
{
	for (size_t i = 0; i < h->uses; i++) {
		uint32_t whole = i ? (uint32_t)i - 1 : NO_USE;
		while (whole != NO_USE && !allocator_use_is_part(h, &h->use[i], &h->use[whole])) {
			h->use[whole].end = (uint32_t)i;
			whole = h->use[whole].whole;
		}
		h->use[i].whole = whole;
		h->use[i].end = (uint32_t)h->uses;
	}
}

/* Sums the sizes of parts. Parts follow their wholes, so the loop runs backward. */
static void settle_sizes(struct heap_profiles *h)
{
	for (size_t i = h->uses; i-- > 0;) {
		struct allocator_use *use = &h->use[i];
		if (!use->has_size)
			use->size = use->parts_size;
		if (use->whole != NO_USE) {
			struct allocator_use *whole = &h->use[use->whole];
			whole->parts_size = heap_profiles_sum(whole->parts_size, use->size);
		}
	}
}

size_t heap_profiles_settle_uses(struct heap_profiles *h)
{
	for (size_t i = 0; i < h->uses; i++)
		h->use[i].whole = (uint32_t)i;
	settle_times(h);
	if (h->uses)
		qsort_r(h->use, h->uses, sizeof *h->use, allocator_uses_compare, h);
	size_t repeated = settle_repeated(h);
	settle_wholes(h);
	settle_sizes(h);
	return repeated;
}
