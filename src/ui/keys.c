/* The key bindings, following less, vim and tig. The table is the source of dispatch, help, manual
   and hints. */
#include "ui/command.h"

#include "base/mem.h"
#include "format/runtime.h"
#include "table/table.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

static const char following[] = "Following", moving[] = "Moving", searching[] = "Searching",
				  lists[] = "Lists", places[] = "Marks and mouse", rest[] = "Others",
				  views[] = "Main views";

/* The bottom line shows hints in this order. */
const struct key keys[] = {
	{"Enter", "follow", NULL, following, HINT_LINK, "follow"},
	{"Backspace", "back", NULL, following, HINT_BACK, "back"},
	{"+", "right", "tree", following, HINT_NEVER, NULL},
	{"-", "left", "tree", following, HINT_NEVER, NULL},
	{"*", "toggle-all", "tree", following, HINT_NEVER, NULL},
	{"b", "turn-bottom-up", "breakdown", following, HINT_HERE, "bottom-up"},
	{"t", "turn-by-type", "breakdown", following, HINT_HERE, "by type"},
	{"c", "compare", "breakdown", following, HINT_HERE, "compare"},
	{">", "next-heap", "breakdown", following, HINT_HERE, "next heap"},
	{"<", "previous-heap", "breakdown", following, HINT_NEVER, NULL},
	{"o", "cutoff", "breakdown", following, HINT_HERE, "least"},
	{"Space", "toggle", "tree", following, HINT_HERE, "open"},
	{"I", "icicle", "tree", following, HINT_HERE, "icicle"},
	{"n", "next-path", "path", following, HINT_HERE, "next path"},
	{"N", "previous-path", "path", following, HINT_HERE, "previous"},
	{">", "next-segment", "path", following, HINT_HERE, "segment"},
	{"<", "previous-segment", "path", following, HINT_NEVER, NULL},
	{"a", "apart", "path", following, HINT_HERE, "most different"},
	{"p", "path", NULL, following, HINT_ADDRESS, "path"},
	{"P", "merge", NULL, following, HINT_NEVER, NULL},
	{"X", "cut", NULL, following, HINT_NEVER, NULL},
	{"K", "retains", NULL, following, HINT_NEVER, NULL},
	{"T", "tag", NULL, following, HINT_NEVER, NULL},
	{"w", "why", NULL, following, HINT_NEVER, NULL},
	{"r", "referrers", NULL, following, HINT_ADDRESS, "referrers"},
	{"o", "references", NULL, following, HINT_NEVER, NULL},
	{"R", "references", NULL, following, HINT_NEVER, NULL},
	{"A", "agent", NULL, following, HINT_AGENT, "agent"},
	{"=", "ask-place", NULL, following, HINT_NEVER, NULL},
	{"i", "known", NULL, following, HINT_NEVER, NULL},
	{"d", "retained-tree", NULL, following, HINT_NEVER, NULL},
	{"D", "dominator", NULL, following, HINT_NEVER, NULL},
	{"u", "dominator", NULL, following, HINT_NEVER, NULL},
	{"t", "layout", NULL, following, HINT_NEVER, NULL},
	{"e", "edit", NULL, following, HINT_NEVER, NULL},
	{"x", "hex", NULL, following, HINT_ADDRESS, "hex"},
	{"z", "group", NULL, lists, HINT_NEVER, NULL},
	{"v", "parts", NULL, lists, HINT_NEVER, NULL},
	{"s", "ask-sort", NULL, lists, HINT_SORT, "sort"},
	{"F6", "ask-sort", NULL, lists, HINT_NEVER, NULL},
	{">", "sort-next", NULL, lists, HINT_NEVER, NULL},
	{"<", "sort-previous", NULL, lists, HINT_NEVER, NULL},
	{"S", "reverse", NULL, lists, HINT_NEVER, NULL},
	{"&", "ask-filter", NULL, lists, HINT_NEVER, NULL},
	{"F4", "ask-filter", NULL, lists, HINT_NEVER, NULL},
	{"c", "ask-column", "list", lists, HINT_NEVER, NULL},
	{"/", "search", NULL, searching, HINT_ALWAYS, "search"},
	{"F3", "search", NULL, searching, HINT_NEVER, NULL},
	{"*", "next-same", NULL, searching, HINT_NEVER, NULL},
	{"n", "next", NULL, searching, HINT_NEVER, NULL},
	{"N", "previous", NULL, searching, HINT_NEVER, NULL},
	{"Esc", "leave", NULL, searching, HINT_NEVER, NULL},
	{"^C", "cancel", NULL, searching, HINT_NEVER, NULL},
	{":", "ask-command", NULL, rest, HINT_ALWAYS, "command"},
	{"^P", "ask-palette", NULL, rest, HINT_NEVER, NULL},
	{"?", "help", NULL, rest, HINT_ALWAYS, "help"},
	{"F1", "help", NULL, rest, HINT_NEVER, NULL},
	{"q", "close", NULL, rest, HINT_FIRST, "quit"},
	{"Q", "quit", NULL, rest, HINT_NEVER, NULL},
	{"ZZ", "quit", NULL, rest, HINT_NEVER, NULL},
	{"F10", "quit", NULL, rest, HINT_NEVER, NULL},
	{".", "repeat", NULL, rest, HINT_NEVER, NULL},
	{"^G", "what", NULL, rest, HINT_NEVER, NULL},
	{"|", "pipe", NULL, rest, HINT_NEVER, NULL},
	{"y", "copy", NULL, rest, HINT_NEVER, NULL},
	{"B", "pane", NULL, rest, HINT_NEVER, NULL},
	{"^L", "redraw", NULL, rest, HINT_NEVER, NULL},
	{"^Z", "suspend", NULL, rest, HINT_NEVER, NULL},
	{"^O", "back", NULL, following, HINT_NEVER, NULL},
	{"Tab", "forward", NULL, following, HINT_NEVER, NULL},
	{"m", "mark", NULL, places, HINT_NEVER, NULL},
	{"'", "jump", NULL, places, HINT_NEVER, NULL},
	{"`", "jump", NULL, places, HINT_NEVER, NULL},
	{"MouseLeft", "click", NULL, places, HINT_NEVER, NULL},
	{"j", "down", NULL, moving, HINT_NEVER, NULL},
	{"Down", "down", NULL, moving, HINT_NEVER, NULL},
	{"^N", "down", NULL, moving, HINT_NEVER, NULL},
	{"k", "up", NULL, moving, HINT_NEVER, NULL},
	{"Up", "up", NULL, moving, HINT_NEVER, NULL},
	{"Space", "page-down", NULL, moving, HINT_NEVER, NULL},
	{"^F", "page-down", NULL, moving, HINT_NEVER, NULL},
	{"f", "page-down", NULL, moving, HINT_NEVER, NULL},
	{"PageDown", "page-down", NULL, moving, HINT_NEVER, NULL},
	{"b", "page-up", NULL, moving, HINT_NEVER, NULL},
	{"^B", "page-up", NULL, moving, HINT_NEVER, NULL},
	{"PageUp", "page-up", NULL, moving, HINT_NEVER, NULL},
	{"^D", "half-down", NULL, moving, HINT_NEVER, NULL},
	{"^U", "half-up", NULL, moving, HINT_NEVER, NULL},
	{"g", "first", NULL, moving, HINT_NEVER, NULL},
	{"Home", "first", NULL, moving, HINT_NEVER, NULL},
	{"G", "last", NULL, moving, HINT_NEVER, NULL},
	{"End", "last", NULL, moving, HINT_NEVER, NULL},
	{"H", "window-top", NULL, moving, HINT_NEVER, NULL},
	{"M", "window-middle", NULL, moving, HINT_NEVER, NULL},
	{"L", "window-bottom", NULL, moving, HINT_NEVER, NULL},
	{"h", "left", NULL, moving, HINT_NEVER, NULL},
	{"Left", "left", NULL, moving, HINT_NEVER, NULL},
	{"l", "right", NULL, moving, HINT_NEVER, NULL},
	{"Right", "right", NULL, moving, HINT_NEVER, NULL},
	{"^E", "scroll-down", NULL, moving, HINT_NEVER, NULL},
	{"^Y", "scroll-up", NULL, moving, HINT_NEVER, NULL},
	{"WheelDown", "scroll-down 3", NULL, moving, HINT_NEVER, NULL},
	{"WheelUp", "scroll-up 3", NULL, moving, HINT_NEVER, NULL},
	{"1", "overview", NULL, views, HINT_TAB, "Overview"},
	{"0", "accounts", NULL, views, HINT_FIRST, "accounts"},
	{"2", THREADS_WORD "-stack", NULL, views, HINT_TAB, "Goroutines"},
	{"3", "roots", NULL, views, HINT_TAB, "Roots"},
	{"4", "objects", NULL, views, HINT_TAB, "Objects"},
	{"5", "types", NULL, views, HINT_TAB, "Types"},
	{"6", "where", NULL, views, HINT_TAB, "Where"},
	{"7", "owners", NULL, views, HINT_TAB, "Owners"},
	{"8", "growth", NULL, views, HINT_TAB, "Growth"},
	{"9", "breakdown", NULL, views, HINT_TAB, "Breakdown"},
	{"C", "collections", NULL, views, HINT_NEVER, NULL},
	{0},
};

