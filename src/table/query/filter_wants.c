/* The possible continuations of an incomplete filter, for completion. */
#include "table/query/filter.h"

#include "table/query/filter_lex.h"

const char *const filter_relations[] = {"=", "!=", "<", "<=", ">", ">=", "~", "!~", NULL};

static enum filter_wants after_word(const struct lexer *lexer, const struct table *table,
                                    enum filter_wants wants, int *column)
{
	if (wants != FILTER_COLUMN)
		return FILTER_OPERATOR;
	*column = lexer->kind == TOKEN_WORD ? table_column(table, buf_text(&lexer->text)) : -1;
	return *column < 0 ? FILTER_OPERATOR : FILTER_RELATION;
}

enum filter_wants filter_wants(const struct table *table, const char *text, int *column)
{
	struct lexer lexer = {.line = text};
	enum filter_wants wants = FILTER_COLUMN;
	*column = -1;
	for (lexer_next(&lexer); lexer.kind != TOKEN_END; lexer_next(&lexer)) {
		if (lexer.kind == TOKEN_WORD || lexer.kind == TOKEN_QUOTED)
			wants = after_word(&lexer, table, wants, column);
		else if (lexer.kind == TOKEN_RELATION)
			wants = lexer.relation < MATCHES ? FILTER_VALUE : FILTER_PATTERN;
		else if (lexer.kind == TOKEN_CLOSE)
			wants = FILTER_OPERATOR;
		else
			wants = FILTER_COLUMN;
	}
	buf_free(&lexer.text);
	return wants;
}
