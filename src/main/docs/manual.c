/* goheapx manual: prints the manual page, in mdoc(7). Its prose is src/main/docs/manual.mdoc, which
   has lines @NAME@ for the lists that are made here, of the tables of the program. */
#include "heap/objects.h"
#include "main/ask/sql_shell.h"
#include "main/commands.h"
#include "main/export/exporter.h"
#include "main/print/output.h"
#include "table/forms.h"
#include "ui/command.h"

#include <string.h>

enum { LINE = 78 };

/* The lines of manual.mdoc, with their newlines; NULL at the end. The Makefile makes their file. */
extern const char *const manual_lines[];

/* ---- Text */

/* Appends a text and a newline; wraps lines, and begins a new line with every sentence. */
static void manual_add_text(struct buf *out, const char *text)
{
	size_t column = 0;
	while (*text) {
		size_t length = strcspn(text, " ");
		bool sentence = column && text[-2] == '.';
		if (column && (sentence || column + 1 + length > LINE)) {
			buf_add_char(out, '\n');
			column = 0;
		}
		if (column)
			buf_add_char(out, ' ');
		if (column == 0 && (*text == '.' || *text == '\''))
			buf_add(out, "\\&");
		for (size_t i = 0; i < length; i++) {
			if (text[i] == '\\')
				buf_add(out, "\\e");
			else
				buf_add_char(out, text[i]);
		}
		column += length + (column > 0);
		text += length;
		text += *text == ' ';
	}
	buf_add_char(out, '\n');
}

/* Appends a help text as a sentence, with what comes before and after its full stop. */
static void manual_add_help(struct buf *out, const char *help, const char *before,
                            const char *after)
{
	SCOPED_BUF text = {0};
	buf_addf(&text, "%s%s.%s", help, before, after);
	manual_add_text(out, buf_text(&text));
}

/* ---- The command line */

static void manual_subcommands(struct buf *out)
{
	const struct subcommand *at;
	for (size_t i = 0; (at = subcommand_at(i)); i++) {
		buf_addf(out, ".It Ic %s%s%s\n", at->name, *at->usage ? " Ar " : "", at->usage);
		manual_add_help(out, at->help, "", "");
	}
}

static void manual_options(struct buf *out)
{
	for (const struct option_row *row = option_table; row->name; row++) {
		const char *before = row->argument ? " Ar " : "";
		const char *argument = row->argument ? row->argument : "";
		buf_add(out, ".It");
		if (row->letter)
			buf_addf(out, " Fl %c%s%s ,", row->letter, before, argument);
		buf_addf(out, " Fl -%s%s%s\n", row->name, before, argument);
		manual_add_help(out, row->help, "", "");
	}
}

static void manual_exports(struct buf *out)
{
	for (size_t i = 0; exporters[i]; i++) {
		SCOPED_BUF about = {0};
		if (exporters[i]->tree_of)
			continue;
		buf_addf(&about, " %s", exporters[i]->about ? exporters[i]->about : "");
		buf_addf(out, ".It Li %s\n", exporters[i]->name);
		manual_add_help(out, exporters[i]->help, "", buf_text(&about));
	}
}

static void manual_sql_commands(struct buf *out)
{
	for (const struct sql_shell_command *c = sql_shell_commands; c->name; c++)
		buf_addf(out, ".It Ic %s%s%s\n%s.\n", c->name, c->argument ? " Ar " : "",
		         c->argument ? c->argument : "", c->help);
}

/* ---- Tables */

/* Appends a table, or a form of it. */
static void manual_add_table(struct buf *out, const struct table *table, const struct table *form)
{
	const struct table *shown = form ? form : table;
	SCOPED_BUF more = {0}, option = {0};
	if (form && !form->takes_over)
		table_form_add_option(form, &option);
	buf_addf(out, ".It Ic %s%s%s%s%s\n", table->name, shown->argument ? " Ar " : "",
	         shown->argument ? shown->argument : "", option.len ? " Fl " : "",
	         option.len ? option.data + strlen(" -") : "");
	if (shown->sort)
		buf_addf(&more, " Sorted by %s from the largest down unless told otherwise.", shown->sort);
	manual_add_help(out, shown->help, "", buf_text(&more));
}

