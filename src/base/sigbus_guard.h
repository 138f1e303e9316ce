/* Mapped files that may shrink under us. Reading a page that a file no longer has raises SIGBUS;
   the handler puts zeros there and lets the reader go on. */
#ifndef BASE_SIGBUS_GUARD_H
#define BASE_SIGBUS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Guards a mapping, installs the handler the first time. By any thread, for any number of them. */
void sigbus_guard_add(const void *base, size_t size);
void sigbus_guard_remove(const void *base);
uint64_t sigbus_guard_lost(const void *base); /* offset of the first lost byte, or UINT64_MAX */

/* From now on a lost page of any other mapping ends the program with this line, and not by a
   signal: what is read there cannot be done without. Borrowed. */
void sigbus_guard_tell(const char *line);
/* Async-signal-safe: ends it so, when there is such a line. */
void sigbus_guard_end(void);

/* Async-signal-safe. True when the address lies in a guarded mapping: from its page to the
   mapping's end everything now reads as zero. */
bool rescue(const void *address);

#endif
