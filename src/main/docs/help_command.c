/* goheapx help: explains the program, a subcommand or a table, from the tables. */
#include "heap/objects.h"
#include "main/commands.h"
#include "main/export/exporter.h"
#include "main/print/output.h"
#include "table/forms.h"

#include <string.h>

enum { NAME_WIDTH = 20, BRIEF_WIDTH = 21, LINE_WIDTH = 79 };

void help_add_entry(struct buf *out, const char *name, const char *help)
{
	size_t column = NAME_WIDTH;
	buf_addf(out, "  %-*s", NAME_WIDTH - 2, name);
	if (strlen(name) > NAME_WIDTH - 4)
		buf_addf(out, "\n%*s", NAME_WIDTH, "");
	while (*help) {
		size_t word = strcspn(help, " ");
		if (column > NAME_WIDTH && column + 1 + word > LINE_WIDTH) {
			buf_addf(out, "\n%*s", NAME_WIDTH, "");
			column = NAME_WIDTH;
		}
		buf_addf(out, "%s%.*s", column > NAME_WIDTH ? " " : "", (int)word, help);
		column += word + (column > NAME_WIDTH);
		help += word;
		help += strspn(help, " ");
	}
	buf_add_char(out, '\n');
}

static void help_add_option_name(struct buf *out, const struct option_row *row)
{
	if (row->letter)
		buf_addf(out, "-%c, ", row->letter);
	buf_addf(out, "--%s%s%s", row->name, row->argument ? " " : "",
	         row->argument ? row->argument : "");
}

static void help_add_options(struct buf *out, const char *subcommand)
{
	buf_add(out, subcommand ? "\nOptions:\n" : "Options:\n");
	for (const struct option_row *row = option_table; row->name; row++) {
		SCOPED_BUF name = {0};
		if (subcommand && !option_is_for(row, subcommand))
			continue;
		help_add_option_name(&name, row);
		help_add_entry(out, buf_text(&name), row->help);
	}
}

/* Appends the tables, each with its forms; `all`: rare ones, too. */
static void help_add_tables(struct buf *out, bool all)
{
	buf_add(out, "\nTables, for list and for the explorer's command line:\n");
	for (size_t i = 0; tables[i]; i++) {
		SCOPED_BUF name = {0}, help = {0};
		if (!table_is_listed(tables[i]) && !(all && tables[i]->rare))
			continue;
		buf_add(&name, tables[i]->name);
		if (tables[i]->argument)
			buf_addf(&name, " %s", tables[i]->argument);
		buf_add(&help, tables[i]->help);
		const char *before = ". Forms:";
		for (const struct table *form = NULL; (form = table_next_form(tables[i], form));) {
			buf_add(&help, before);
			table_form_add_option(form, &help);
			before = ",";
		}
		help_add_entry(out, buf_text(&name), buf_text(&help));
	}
	buf_add(out,
	        all ? "\nhelp TABLE shows its columns and forms.\n"
	            : "\nhelp TABLE shows its columns and forms; help list --all rarely used tables, "
	              "too.\n");
}

/* Appends what a table is, with its columns. */
static void help_add_table(struct buf *out, const struct table *table)
{
	const struct table *of = table->form_of ? table_find(table->form_of) : table;
	buf_addf(out, "goheapx list %s DUMP", of->name);
	if (table->argument)
		buf_addf(out, " %s", table->argument);
	if (table->form_of && !table->takes_over)
		table_form_add_option(table, out);
	buf_addf(out, "\n\n%s.\n\nColumns:\n", table->help);
	for (int i = 0; i < table->column_count; i++)
		help_add_entry(out, table->columns[i].name, table->columns[i].help);
	for (int i = 0, told = 0; i < table->column_count; i++)
		if (table->columns[i].on_request)
			buf_addf(out, "%s%s",
			         told++ ? ", " : "\nOnly when they are named: ", table->columns[i].name);
	buf_add(out, out->data[out->len - 1] == '\n' ? "" : "\n");
	for (const struct table *form = NULL; (form = table_next_form(table, form));) {
		buf_add_char(out, '\n');
		help_add_table(out, form);
	}
}

/* Adds a line with a name and the first clause of its help. */
static void help_add_brief(struct buf *out, const char *name, const char *help)
{
	size_t len = 0;
	while (help[len] && !(strchr(",;:.", help[len]) && help[len + 1] == ' '))
		len++;
	buf_addf(out, "  %-*s%.*s\n", BRIEF_WIDTH - 2, name, (int)len, help);
}

/* The options that most people need. */
static const char *const often[] = {"exe",   "json",  "where", "sort", "limit",
                                    "since", "depth", "hide",  "fork", "output"};

static void help_add_program(struct buf *out)
{
	buf_add(out,
	        "goheapx explores heaps, above all of Go: what uses memory, what keeps it alive.\n\n"
	        "Open the explorer; ? there shows its keys, ^P finds a command by a word:\n"
	        "  goheapx                 offers the Go programs that run, the last dumps\n"
	        "  goheapx PID             a running process, which lives on unchanged\n"
	        "  goheapx CORE [EXE]      a core file\n"
	        "  goheapx DUMP [EXE]      a heap dump, from runtime/debug.WriteHeapDump\n"
	        "  goheapx DUMP DUMP ...   a series of one process: what has grown\n\n"
	        "Ask from the shell, as goheapx top DUMP; help NAME says how each is used:\n");
	for (size_t i = 0; subcommand_at(i); i++)
		help_add_brief(out, subcommand_at(i)->name, subcommand_at(i)->help);
	buf_add(out, "\nOptions, some of all, which goheapx help options shows:\n");
	for (const struct option_row *row = option_table; row->name; row++)
		for (size_t i = 0; i < sizeof often / sizeof *often; i++) {
			SCOPED_BUF name = {0};
			if (strcmp(row->name, often[i]) != 0)
				continue;
			help_add_option_name(&name, row);
			help_add_brief(out, buf_text(&name), row->help);
		}
	buf_add(out, "\ngoheapx help list shows the tables, goheapx manual | man -l - the manual, and\n"
	             "man goheapx-tutorial how to find a leak.\n");
}

enum status run_help(const struct options *options)
{
	const char *name = options->operand_count ? options->operands[0] : NULL;
	const struct subcommand *subcommand = name ? subcommand_find(name) : NULL;
	const struct table *table = name ? table_find(name) : NULL;
	struct buf out = {0};
	struct err err = {0};
	bool of_options = name && strcmp(name, "options") == 0;
	if (name && !subcommand && !table && !of_options && !options->help) {
		err_set(&err, "There is no subcommand and no table \"%.40s\"; goheapx help lists them",
		        name);
		return complain(NULL, &err);
	}
	if (subcommand) {
		buf_addf(&out, "goheapx %s %s\n\n%s.\n", subcommand->name, subcommand->usage,
		         subcommand->help);
		help_add_options(&out, subcommand->name);
		if (strcmp(subcommand->name, "list") == 0)
			help_add_tables(&out, options->all);
		if (strcmp(subcommand->name, "export") == 0) {
			buf_add(&out, "\nFormats:\n");
			for (size_t i = 0; exporters[i]; i++)
				if (!exporters[i]->tree_of)
					help_add_entry(&out, exporters[i]->name, exporters[i]->help);
		}
	}
	if (table)
		help_add_table(&out, table);
	if (of_options)
		help_add_options(&out, NULL);
	if (!subcommand && !table && !of_options)
		help_add_program(&out);
	return output_end(&out, STATUS_ANSWERED);
}
