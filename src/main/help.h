/* Shared parts of help texts. */
#ifndef MAIN_HELP_H
#define MAIN_HELP_H

#include "base/buf.h"

/* Appends "  NAME   help", with the help wrapped. */
void help_add_entry(struct buf *out, const char *name, const char *help);

#endif
