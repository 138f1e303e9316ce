/* What nodes retain. Most dominate nothing and retain themselves: numbers are kept of the others.
 */
#include "analysis/dom_graph.h"
#include "base/mem.h"

enum { AHEAD = 16 };

static void dom_sums_find_inner(struct dominators *out)
{
	ranks_init(&out->inner, out->nodes);
	for (uint32_t node = 0; node < out->nodes; node++)
		if (out->idom[node] != OBJECT_NONE)
			word_bit_set(out->inner.bits, out->idom[node]);
	ranks_count(&out->inner);
}

void dom_sums_init(struct dominators *out, const uint32_t *number, const struct dom_sum *sum)
{
	dom_sums_find_inner(out);
	size_t at = 0, size = out->inner.count * sizeof(uint32_t);
	uint32_t *high = mem_column(size);
	out->inner_bytes = mem_column(size);
	out->inner_objects = mem_column(size);
	for (uint32_t node = 0; node < out->nodes; node++) {
		if (node + AHEAD < out->nodes && ranks_has(&out->inner, node + AHEAD))
			__builtin_prefetch(&sum[number[node + AHEAD]]);
		if (!ranks_has(&out->inner, node))
			continue;
		const struct dom_sum *its = &sum[number[node]];
		out->inner_bytes[at] = its->low;
		out->inner_objects[at] = its->objects;
		if (its->high)
			high[at] = its->high;
		at++;
	}
	sparse_take(&out->inner_high, high, out->inner.count, size);
}

void dom_sums_fini(struct dominators *d)
{
	mem_column_free(d->inner_bytes, d->inner.count * sizeof *d->inner_bytes);
	mem_column_free(d->inner_objects, d->inner.count * sizeof *d->inner_objects);
	ranks_fini(&d->inner);
	sparse_fini(&d->inner_high);
}

uint64_t dominators_bytes(const struct dominators *d, uint32_t node)
{
	if (!ranks_has(&d->inner, node))
		return dominators_has(d, node) ? dominators_self(d, node) : 0;
	uint32_t at = ranks_at(&d->inner, node);
	uint64_t high = d->inner_high.ranks.count ? sparse_get(&d->inner_high, at) : 0;
	return high << 32 | d->inner_bytes[at];
}

uint32_t dominators_objects(const struct dominators *d, uint32_t node)
{
	if (ranks_has(&d->inner, node))
		return d->inner_objects[ranks_at(&d->inner, node)];
	return dominators_has(d, node) && node < heap_object_count(d->root_nodes->heap);
}

uint64_t dom_sums_memory(const struct dominators *d)
{
	return ranks_memory(&d->inner) + ranks_memory(&d->inner_high.ranks)
	       + d->inner.count * (sizeof *d->inner_bytes + sizeof *d->inner_objects);
}

/* ---- In an index */

void dom_sums_save(const struct dominators *d, struct index_writer *writer)
{
	char name[INDEX_NAME], before[INDEX_NAME];
	ranks_save(&d->inner, dominators_section(name, d->retain, "inner"),
	           dominators_section(before, d->retain, "before"), writer);
	index_put(writer, dominators_section(name, d->retain, "bytes"), d->inner_bytes,
	          d->inner.count * sizeof *d->inner_bytes);
	index_put(writer, dominators_section(name, d->retain, "objects"), d->inner_objects,
	          d->inner.count * sizeof *d->inner_objects);
	sparse_save(&d->inner_high, dominators_section(name, d->retain, "high"), writer);
}

bool dom_sums_load(struct dominators *d, struct index_file *file)
{
	char name[INDEX_NAME], before[INDEX_NAME];
	if (!ranks_load(&d->inner, d->nodes, dominators_section(name, d->retain, "inner"),
	                dominators_section(before, d->retain, "before"), file))
		return false;
	d->inner_bytes = index_column(file, dominators_section(name, d->retain, "bytes"),
	                              d->inner.count * sizeof *d->inner_bytes);
	d->inner_objects = index_column(file, dominators_section(name, d->retain, "objects"),
	                                d->inner.count * sizeof *d->inner_objects);
	return d->inner_bytes && d->inner_objects
	       && sparse_load(&d->inner_high, d->inner.count,
	                      dominators_section(name, d->retain, "high"), file);
}
