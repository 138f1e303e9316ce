/* What several helps are made of. */
#ifndef MAIN_HELP_H
#define MAIN_HELP_H

#include "base/buf.h"

/* "  NAME   help", the help broken into lines. */
void help_add_entry(struct buf *out, const char *name, const char *help);

#endif
