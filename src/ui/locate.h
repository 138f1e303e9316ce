/* What lies at an address. */
#ifndef UI_LOCATE_H
#define UI_LOCATE_H

#include "analysis/analysis.h"
#include "base/buf.h"

/* Appends the command that shows it to `command`, and to `note` what there is to say about it
   ("0x18 bytes into the object"), maybe nothing. Before the heap is read, the command of an
   object. False: *err, nothing of the dump is there. */
bool locate(const struct analysis *analysis, uint64_t address, struct buf *command,
            struct buf *note, struct err *err);

/* The same for what a person writes: an address, or the name of a global variable. Of a value that
   is no object, such as a number, the note is all. */
bool locate_text(const struct analysis *analysis, const char *text, struct buf *command,
                 struct buf *note, struct err *err);

#endif
