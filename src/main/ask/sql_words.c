#include "main/ask/sql_shell.h"

#include "base/mem.h"
#include "table/query/sql_database.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct sql_words {
	const char *word;
	bool quoted; /* a " precedes it; readline adds the closing one */
	char **found;
	size_t count, capacity;
};

static void sql_words_add(struct sql_words *words, const char *name)
{
	size_t begun = strlen(words->word);
	if (strncasecmp(*name == '"' ? name + 1 : name, words->word, begun) != 0)
		return;
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->found[i], name) == 0)
			return;
	MEM_PUSH(words->found, words->count, words->capacity, mem_strdup(name));
}

/* Adds a name, in double quotes if it is a keyword. */
static void sql_words_add_name(struct sql_words *words, const char *name)
{
	SCOPED_BUF quoted = {0};
	bool taken = !words->quoted && sqlite3_keyword_check(name, (int)strlen(name));
	buf_addf(&quoted, taken ? "\"%s\"" : "%s", name);
	sql_words_add(words, buf_text(&quoted));
}

static void sql_words_add_tables(struct sql_words *words)
{
	SCOPED_BUF name = {0};
	for (size_t i = 0; tables[i]; i++) {
		buf_clear(&name);
		sql_schema_add_name(tables[i]->name, &name);
		if (sql_schema_has(tables[i]) && !tables[i]->rare)
			sql_words_add_name(words, buf_text(&name));
	}
}

static void sql_words_add_language(struct sql_words *words)
{
	bool small = islower((unsigned char)*words->word);
	SCOPED_BUF name = {0};
	for (int i = 0; i < sqlite3_keyword_count(); i++) {
		const char *keyword;
		int length;
		if (sqlite3_keyword_name(i, &keyword, &length) != SQLITE_OK)
			continue;
		buf_clear(&name);
		for (int k = 0; k < length; k++)
			buf_add_char(&name, (char)(small ? tolower(keyword[k]) : keyword[k]));
		sql_words_add(words, buf_text(&name));
	}
}

static bool sql_words_is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Reads the next word of a statement, from *at on; false: there is none. */
static bool sql_words_next(const char **at, struct buf *word)
{
	buf_clear(word);
	while (**at && !sql_words_is_of_name(**at))
		(*at)++;
	while (sql_words_is_of_name(**at))
		buf_add_char(word, *(*at)++);
	return word->len;
}

/* Adds the columns of the tables that the statement names; of all tables if it names none. */
static void sql_words_add_columns(struct sql_words *words, const char *before)
{
	SCOPED_BUF word = {0};
	bool any = false;
	for (int all = 0; all < 2 && !any; all++)
		for (size_t i = 0; tables[i]; i++) {
			bool named = all;
			for (const char *at = before; !named && sql_words_next(&at, &word);)
				named = sql_schema_find(buf_text(&word)) == tables[i];
			any |= named && !all;
			for (int c = 0; named && c < tables[i]->column_count; c++)
				sql_words_add_name(words, tables[i]->columns[c].name);
		}
}

/* Returns true if a table must follow. Its name may be quoted. */
static bool sql_words_wants_table(const char *before)
{
	static const char *const words[] = {"from", "join", "schema"};
	const char *end = before + strlen(before), *begin;
	while (end > before && strchr(" \t\n\"", end[-1]))
		end--;
	for (begin = end; begin > before && sql_words_is_of_name(begin[-1]);)
		begin--;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if ((size_t)(end - begin) == strlen(words[i])
		    && strncasecmp(words[i], begin, strlen(words[i])) == 0)
			return true;
	return false;
}

char **sql_words(const char *before, const char *word, size_t *count)
{
	size_t length = strlen(before);
	char last = length ? before[length - 1] : ' ';
	const char *text = before + strspn(before, " \t\n");
	struct sql_words words = {.word = word, .quoted = last == '"'};
	if (strcmp(text, ".") == 0) {
		for (const struct sql_shell_command *c = sql_shell_commands; c->name; c++)
			sql_words_add(&words, c->name + 1);
	} else if (sql_words_wants_table(before)) {
		sql_words_add_tables(&words);
	} else {
		if (*text)
			sql_words_add_columns(&words, before);
		if (last != '.')
			sql_words_add_language(&words);
		if (*text && last != '.')
			sql_words_add_tables(&words);
	}
	*count = words.count;
	return words.found;
}
