#include "table/query/filter_literal.h"

#include "base/mem.h"
#include "base/text.h"
#include "go/types/typing.h"
#include "table/query/filter.h"
#include "table/query/filter_pattern.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Significant digits after the point: with the largest unit they fit into 64 bits. */
enum { FRACTION = 5 };

#define KB     1024ULL
#define SECOND 1000000000ULL

/* A number without a unit has the first unit. */
struct unit {
	const char *name;
	uint64_t factor;
};
static const struct unit sizes[] = {
	{"B", 1},
	{"k", KB},
	{"KB", KB},
	{"KiB", KB},
	{"M", KB *KB},
	{"MB", KB *KB},
	{"MiB", KB *KB},
	{"G", KB *KB *KB},
	{"GB", KB *KB *KB},
	{"GiB", KB *KB *KB},
	{"T", KB *KB *KB *KB},
	{"TB", KB *KB *KB *KB},
	{"TiB", KB *KB *KB *KB},
	{0},
};
static const struct unit counts[] = {
	{"", 1}, {"k", 1000}, {"M", 1000000}, {"G", SECOND}, {"T", 1000 * SECOND}, {0},
};
static const struct unit times[] = {
	{"ns", 1},
	{"us", 1000},
	{"ms", 1000000},
	{"s", SECOND},
	{"min", 60 * SECOND},
	{"h", 3600 * SECOND},
	{"days", 86400 * SECOND},
	{"day", 86400 * SECOND},
	{"d", 86400 * SECOND},
	{0},
};
static const struct unit shares[] = {{"%", 1}, {0}};
static const struct unit addresses[] = {{"", 1}, {0}};

static const struct {
	const struct unit *units;
	const char *example;
} numbers[] = {
	[VALUE_ID] = {addresses, "a number such as 17"},
	[VALUE_COUNT] = {counts, "a number such as 12000, 12,000 or 12k"},
	[VALUE_BYTES] = {sizes, "a size such as 512, 4k, 1.5 MB or 2G"},
	[VALUE_ADDRESS] = {addresses, "an address such as 0xc000012340"},
	[VALUE_OFFSET] = {sizes, "an offset such as 0x18 or 24"},
	[VALUE_TIME] = {times, "a time such as 500 ms, 2.5 s, 31 min or 2 h"},
	[VALUE_SHARE] = {shares, "a share such as 12.5%"},
};

static const struct unit *find_unit(enum value_kind kind, const char *word)
{
	const struct unit *unit = numbers[kind].units;
	while (unit && unit->name && strcasecmp(unit->name, word) != 0)
		unit++;
	return unit && unit->name ? unit : NULL;
}

bool literal_is_unit(enum value_kind kind, const char *word)
{
	if (kind == VALUE_NONE) /* of any kind */
		return literal_is_unit(VALUE_TIME, word) || literal_is_unit(VALUE_BYTES, word);
	return *word && find_unit(kind, word);
}

