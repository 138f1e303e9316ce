/* The lexer of filters. Private to src/table/query. */
#pragma once

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
	TOKEN_UNCLOSED, /* no closing quote */
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

/* A lexer and its current token. Initialize with `struct lexer l = {.line = text}`; the user frees
   `text` at the end. */
struct lexer {
	const char *line, *next; /* next NULL: at the start */
	enum token_kind kind;
	enum relation relation;
	size_t at;       /* offset of the token in bytes */
	struct buf text; /* the word, or the quoted text */
};

void lexer_next(struct lexer *lexer);
/* Sets *err to a message about a byte of the line: "In the filter, at column 8: ...". Returns
   false. */
bool lexer_fail(const struct lexer *lexer, size_t at, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
