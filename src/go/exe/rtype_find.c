/* Finds the type descriptors and their format. In a stripped file the module record has their
   address, in a word that depends on the release. Among several candidates the one with the most
   consistent descriptors wins. */
#include "rtype.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	RECORD_WORDS = 80,      /* words searched in the module record; no version has more */
	WINDOWS = 64,           /* sampled parts of a candidate, evenly spaced: in large */
	WINDOW_BYTES = 1 << 12, /* programs hundreds of KB of names come first */
	SAMPLE_TYPES = 256,
	ENOUGH_TYPES = 16
};

/* Words of the module record with the start and the end of the descriptors. */
static const struct layout {
	unsigned since, base, end;
} layouts[] = {{27, 37, 39}, {20, 37, 38}, {16, 35, 36}, {7, 25, 26}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* Returns true if a pointer or slice descriptor has the name of its element. Nothing else in a file
   looks like that, and with a wrong base of names it fails. */
static bool holds_together(const struct rtypes *table, uint64_t at)
{
	struct rtype type, elem;
	if (!rtype_at(table, at, &type) || (type.kind != GO_POINTER && type.kind != GO_SLICE)
	    || !rtype_at(table, rtype_word(table, &type, 0), &elem))
		return false;
	struct text name = rtype_short_name(table, &type), inner = rtype_short_name(table, &elem);
	const char *before = type.kind == GO_POINTER ? "*" : "[]";
	size_t len = strlen(before);
	return name.len == inner.len + len && memcmp(name.data, before, len) == 0
	       && memcmp(name.data + len, inner.data, inner.len) == 0;
}

/* Counts consistent descriptors in some parts of the table. */
static unsigned sample(const struct rtypes *table)
{
	uint64_t word = table->image->pointer_size, size = table->end - table->base;
	uint64_t apart = size / WINDOWS / word * word;
	apart = apart < WINDOW_BYTES ? WINDOW_BYTES : apart;
	unsigned found = 0;
	for (uint64_t window = 0; window < size; window += apart)
		for (uint64_t at = window; at < size && at < window + WINDOW_BYTES; at += word) {
			found += holds_together(table, table->base + at);
			if (found == SAMPLE_TYPES)
				return found;
		}
	return found;
}

/* Tries a base address with both formats of names, and stores the better one. Returns the number of
   consistent descriptors. */
static unsigned try_base(struct rtypes *table, uint64_t base, uint64_t end)
{
	struct rtypes now = *table, old = *table;
	now.base = old.base = base;
	now.end = old.end = end;
	old.fixed_lengths = true;
	unsigned with_now = sample(&now), with_old = sample(&old);
	*table = with_old > with_now ? old : now;
	return with_old > with_now ? with_old : with_now;
}

/* Reads the raw offset of a struct's last field. Returns false if there are no fields. */
static bool last_offset(const struct rtypes *table, const struct rtype *type, uint64_t *offset)
{
	uint64_t fields = type->kind == GO_STRUCT ? rtype_count(table, type, 2) : 0;
	uint64_t word = table->image->pointer_size;
	return fields > 0 && fields < 1000
	       && image_pointer(table->image, rtype_word(table, type, 1) + (fields * 3 - 1) * word,
	                        offset);
}

/* Returns true if field offsets are doubled, as up to Go 1.18: some struct then has an offset
   beyond its size. */
static bool are_shifted(const struct rtypes *table)
{
	struct rtype type;
	uint64_t offset;
	unsigned structs = 0;
	for (uint64_t at = table->base; at < table->end && structs < SAMPLE_TYPES;
	     at += table->image->pointer_size) {
		if (!rtype_at(table, at, &type) || !last_offset(table, &type, &offset))
			continue;
		if (offset > type.size)
			return true;
		structs++;
	}
	return false;
}

static uint64_t segment_end(const struct image *image, uint64_t address)
{
	return address + image_room(image, address);
}

/* Returns the end of the descriptors: the next word of the record that is a later address in the
   same segment. */
static uint64_t end_after(const struct image *image, uint64_t module, unsigned word, uint64_t base)
{
	uint64_t limit = segment_end(image, base), value;
	for (unsigned i = word + 1; i < word + 3; i++)
		if (image_pointer(image, module + (uint64_t)i * image->pointer_size, &value) && value > base
		    && value <= limit)
			return value;
	return limit;
}

static unsigned find_in_module(struct rtypes *table, uint64_t module)
{
	struct rtypes best = *table;
	unsigned most = 0;
	uint64_t base, last = 0;
	for (unsigned i = 0; i < RECORD_WORDS; i++) {
		struct rtypes next = *table;
		if (!image_pointer(table->image, module + (uint64_t)i * table->image->pointer_size, &base)
		    || base == 0 || base == last || image_room(table->image, base) == 0)
			continue;
		last = base;
		unsigned found = try_base(&next, base, end_after(table->image, module, i, base));
		if (found > most) {
			most = found;
			best = next;
		}
	}
	*table = best;
	return most;
}

/* Tries the words of the given release. */
static unsigned find_by_release(struct rtypes *table, uint64_t module, unsigned minor)
{
	const struct layout *layout = layouts;
	uint64_t word = table->image->pointer_size, base, end;
	while (layout->since > minor)
		layout++;
	if (!image_pointer(table->image, module + layout->base * word, &base)
	    || !image_pointer(table->image, module + layout->end * word, &end) || base >= end
	    || end > segment_end(table->image, base))
		return 0;
	return try_base(table, base, end);
}

/* Finds the descriptors of one file. */
static void rtypes_find(struct rtypes *table, const struct image *image, uint64_t module,
                        unsigned minor)
{
	uint64_t base, end;
	unsigned found = 0;
	*table = (struct rtypes){.image = image};
	if (image_symbol_named(image, "runtime.types", &base) && image_room(image, base) > 0) {
		if (!image_symbol_named(image, "runtime.etypes", &end) || end <= base
		    || end > segment_end(image, base))
			end = segment_end(image, base);
		found = try_base(table, base, end);
	}
	if (found < ENOUGH_TYPES && module && minor >= layouts[LAYOUTS - 1].since)
		found = find_by_release(table, module, minor);
	if (found < ENOUGH_TYPES && module)
		found = find_in_module(table, module);
	if (found < ENOUGH_TYPES)
		table->base = table->end = 0;
	else
		table->shifted_offsets = are_shifted(table);
}

/* Finds those of another file. A program that is linked with shared libraries has few, which
   consist of types of these: the image has both. */
static struct rtypes_part rtypes_find_part(const struct rtypes *table, size_t i, unsigned minor)
{
	const struct image_part *part = &table->image->parts[i];
	struct rtypes found;
	rtypes_find(&found, part->image, part->module, minor);
	if (found.base)
		return (struct rtypes_part){found.base + part->shift, found.end + part->shift, i + 1};
	struct rtypes_part before = {table->base, table->end, 0};
	found = (struct rtypes){.image = table->image, .parts = &before, .part_count = 1};
	bool any = table->base && part->module && minor >= layouts[LAYOUTS - 1].since
	           && find_by_release(&found, part->module + part->shift, minor);
	return any ? (struct rtypes_part){found.base, found.end, i + 1}
	           : (struct rtypes_part){.number = i + 1};
}

void rtypes_init(struct rtypes *table, const struct image *image, uint64_t module, unsigned minor)
{
	struct rtypes found;
	rtypes_find(&found, image, module, minor);
	*table = found;
	table->part_count = image->part_count;
	table->parts = mem_alloc((image->part_count + 1) * sizeof *table->parts);
	for (size_t i = 0; i < image->part_count; i++)
		table->parts[i] = rtypes_find_part(table, i, minor);
}

void rtypes_fini(struct rtypes *table)
{
	free(table->parts);
}
