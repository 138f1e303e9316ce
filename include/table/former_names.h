/* Names that tables, commands and subcommands had, and are still understood. */
#ifndef TABLE_FORMER_NAMES_H
#define TABLE_FORMER_NAMES_H

struct former_name {
	const char *former, *now;
};
extern const struct former_name former_names[]; /* former NULL at the end */

/* What something is called now; the name itself when it has never had another. */
const char *current_name(const char *name);

#endif
