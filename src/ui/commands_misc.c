/* Commands of the explorer itself. */
#include "base/text.h"
#include "format/format.h"
#include "table/naming/typed.h"
#include "table/table.h"
#include "ui/state.h"

#include <string.h>

/* What help says of one word. */
struct wanted {
	const char *word;
	struct buf says;
};

static void misc_see_help(void *self, const char *name, const char *argument, const char *help)
{
	struct wanted *wanted = self;
	if (strcmp(name, wanted->word) == 0)
		buf_addf(&wanted->says, "%s%s%s: %s.", name, argument ? " " : "", argument ? argument : "",
		         help);
}

static bool misc_help(const struct call *call)
{
	if (!*call->argument)
		return explorer_show(call->explorer, view_find("help"), NULL, call->err);
	struct wanted wanted = {.word = call->argument};
	const char *takes, *text = command_help(call->argument, &takes);
	command_each_folded(misc_see_help, &wanted);
	if (!wanted.says.len && text)
		misc_see_help(&wanted, call->argument, takes, text);
	bool found = wanted.says.len;
	if (found)
		explorer_message(call->explorer, "%s", buf_text(&wanted.says));
	buf_free(&wanted.says);
	return found
	       || err_set(call->err, "There is no such command: help without a word shows all of them");
}

/* Appends all cells of the row with the titles of their columns. */
static void what_add_cells(const struct rows *rows, size_t row, struct buf *out)
{
	const char *between = "";
	for (int i = 0; i < rows->table->column_count; i++) {
		SCOPED_BUF cell = {0};
		if (!rows_column_hidden(rows, i))
			rows_text(rows, row, i, &cell);
		if (cell.len)
			buf_addf(out, "%s%s: %s", between, rows->table->columns[i].title, buf_text(&cell));
		if (cell.len)
			between = "; ";
	}
}

/* Appends the text of a row that belongs to no table. */
static void what_add_text(const struct view *view, struct buf *out)
{
	enum { WIDE = 400 };
	struct canvas row;
	SCOPED_BUF text = {0};
	canvas_init(&row, WIDE, 1);
	view->ops->draw(view, view->cursor, &row, 0);
	canvas_row(&row, 0, &text);
	for (const char *at = buf_text(&text) + strspn(buf_text(&text), " "); *at; at++)
		if (*at != ' ' || at[1] != ' ')
			buf_add_char(out, *at);
	canvas_fini(&row);
}

/* Shows the whole row, as far as a message can hold it. */
static bool what(const struct call *call)
{
	const struct view *view = call->view;
	size_t rows = view->ops->rows(view), number;
	if (view->cursor >= rows)
		return err_set(call->err, "There are no rows here");
	SCOPED_BUF out = {0};
	buf_addf(&out, "%s of %s: ", text_count(view->cursor + 1).text, text_count(rows).text);
	const struct rows *table =
		view->ops->table_row ? view->ops->table_row(view, view->cursor, &number) : NULL;
	if (table)
		what_add_cells(table, number, &out);
	else
		what_add_text(view, &out);
	explorer_message(call->explorer, "%s", buf_text(&out));
	return true;
}

/* Shows how the type of the row's object is known. */
static bool misc_known(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const struct analysis *analysis = explorer->analysis;
	uint64_t address = explorer_address(explorer);
	uint32_t id = address ? heap_find(analysis_heap(analysis), address) : OBJECT_NONE;
	SCOPED_BUF type = {0}, why = {0};
	if (id == OBJECT_NONE)
		return err_set(call->err, "There is no object on this row: go to one first");
	if (!typed_add(analysis, id, &type))
		return err_set(call->err, "Types are not there yet: they come after everything else");
	typed_add_why(analysis, id, &why);
	explorer_message(explorer, "%s (%s): %s", buf_text(&type), typed_level(analysis, id),
	                 buf_text(&why));
	return true;
}

static bool quit(const struct call *call)
{
	call->explorer->quit = true;
	return true;
}

