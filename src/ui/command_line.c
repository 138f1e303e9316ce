/* The parts of a command line: its words, what they name, and the place that a link opens. */
#include "base/mem.h"
#include "base/text.h"
#include "table/forms.h"
#include "ui/state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the command whose name is two words; NULL: none. */
static const struct command *command_of_pair(const char *first, size_t first_len,
                                             const char *second, size_t second_len)
{
	SCOPED_BUF name = {0};
	second_len = strnlen(second, second_len);
	buf_addf(&name, "%.*s-%.*s", (int)first_len, first, (int)second_len, second);
	const struct command *command = second_len ? command_find(buf_text(&name)) : NULL;
	return command && command->pair ? command : NULL;
}

void command_write(const char *line, struct buf *out)
{
	size_t first = strcspn(line, "- ");
	const char *second = line + first + (line[first] == '-');
	bool pair = command_of_pair(line, first, second, strcspn(second, " "));
	buf_addf(out, "%.*s%s%s", (int)first, line, pair ? " " : "", line + first + pair);
}

/* Returns what the first word of a command line names: a command, a view or a table, in this order;
   all zero: nothing. */
static struct command command_named(const char *name)
{
	const struct command *command = command_find(name);
	if (!command && strchr(name, ' '))
		command =
			command_of_pair(name, strcspn(name, " "), name + strcspn(name, " ") + 1, SIZE_MAX);
	const struct view_ops *ops = view_find(name);
	const struct table *table = table_find(name);
	if (command)
		return *command;
	if (ops && !ops->of_table)
		return (struct command){name, ops->argument, ops->takes, ops->help, .run = NULL};
	if (table)
		return (struct command){name, table->argument, table->takes, table->help, .run = NULL};
	return (struct command){0};
}

const char *command_help(const char *name, const char **argument)
{
	struct command command = command_named(name);
	if (argument)
		*argument = command.argument;
	return command.help;
}

unsigned command_takes(const char *name)
{
	return command_named(name).takes;
}

void command_each(void (*visit)(void *self, const char *name, const char *argument,
                                const char *help),
                  void *self)
{
	for (size_t group = 0; command_groups[group]; group++)
		for (const struct command *command = command_groups[group]; command->name; command++)
			if (command->help)
				visit(self, command->name, command->argument, command->help);
	const struct view_ops *ops;
	for (size_t i = 0; (ops = view_at(i)); i++)
		if (!ops->of_table && !command_find(ops->name))
			visit(self, ops->name, ops->argument, ops->help);
	for (const struct table *const *table = tables; *table; table++)
		if (table_is_listed(*table) && !command_find((*table)->name) && !view_find((*table)->name))
			visit(self, (*table)->name, (*table)->argument, (*table)->help);
}

/* ---- Commands of one first word as one */

void command_each_second(const char *first,
                         void (*visit)(void *self, const char *second, const char *help),
                         void *self)
{
	size_t len = strlen(first);
	for (size_t group = 0; command_groups[group]; group++)
		for (const struct command *at = command_groups[group]; at->name; at++)
			if (at->pair && strncmp(at->name, first, len) == 0 && at->name[len] == '-')
				visit(self, at->name + len + 1, at->help);
}

/* The commands of one first word. */
struct folded {
	struct buf words, help; /* the second words; what the word does alone, and with each of them */
};

static void fold_pair(void *self, const char *second, const char *help)
{
	struct folded *folded = self;
	buf_addf(&folded->words, "%s%s", folded->words.len ? "|" : "", second);
	buf_addf(&folded->help, "%s%s: %c%s", folded->help.len ? "; " : "", second,
	         tolower((unsigned char)*help), help + 1);
}

struct folding {
	void (*visit)(void *self, const char *name, const char *argument, const char *help);
	void *self;
	struct buf seen; /* the first words that were visited, each between blanks */
};

/* Visits a first word with its second words as its argument, once; other names as they are. */
static void fold_one(void *self, const char *name, const char *argument, const char *help)
{
	struct folding *folding = self;
	const struct command *command = command_find(name);
	SCOPED_BUF first = {0}, between = {0}, taken = {0};
	struct folded folded = {0};
	buf_add_bytes(&first, name, command && command->pair ? strcspn(name, "-") : strlen(name));
	const struct command *alone = command_find(buf_text(&first));
	if (alone)
		buf_add(&folded.help, alone->help);
	command_each_second(buf_text(&first), fold_pair, &folded);
	buf_addf(&between, " %s ", buf_text(&first));
	const char *also = alone ? alone->argument : argument;
	if (alone && !also)
		buf_addf(&taken, "[%s]", buf_text(&folded.words));
	else
		buf_addf(&taken, "%s%s%s", buf_text(&folded.words), also ? (alone ? "|" : " ") : "",
		         also ? also : "");
	if (!folded.words.len)
		folding->visit(folding->self, name, argument, help);
	else if (!strstr(buf_text(&folding->seen), buf_text(&between)))
		folding->visit(folding->self, buf_text(&first), buf_text(&taken), buf_text(&folded.help));
	buf_add(&folding->seen, buf_text(&between));
	buf_free(&folded.words);
	buf_free(&folded.help);
}

void command_each_folded(void (*visit)(void *self, const char *name, const char *argument,
                                       const char *help),
                         void *self)
{
	struct folding folding = {.visit = visit, .self = self};
	command_each(fold_one, &folding);
	buf_free(&folding.seen);
}

/* ---- A line */

