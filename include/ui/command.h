/* The tables of commands and keys: the source of dispatch, help, completion and manual. */
#pragma once

#include "ui/explorer.h"

struct command;
/* A command as it runs. */
struct call {
	struct explorer *explorer;
	struct view *view; /* the current one */
	const struct command *command;
	const char *argument; /* never NULL */
	struct err *err;
};

/* What becomes of a key with the command that is typed while a view loads or a search runs. */
enum command_pace {
	PACE_WAITS,           /* it is used when that has ended */
	PACE_AT_ONCE,         /* it is used at once: it abandons that, or stops the program */
	PACE_LEAVES,          /* it is used at once: it opens another view, or closes this one */
	PACE_PROMPTS,         /* it waits, and the keys after it are the text of its prompt */
	PACE_PROMPTS_AT_ONCE, /* it is used at once, unless other keys wait; then as PACE_PROMPTS */
	PACE_NAMES,           /* it waits, and the key after it is a name */
};

struct command {
	const char *name;     /* "goto" */
	const char *argument; /* "ADDR", "[N]" or NULL */
	unsigned takes;       /* kinds of argument: enum takes (table/naming/takes.h) */
	const char *help;     /* a sentence, without full stop; NULL: another command with this name
	                         has it */
	bool (*run)(const struct call *call); /* False: *err, or no message. */
	int by;                               /* for `run`: direction, kind of line */
	unsigned of;           /* views that have the command: enum view_commands; 0: all */
	const char *elsewhere; /* what is said in other views */
	enum command_pace pace;
	bool pair; /* people read and type its name as two words: "next-path" is "next path" */
};
/* Commands by topic; NULL at the end. Every view and every table is also a command: see
   command_each. */
extern const struct command *const command_groups[]; /* each ends with a name of NULL */
extern const struct command commands_go[], commands_move[], commands_search[], commands_list[],
	commands_path[], commands_hex[], commands_what_if[], commands_tree[], commands_breakdown[],
	commands_shell[], commands_misc[], commands_edit[], commands_config[], commands_note[],
	commands_agent[];

/* Parses a number of rows; 1 for an empty argument. */
bool command_count(const char *argument, long *count, struct err *err);

enum hint { /* When the screen shows a hint for a key. */
	        HINT_NEVER,
	        HINT_LINK,    /* on the bottom line, if the row has a link */
	        HINT_BACK,    /* ... if there is a previous view */
	        HINT_FIRST,   /* ... if there is none */
	        HINT_ADDRESS, /* ... if the row or view has an object */
	        HINT_HERE,    /* ... if the view has this command */
	        HINT_SORT,    /* ... if the view can be sorted */
	        HINT_AGENT,   /* ... if an agent has looked at something that was not shown */
	        HINT_ALWAYS,
	        HINT_TAB, /* a main view: always in the line of tabs */
};
struct key {
	const char *key;     /* "j" */
	const char *command; /* "down" */
	const char *view;    /* only in this view, or where this table is shown; NULL: everywhere */
	const char *group;   /* heading on the ? screen: "Moving", "Following", "Searching" ... */
	enum hint when;
	const char *hint; /* "follow"; NULL with HINT_NEVER */
};
extern const struct key keys[]; /* key NULL at the end; the first match counts */

/* Returns true if the key is bound in this view (NULL: in none), and not to a command of the user.
 */
bool key_is_of(const struct key *key, const struct view *view);
/* Returns true for the first press of a key that is pressed twice, as ZZ. */
bool key_begins(const char *key);
/* Returns the key's binding in this view; NULL: none. */
const struct key *key_find(const char *key, const struct view *view);
/* Returns the command line to which the user has bound a key; NULL: none, or such a command line
   runs, in which keys mean what they mean without the user's. */
const char *key_own_command(const struct explorer *explorer, const char *key);
/* Returns the pace of the command to which a key is bound. */
enum command_pace key_pace(struct explorer *explorer, const char *key);
/* Returns a key that the user has bound, by number, and stores its command; NULL: no more. */
const char *key_own_at(const struct explorer *explorer, size_t number, const char **command);

/* Returns the command that only such views have; NULL: none with that name. */
const struct command *command_in(const struct view *view, const char *word);
/* Runs a command that only some views have on one of these. False: *err, or no message. */
bool command_run_in(struct view *view, const char *word, const char *argument, struct err *err);
/* Returns the command with a name; NULL: none (it may still name a view or a table). */
const struct command *command_find(const char *name);
/* Returns the help of the command, view or table that the first word of a command line names; NULL:
   none. *argument (may be NULL) becomes its argument, or NULL. */
const char *command_help(const char *name, const char **argument);
/* Returns the kinds of argument that it takes (table/naming/takes.h); 0: none of them, or unknown.
 */
unsigned command_takes(const char *name);
/* Appends a command line as people type it: "next path" for next-path. */
void command_write(const char *line, struct buf *out);
/* Visits the second words of the commands of two words that begin with a word. */
void command_each_second(const char *first,
                         void (*visit)(void *self, const char *second, const char *help),
                         void *self);
/* Visits every name that can begin a command line, in the order of the manual. */
void command_each(void (*visit)(void *self, const char *name, const char *argument,
                                const char *help),
                  void *self);
/* The same with commands of one first word as one, their second words as arguments of it:
   "next [path|segment]". */
void command_each_folded(void (*visit)(void *self, const char *name, const char *argument,
                                       const char *help),
                         void *self);
/* Returns "filter" for ":where size > 4k", like the option --where, since the table where takes no
   argument; else `word`. */
const char *command_meant(const char *word, const char *argument);
/* Splits the first command off a line: writes its word and its argument (without quotes, except
   those of an expression). Returns what follows its ';', or NULL at the end of the line. */
const char *command_split(const char *line, struct buf *word, struct buf *argument);
/* Parses two numbers from 0 to 9999 with a character between them, such as "80x24". False:
   malformed. */
bool command_pair(const char *text, char between, int *first, int *second);
