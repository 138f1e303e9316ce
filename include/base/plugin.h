/* Registers implementations of one interface, each in a file of its own: the linker collects them
   in a section, and no list has to name the files.

     DEFINE_PLUGIN(tables, struct table, table_owners) = {...};
     PLUGINS(tables);      in the file that lists them

   PLUGIN(tables, table_owners) registers what is defined already, because others name it, too.

   No variable has the name of the section: clang's assembler takes one for the other. */
#pragma once

#include <stddef.h>

#define PLUGIN(set, own) \
	static const void *const own##_listed __attribute__((section("all_" #set), used)) = &(own)

#define DEFINE_PLUGIN(set, type, own) \
	static const type own;            \
	PLUGIN(set, own);                 \
	static const type own

#define PLUGINS(set)    extern const void *const __start_all_##set[], *const __stop_all_##set[]
#define PLUGINS_OF(set) __start_all_##set, __stop_all_##set

/* Copies the plugins from `start` to `stop` into `out`, sorted by rank, with a final NULL. `room`
   counts that NULL, too; ends the program if they do not fit. */
void plugins_list(const void *const *start, const void *const *stop, unsigned (*rank)(const void *),
                  const void **out, size_t room);
