/* Data laid out by the linker: variables of each module, and interface tables. */
#ifndef FORMAT_CORE_MODULES_H
#define FORMAT_CORE_MODULES_H

#include "core_runtime.h"
#include "format/format.h"

void core_tell_modules(const struct core_runtime *rt, const struct sink *sink);
/* Variables without pointers: sections .noptrdata and .noptrbss of each module, which heap dumps
   lack. */
struct core_variables {
	struct segment_record *segment;
	size_t count;
};
void core_variables_init(struct core_variables *variables, const struct core_runtime *rt);
void core_variables_fini(struct core_variables *variables);
/* Finds the section that contains an address. Returns false if there is none. */
bool core_variables_find(const struct core_variables *variables, uint64_t address,
                         struct segment_record *segment);

void core_tell_itabs(const struct core_runtime *rt, const struct sink *sink);

#endif
