#include "main/options/options.h"

#include "main/subcommand.h"

#include "base/text.h"
#include "table/naming/nearest.h"

#include <getopt.h>
#include <string.h>

bool option_is_for(const struct option_row *row, const char *subcommand)
{
	const struct subcommand *named = subcommand_find(subcommand);
	SCOPED_BUF word = {0};
	buf_addf(&word, " %s ", subcommand);
	return !row->use || strstr(row->use, buf_text(&word))
	       || (named && named->report && strstr(row->use, " pages "));
}

enum { OPTION_LONG = 256 /* above all letters */ };

/* The table in the form of getopt: the value of a long option is its row, above OPTION_LONG. */
struct getopt_tables {
	struct option rows[OPTION_ROWS_MOST];
	char letters[2 * OPTION_ROWS_MOST];
};

static void fill_tables(struct getopt_tables *getopts)
{
	size_t at = 0;
	getopts->letters[at++] = ':'; /* distinguishes a missing argument from an unknown option */
	for (int i = 0; option_table[i].name; i++) {
		const struct option_row *row = &option_table[i];
		int argument = row->argument ? required_argument : no_argument;
		getopts->rows[i] = (struct option){row->name, argument, NULL, OPTION_LONG + i};
		if (!row->letter)
			continue;
		getopts->letters[at++] = row->letter;
		if (row->argument)
			getopts->letters[at++] = ':';
	}
}

static int row_of_letter(int letter)
{
	int row = 0;
	while (option_table[row].name && option_table[row].letter != letter)
		row++;
	return row;
}

static bool option_apply_number(struct options *options, const struct option_row *row,
                                struct err *err)
{
	uint64_t number;
	if (!text_parse_number(optarg, &number) || number < row->number.least
	    || number > row->number.most)
		return err_set(err, "--%s needs %s, not \"%.60s\"", row->name, row->number.needs, optarg);
	*(uint64_t *)(void *)((char *)options + row->place) = number;
	return true;
}

static bool option_apply(struct options *options, const struct option_row *row, struct err *err)
{
	void *place = (char *)options + row->flag + row->text + row->lines;
	if (row->set)
		return row->set(options, optarg, err);
	if (row->number.needs)
		return option_apply_number(options, row, err);
	if (row->line && strchr(optarg, '\n'))
		return err_set(err, "%s is one line", row->line);
	if (row->output)
		options->output = row->output;
	else if (row->lines)
		buf_addf(place, "%s\n", optarg);
	else if (row->text)
		*(const char **)place = optarg;
	else
		*(bool *)place = true;
	return true;
}

/* Reports an unknown option; = and a value may follow a long option. */
static bool no_option(const char *word, struct err *err)
{
	SCOPED_BUF name = {0}, meant = {0};
	buf_add_bytes(&name, word, strcspn(word, "="));
	struct nearest nearest = {.wanted = buf_text(&name) + strspn(buf_text(&name), "-")};
	for (int i = 0; option_table[i].name; i++)
		nearest_see(&nearest, option_table[i].name);
	nearest_add_meant(&nearest, "--", &meant);
	return err_set(err, "There is no option %.60s%s; goheapx --help lists them", word,
	               buf_text(&meant));
}

bool options_parse(struct options *options, int argc, char **argv, struct err *err)
{
	struct getopt_tables getopts = {0};
	fill_tables(&getopts);
	*options = (struct options){.limit = SIZE_MAX};
	opterr = 0;
	int found;
	while ((found = getopt_long(argc, argv, getopts.letters, getopts.rows, NULL)) != -1) {
		const char *word = argv[optind - 1];
		if (found == ':')
			return err_set(err, "%.60s needs a value; goheapx --help says which", word);
		if (found == '?')
			return no_option(word, err);
		int row = found >= OPTION_LONG ? found - OPTION_LONG : row_of_letter(found);
		options->given |= (uint64_t)1 << row;
		if (!option_apply(options, &option_table[row], err))
			return false;
	}
	options->operands = argv + optind;
	options->operand_count = (size_t)(argc - optind);
	return true;
}

bool options_fit(const struct options *options, const char *subcommand, struct err *err)
{
	for (int i = 0; option_table[i].name; i++)
		if (options->given >> i & 1 && !option_is_for(&option_table[i], subcommand))
			return err_set(err, "%s does not take --%s; goheapx --help says what does", subcommand,
			               option_table[i].name);
	return true;
}

void options_fini(struct options *options)
{
	buf_free(&options->commands);
	buf_free(&options->asserts);
	buf_free(&options->since);
	buf_free(&options->at);
}