/* Appends the text before a ';' or a blank (with `word`) outside of quotes; a doubled quote inside
   quotes stands for one. Returns where it ended. */
static const char *command_take(const char *at, bool word, struct buf *out)
{
	bool quoted = false;
	for (; *at && *at != '\n'; at++) {
		if (*at == '"' && quoted && at[1] == '"') {
			at++;
		} else if (*at == '"' && (quoted || strchr(at + 1, '"'))) {
			quoted = !quoted;
			continue;
		}
		if (!quoted && (*at == ';' || (word && *at == ' ')))
			break;
		buf_add_char(out, *at);
	}
	return at;
}

/* Like command_take, but keeps quotes of both kinds, which belong to the expression. */
static const char *take_expression(const char *at, struct buf *out)
{
	char quote = '\0';
	for (; *at && *at != '\n' && (quote || *at != ';'); at++) {
		if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? '\0' : *at;
		buf_add_char(out, *at);
	}
	return at;
}

const char *command_meant(const char *word, const char *argument)
{
	return strcmp(word, "where") == 0 && *argument ? "filter" : word;
}

/* Names that begin with a word. */
struct abbreviation {
	const char *word, *name;
	size_t count;
};

static void abbreviation_see(void *self, const char *name, const char *argument, const char *help)
{
	struct abbreviation *abbreviation = self;
	(void)argument, (void)help;
	if (strncmp(name, abbreviation->word, strlen(abbreviation->word)) != 0)
		return;
	abbreviation->name = name;
	abbreviation->count++;
}

/* Completes a unique prefix: "obj" becomes objects if no other name begins so. */
static void command_complete_word(struct buf *word)
{
	struct abbreviation abbreviation = {.word = buf_text(word)};
	if (!word->len || !isalpha((unsigned char)*word->data) || command_help(buf_text(word), NULL))
		return;
	if (strcmp(abbreviation.word, "q") == 0 || strcmp(abbreviation.word, "w") == 0) {
		/* These win over all other names with the same prefix. */
		buf_add(word, *abbreviation.word == 'q' ? "uit" : "rite");
		return;
	}
	command_each(abbreviation_see, &abbreviation);
	for (size_t i = 0; tables[i]; i++) {
		if (tables[i]->rare)
			abbreviation_see(&abbreviation, tables[i]->name, NULL, NULL);
		if (tables[i]->former)
			abbreviation_see(&abbreviation, tables[i]->former, NULL, NULL);
	}
	if (abbreviation.count != 1)
		return;
	buf_clear(word);
	buf_add(word, abbreviation.name);
}

/* Makes a word and the one after it the name of a command of two words, if they are one. Returns
   what follows. */
static const char *command_take_pair(const char *line, struct buf *word)
{
	size_t len = strcspn(line, " \t\n;");
	const struct command *command = command_of_pair(buf_text(word), word->len, line, len);
	if (!command)
		return line;
	buf_clear(word);
	buf_add(word, command->name);
	return line + len + strspn(line + len, " \t");
}

const char *command_split(const char *line, struct buf *word, struct buf *argument)
{
	line += strspn(line, " \t\n;");
	line = command_take(line, true, word);
	command_complete_word(word);
	line += strspn(line, " \t");
	line = command_take_pair(line, word);
	size_t before = argument->len;
	/* Quotes belong to a filter, and to a path with keys. An argument that is quoted as a whole
	   comes from a link, and loses its quotes. */
	unsigned takes = command_takes(command_meant(buf_text(word), line));
	bool expression = takes & TAKES_FILTER || (takes & (TAKES_PLACE | TAKES_FIELD) && *line != '"');
	if (takes & TAKES_LINE) {
		size_t rest = strcspn(line, "\n");
		buf_add_bytes(argument, line, text_trimmed(line, rest));
		return NULL;
	}
	line = expression ? take_expression(line, argument) : command_take(line, false, argument);
	bool quoted = !expression && line[-(*line != '\0' || argument->len > before)] == '"';
	while (!quoted && argument->len > before && argument->data[argument->len - 1] == ' ')
		argument->data[--argument->len] = '\0';
	return *line ? line + 1 : NULL;
}

bool command_pair(const char *text, char between, int *first, int *second)
{
	char *end;
	if (!isdigit((unsigned char)*text))
		return false;
	unsigned long one = strtoul(text, &end, 10);
	if (*end != between || !isdigit((unsigned char)end[1]))
		return false;
	unsigned long two = strtoul(end + 1, &end, 10);
	if (*end || one > 9999 || two > 9999)
		return false;
	*first = (int)one;
	*second = (int)two;
	return true;
}

bool link_location(const struct buf *link, struct location *location)
{
	SCOPED_BUF word = {0}, rest = {0}, argument = {0};
	const char *more = command_split(buf_text(link), &word, &rest);
	const struct view_ops *ops = view_find(buf_text(&word));
	const struct table *table = table_find(buf_text(&word));
	bool own = ops && !ops->of_table;
	*location = (struct location){.ops = own ? ops : table ? view_of_table(table) : NULL};
	if (!own && table)
		buf_addf(&argument, "%s%s", table->name, rest.len ? " " : "");
	buf_add(&argument, buf_text(&rest));
	if (location->ops && argument.len)
		location->argument = mem_strdup(buf_text(&argument));
	if (location->ops && more)
		buf_addf(&location->words, "0 filter %s\n", more + strlen(" filter "));
	return location->ops;
}
