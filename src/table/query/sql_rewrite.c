/* Rewrites aggregate queries to a multiset. Only words that are known to allow it are let through.
 */
#include "table/query/sql_rewrite.h"

#include "table/query/sql_database.h"
#include "table/query/sql_folded.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { ALIASES_MOST = 32 };

struct sql_token {
	const char *text;
	size_t len;
	char kind; /* 'w' a word, '1' a number, '\'' a text, 0 the end; others are themselves */
};

struct sql_rewriting {
	const struct table *table;
	struct sql_token token, before; /* the current one and the one before it */
	const char *copied;             /* the query up to here is in `out` */
	struct buf *out;
	unsigned depth;             /* open parentheses */
	bool listing;               /* before FROM, in the list of results */
	bool adds, groups, selects; /* it has an aggregate, GROUP BY or DISTINCT, a SELECT */
	const char *item;           /* the current result */
	bool changed, named;        /* it is rewritten, has a name */
	struct sql_token alias[ALIASES_MOST];
	size_t aliases;
};

/* ---- Tokens */

static bool sql_token_is(const struct sql_token *token, const char *word)
{
	return token->kind == 'w' && strlen(word) == token->len
	       && strncasecmp(token->text, word, token->len) == 0;
}

static bool sql_token_is_one(const struct sql_token *token, const char *const *words)
{
	while (*words && !sql_token_is(token, *words))
		words++;
	return *words != NULL;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the token that begins at or behind a place. */
static struct sql_token sql_token_at(const char *text)
{
	text += strspn(text, " \t\r\n");
	struct sql_token token = {.text = text, .len = *text != 0, .kind = *text};
	if (is_word(*text)) {
		token.kind = isdigit((unsigned char)*text) ? '1' : 'w';
		while (is_word(text[token.len]) || (token.kind == '1' && text[token.len] == '.'))
			token.len++;
	} else if (*text == '\'') {
		const char *end = strchr(text + 1, '\'');
		token.len = end ? (size_t)(end - text) + 1 : strlen(text);
	} else if (strncmp(text, "--", 2) == 0 || strncmp(text, "/*", 2) == 0) {
		token.kind = '"'; /* which is not let through */
	}
	return token;
}

static struct sql_token sql_token_after(const struct sql_token *token)
{
	return sql_token_at(token->text + token->len);
}

static void sql_rewrite_advance(struct sql_rewriting *r)
{
	r->before = r->token;
	r->token = sql_token_after(&r->token);
}

/* ---- Words */

static const char *const sql_plain_words[] = {
	"where", "having", "by",    "order", "asc",  "desc",   "limit",   "offset",  "and",  "or",
	"not",   "is",     "null",  "like",  "glob", "in",     "between", "case",    "when", "then",
	"else",  "end",    "nulls", "first", "last", "escape", "isnull",  "notnull", "as",   NULL,
};
static const char *const sql_plain_functions[] = {
	"length", "lower", "upper", "substr", "round", "abs",   "coalesce", "ifnull",
	"nullif", "iif",   "instr", "trim",   "ltrim", "rtrim", "replace",  NULL,
};

/* Aggregates of a column, in place of which another expression stands; $ is the column. */
static const struct {
	const char *name, *every; /* `every`: of * */
	const char *column;
	bool numbers; /* only of numbers */
} sql_aggregates[] = {
	{"count", "coalesce(sum(\"" EQUAL_ROWS "\"),0)",
     "coalesce(sum(($ IS NOT NULL)*\"" EQUAL_ROWS "\"),0)", false},
	{"sum", NULL, "sum($*\"" EQUAL_ROWS "\")", true},
	{"total", NULL, "total($*\"" EQUAL_ROWS "\")", true},
	{"avg", NULL, "(total($*\"" EQUAL_ROWS "\")/sum(($ IS NOT NULL)*\"" EQUAL_ROWS "\"))", true},
	/* which reads the number of equal rows, so that these are read once */
	{"min", NULL, "min(CASE WHEN \"" EQUAL_ROWS "\" THEN $ END)", false},
	{"max", NULL, "max(CASE WHEN \"" EQUAL_ROWS "\" THEN $ END)", false},
};
enum { SQL_AGGREGATES = sizeof sql_aggregates / sizeof *sql_aggregates };

/* Returns the column of the table with the name of a token; NULL: none whose rows can be folded. */
static const struct column *sql_rewrite_column(const struct sql_rewriting *r,
                                               const struct sql_token *token)
{
	for (int i = 0; i < r->table->column_count; i++)
		if (sql_token_is(token, r->table->columns[i].name))
			return sql_folded_has(&r->table->columns[i]) ? &r->table->columns[i] : NULL;
	return NULL;
}

/* Copies the query up to a place. */
static void sql_rewrite_copy(struct sql_rewriting *r, const char *end)
{
	buf_add_bytes(r->out, r->copied, (size_t)(end - r->copied));
	r->copied = end;
}

static void sql_rewrite_add_call(struct sql_rewriting *r, const char *as,
                                 const struct sql_token *column)
{
	for (; *as; as++)
		if (*as == '$')
			buf_add_bytes(r->out, column->text, column->len);
		else
			buf_add_char(r->out, *as);
	r->changed = true;
}

/* Reads a call of an aggregate of one column, and rewrites it. */
static bool sql_rewrite_aggregate(struct sql_rewriting *r, size_t number)
{
	struct sql_token name = r->token, open = sql_token_after(&name), of = sql_token_after(&open);
	bool distinct = sql_token_is(&of, "distinct")
	                && strcmp(sql_aggregates[number].name, "count") == 0;
	of = distinct ? sql_token_after(&of) : of;
	struct sql_token close = sql_token_after(&of);
	bool every = of.kind == '*' && sql_aggregates[number].every && !distinct;
	const struct column *column = every ? NULL : sql_rewrite_column(r, &of);
	bool is_text = column && (column_is_coded(column) || column->kind == VALUE_TEXT);
	if (close.kind != ')' || (!every && !column) || (is_text && sql_aggregates[number].numbers))
		return false;
	const char *as = every ? sql_aggregates[number].every : sql_aggregates[number].column;
	sql_rewrite_copy(r, name.text);
	if (as && !distinct) {
		sql_rewrite_add_call(r, as, &of);
		r->copied = close.text + 1;
	}
	r->token = close;
	return r->adds = true;
}

/* ---- The query */

/* Names a rewritten result as SQLite would have named it: by its text. */
static void sql_rewrite_end_item(struct sql_rewriting *r)
{
	const char *end = r->before.text + r->before.len;
	sql_rewrite_copy(r, end);
	if (r->changed && !r->named) {
		buf_add(r->out, " AS \"");
		buf_add_bytes(r->out, r->item, (size_t)(end - r->item));
		buf_add_char(r->out, '"');
	}
	r->changed = r->named = false;
	r->item = sql_token_after(&r->token).text;
}

/* Reads FROM and the name of the table, which nothing may follow that makes other rows of its own.
 */
static bool sql_rewrite_from(struct sql_rewriting *r)
{
	static const char *const follows[] = {"where", "group", "having", "order", "limit", NULL};
	sql_rewrite_end_item(r);
	sql_rewrite_advance(r);
	struct sql_token after = sql_token_after(&r->token);
	r->listing = false;
	return sql_token_is_one(&after, follows) || after.kind == ';' || !after.kind;
}

/* Returns true if the token before the current one ends an operand. */
static bool sql_rewrite_follows_operand(const struct sql_rewriting *r)
{
	return (r->before.kind && strchr("1')", r->before.kind)) || sql_token_is(&r->before, "end")
	       || sql_rewrite_column(r, &r->before);
}

/* Reads a name that the query gives to a result, or has given to one. */
static bool sql_rewrite_alias(struct sql_rewriting *r)
{
	static const char *const numbers_of_rows[] = {"rowid", "oid", "_rowid_", NULL};
	for (size_t i = 0; i < r->aliases; i++)
		if (r->alias[i].len == r->token.len
		    && strncasecmp(r->alias[i].text, r->token.text, r->token.len) == 0)
			return true;
	if (!r->listing || r->depth || r->named || r->aliases == ALIASES_MOST
	    || sql_token_is_one(&r->token, numbers_of_rows)
	    || (!sql_token_is(&r->before, "as") && !sql_rewrite_follows_operand(r)))
		return false;
	r->alias[r->aliases++] = r->token;
	return r->named = true;
}

static bool sql_rewrite_word(struct sql_rewriting *r)
{
	const struct sql_token after = sql_token_after(&r->token);
	if (sql_token_is(&r->token, "select")) {
		r->item = after.text;
		r->listing = !r->selects;
		return r->listing && (r->selects = true);
	}
	if (sql_token_is(&r->token, "distinct"))
		return r->groups = sql_token_is(&r->before, "select");
	if (sql_token_is(&r->token, "from"))
		return r->listing && !r->depth && sql_rewrite_from(r);
	if (sql_token_is(&r->token, "group"))
		return r->groups = true;
	if (sql_token_is_one(&r->token, sql_plain_words))
		return true;
	for (size_t i = 0; i < SQL_AGGREGATES && after.kind == '('; i++)
		if (sql_token_is(&r->token, sql_aggregates[i].name))
			return sql_rewrite_aggregate(r, i);
	if (after.kind == '(')
		return sql_token_is_one(&r->token, sql_plain_functions);
	if (sql_token_is(&r->before, "as") && r->listing && !r->depth)
		return sql_rewrite_alias(r);
	return sql_rewrite_column(r, &r->token) || sql_rewrite_alias(r);
}

static bool sql_rewrite_token(struct sql_rewriting *r)
{
	char c = r->token.kind;
	if (c == 'w')
		return sql_rewrite_word(r);
	r->depth += c == '(';
	r->depth -= c == ')' && r->depth > 0;
	if (c == ',' && r->listing && !r->depth)
		sql_rewrite_end_item(r);
	return c == '*' ? sql_rewrite_follows_operand(r) : strchr("1'(),+-/%|<>=!&~", c) != NULL;
}

/* Returns the table that follows the first FROM; NULL: none. */
static const struct table *sql_rewrite_table(const char *query)
{
	struct sql_token token = sql_token_at(query), name;
	SCOPED_BUF text = {0};
	while (token.kind && !sql_token_is(&token, "from"))
		token = sql_token_after(&token);
	name = sql_token_after(&token);
	buf_add_bytes(&text, name.text, token.kind ? name.len : 0);
	return sql_schema_find(buf_text(&text));
}

bool sql_rewrite(const char *query, struct buf *out)
{
	struct sql_rewriting r = {.table = sql_rewrite_table(query),
	                          .copied = query,
	                          .out = out,
	                          .token = sql_token_at(query)};
	bool known = r.table && sql_token_is(&r.token, "select");
	while (known && r.token.kind && r.token.kind != ';') {
		known = sql_rewrite_token(&r);
		sql_rewrite_advance(&r);
	}
	if (known && r.token.kind) /* the last semicolon */
		known = !sql_token_after(&r.token).kind;
	buf_add(out, r.copied);
	return known && !r.listing && (r.adds || r.groups);
}