/* Returns the user's binding of a key, of which `len` bytes are the name; NULL: none. */
static struct own_key *keys_own_find(const struct explorer *explorer, const char *key, size_t len)
{
	for (size_t i = 0; i < explorer->own_key_count; i++) {
		struct own_key *own = &explorer->own_keys[i];
		if (strlen(own->name) == len && strncmp(own->name, key, len) == 0)
			return own;
	}
	return NULL;
}

void keys_bind(struct explorer *explorer, const char *key, const char *command)
{
	struct own_key *own = keys_own_find(explorer, key, strlen(key));
	if (!own) {
		explorer->own_keys = mem_grow(explorer->own_keys, explorer->own_key_count,
		                              &explorer->own_key_capacity, sizeof *explorer->own_keys);
		own = &explorer->own_keys[explorer->own_key_count++];
		*own = (struct own_key){.name = mem_strdup(key)};
	}
	free(own->command);
	own->command = mem_strdup(command);
}

void keys_fini(struct explorer *explorer)
{
	for (size_t i = 0; i < explorer->own_key_count; i++) {
		free(explorer->own_keys[i].name);
		free(explorer->own_keys[i].command);
	}
	free(explorer->own_keys);
}

const char *key_own_command(const struct explorer *explorer, const char *key)
{
	const struct own_key *own = keys_own_find(explorer, key, strcspn(key, " "));
	return own && !explorer->own_key_runs ? own->command : NULL;
}

