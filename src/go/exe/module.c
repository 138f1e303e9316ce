#include "go/exe/module.h"

/* Words of the record, counted from the one with the first function's address. */
enum { FIRST_PC, LAST_PC, TEXT, ETEXT, NOPTRDATA, ENOPTRDATA, DATA, EDATA, BSS, EBSS, WORDS };

bool module_at(struct module *module, const struct image *image, uint64_t address, unsigned first)
{
	uint64_t word[WORDS];
	for (unsigned i = 0; i < WORDS; i++)
		if (!image_pointer(image, address + (uint64_t)(first + i) * image->pointer_size, &word[i]))
			return false;
	*module = (struct module){address,     word[TEXT], word[ETEXT], word[DATA],
	                          word[EDATA], word[BSS],  word[EBSS]};
	return word[TEXT] && word[TEXT] <= word[FIRST_PC] && word[FIRST_PC] <= word[LAST_PC]
	       && word[LAST_PC] <= word[ETEXT] && word[DATA] <= word[EDATA] && word[EDATA] <= word[BSS]
	       && word[BSS] <= word[EBSS];
}

bool module_find(struct module *module, const struct image *image, uint64_t pclntab, unsigned first)
{
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *segment = &image->segments[i];
		uint64_t value, step = image->pointer_size;
		for (uint64_t at = 0; segment->writable && at + step <= segment->size; at += step)
			if (image_pointer(image, segment->address + at, &value) && value == pclntab
			    && module_at(module, image, segment->address + at, first))
				return true;
	}
	*module = (struct module){0};
	return false;
}
