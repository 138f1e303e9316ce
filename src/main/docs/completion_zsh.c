/* The completion script for zsh. */
#include "heap/objects.h"
#include "main/docs/completion.h"

#include "main/export/exporter.h"

#include <string.h>

/* Appends a text for single quotes. */
static void completion_zsh_add_quoted(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			buf_add(out, "'\\'");
		buf_add_char(out, *text);
	}
}

static void add_described(struct buf *out, const char *name, const char *help)
{
	buf_addf(out, "\t\t'%s:", name);
	completion_zsh_add_quoted(out, help);
	buf_add(out, "'\n");
}

/* Returns the completion of an option's value. */
static const char *action_of(const struct option_row *row)
{
	static const struct {
		const char *argument, *action;
	} actions[] = {
		{"FILE", "_files"},
		{"COL", "_goheapx_columns"},
		{"COL,...", "_goheapx_list"},
		{"EXPR", "_goheapx_where"},
		{"FORMAT", "_goheapx_formats"},
		{"FORM|COL,...", "_goheapx_groups"},
	};
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		if (strcmp(row->argument, actions[i].argument) == 0)
			return actions[i].action;
	return "";
}

static void completion_zsh_add_option(struct buf *out, const struct option_row *row)
{
	buf_add(out, "\t\t'");
	if (row->letter)
		buf_addf(out, "(-%c --%s)'{-%c,--%s}'", row->letter, row->name, row->letter, row->name);
	else
		buf_addf(out, "--%s", row->name);
	buf_add_char(out, '[');
	completion_zsh_add_quoted(out, row->help);
	buf_add_char(out, ']');
	if (row->argument)
		buf_addf(out, ":%s:%s", row->argument, action_of(row));
	buf_add(out, "'\n");
}

static void completion_zsh_add_columns(struct buf *out)
{
	buf_add(out, "\tlocal -A columns=(\n");
	for (size_t i = 0; tables[i]; i++) {
		buf_addf(out, "\t\t%s '", tables[i]->name);
		for (int c = 0; c < tables[i]->column_count; c++)
			buf_addf(out, "%s%s -%s", c ? " " : "", tables[i]->columns[c].name,
			         tables[i]->columns[c].name);
		buf_add(out, "'\n");
	}
	buf_add(out, "\t)\n");
}

void completion_zsh(struct buf *out)
{
	buf_add(
		out,
		"#compdef goheapx\n# zsh completion of goheapx, printed by: goheapx completion zsh\n\n");
	buf_add(out, functions_zsh);
	buf_add(out, "_goheapx_formats()\n{\n\tcompadd");
	for (size_t i = 0; exporters[i]; i++)
		if (!exporters[i]->tree_of)
			buf_addf(out, " %s", exporters[i]->name);
	buf_add(out, "\n}\n\n");
	buf_add(out, "_goheapx()\n{\n");
	buf_add(out, "\tlocal -a subcommands=(\n");
	for (size_t i = 0; subcommand_at(i); i++)
		add_described(out, subcommand_at(i)->name, subcommand_at(i)->help);
	buf_add(out, "\t)\n");
	buf_add(out, "\tlocal -a tables=(\n");
	for (size_t i = 0; tables[i]; i++)
		if (table_is_listed(tables[i]))
			add_described(out, tables[i]->name, tables[i]->help);
	buf_add(out, "\t)\n");
	buf_add(out, "\tlocal -a options=(\n");
	for (const struct option_row *row = option_table; row->name; row++)
		completion_zsh_add_option(out, row);
	buf_add(out, "\t)\n");
	completion_zsh_add_columns(out);
	buf_add(out, "\tlocal -A groups=(\n");
	completion_add_groups(out, "\t\t", " '", "'\n");
	buf_add(out, "\t)\n\tlocal -A arguments=(\n");
	completion_add_arguments(out, "\t\t", " '", "'\n");
	buf_add(out, "\t)\n\tlocal -A operands=(\n");
	completion_add_operands(out, "\t\t", " '", "'\n");
	buf_add(out, "\t)\n");
	buf_add(out, script_zsh);
}
