#include "table/query/sql_named.h"

#include "base/buf.h"
#include "base/text.h"

#include <string.h>

/* Stores the text between the quotes at *at, where two quotes stand for one. Returns its end. */
static const char *sql_named_text(const char *at, struct buf *text)
{
	char quote = *at++;
	buf_clear(text);
	for (; *at && (*at != quote || at[1] == quote); at++) {
		buf_add_char(text, *at);
		at += *at == quote;
	}
	return at + (*at != 0);
}

/* Stores the word or number at *at. Returns its end. */
static const char *sql_named_word(const char *at, struct buf *text)
{
	static const char characters[] =
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"_$.";
	size_t length = strspn(at, characters);
	buf_clear(text);
	buf_add_bytes(text, at, length ? length : 1);
	return at + (length ? length : 1);
}

static const char *sql_named_after_comment(const char *at)
{
	const char *end = strstr(at, *at == '-' ? "\n" : "*/");
	return end ? end + 1 : at + strlen(at);
}

bool sql_named_in(const char *query, const char *argument)
{
	SCOPED_BUF text = {0};
	uint64_t number, wanted;
	bool is_number = text_parse_number(argument, &wanted);
	while (*query) {
		if (strncmp(query, "--", 2) == 0 || strncmp(query, "/*", 2) == 0) {
			query = sql_named_after_comment(query);
			continue;
		}
		query = strchr("'\"", *query) ? sql_named_text(query, &text) : sql_named_word(query, &text);
		if (strcmp(buf_text(&text), argument) == 0
		    || (is_number && text_parse_number(buf_text(&text), &number) && number == wanted))
			return true;
	}
	return false;
}
