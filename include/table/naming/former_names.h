/* Former names of tables, commands and subcommands, which are still accepted. */
#ifndef TABLE_FORMER_NAMES_H
#define TABLE_FORMER_NAMES_H

struct former_name {
	const char *former, *now;
};
extern const struct former_name former_names[]; /* former NULL at the end */

/* Returns the current name; `name` itself if it is not a former name. */
const char *current_name(const char *name);

#endif
