/* Guards mapped files against truncation by other processes. Reading a page that the file no longer
   has raises SIGBUS; the handler maps zeros there and lets the reader continue. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Guards a mapping; installs the handler at the first call. Thread-safe; any number of mappings. */
void sigbus_guard_add(const void *base, size_t size);
void sigbus_guard_remove(const void *base);
uint64_t sigbus_guard_lost(const void *base); /* offset of the first lost byte, or UINT64_MAX */

/* Sets the line with which the program exits, instead of dying by the signal, when a page of any
   other mapping is lost: nothing can replace its content. Borrowed. */
void sigbus_guard_tell(const char *line);
/* Exits with that line, if there is one. Async-signal-safe. */
void sigbus_guard_end(void);

/* Returns true if the address lies in a guarded mapping: everything from its page to the end of the
   mapping then reads as zero. Async-signal-safe. */
bool rescue(const void *address);