/* Parses digits, possibly grouped: "12,250,000". False: too large, or none. */
static bool take_digits(const char **text, uint64_t *number)
{
	const char *at = *text;
	*number = 0;
	for (; isdigit((unsigned char)*at) || (*at == ',' && at > *text); at++) {
		if (*at == ',')
			continue;
		uint64_t digit = (uint64_t)(*at - '0');
		if (*number > (UINT64_MAX - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	bool some = at > *text;
	*text = at;
	return some;
}

/* Returns the digits after the point, in 1 / 10^FRACTION. */
static uint64_t take_fraction(const char **text, bool *more)
{
	uint64_t fraction = 0;
	int digits = 0;
	if (**text != '.')
		return 0;
	for (++*text; isdigit((unsigned char)**text); ++*text, digits++) {
		if (digits < FRACTION)
			fraction = fraction * 10 + (uint64_t)(**text - '0');
		else
			*more |= **text != '0';
	}
	for (; digits < FRACTION; digits++)
		fraction *= 10;
	return fraction;
}

static bool parse_hexadecimal(struct literal *literal, const char *text)
{
	char *end;
	if (strlen(text) > 2 + 16 || !isxdigit((unsigned char)text[2]))
		return false;
	literal->number = strtoull(text + 2, &end, 16);
	return *end == '\0';
}

static bool parse_decimal(struct literal *literal, enum value_kind kind, const char *text)
{
	static const uint64_t one = 100000; /* 10^FRACTION */
	uint64_t whole;
	if (!take_digits(&text, &whole))
		return false;
	uint64_t fraction = take_fraction(&text, &literal->more);
	text += strspn(text, " ");
	const struct unit *unit = *text ? find_unit(kind, text) : numbers[kind].units;
	if (!unit || whole > UINT64_MAX / unit->factor)
		return false;
	/* A time requires a unit, so that nobody takes 5 for minutes. */
	if (kind == VALUE_TIME && !*text && whole)
		return false;
	uint64_t part = fraction * unit->factor;
	literal->percent = (double)whole + (double)fraction / (double)one;
	literal->number = whole * unit->factor;
	if (part / one > UINT64_MAX - literal->number)
		return false;
	literal->number += part / one;
	literal->more |= part % one != 0;
	return true;
}

static bool parse_number(struct literal *literal, enum value_kind kind, const char *text)
{
	text += *text == '+' && kind == VALUE_OFFSET;
	literal->kind = kind == VALUE_SHARE ? LITERAL_SHARE : LITERAL_NUMBER;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return kind != VALUE_SHARE && kind != VALUE_TIME && parse_hexadecimal(literal, text);
	return kind != VALUE_ADDRESS && parse_decimal(literal, kind, text);
}

static bool parse_bool(struct literal *literal, const char *text)
{
	static const struct {
		const char *word;
		uint64_t value;
	} words[] = {{"yes", 1}, {"no", 0}, {"true", 1}, {"false", 0}};
	literal->kind = LITERAL_NUMBER;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcasecmp(words[i].word, text) != 0)
			continue;
		literal->number = words[i].value;
		return true;
	}
	return false;
}

/* Also parses the text as a number of any kind. */
static void parse_any(struct literal *literal, const char *text)
{
	static const enum value_kind kinds[] = {VALUE_COUNT, VALUE_TIME, VALUE_BYTES};
	struct literal number = {0};
	literal->is_bool = parse_bool(&number, text);
	literal->truth = number.number;
	literal->negative = *text == '-';
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !literal->is_number; i++) {
		number = (struct literal){0};
		literal->is_number = parse_number(&number, kinds[i], text + literal->negative);
		literal->number = number.number;
		literal->more = number.more;
	}
	literal->kind = LITERAL_ANY;
}

bool literal_parse(struct literal *literal, enum value_kind kind, const char *text, bool quoted,
                   struct err *err)
{
	*literal = (struct literal){.kind = LITERAL_TEXT, .text = mem_strdup(text)};
	if (!quoted && strcasecmp(text, "none") == 0) {
		literal->kind = LITERAL_NONE;
		return true;
	}
	if (kind == VALUE_NONE)
		parse_any(literal, text);
	if (kind == VALUE_TEXT || kind == VALUE_NONE)
		return true;
	if (kind == VALUE_BOOL)
		return parse_bool(literal, text) || err_set(err, "yes, no or none was expected");
	literal->negative = *text == '-'; /* differences may be negative */
	return parse_number(literal, kind, text + literal->negative)
	       || err_set(err, "%s was expected", numbers[kind].example);
}

bool literal_parse_pattern(struct literal *literal, const char *text, struct err *err)
{
	*literal = (struct literal){.kind = LITERAL_PATTERN, .text = mem_strdup(text)};
	if (!text[strcspn(text, "\\^$.[]|()*+?{}")])
		return true;
	if (!pattern_is_bounded(text, err))
		return false;
	int failed = regcomp(&literal->regex, text, REG_EXTENDED | REG_NOSUB);
	literal->special = !failed;
	if (!failed)
		return true;
	char why[100];
	regerror(failed, &literal->regex, why, sizeof why);
	return err_set(err, "a pattern was expected, but this is none: %s", why);
}

