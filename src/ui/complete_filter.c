/* Completion of filters: columns, operators, values of a column, and, or. */
#include "ui/completing.h"

#include "base/buf.h"
#include "base/mem.h"
#include "table/query/filter.h"

#include <stdlib.h>
#include <string.h>

static void add_words(struct completion *c, const char *const *words)
{
	for (; *words; words++)
		completion_add(c, *words);
}

/* Adds a value in the syntax of filters: escaped as a pattern, and quoted if it is no word. */
static void complete_filter_add_value(struct completion *c, const char *value, bool pattern)
{
	SCOPED_BUF text = {0};
	for (const char *at = value; *at; at++) {
		if (pattern && strchr("\\^$[]|()*+?{}", *at))
			buf_add_char(&text, '\\');
		buf_add_char(&text, *at);
	}
	bool word = !value[strcspn(value, " \t\"'()=!<>~")];
	if (!word || *c->prefix == '"') {
		SCOPED_BUF quoted = {0};
		text_add_quoted(&quoted, "", buf_text(&text));
		completion_add(c, buf_text(&quoted));
	} else {
		completion_add(c, buf_text(&text));
	}
}

/* Adds the current cells of the column. For types of objects, the table types is shorter. */
static void add_cells(struct completion *c, const struct table *table, int column, bool pattern)
{
	const char *name = table->columns[column].name;
	struct completion cells = {.explorer = c->explorer, .prefix = ""};
	SCOPED_BUF source = {0};
	if (strcmp(name, "type") == 0)
		buf_add(&source, "types.type");
	else
		buf_addf(&source, "%s.%s", table->name, name);
	completion_add_cells(&cells, buf_text(&source));
	for (size_t i = 0; i < cells.count; i++) {
		if (*cells.words[i])
			complete_filter_add_value(c, cells.words[i], pattern);
		free(cells.words[i]);
	}
	free(cells.words);
}

static void add_wanted(struct completion *c, const struct table *table, const char *before)
{
	static const char *const operators[] = {"and", "or", NULL};
	static const char *const bools[] = {"yes", "no", "none", NULL}, *const none[] = {"none", NULL};
	int column;
	enum filter_wants wants = filter_wants(table, before, &column);
	bool alone = column >= 0 && table->columns[column].kind == VALUE_BOOL;
	if (wants == FILTER_COLUMN) {
		static const char *const words[] = {"not", NULL};
		for (int i = 0; i < table->column_count; i++)
			completion_add(c, table->columns[i].name);
		add_words(c, words);
		if (*c->prefix == '.' || strncmp(c->prefix, "len(", 4) == 0)
			complete_fields(c);
	}
	if (wants == FILTER_RELATION)
		add_words(c, filter_relations);
	if (wants == FILTER_VALUE)
		add_words(c, alone ? bools : none);
	if (wants == FILTER_VALUE || wants == FILTER_PATTERN)
		if (column >= 0 && table->columns[column].kind == VALUE_TEXT)
			add_cells(c, table, column, wants == FILTER_PATTERN);
	if (wants == FILTER_OPERATOR || (wants == FILTER_RELATION && alone))
		add_words(c, operators);
}

/* Completes a word. Opening parentheses before a column are part of the word, because only blanks
   separate words here. */
void complete_filter(struct completion *c, const char *before)
{
	const struct table *table = completion_table(c);
	size_t open = strspn(c->prefix, "(");
	struct completion inner = *c;
	SCOPED_BUF text = {0};
	if (!table)
		return;
	inner.prefix += open;
	inner.prefix_len -= open;
	buf_add(&text, before);
	buf_add_bytes(&text, c->prefix, open);
	add_wanted(&inner, table, buf_text(&text));
	for (size_t i = 0; open && i < inner.count; i++) {
		buf_clear(&text);
		buf_add_bytes(&text, c->prefix, open);
		buf_add(&text, inner.words[i]);
		free(inner.words[i]);
		inner.words[i] = mem_strdup(buf_text(&text));
	}
	c->words = inner.words;
	c->count = inner.count;
	c->capacity = inner.capacity;
}
