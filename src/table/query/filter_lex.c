#include "table/query/filter_lex.h"

#include "table/contents/field_columns.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t", signs[] = " \t\"'()=!<>~";

/* The longer relation comes first if it begins with a shorter one. */
static const struct {
	const char *text;
	enum relation relation;
} relations[] = {
	{"==", EQUAL},  {"=", EQUAL},          {"!=", DIFFERENT},   {"<=", LESS_OR_EQUAL}, {"<", LESS},
	{"~", MATCHES}, {">=", MORE_OR_EQUAL}, {"!~", MATCHES_NOT}, {">", MORE},
};

static bool take_relation(struct lexer *lexer)
{
	for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
		size_t length = strlen(relations[i].text);
		if (strncmp(lexer->next, relations[i].text, length) != 0)
			continue;
		lexer->relation = relations[i].relation;
		lexer->next += length;
		return true;
	}
	return false;
}

/* Returns true for a value such as ~main.Session: behind a relation no other one follows. */
static bool filter_lex_is_marked(const struct lexer *lexer)
{
	char next = lexer->next[1];
	return lexer->kind == TOKEN_RELATION && *lexer->next == '~' && next && !strchr(signs, next);
}

/* Reads a quoted text. A doubled quote stands for the quote itself. */
static void take_quoted(struct lexer *lexer)
{
	char quote = *lexer->next++;
	lexer->kind = TOKEN_UNCLOSED;
	for (; *lexer->next; lexer->next++) {
		if (*lexer->next == quote && *++lexer->next != quote) {
			lexer->kind = TOKEN_QUOTED;
			return;
		}
		buf_add_char(&lexer->text, *lexer->next);
	}
}

static void filter_lex_take_word(struct lexer *lexer)
{
	static const struct {
		const char *word;
		enum token_kind kind;
	} operators[] = {{"and", TOKEN_AND}, {"or", TOKEN_OR}, {"not", TOKEN_NOT}};
	size_t field = lexer->kind == TOKEN_RELATION ? 0 : field_columns_length(lexer->next);
	bool marked = !field && filter_lex_is_marked(lexer);
	size_t length = field ? field : marked + strcspn(lexer->next + marked, signs);
	length += length == 0; /* a single ! */
	buf_add_bytes(&lexer->text, lexer->next, length);
	lexer->next += length;
	lexer->kind = TOKEN_WORD;
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (strcasecmp(buf_text(&lexer->text), operators[i].word) == 0)
			lexer->kind = operators[i].kind;
}

void lexer_next(struct lexer *lexer)
{
	if (!lexer->next)
		lexer->next = lexer->line;
	lexer->next += strspn(lexer->next, blanks);
	lexer->at = (size_t)(lexer->next - lexer->line);
	buf_clear(&lexer->text);
	char c = *lexer->next;
	if (!c) {
		lexer->kind = TOKEN_END;
	} else if (c == '(' || c == ')') {
		lexer->kind = c == '(' ? TOKEN_OPEN : TOKEN_CLOSE;
		lexer->next++;
	} else if (c == '"' || c == '\'') {
		take_quoted(lexer);
	} else if (!filter_lex_is_marked(lexer) && take_relation(lexer)) {
		lexer->kind = TOKEN_RELATION;
	} else {
		filter_lex_take_word(lexer);
	}
}

bool lexer_fail(const struct lexer *lexer, size_t at, struct err *err, const char *format, ...)
{
	char text[256];
	size_t column = 1;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	for (size_t i = 0; i < at; i++)
		column += ((unsigned char)lexer->line[i] & 0xc0) != 0x80;
	return err_set(err, "In the filter, at column %zu: %s", column, text);
}
