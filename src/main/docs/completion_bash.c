/* The completion script for bash. */
#include "heap/objects.h"
#include "main/docs/completion.h"

#include "main/export/exporter.h"

/* Appends a shell function that prints words by key, a line per key. */
static void begin_lookup(struct buf *out, const char *function)
{
	buf_addf(out, "%s()\n{\n\tcase $1 in\n", function);
}

static void end_lookup(struct buf *out)
{
	buf_add(out, "\tesac\n}\n\n");
}

static void add_options_of(struct buf *out, const char *subcommand)
{
	for (const struct option_row *row = option_table; row->name; row++)
		if (option_is_for(row, subcommand))
			buf_addf(out, " --%s", row->name);
}

static void completion_bash_add_options(struct buf *out)
{
	begin_lookup(out, "_goheapx_options");
	for (size_t i = 0; subcommand_at(i); i++) {
		buf_addf(out, "\t%s) echo", subcommand_at(i)->name);
		add_options_of(out, subcommand_at(i)->name);
		buf_add(out, ";;\n");
	}
	buf_add(out, "\t*) echo");
	add_options_of(out, subcommand_at(0)->name);
	buf_add(out, ";;\n");
	end_lookup(out);
}

static void add_names(struct buf *out)
{
	buf_add(out, "_goheapx_subcommands='");
	for (size_t i = 0; subcommand_at(i); i++)
		buf_addf(out, "%s%s", i ? " " : "", subcommand_at(i)->name);
	buf_add(out, "'\n_goheapx_tables='");
	for (size_t i = 0; tables[i]; i++)
		if (table_is_listed(tables[i]))
			buf_addf(out, "%s%s", i ? " " : "", tables[i]->name);
	buf_add(out, "'\n_goheapx_formats='");
	for (size_t i = 0; exporters[i]; i++)
		if (!exporters[i]->tree_of)
			buf_addf(out, "%s%s", i ? " " : "", exporters[i]->name);
	buf_add(out, "'\n_goheapx_of_files='");
	for (size_t i = 0; subcommand_at(i); i++)
		if (completion_takes_files(subcommand_at(i)))
			buf_addf(out, " %s ", subcommand_at(i)->name);
	buf_add(out, "'\n_goheapx_with_value='");
	for (const struct option_row *row = option_table; row->name; row++) {
		if (row->argument)
			buf_addf(out, " --%s ", row->name);
		if (row->argument && row->letter)
			buf_addf(out, " -%c ", row->letter);
	}
	buf_add(out, "'\n\n");
}

void completion_bash(struct buf *out)
{
	buf_add(out, "# bash completion of goheapx, printed by: goheapx completion bash\n\n");
	add_names(out);
	completion_bash_add_options(out);
	begin_lookup(out, "_goheapx_columns");
	for (size_t i = 0; tables[i]; i++) {
		buf_addf(out, "\t%s) echo", tables[i]->name);
		for (int c = 0; c < tables[i]->column_count; c++)
			buf_addf(out, " %s -%s", tables[i]->columns[c].name, tables[i]->columns[c].name);
		buf_add(out, ";;\n");
	}
	end_lookup(out);
	begin_lookup(out, "_goheapx_groups");
	completion_add_groups(out, "\t", ") echo \"", "\";;\n");
	end_lookup(out);
	begin_lookup(out, "_goheapx_arguments");
	completion_add_arguments(out, "\t", ") echo \"", "\";;\n");
	end_lookup(out);
	begin_lookup(out, "_goheapx_operands");
	completion_add_operands(out, "\t", ") echo \"", "\";;\n");
	buf_add(out, "\thelp) echo \"$_goheapx_subcommands $_goheapx_tables\";;\n"
	             "\tschema) echo \"$_goheapx_tables\";;\n");
	end_lookup(out);
	buf_add(out, script_bash);
}
