/* The formats by name, for the table in src/format/formats.c only. */
#ifndef FORMAT_PLUGINS_H
#define FORMAT_PLUGINS_H

#include "format/format.h"

/* src/format/go_layouts.c */
extern const struct format format_go13beta, format_go13, format_go14, format_go15, format_go16,
	format_go17;

extern const struct format format_go13early; /* src/format/go13_early.c */

extern const struct format format_go_core; /* src/format/core/go_core.c */

extern const struct format format_netcf;    /* src/format/netcf.c */
extern const struct format format_chromium; /* src/format/chromium.c */

#endif
