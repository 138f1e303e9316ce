/* The sections of the manual on subcommands and options, generated from their tables. */
#include "main/commands.h"
#include "main/manual.h"

static void add_sentence(struct buf *out, const char *help)
{
	struct buf sentence = {0};
	buf_addf(&sentence, "%s.", help);
	manual_text(out, buf_text(&sentence));
	buf_free(&sentence);
}

static void manual_usage_add_subcommand(struct buf *out, const struct subcommand *subcommand)
{
	buf_addf(out, ".It Ic %s", subcommand->name);
	if (*subcommand->usage)
		buf_addf(out, " Ar %s", subcommand->usage);
	buf_add_char(out, '\n');
	add_sentence(out, subcommand->help);
}

static void add_users(struct buf *out, const struct option_row *row)
{
	if (!row->use)
		return;
	const char *separator = "Taken by ";
	for (size_t i = 0; subcommand_at(i); i++) {
		if (!option_is_for(row, subcommand_at(i)->name))
			continue;
		buf_addf(out, "%s%s", separator, subcommand_at(i)->name);
		separator = ", ";
	}
	buf_add(out, ".\n");
}

static void manual_usage_add_option(struct buf *out, const struct option_row *row)
{
	buf_add(out, ".It");
	if (row->letter)
		buf_addf(out, " Fl %c%s%s ,", row->letter, row->argument ? " Ar " : "",
		         row->argument ? row->argument : "");
	buf_addf(out, " Fl -%s%s%s\n", row->name, row->argument ? " Ar " : "",
	         row->argument ? row->argument : "");
	add_sentence(out, row->help);
	add_users(out, row);
}

void manual_usage(struct buf *out)
{
	buf_add(out, ".Sh SUBCOMMANDS\n.Bl -tag -width Ds\n");
	for (size_t i = 0; subcommand_at(i); i++)
		manual_usage_add_subcommand(out, subcommand_at(i));
	buf_add(
		out,
		".El\n.Sh OPTIONS\nOptions may stand anywhere on the command line.\n.Bl -tag -width Ds\n");
	for (const struct option_row *row = option_table; row->name; row++)
		manual_usage_add_option(out, row);
	buf_add(out, ".El\n");
}
