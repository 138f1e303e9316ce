/* The formats by name, for the table in src/format/formats.c only. */
#ifndef FORMAT_PLUGINS_H
#define FORMAT_PLUGINS_H

#include "format/format.h"

extern const struct format format_go17; /* src/format/go17.c */

#endif
