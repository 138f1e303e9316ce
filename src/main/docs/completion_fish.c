/* The completion script for fish. */
#include "heap/objects.h"
#include "main/docs/completion.h"

#include "main/export/exporter.h"

#include <string.h>

/* Appends a text for single quotes, in which fish interprets \\ and \'. */
static void completion_fish_add_quoted(struct buf *out, const char *text)
{
	buf_add_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buf_add_char(out, '\\');
		buf_add_char(out, *text);
	}
	buf_add_char(out, '\'');
}

/* Offers a word with its description while `condition`, a fish command, is true. */
static void completion_fish_add_word(struct buf *out, const char *condition, const char *word,
                                     const char *help)
{
	buf_addf(out, "complete -c goheapx -n '%s' -a %s -d ", condition, word);
	completion_fish_add_quoted(out, help);
	buf_add_char(out, '\n');
}

/* Appends the completion of an option's value: nothing for a number. */
static void completion_fish_add_value(struct buf *out, const char *argument)
{
	static const struct {
		const char *argument, *words;
	} values[] = {
		{"FILE", "-r -F"},
		{"COL", "-x -a '(__goheapx_columns)'"},
		{"COL,...", "-x -a '(__fish_complete_list , __goheapx_columns)'"},
		{"FORM|COL,...", "-x -a '(__fish_complete_list , __goheapx_columns)'"},
		{"EXPR", "-x -a '(__goheapx_columns)'"},
		{"FORMAT", "-x -a '$__goheapx_formats'"},
	};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (strcmp(argument, values[i].argument) == 0) {
			buf_addf(out, " %s", values[i].words);
			return;
		}
	buf_add(out, " -x");
}

static void completion_fish_add_options(struct buf *out)
{
	for (const struct option_row *row = option_table; row->name; row++) {
		buf_addf(out, "complete -c goheapx -l %s", row->name);
		if (row->letter)
			buf_addf(out, " -s %c", row->letter);
		if (row->argument)
			completion_fish_add_value(out, row->argument);
		buf_add(out, " -d ");
		completion_fish_add_quoted(out, row->help);
		buf_add_char(out, '\n');
	}
}

/* Appends a function that prints the columns of each table named on the command line. */
static void completion_fish_add_columns(struct buf *out)
{
	buf_add(out, "function __goheapx_columns\n\tfor word in (commandline -opc)\n"
	             "\t\tswitch $word\n");
	for (size_t i = 0; tables[i]; i++) {
		buf_addf(out, "\t\t\tcase %s\n\t\t\t\tprintf '%%s\\n'", tables[i]->name);
		for (int c = 0; c < tables[i]->column_count; c++)
			buf_addf(out, " %s", tables[i]->columns[c].name);
		buf_add_char(out, '\n');
	}
	buf_add(out, "\t\tend\n\tend\nend\n");
}

/* __goheapx_is SUBCOMMAND COUNT [TABLE] tests that the subcommand matches, that COUNT words
   including it come before the cursor, and that the table matches. */
static const char is_function[] =
	"function __goheapx_is\n"
	"\tset -l words (string match -v -- '-*' (commandline -opc))\n"
	"\ttest \"$words[2]\" = $argv[1]; and test (count $words) -eq (math $argv[2] + 1)\n"
	"\tand begin; test (count $argv) -lt 3; or test \"$words[3]\" = $argv[3]; end\n"
	"end\n";

void completion_fish(struct buf *out)
{
	buf_add(out, "# fish completion of goheapx, printed by: goheapx completion fish\n\n");
	buf_add(out, is_function);
	completion_fish_add_columns(out);
	buf_add(out, "set -g __goheapx_formats");
	for (size_t i = 0; exporters[i]; i++)
		if (!exporters[i]->tree_of)
			buf_addf(out, " %s", exporters[i]->name);
	buf_add(out, "\n");
	for (size_t i = 0; subcommand_at(i); i++)
		completion_fish_add_word(out, "__fish_use_subcommand; or __goheapx_is help 1",
		                         subcommand_at(i)->name, subcommand_at(i)->help);
	completion_add_operands(out, "complete -c goheapx -f -n '__goheapx_is ", " 1' -a '", "'\n");
	for (size_t i = 0; tables[i]; i++)
		if (table_is_listed(tables[i]))
			completion_fish_add_word(
				out, "__goheapx_is list 1; or __goheapx_is help 1; or __goheapx_is schema 1",
				tables[i]->name, tables[i]->help);
	completion_add_groups(out, "complete -c goheapx -l group -n 'contains -- ",
	                      " (commandline -opc)' -x -a '", "'\n");
	completion_add_arguments(out, "complete -c goheapx -n '__goheapx_is list 3 ", "' -a '", "'\n");
	completion_fish_add_options(out);
}