/* Returns true if a view or table opens without the row that the cursor is on. */
static bool key_needs_no_row(const char *name, const struct buf *given)
{
	const char *argument;
	return command_help(name, &argument) && (!argument || argument[0] == '[' || given->len);
}

enum command_pace key_pace(struct explorer *explorer, const char *key)
{
	const struct view *view = explorer_view(explorer);
	const struct key *bound = key_find(key, view);
	const char *line = key_own_command(explorer, key);
	SCOPED_BUF word = {0}, argument = {0};
	if (!line && !bound)
		return key_begins(key) ? PACE_NAMES : PACE_WAITS;
	command_split(line ? line : bound->command, &word, &argument);
	const struct command *command = command_in(view, buf_text(&word));
	if (!command)
		command = command_find(buf_text(&word));
	if (!command)
		return key_needs_no_row(buf_text(&word), &argument) ? PACE_LEAVES : PACE_WAITS;
	return command->pace >= PACE_PROMPTS && argument.len ? PACE_WAITS : command->pace;
}

const char *key_own_at(const struct explorer *explorer, size_t number, const char **command)
{
	if (number >= explorer->own_key_count)
		return NULL;
	*command = explorer->own_keys[number].command;
	return explorer->own_keys[number].name;
}

bool key_is_of(const struct key *key, const struct view *view)
{
	if (!view)
		return !key->view;
	if (key_own_command(view->explorer, key->key))
		return false;
	const struct table *table = view_table_shown(view->ops, view->argument);
	return !key->view || strcmp(key->view, view->ops->name) == 0
	       || (table && strcmp(key->view, table->name) == 0);
}

bool key_begins(const char *key)
{
	size_t len = strlen(key);
	for (const struct key *at = keys; at->key; at++)
		if (len == 1 && strlen(at->key) == 2 && *at->key == *key && at->key[1] == *key)
			return true;
	return false;
}

const struct key *key_find(const char *key, const struct view *view)
{
	size_t len = strcspn(key, " ");
	for (const struct key *at = keys; at->key; at++)
		if (strlen(at->key) == len && strncmp(at->key, key, len) == 0 && key_is_of(at, view))
			return at;
	return NULL;
}
