/* Resolution of addresses and names to objects, frames, global variables and threads. */
#pragma once

#include "base/buf.h"

struct analysis;
struct err;

/* Appends to `command` the command that shows the address, and to `note` details such as "0x18
   bytes into the object", if any. Before the heap is read, assumes an object. False: *err, the
   address is not in the dump. */
bool locate(const struct analysis *analysis, uint64_t address, struct buf *command,
            struct buf *note, struct err *err);

/* Like locate, for user input: an address, or the name of a global variable. A value that is no
   object, such as a number, has a page of its fields; the note tells it. */
bool locate_text(const struct analysis *analysis, const char *text, struct buf *command,
                 struct buf *note, struct err *err);
