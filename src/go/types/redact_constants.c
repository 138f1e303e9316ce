#include "redact_constants.h"

#include "go/exe/exe.h"
#include "go/runtime/goiface.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

enum {
	NUMBERS = 256,     /* of the runtime's table, each of 8 bytes; a byte each before Go 1.15 */
	ZEROS_MOST = 4096, /* bytes: a longer run is no better */
	ALIGNED = 16,
};

/* Adds all tables of the numbers 0 to 255 in a segment: without symbols they are known by that. */
static void constants_find_tables(struct redact_constants *c, const struct image *image,
                                  const struct image_segment *part, uint64_t bias, unsigned size)
{
	uint8_t table[NUMBERS * 8] = {0};
	const uint8_t *at = part->data, *end = part->data + part->size;
	for (size_t i = 0; i < NUMBERS; i++)
		table[i * size + (image->big_endian ? size - 1 : 0)] = (uint8_t)i;
	while ((at = memmem(at, (size_t)(end - at), table, NUMBERS * (size_t)size))) {
		redact_ranges_add(&c->value, part->address + bias + (uint64_t)(at - part->data),
		                  NUMBERS * (uint64_t)size);
		at += NUMBERS * (size_t)size;
	}
}

/* Adds the memory that stands for every zero value. */
static void constants_find_zeros(struct redact_constants *c, const struct image *image)
{
	const struct image_symbol *zero = image_variable_named(image, "runtime.zeroVal");
	if (zero)
		redact_ranges_add(&c->value, zero->address + c->source->names->fit.data_bias, zero->size);
}

/* Returns the address of the longest row of zeros in read-only memory of the executable. */
static uint64_t constants_common(const struct image *image, uint64_t bias)
{
	uint64_t found = 0, longest = 0;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *part = &image->segments[i];
		uint64_t run = 0;
		for (uint64_t at = 0; at < part->size && !part->writable && longest < ZEROS_MOST; at++) {
			run = part->data[at] ? 0 : run + 1;
			uint64_t start = (part->address + at + 1 - run + ALIGNED - 1) / ALIGNED * ALIGNED;
			uint64_t zeros = part->address + at + 1 - start;
			if (run >= ALIGNED && start <= part->address + at && zeros > longest) {
				longest = zeros;
				found = start + bias;
			}
		}
	}
	return found;
}

static void constants_add_image(struct redact_constants *c, const struct image *image)
{
	const struct exe_match *fit = &c->source->names->fit;
	struct image_section relocated;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *part = &image->segments[i];
		uint64_t bias = part->writable ? fit->data_bias : fit->bias;
		redact_ranges_add(&c->program, part->address + bias, part->size);
		if (!part->writable)
			redact_ranges_add(&c->constant, part->address + bias, part->size);
		constants_find_tables(c, image, part, bias, 8);
		constants_find_tables(c, image, part, bias, 1);
	}
	/* Constants with pointers that the loader writes. */
	if (image_section(image, ".data.rel.ro", &relocated))
		redact_ranges_add(&c->constant, relocated.address + fit->bias, relocated.size);
	constants_find_zeros(c, image);
	c->common = constants_common(image, fit->bias);
}

void redact_constants_init(struct redact_constants *constants, const struct redact_source *source,
                           const struct goruntime *runtime)
{
	const struct heap *heap = source->heap;
	*constants = (struct redact_constants){.source = source, .runtime = runtime};
	if (source->names && source->names->exe)
		constants_add_image(constants, exe_image(source->names->exe));
	for (uint32_t i = 0; i < heap->segment_count; i++)
		redact_ranges_add(&constants->program, heap->segments[i].address, heap->segments[i].size);
	for (uint32_t i = 0; i < heap->mapping_count; i++) {
		const struct mapping_record *mapping = &heap->mappings[i];
		if (mapping->kind == MAPPING_EXECUTABLE || mapping->kind == MAPPING_FILE
		    || mapping->kind == MAPPING_STATIC)
			redact_ranges_add(&constants->program, mapping->address, mapping->bytes);
	}
}

void redact_constants_fini(struct redact_constants *constants)
{
	free(constants->constant.range);
	free(constants->value.range);
	free(constants->program.range);
}

/* Returns true for the entry of a function, or for a constant closure: its first word is one. */
static bool constants_is_function(const struct redact_constants *c, uint64_t address)
{
	const struct exe *exe = c->source->names->exe;
	uint64_t bias = c->source->names->fit.bias, entry, word;
	const char *name;
	if (exe_function(exe, address - bias, &name, &entry))
		return true;
	return image_pointer(exe_image(exe), address - bias, &word)
	       && exe_function(exe, word, &name, &entry) && entry == word;
}

bool redact_constants_has(const struct redact_constants *c, uint64_t address)
{
	if (address == c->common || redact_ranges_have(&c->value, address))
		return address != 0;
	if (!redact_ranges_have(&c->constant, address) || constants_is_function(c, address))
		return false;
	return !c->runtime
	       || !(goiface_find(c->runtime, address, false)
	            || goiface_find(c->runtime, address, true));
}

bool redact_constants_in_program(const struct redact_constants *c, uint64_t address)
{
	return redact_ranges_have(&c->program, address) || redact_ranges_have(&c->value, address);
}

bool redact_constants_boxes(const struct redact_constants *c, uint64_t word)
{
	if (!c->runtime || !redact_ranges_have(&c->program, word))
		return false;
	gotype_id type = goiface_find(c->runtime, word, true);
	if (!type)
		type = goiface_find(c->runtime, word, false);
	return type && !goiface_is_direct(c->runtime->types, type);
}
