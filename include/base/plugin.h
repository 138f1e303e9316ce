/* Things of which there are several alike, each in a file of its own: it lists itself, the linker
   puts the list together, and nothing else has to know of the file.

     PLUGIN(tables, table_owners);     at the end of the file that has it
     PLUGINS(tables);                  where they are listed */
#ifndef BASE_PLUGIN_H
#define BASE_PLUGIN_H

#include <stddef.h>

#define PLUGIN(set, own) \
	static const void *const own##_listed __attribute__((section(#set), used)) = &(own)

#define PLUGINS(set)    extern const void *const __start_##set[], *const __stop_##set[]
#define PLUGINS_OF(set) __start_##set, __stop_##set

/* Puts those from `start` to `stop` into `out`, the lowest rank first, and NULL behind the last.
   `room` is for that one, too; more than fit end the program. */
void plugins_list(const void *const *start, const void *const *stop, unsigned (*rank)(const void *),
                  const void **out, size_t room);

#endif
