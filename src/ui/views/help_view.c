/* The ? screen: jobs, the meaning of each number of the view below, its keys, and all commands,
   from the dispatch tables. */
#include "ui/view.h"

#include "base/mem.h"
#include "format/runtime.h"
#include "ui/command.h"
#include "ui/explorer.h"
#include "ui/page_view.h"

#include <string.h>

enum { KEY_HELP_COLUMN = 18, HELP_COLUMN = 30 };

/* Questions that people have, with the commands that answer them. */
static const struct job {
	const char *const *commands;
	const char *help;
} jobs[] = {
	{(const char *const[]){"overview", "where", "owners", "types", NULL},
     "What uses the memory: findings, by path, owner, type"},
	{(const char *const[]){"growth", NULL}, "What has grown since an earlier dump (--since FILE)"},
	{(const char *const[]){"path", "why", "referrers", "dominator", NULL},
     "Why this is alive: a path, all reasons, referrers, dominator"},
	{(const char *const[]){"retains", "cut", "tag", NULL},
     "What would be freed without it, without several; sets"},
	{(const char *const[]){THREADS_WORD "-stack", "roots", NULL},
     "Which " THREADS_WORD " wait for what, which roots there are"},
	{(const char *const[]){"ask-filter", "ask-sort", "group", "ask-column", NULL},
     "Filter these rows, sort them, group them, add a field"},
	{(const char *const[]){"search", "ask-place", NULL},
     "Find a row, go to an address, a path; :find looks in objects"},
	{(const char *const[]){"back", "mark", "jump", NULL},
     "Go back, mark this place, return to a mark"},
	{(const char *const[]){"agent", NULL}, "Go where an agent has looked at last (--listen)"},
	{(const char *const[]){"copy", "pipe", NULL},
     "Copy it, pipe it; :write FILE, :redact FILE, :note, :verdict"},
	{(const char *const[]){"ask-palette", "ask-command", NULL},
     "Anything else: a command by a word, a command line"},
};

static void add_jobs(struct page *page, const struct view *below)
{
	page_section(page, "What to do", NULL);
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
		SCOPED_BUF names = {0};
		for (const char *const *command = jobs[i].commands; *command; command++)
			for (size_t k = 0; keys[k].key; k++)
				if (strcmp(keys[k].command, *command) == 0 && key_is_of(&keys[k], below)) {
					buf_addf(&names, "%s%s", names.len ? " " : "", keys[k].key);
					break;
				}
		page_line(page, NULL);
		page_put(page, PAGE_LEFT, 2, STYLE_LINK, buf_text(&names));
		page_paragraph(page, KEY_HELP_COLUMN, STYLE_PLAIN, jobs[i].help);
	}
}

static void add_keys(struct page *page, size_t at, const struct view *below)
{
	SCOPED_BUF names = {0};
	for (size_t i = at; keys[i].key; i++)
		if (key_is_of(&keys[i], below) && strcmp(keys[i].command, keys[at].command) == 0)
			buf_addf(&names, "%s%s", names.len ? " " : "", keys[i].key);
	SCOPED_BUF word = {0};
	buf_add_bytes(&word, keys[at].command, strcspn(keys[at].command, " "));
	const char *help = command_help(buf_text(&word), NULL);
	page_line(page, NULL);
	page_put(page, PAGE_LEFT, 2, STYLE_LINK, buf_text(&names));
	page_paragraph(page, KEY_HELP_COLUMN, STYLE_PLAIN, help ? help : keys[at].command);
}

static void add_all_keys(struct page *page, const struct view *below)
{
	const char *group = "";
	for (size_t i = 0; keys[i].key; i++) {
		/* The first key of a command begins a line, which joins all of its keys: "j Down". */
		bool first = key_is_of(&keys[i], below);
		for (size_t j = 0; j < i && first; j++)
			first = !key_is_of(&keys[j], below) || strcmp(keys[j].command, keys[i].command) != 0;
		if (!first)
			continue;
		if (strcmp(keys[i].group, group) != 0)
			page_section(page, keys[i].group, NULL);
		group = keys[i].group;
		add_keys(page, i, below);
	}
}

static void help_add_own_keys(struct page *page, const struct explorer *explorer)
{
	const char *key, *command;
	for (size_t i = 0; (key = key_own_at(explorer, i, &command)); i++) {
		if (i == 0)
			page_section(page, "Your keys", NULL);
		page_line(page, NULL);
		page_put(page, PAGE_LEFT, 2, STYLE_LINK, key);
		page_paragraph(page, KEY_HELP_COLUMN, STYLE_PLAIN, command);
	}
}

static void help_add_command(void *self, const char *name, const char *argument, const char *help)
{
	struct page *page = self;
	page_line(page, NULL);
	page_putf(page, PAGE_LEFT, 2, STYLE_PLAIN, ":%s %s", name, argument ? argument : "");
	if (argument && strlen(name) + strlen(argument) + 5 > HELP_COLUMN)
		page_line(page, NULL);
	page_paragraph(page, HELP_COLUMN, STYLE_PLAIN, help);
}

/* Adds the lines of the view's explanation. */
static void add_explanation(struct page *page, const struct view *below)
{
	SCOPED_BUF text = {0};
	if (below->ops->explain)
		below->ops->explain(below, &text);
	else
		buf_add(&text, below->ops->help);
	page_section(page, "What is on this screen", NULL);
	char *line = text.data, *rest;
	for (; line && *line; line = rest) {
		rest = strchr(line, '\n');
		if (rest)
			*rest++ = '\0';
		page_line(page, NULL);
		page_paragraph(page, 2, STYLE_PLAIN, line);
	}
}

static bool help_open(struct view *view, struct err *err)
{
	(void)err;
	const struct view *below = explorer_view(view->explorer);
	struct page *page = view->data = mem_alloc(sizeof *page);
	buf_addf(&view->title, "Help%s%s", below ? ": " : "", below ? below->ops->name : "");
	add_jobs(page, below);
	if (below)
		add_explanation(page, below);
	add_all_keys(page, below);
	help_add_own_keys(page, view->explorer);
	page_section(page, "All commands, after :", NULL);
	command_each_folded(help_add_command, page);
	return true;
}

static void help_close(struct view *view)
{
	page_fini(view->data);
}

DEFINE_PLUGIN(views, struct view_ops, view_help) = {
	.rank = 70,
	.name = "help",
	.help = "The keys and commands, and what the numbers on the screen mean",
	.needs = STAGE_NONE,
	.open = help_open,
	.close = help_close,
	.rows = page_view_rows,
	.draw = page_view_draw,
};
