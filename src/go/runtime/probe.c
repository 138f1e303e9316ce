#include "go/runtime/probe.h"

#include "go/runtime/gomemory.h"

enum { MOST_WORDS = 64 };

void probe_init(struct probe *p, const struct regions *regions, uint32_t object)
{
	p->regions = regions;
	regions_look(regions, object, &p->region);
	p->bytes = p->region.size - p->region.header;
}

bool probe_find(const struct regions *regions, uint64_t address, struct probe *found)
{
	uint32_t id = address ? heap_find(regions->heap, address) : OBJECT_NONE;
	if (id == OBJECT_NONE)
		return false;
	probe_init(found, regions, id);
	return address == probe_address(found);
}

uint64_t probe_address(const struct probe *p)
{
	return heap_address(p->regions->heap, p->region.ref);
}

uint64_t probe_word(const struct probe *p, uint64_t offset)
{
	return region_word(p->regions, &p->region, p->region.header + offset);
}

uint64_t probe_number(const struct probe *p, uint64_t offset, unsigned size)
{
	return gomemory_number(p->regions->heap, p->region.data + p->region.header + offset, size);
}

uint64_t probe_pointers(const struct probe *p)
{
	uint64_t words = p->bytes >> p->regions->shift;
	if (p->region.noscan || !words)
		return 0;
	return region_points_many(p->regions, &p->region, p->region.header,
	                          words < MOST_WORDS ? words : MOST_WORDS);
}
