/* What nodes retain. Most dominate nothing and retain themselves: numbers are kept of the others.
 */
#include "analysis/dom_graph.h"
#include "base/mem.h"

static size_t dom_sums_words(const struct dominators *d)
{
	return d->nodes / 64 + (size_t)1;
}

static size_t dom_sums_bits_size(const struct dominators *d)
{
	return dom_sums_words(d) * sizeof *d->inner;
}

static size_t dom_sums_before_size(const struct dominators *d)
{
	return dom_sums_words(d) * sizeof *d->inner_before;
}

static void dom_sums_count(struct dominators *d)
{
	for (size_t word = 0; word < dom_sums_words(d); word++) {
		d->inner_before[word] = (uint32_t)d->inner_count;
		d->inner_count += count_bits(d->inner[word]);
	}
}

void dom_sums_init(struct dominators *out)
{
	out->inner = mem_column(dom_sums_bits_size(out));
	out->inner_before = mem_column(dom_sums_before_size(out));
	for (uint32_t node = 0; node < out->nodes; node++)
		if (out->idom[node] != OBJECT_NONE)
			word_bit_set(out->inner, out->idom[node]);
	dom_sums_count(out);
	out->inner_bytes = mem_column(out->inner_count * sizeof *out->inner_bytes);
	out->inner_objects = mem_column(out->inner_count * sizeof *out->inner_objects);
}

void dom_sums_fini(struct dominators *d)
{
	mem_column_free(d->inner, dom_sums_bits_size(d));
	mem_column_free(d->inner_before, dom_sums_before_size(d));
	mem_column_free(d->inner_bytes, d->inner_count * sizeof *d->inner_bytes);
	mem_column_free(d->inner_objects, d->inner_count * sizeof *d->inner_objects);
}

uint64_t dominators_bytes(const struct dominators *d, uint32_t node)
{
	if (word_bit_is_set(d->inner, node))
		return d->inner_bytes[dom_sums_at(d, node)];
	return dominators_has(d, node) ? dominators_self(d, node) : 0;
}

uint32_t dominators_objects(const struct dominators *d, uint32_t node)
{
	if (word_bit_is_set(d->inner, node))
		return d->inner_objects[dom_sums_at(d, node)];
	return dominators_has(d, node) && node < heap_object_count(d->root_nodes->heap);
}

uint64_t dom_sums_memory(const struct dominators *d)
{
	return dom_sums_bits_size(d) + dom_sums_before_size(d)
	       + d->inner_count * (sizeof *d->inner_bytes + sizeof *d->inner_objects);
}

/* ---- In an index */

void dom_sums_save(const struct dominators *d, struct index_writer *writer)
{
	char name[INDEX_NAME];
	index_put(writer, dominators_section(name, d->retain, "inner"), d->inner,
	          dom_sums_bits_size(d));
	index_put(writer, dominators_section(name, d->retain, "before"), d->inner_before,
	          dom_sums_before_size(d));
	index_put(writer, dominators_section(name, d->retain, "bytes"), d->inner_bytes,
	          d->inner_count * sizeof *d->inner_bytes);
	index_put(writer, dominators_section(name, d->retain, "objects"), d->inner_objects,
	          d->inner_count * sizeof *d->inner_objects);
}

bool dom_sums_load(struct dominators *d, struct index_file *file)
{
	char name[INDEX_NAME];
	size_t last = dom_sums_words(d) - 1;
	d->inner =
		index_column(file, dominators_section(name, d->retain, "inner"), dom_sums_bits_size(d));
	d->inner_before =
		index_column(file, dominators_section(name, d->retain, "before"), dom_sums_before_size(d));
	if (!d->inner || !d->inner_before)
		return false;
	d->inner_count = d->inner_before[last] + (size_t)count_bits(d->inner[last]);
	d->inner_bytes = index_column(file, dominators_section(name, d->retain, "bytes"),
	                              d->inner_count * sizeof *d->inner_bytes);
	d->inner_objects = index_column(file, dominators_section(name, d->retain, "objects"),
	                                d->inner_count * sizeof *d->inner_objects);
	return d->inner_bytes && d->inner_objects;
}
