/* Compiles the text of a filter to steps by operator precedence (shunting-yard): operators wait on
   a stack until their right operand is complete, so that nothing recurses. */
#include "table/query/filter_parse.h"

#include "base/mem.h"
#include "base/text.h"

#include <string.h>

enum { DEPTH = 64, SHOWN = 40 };

/* Weakest first: an operator completes all on the stack that bind at least as strongly. */
enum operator{ OPEN, OR, AND, NOT };

struct parser {
	struct lexer lexer;
	struct filter *filter;
	struct err *err;
	struct waiting {
		enum operator operator;
		size_t step; /* of OR and AND: the step that skips the right operand */
		size_t at;
	} waiting[DEPTH];
	size_t depth;
};

static bool fail(const struct parser *parser, const char *expected)
{
	return lexer_fail(&parser->lexer, parser->lexer.at, parser->err, "%s was expected", expected);
}

static size_t filter_parse_add_step(struct filter *filter, enum step_kind kind, size_t to)
{
	return MEM_PUSH(filter->steps, filter->step_count, filter->step_capacity,
	                (struct step){kind, to});
}

/* Appends a test. The filter owns its literal, even if parsing it fails. */
static struct test *add_test(struct filter *filter, int column, enum relation relation)
{
	filter_parse_add_step(filter, STEP_TEST, filter->test_count);
	filter->tests =
		mem_grow(filter->tests, filter->test_count, &filter->test_capacity, sizeof *filter->tests);
	struct test *test = &filter->tests[filter->test_count++];
	*test = (struct test){.column = column, .relation = relation};
	return test;
}

static bool filter_parse_push(struct parser *parser, enum operator operator, size_t step)
{
	if (parser->depth == DEPTH)
		return fail(parser, "less nesting");
	parser->waiting[parser->depth++] = (struct waiting){operator, step, parser->lexer.at};
	return true;
}

/* Completes all operators that bind at least as strongly as `weakest`. */
static void end_operators(struct parser *parser, enum operator weakest)
{
	struct filter *filter = parser->filter;
	while (parser->depth && parser->waiting[parser->depth - 1].operator>= weakest) {
		const struct waiting *last = &parser->waiting[--parser->depth];
		if (last->operator== NOT)
			filter_parse_add_step(filter, STEP_NOT, 0);
		else
			filter->steps[last->step].to = filter->step_count;
	}
}

static bool filter_parse_no_such_column(const struct parser *parser, const char *name, size_t at)
{
	const struct table *table = parser->filter->table;
	SCOPED_BUF text = {0};
	buf_add(&text, "there is no column \"");
	text_add_escaped(&text, name, strlen(name), SHOWN);
	buf_add(&text, "\", only");
	for (int i = 0; i < table->column_count; i++)
		buf_addf(&text, "%s %s", i ? "," : "", table->columns[i].name);
	lexer_fail(&parser->lexer, at, parser->err, "%s", buf_text(&text));
	return false;
}

static bool relation_fits(const struct parser *parser, const struct test *test, size_t at)
{
	bool ordered = test->relation >= LESS && test->relation <= MORE_OR_EQUAL;
	enum value_kind kind = parser->filter->table->columns[test->column].kind;
	if (ordered && (kind == VALUE_BOOL || test->literal.kind == LITERAL_NONE))
		return lexer_fail(&parser->lexer, at, parser->err, "= or != was expected");
	return true;
}

/* Appends the unit if it is a separate word: "1.5 MB". */
static void take_unit(struct parser *parser, enum value_kind kind, struct buf *value)
{
	struct lexer *lexer = &parser->lexer;
	lexer_next(lexer);
	if (lexer->kind != TOKEN_WORD || !literal_is_unit(kind, buf_text(&lexer->text)))
		return;
	buf_addf(value, " %s", buf_text(&lexer->text));
	lexer_next(lexer);
}

/* Parses the value after the column and the relation. */
static bool parse_value(struct parser *parser, int column)
{
	struct lexer *lexer = &parser->lexer;
	enum value_kind kind = parser->filter->table->columns[column].kind;
	struct test *test = add_test(parser->filter, column, lexer->relation);
	SCOPED_BUF value = {0};
	struct err why = {0};
	size_t relation = lexer->at;
	lexer_next(lexer);
	size_t at = lexer->at;
	bool quoted = lexer->kind == TOKEN_QUOTED;
	if (lexer->kind != TOKEN_WORD && !quoted)
		return fail(parser, lexer->kind == TOKEN_UNCLOSED ? "the other quote" : "a value");
	buf_add(&value, buf_text(&lexer->text));
	take_unit(parser, kind, &value);
	bool pattern = test->relation >= MATCHES;
	bool good = pattern ? literal_parse_pattern(&test->literal, buf_text(&value), &why)
	                    : literal_parse(&test->literal, kind, buf_text(&value), quoted, &why);
	return good ? relation_fits(parser, test, relation)
	            : lexer_fail(lexer, at, parser->err, "%s", why.text);
}