static bool feed_keys(const struct call *call)
{
	const char *argument = call->argument;
	bool done = true;
	while (*argument && done) {
		SCOPED_BUF key = {0};
		size_t len = strcspn(argument, " ");
		buf_add_bytes(&key, argument, len);
		if (len)
			done = explorer_key(call->explorer, buf_text(&key));
		explorer_finish(call->explorer);
		argument += len + strspn(argument + len, " ");
	}
	return done;
}

static bool ask_host_with(const struct call *call, const char *argument)
{
	const struct explorer_host *host = &call->explorer->host;
	const char *word = call->command->name;
	if (!host->command)
		return err_set(call->err, "There is no \"%s\" here", word);
	return host->command(host->self, word, argument, call->err);
}

static bool ask_host(const struct call *call)
{
	return ask_host_with(call, call->argument);
}

/* Asks the dump in another way: every view is reopened. */
static bool misc_ask(struct explorer *explorer, const struct analysis *analysis, struct err *err)
{
	explorer->analysis = analysis;
	pane_close(explorer);
	return view_stack_reopen(&explorer->view_stack, analysis, err);
}

/* Sets which retained size is shown. */
static bool misc_set_retain(struct explorer *explorer, const char *name, struct err *err)
{
	const struct analysis *analysis = explorer->analysis;
	static const char *const texts[RETAIN_COUNT] = {
		[RETAIN_ALIVE] = "retained: what would be freed",
		[RETAIN_STRONGEST] = "owned: roots of weaker kinds do not count",
		[RETAIN_WEAK] = "what would be freed if weak roots kept objects alive, too",
	};
	enum retain retain;
	if (!retain_parse(name, false, &retain))
		return err_set(err, "Say which paths count: set retain all, or set retain strong");
	buf_clear(&explorer->wants_set);
	if (!analysis_has(analysis, STAGE_READ)) { /* as in the config file */
		buf_addf(&explorer->wants_set, "set retain %s", name);
		return true;
	}
	retain_parse(name, heap_has(analysis_heap(analysis), PART_WEAK), &retain);
	if (!analysis_dominators(analysis, retain) && analysis_done(analysis))
		return err_set(err, "The analysis was stopped before it came to that");
	if (analysis_dominators(analysis, retain))
		analysis_owners(analysis, retain, NULL); /* the overview shows them */
	bool done = misc_ask(explorer, analysis_with_retain(analysis, retain), err);
	bool weak = heap_has(analysis_heap(analysis), PART_WEAK) && retain == RETAIN_ALIVE;
	explorer_message(explorer, "Retained: %s",
	                 weak ? "what would be freed; weak roots keep nothing alive" : texts[retain]);
	return done;
}

static bool misc_show_parts(struct explorer *explorer, bool parts, struct err *err)
{
	bool done = misc_ask(explorer, analysis_with_parts(explorer->analysis, parts), err);
	explorer_message(explorer, parts ? "Maps, channels, slices: each part for itself"
	                                 : "Maps, channels, slices: one thing with all their parts");
	return done;
}

static bool misc_parts(const struct call *call)
{
	return misc_show_parts(call->explorer, !analysis_parts(call->explorer->analysis), call->err);
}

static bool misc_set(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const char *argument = call->argument;
	if (strncmp(argument, "retain ", 7) == 0)
		return misc_set_retain(explorer, argument + 7, call->err);
	if (strcmp(argument, "parts on") == 0 || strcmp(argument, "parts off") == 0)
		return misc_show_parts(explorer, argument[7] == 'n', call->err);
	return ask_host(call);
}

static bool misc_snapshot(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	if (!analysis_has(explorer->analysis, STAGE_READ) || !analysis_input(explorer->analysis)->pid)
		return err_set(call->err, "Only of a running process one more snapshot can be taken");
	if (!analysis_has(explorer->analysis, STAGE_ALL))
		return err_set(call->err, "The last snapshot is still being read: wait until it is");
	return ask_host(call);
}

/* Appends the name of the row as commands accept it: its expression or holder, its object, or its
   type. */