void literal_fini(struct literal *literal)
{
	if (literal->special)
		regfree(&literal->regex);
	free(literal->text);
}

bool literal_is_none(const struct value *value)
{
	return value->kind == VALUE_NONE || (value->kind == VALUE_TEXT && value->text->len == 0)
	       || (value->kind == VALUE_SHARE && value->whole == 0);
}

static int compare_numbers(const struct literal *literal, uint64_t number)
{
	if (number != literal->number)
		return number < literal->number ? -1 : 1;
	return literal->more ? -1 : 0;
}

static int compare_shares(const struct literal *literal, const struct value *value)
{
	double percent = 100.0 * (double)value->number / (double)value->whole;
	return percent < literal->percent ? -1 : percent > literal->percent;
}

static int compare_any_numbers(const struct literal *literal, const struct value *value)
{
	if (value->negative != literal->negative)
		return value->negative ? -1 : 1;
	int order = compare_numbers(literal, value->number);
	return value->negative ? -order : order;
}

/* Returns the text that a cell is compared with: people read the mark of a guess before its name.
 */
static const char *literal_text_for(const struct literal *literal, const struct value *value)
{
	return literal->text + (value->guess && *literal->text == TYPE_MARK);
}

/* Compares as numbers if both texts are numbers, such as 3.14, else as texts. */
static int compare_any_texts(const struct literal *literal, const struct value *value)
{
	const char *text = buf_text(value->text);
	char *end, *other_end;
	double number = strtod(text, &end), other = strtod(literal->text, &other_end);
	if (*text && *literal->text && !*end && !*other_end)
		return number < other ? -1 : number > other;
	return strcmp(text, literal_text_for(literal, value));
}

static bool compare_any(const struct literal *literal, const struct value *value, int *order)
{
	if (value->kind == VALUE_TEXT)
		*order = compare_any_texts(literal, value);
	else if (value->kind == VALUE_BOOL)
		*order = (int)value->number - (int)literal->truth;
	else
		*order = compare_any_numbers(literal, value);
	return value->kind == VALUE_TEXT
	       || (value->kind == VALUE_BOOL ? literal->is_bool : literal->is_number);
}

bool literal_compare(const struct literal *literal, const struct value *value, struct buf *cell,
                     int *order)
{
	if (literal->kind == LITERAL_ANY)
		return compare_any(literal, value, order);
	if (literal->kind == LITERAL_TEXT) {
		if (value->kind != VALUE_TEXT)
			value_add(value, cell);
		*order = strcmp(buf_text(cell), literal_text_for(literal, value));
	} else if (value->kind == VALUE_TEXT
	           || (literal->kind == LITERAL_SHARE) != (value->kind == VALUE_SHARE)) {
		return false;
	} else {
		*order = literal->kind == LITERAL_SHARE ? compare_shares(literal, value)
		                                        : compare_any_numbers(literal, value);
	}
	return true;
}

bool literal_matches(const struct literal *literal, const char *text)
{
	if (literal->special)
		return regexec(&literal->regex, text, 0, NULL, 0) == 0;
	return strstr(text, literal->text) != NULL;
}

bool filter_add_literal(const struct value *value, struct buf *out)
{
	static const char *const units[] = {[VALUE_TIME] = "ns", [VALUE_BYTES] = "B"};
	switch (value->kind) {
	case VALUE_NONE:
		buf_add(out, "none");
		return true;
	case VALUE_TEXT:
		text_add_quoted(out, "", buf_text(value->text));
		return true;
	case VALUE_BOOL:
	case VALUE_ADDRESS:
		value_add(value, out);
		return true;
	case VALUE_ID:
	case VALUE_COUNT:
		buf_addf(out, "%s%" PRIu64, value->negative ? "-" : "", value->number);
		return true;
	case VALUE_TIME:
	case VALUE_BYTES:
		buf_addf(out, "%s%" PRIu64 "%s", value->negative ? "-" : "", value->number,
		         units[value->kind]);
		return true;
	default:
		return false;
	}
}