/* Parses an operand without a relation: a boolean column, or a text that any cell may contain. */
static bool parse_alone(struct parser *parser, const char *word, int column)
{
	struct err err = {0};
	bool text = column == ANY_COLUMN;
	if (!text && parser->filter->table->columns[column].kind != VALUE_BOOL)
		return fail(parser, "a comparison, such as = or >,");
	struct test *test = add_test(parser->filter, column, EQUAL);
	bool parsed = literal_parse(&test->literal, text ? VALUE_TEXT : VALUE_BOOL, text ? word : "yes",
	                            true, &err);
	row_search_begin(&test->search, test->literal.text);
	return parsed;
}

static bool parse_named(struct parser *parser, bool quoted)
{
	struct lexer *lexer = &parser->lexer;
	struct buf word = lexer->text;
	size_t at = lexer->at;
	lexer->text = (struct buf){0};
	lexer_next(lexer);
	bool compared = lexer->kind == TOKEN_RELATION, done;
	int column = quoted ? ANY_COLUMN : table_column(parser->filter->table, buf_text(&word));
	if (compared && quoted)
		done = lexer_fail(lexer, at, parser->err, "a column was expected, without quotes");
	else if (compared && column == ANY_COLUMN)
		done = filter_parse_no_such_column(parser, buf_text(&word), at);
	else
		done = compared ? parse_value(parser, column)
		                : parse_alone(parser, buf_text(&word), column);
	buf_free(&word);
	return done;
}

/* Parses any number of "not" and "(", and the operand that follows. */
static bool parse_operand(struct parser *parser)
{
	struct lexer *lexer = &parser->lexer;
	while (lexer->kind == TOKEN_NOT || lexer->kind == TOKEN_OPEN) {
		if (!filter_parse_push(parser, lexer->kind == TOKEN_NOT ? NOT : OPEN, 0))
			return false;
		lexer_next(lexer);
	}
	if (lexer->kind == TOKEN_WORD || lexer->kind == TOKEN_QUOTED)
		return parse_named(parser, lexer->kind == TOKEN_QUOTED);
	return fail(parser, lexer->kind == TOKEN_UNCLOSED ? "the other quote" : "a column or a text");
}

/* Parses any number of ")". */
static bool parse_closing(struct parser *parser)
{
	while (parser->lexer.kind == TOKEN_CLOSE) {
		end_operators(parser, OR);
		if (!parser->depth)
			return fail(parser, "no ) without its (");
		parser->depth--;
		lexer_next(&parser->lexer);
	}
	return true;
}

/* Parses "and" or "or". False: the end, or an error. */
static bool parse_operator(struct parser *parser)
{
	bool or = parser->lexer.kind == TOKEN_OR;
	if (! or &&parser->lexer.kind != TOKEN_AND)
		return parser->lexer.kind != TOKEN_END
		       && fail(parser, "and, or, or the end (a text of several words needs quotes)");
	end_operators(parser, or ? OR : AND);
	size_t step = filter_parse_add_step(parser->filter, or ? STEP_IF : STEP_UNLESS, 0);
	bool done = filter_parse_push(parser, or ? OR : AND, step);
	lexer_next(&parser->lexer);
	return done;
}

static bool parse_line(struct parser *parser)
{
	struct err *err = parser->err;
	lexer_next(&parser->lexer);
	do {
		if (!parse_operand(parser) || !parse_closing(parser))
			return false;
	} while (parse_operator(parser));
	if (err->set)
		return false;
	end_operators(parser, OR);
	if (parser->depth)
		return lexer_fail(&parser->lexer, parser->waiting[parser->depth - 1].at, err,
		                  "this ( is not closed");
	return true;
}

bool filter_parse(struct filter *filter, const char *text, struct err *err)
{
	struct err why = {0};
	struct parser parser = {.lexer = {.line = text}, .filter = filter, .err = &why};
	bool done = parse_line(&parser);
	buf_free(&parser.lexer.text);
	if (!done && err && !err->set)
		*err = why;
	return done;
}