static void copy_add_row(struct explorer *explorer, struct buf *out)
{
	const struct view *view = explorer_view(explorer);
	size_t number;
	const struct rows *rows =
		view->ops->table_row ? view->ops->table_row(view, view->cursor, &number) : NULL;
	int column = rows ? table_column(rows->table, "expression") : -1;
	uint64_t address = explorer_address(explorer);
	if (column >= 0)
		rows_text(rows, number, column, out);
	if (!out->len && view->ops->holder)
		view->ops->holder(view, view->cursor, out);
	if (!out->len && address)
		buf_addf(out, "0x%llx", (unsigned long long)address);
	if (!out->len && view->ops->type)
		view->ops->type(view, view->cursor, out);
}

static bool misc_copy(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	SCOPED_BUF text = {0}, visible = {0};
	buf_add(&text, call->argument);
	if (!text.len)
		copy_add_row(explorer, &text);
	bool done = text.len ? ask_host_with(call, buf_text(&text))
	                     : err_set(call->err, "There is nothing on this row that a command takes");
	text_add_escaped(&visible, buf_text(&text), text.len, 200);
	if (done)
		explorer_message(explorer, "Copied %s, if the terminal allows that.", buf_text(&visible));
	return done;
}

static bool misc_pane(const struct call *call)
{
	bool on = strcmp(call->argument, "on") == 0, off = strcmp(call->argument, "off") == 0;
	if (*call->argument && !on && !off)
		return err_set(call->err, "Say pane on or pane off; without a word it changes over");
	struct explorer *explorer = call->explorer;
	explorer->pane.off = on ? false : off || !explorer->pane.off;
	return true;
}

const struct command commands_misc[] = {
	{"help", "[COMMAND]", TAKES_COMMAND,
     "Shows the keys and what numbers mean, or explains one command", .run = misc_help},
	{"what", NULL, 0, "Shows the whole row, with the titles of all of its columns", .run = what},
	{"known", NULL, 0, "Says how the type of the object is known", .run = misc_known},
	{"set", "OPTION VALUE", TAKES_OPTION,
     "Sets ascii, color, mouse or parts (of maps and channels) on or off, background dark or "
     "light, "
     "or retain all or strong: "
     "which paths to an object count for what its holder retains. Of Go, strong is those from the "
     "firmest holder; of a GC log, all has those from weak roots, too",
     .run = misc_set},
	{"pane", "[on|off]", 0,
     "Shows beside a list what Enter would open, on screens of 120 columns or more (pages: 160); "
     "or "
     "hides it",
     .run = misc_pane},
	{"redraw", NULL, 0, "Draws the screen anew", .run = ask_host},
	{"parts", NULL, 0,
     "Shows the parts of maps and channels each for itself, and all steps of a path, or as one "
     "again",
     .run = misc_parts},
	{"reopen", "[FILE]", TAKES_RUNTIME | TAKES_FILE,
     "Opens the dump and its executable anew, as they are now; with a name, another executable, or "
     "another Go runtime of the process, by the name or path of its library",
     .run = ask_host},
	{"open", "FILE", TAKES_FILE, "Opens another dump or core file in place of this one",
     .run = ask_host},
	{"since", "FILE", TAKES_FILE,
     "Compares with an earlier dump of the same process: what has grown since", .run = ask_host},
	{"snapshot", NULL, 0,
     "Of a running process: takes one more snapshot and moves on to it, with what has grown since",
     .run = misc_snapshot},
	{"suspend", NULL, 0, "Stops the program, fg in the shell continues it", .run = ask_host,
     .pace = PACE_AT_ONCE},
	{"copy", "[TEXT]", TAKES_FUNCTION,
     "Copies the row's path expression, address or type, or a text, to the clipboard of the "
     "terminal",
     .run = misc_copy},
	{"quit", NULL, 0, "Leaves the explorer", .run = quit, .pace = PACE_LEAVES},
	{"keys", "KEY ...", 0, "Does what these keys do", .run = feed_keys},
	{"screen", NULL, 0, "In a script: prints the screen", .run = ask_host},
	{"size", "WIDTHxHEIGHT", 0, "In a script: sets the size of the screen", .run = ask_host},
	{"wait", "STAGE", TAKES_STAGE, "In a script: waits until the analysis has reached this stage",
     .run = ask_host},
	{0},
};
