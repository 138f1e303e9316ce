/* Retained sizes of nodes. Most nodes dominate nothing and retain only themselves; sums are stored
   for the others. */
#include "analysis/dom_graph.h"
#include "base/mem.h"

enum { AHEAD = 16 };

void dominators_find_inner(const struct dominators *d, struct ranks *inner)
{
	ranks_init(inner, d->nodes);
	for (uint32_t node = 0, above; node < d->nodes; node++)
		if ((above = dominators_above(d, node)) != OBJECT_NONE)
			word_bit_set(inner->bits, above);
	ranks_count(inner);
}

/* Few nodes dominate so many that 16 bits do not hold their number. */
void dom_sums_take_objects(struct dominators *out, uint32_t *objects)
{
	size_t count = out->inner.count;
	out->inner_objects = mem_column(count * sizeof *out->inner_objects);
	for (size_t at = 0; at < count; at++) {
		bool many = objects[at] >= UINT16_MAX;
		out->inner_objects[at] = many ? UINT16_MAX : (uint16_t)objects[at];
		objects[at] = many ? objects[at] : 0;
	}
	sparse_take(&out->inner_many, objects, count, count * sizeof *objects);
}

void dom_sums_init(struct dominators *out, const uint32_t *number, const struct dom_sums *sums)
{
	dominators_find_inner(out, &out->inner);
	size_t at = 0, size = out->inner.count * sizeof(uint32_t);
	uint32_t *high = sums->high ? mem_column(size) : NULL;
	out->inner_bytes = mem_column(size);
	uint32_t *objects = mem_column(size);
	for (uint32_t node = 0; node < out->nodes; node++) {
		if (node + AHEAD < out->nodes && ranks_has(&out->inner, node + AHEAD))
			__builtin_prefetch(&sums->sum[number[node + AHEAD]]);
		if (!ranks_has(&out->inner, node))
			continue;
		out->inner_bytes[at] = sums->sum[number[node]].low;
		objects[at] = sums->sum[number[node]].objects;
		if (high && sums->high[number[node]])
			high[at] = sums->high[number[node]];
		at++;
	}
	if (high)
		sparse_take(&out->inner_high, high, out->inner.count, size);
	else
		sparse_none(&out->inner_high, out->inner.count);
	dom_sums_take_objects(out, objects);
}

void dom_tree_drop(struct dominators *d)
{
	mem_column_free(d->idom, d->nodes * sizeof *d->idom);
	mem_column_free(d->inner_bytes, d->inner.count * sizeof *d->inner_bytes);
	mem_column_free(d->inner_objects, d->inner.count * sizeof *d->inner_objects);
	ranks_fini(&d->inner);
	sparse_fini(&d->inner_high);
	sparse_fini(&d->inner_many);
	d->idom = d->inner_bytes = NULL;
	d->inner_objects = NULL;
	d->inner = (struct ranks){0};
	d->inner_high = d->inner_many = (struct sparse){0};
}

static const struct dominators_difference *dom_sums_own(const struct dominators *d, uint32_t node)
{
	return d->like ? dominators_difference_of(d, node) : NULL;
}

uint64_t dominators_bytes(const struct dominators *d, uint32_t node)
{
	const struct dominators_difference *own = dom_sums_own(d, node);
	if (own)
		return (uint64_t)own->high << 32 | own->low;
	d = d->like ? d->like : d;
	if (!ranks_has(&d->inner, node))
		return dominators_has(d, node) ? dominators_self(d, node) : 0;
	uint32_t at = ranks_at(&d->inner, node);
	uint64_t high = d->inner_high.ranks.count ? sparse_get(&d->inner_high, at) : 0;
	return high << 32 | d->inner_bytes[at];
}

uint32_t dominators_objects(const struct dominators *d, uint32_t node)
{
	const struct dominators_difference *own = dom_sums_own(d, node);
	if (own)
		return own->objects;
	d = d->like ? d->like : d;
	if (!ranks_has(&d->inner, node))
		return dominators_has(d, node) && node < heap_object_count(d->root_nodes->heap);
	uint32_t at = ranks_at(&d->inner, node), objects = d->inner_objects[at];
	return objects < UINT16_MAX ? objects : sparse_get(&d->inner_many, at);
}

/* ---- Index */

bool dom_sums_index(struct dominators *d, const struct index_io *io)
{
	const struct index_io inner = index_io_below(io, "inner"), high = index_io_below(io, "high");
	const struct index_io many = index_io_below(io, "many");
	return ranks_index(&d->inner, d->nodes, &inner)
	       && INDEX_COLUMN(io, "bytes", d->inner_bytes, d->inner.count)
	       && INDEX_COLUMN(io, "objects", d->inner_objects, d->inner.count)
	       && sparse_index(&d->inner_high, d->inner.count, &high)
	       && sparse_index(&d->inner_many, d->inner.count, &many);
}
