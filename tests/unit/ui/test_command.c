/* The command language, and the consistency of the tables of keys and commands. */
#include "ui/command.h"

#include "cmocka_all.h"
#include "table/table.h"

#include <string.h>

TEST(lines_are_split_at_semicolons)
{
	static const struct {
		const char *line, *word, *argument, *rest;
	} lines[] = {
		{"down", "down", "", NULL},
		{"  goto   0x1  ", "goto", "0x1", NULL},
		{"down 3; up", "down", "3", " up"},
		{";; down", "down", "", NULL},
		{"", "", "", NULL},
		{"search \"a; b\"; next", "search", "a; b", " next"},
		{"search \" a \"", "search", " a ", NULL},
		{"objects \"type=a \"\"b;\"\" c\"; up", "objects", "type=a \"b;\" c", " up"},
		{"layout \"\"\"\"", "layout", "\"", NULL},
		{"search \"\" ; up", "search", "", " up"},
		{"search 5\" disk; up", "search", "5\" disk", " up"},
		{"jump '; up", "jump", "'", " up"},
		{"set ascii on\nup", "set", "ascii on", "up"},
		{"filter type = \"a; b\" ; up", "filter", "type = \"a; b\"", " up"},
		{"where 'it;' and \"a\"\"b\";", "where", "'it;' and \"a\"\"b\"", ""},
		{"filter \"open; up", "filter", "\"open; up", NULL},
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		SCOPED_BUF word = {0}, argument = {0};
		const char *rest = command_split(lines[i].line, &word, &argument);
		assert_string_equal(buf_text(&word), lines[i].word);
		assert_string_equal(buf_text(&argument), lines[i].argument);
		assert_string_equal(rest ? rest : "none", lines[i].rest ? lines[i].rest : "none");
	}
}

TEST(pairs_are_two_small_numbers)
{
	static const char *const wrong[] = {
		"",
		"x",
		"80",
		"80x",
		"x24",
		"80x24x",
		"-1x5",
		"80x -4",
		"80 24",
		"10000x1",
		"1x99999999999999999999",
	};
	int first = 0, second = 0;
	assert_true(command_pair("80x24", 'x', &first, &second));
	assert_int_equal(first, 80);
	assert_int_equal(second, 24);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(command_pair(wrong[i], 'x', &first, &second));
}

TEST(every_key_runs_a_command_that_has_help)
{
	for (const struct key *key = keys; key->key; key++) {
		SCOPED_BUF word = {0}, argument = {0};
		command_split(key->command, &word, &argument);
		assert_non_null(command_help(buf_text(&word), NULL));
		assert_true(!key->view || view_find(key->view) || table_find(key->view));
		assert_int_equal(key->when == HINT_NEVER, key->hint == NULL);
		assert_true(strlen(key->group) > 0);
	}
}

TEST(no_key_hides_another)
{
	for (const struct key *key = keys; key->key; key++)
		for (const struct key *before = keys; before < key; before++)
			assert_false(strcmp(key->key, before->key) == 0
			             && (!before->view || (key->view && strcmp(key->view, before->view) == 0)));
}

static void count_word(void *self, const char *name, const char *argument, const char *help)
{
	const char *takes;
	int *count = self;
	++*count;
	assert_true(strlen(help) > 0 && help[strlen(help) - 1] != '.');
	assert_ptr_equal(command_help(name, &takes), help);
	assert_ptr_equal(takes, argument);
	/* what is shown and what is taken agree */
	assert_true(argument || !command_takes(name));
	if (argument && (strstr(argument, "ADDR") || strstr(argument, "CUT")))
		assert_true(command_takes(name) & TAKES_PLACE);
	if (argument && strstr(argument, "EXPR"))
		assert_true(command_takes(name) & TAKES_FILTER);
}

TEST(every_word_has_help)
{
	int count = 0;
	command_each(count_word, &count);
	assert_true(count > 50);
	assert_null(command_help("no such word", NULL));
}
