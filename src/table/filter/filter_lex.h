/* The words of a filter. Private to src/table/filter*.c. */
#ifndef TABLE_FILTER_LEX_H
#define TABLE_FILTER_LEX_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_QUOTED,
	TOKEN_RELATION,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_AND,
	TOKEN_OR,
	TOKEN_NOT,
	TOKEN_UNCLOSED, /* a quote without its end */
};

enum relation {
	EQUAL,
	DIFFERENT,
	LESS,
	LESS_OR_EQUAL,
	MORE,
	MORE_OR_EQUAL,
	MATCHES,
	MATCHES_NOT,
};

/* `struct lexer l = {.line = text}`; free `text` at the end. */
struct lexer {
	const char *line, *next; /* next NULL: at the start */
	enum token_kind kind;
	enum relation relation;
	size_t at;       /* where the token begins, in bytes */
	struct buf text; /* of a word, or within the quotes */
};

void lexer_next(struct lexer *lexer);
/* Says what is wrong at a byte of the line: "In the filter, at column 8: ...". Returns false. */
bool lexer_fail(const struct lexer *lexer, size_t at, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