static void manual_tables(struct buf *out)
{
	const struct table *table;
	for (size_t i = 0; (table = tables[i]); i++) {
		if (table->of_user || !table_is_listed(table))
			continue;
		manual_add_table(out, table, NULL);
		for (const struct table *form = NULL; (form = table_next_form(table, form));)
			manual_add_table(out, table, form);
	}
}

/* ---- The explorer */

static bool same_binding(const struct key *a, const struct key *b)
{
	bool same_view = a->view == b->view || (a->view && b->view && strcmp(a->view, b->view) == 0);
	return same_view && strcmp(a->command, b->command) == 0;
}

static bool same_group(const struct key *a, const struct key *b)
{
	return strcmp(a->group, b->group) == 0;
}

static bool is_first(const struct key *key, bool (*same)(const struct key *, const struct key *))
{
	for (const struct key *before = keys; before < key; before++)
		if (same(before, key))
			return false;
	return true;
}

/* Appends one entry for all keys that are bound to the same command. */
static void manual_add_binding(struct buf *out, const struct key *first)
{
	SCOPED_BUF word = {0};
	const char *separator = "";
	buf_add(out, ".It");
	for (const struct key *key = first; key->key; key++) {
		if (!same_binding(first, key))
			continue;
		buf_addf(out, "%s Ic \\&%s", separator, key->key);
		separator = " ,";
	}
	buf_add_char(out, '\n');
	if (first->view)
		buf_addf(out, "In the view %s:\n", first->view);
	buf_add_bytes(&word, first->command, strcspn(first->command, " "));
	const char *help = command_help(buf_text(&word), NULL);
	if (help)
		manual_add_help(out, help, "", "");
	SCOPED_BUF line = {0};
	command_write(first->command, &line);
	buf_addf(out, ".Pq Ic \\&:%s\n", buf_text(&line));
}

static void manual_keys(struct buf *out)
{
	for (const struct key *first = keys; first->key; first++) {
		if (!is_first(first, same_group))
			continue;
		buf_addf(out, ".Ss %s\n.Bl -tag -width Ds\n", first->group);
		for (const struct key *key = first; key->key; key++)
			if (same_group(first, key) && is_first(key, same_binding))
				manual_add_binding(out, key);
		buf_add(out, ".El\n");
	}
}

/* Appends a command, unless it opens a table. */
static void manual_add_command(void *self, const char *name, const char *argument, const char *help)
{
	if (table_find(name) && !command_find(name) && !view_find(name))
		return;
	buf_addf(self, ".It Ic %s%s%s\n", name, argument ? " " : "", argument ? argument : "");
	manual_add_help(self, help, "", "");
}

static void manual_commands(struct buf *out)
{
	command_each_folded(manual_add_command, out);
}

/* ---- The page */

static const struct {
	const char *line;
	void (*add)(struct buf *out);
} lists[] = {
	{"@subcommands@\n", manual_subcommands}, {"@options@\n", manual_options},
	{"@exports@\n", manual_exports},         {"@sql-commands@\n", manual_sql_commands},
	{"@tables@\n", manual_tables},           {"@keys@\n", manual_keys},
	{"@commands@\n", manual_commands},
};

enum status run_manual(const struct options *options)
{
	(void)options;
	struct buf out = {0};
	for (const char *const *line = manual_lines; *line; line++) {
		size_t i = 0;
		while (i < sizeof lists / sizeof *lists && strcmp(lists[i].line, *line) != 0)
			i++;
		if (i < sizeof lists / sizeof *lists)
			lists[i].add(&out);
		else
			buf_add(&out, *line);
	}
	return output_end(&out, STATUS_ANSWERED);
}
