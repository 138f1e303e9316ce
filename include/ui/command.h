/* The commands and the keys: one table of each is the source of dispatch, help, completion and
   manual. */
#ifndef UI_COMMAND_H
#define UI_COMMAND_H

#include "ui/explorer.h"

struct command {
	const char *name;     /* "goto" */
	const char *argument; /* "ADDR", "[N]" or NULL */
	const char *help;     /* a sentence, without full stop */
	/* `argument` is never NULL. False: *err, or nothing to say. */
	bool (*run)(struct explorer *explorer, const char *argument, struct err *err);
};
/* Commands of the explorer itself, by topic; NULL at the end. Every view and every table is a
   command, too: see command_each. */
extern const struct command *const command_groups[]; /* each ends with a name of NULL */

enum hint { /* when a key is worth a place on the screen */
	        HINT_NEVER,
	        HINT_LINK,    /* on the bottom line, when the row leads somewhere */
	        HINT_BACK,    /* ... when there is a view to go back to */
	        HINT_FIRST,   /* ... when there is none */
	        HINT_ADDRESS, /* ... when the row or view is about an object */
	        HINT_HERE,    /* ... when the view has this command */
	        HINT_ALWAYS,
	        HINT_TAB, /* a main view: always on the line of their names */
};
struct key {
	const char *key;     /* "j" */
	const char *command; /* "down" */
	const char *view;    /* only in this view, or where this table is shown; NULL: everywhere */
	const char *group;   /* heading on the ? screen: "Moving", "Following", "Searching" ... */
	enum hint when;
	const char *hint; /* "follow"; NULL with HINT_NEVER */
};
extern const struct key keys[]; /* key NULL at the end; of two that fit, the first counts */

/* Is the key bound in this view (NULL: in none)? */
bool key_is_of(const struct key *key, const struct view *view);
/* The key's binding in this view; NULL: none. */
const struct key *key_find(const char *key, const struct view *view);

/* A word of the view's own commands? */
bool command_of_view(const struct view *view, const char *word);
/* The command of that name; NULL: none (it may still name a view or a table). */
const struct command *command_find(const char *name);
/* The help of whatever a command line's first word names: command, view or table; NULL: nothing
   does. *argument (may be NULL) becomes what it takes, or NULL. */
const char *command_help(const char *name, const char **argument);
/* Every word that can begin a command line, in the order of the manual. */
void command_each(void (*visit)(void *self, const char *name, const char *argument,
                                const char *help),
                  void *self);
/* Splits the first command off a line: writes its word and its argument (quotes removed, but not
   those of an expression), returns what comes after its ';' or NULL at the end of the line. */
const char *command_split(const char *line, struct buf *word, struct buf *argument);
/* "80x24": two numbers from 0 to 9999 with a character between them. False: anything else. */
bool command_pair(const char *text, char between, int *first, int *second);

#endif
