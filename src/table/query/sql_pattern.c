/* LIKE and GLOB. A match is searched for as far as the last % before a difference, which goes back
   to behind that % and one character on; it looks now and then whether it is cancelled. */
#include "base/progress.h"
#include "table/query/sql_functions.h"

enum { LOOKS = 1 << 16 /* characters compared between two looks */, NONE = 0 };

struct sql_matcher {
	struct sql_database *database;
	bool is_glob;
	uint32_t escape; /* NONE: there is none */
	uint64_t compared;
	bool cancelled;
};

enum sql_part {
	PATTERN_END,
	PATTERN_ANY /* % */,
	PATTERN_ONE /* _ */,
	PATTERN_SET,
	PATTERN_CHARACTER,
	PATTERN_NEVER
};

/* Reads a character of UTF-8, as SQLite does: what continues nothing is one of its own. */
static uint32_t sql_pattern_read(const unsigned char **at)
{
	uint32_t character = *(*at)++;
	if (character < 0xc0)
		return character;
	character &= character < 0xe0 ? 0x1f : character < 0xf0 ? 0x0f : 0x07;
	while ((**at & 0xc0) == 0x80)
		character = character << 6 | (*(*at)++ & 0x3f);
	bool wrong = character < 0x80 || (character & 0xfffff800) == 0xd800
	             || (character & 0xfffffffe) == 0xfffe;
	return wrong ? 0xfffd : character;
}

static uint32_t sql_pattern_fold(uint32_t character)
{
	return character - 'A' < 26 ? character | 0x20 : character;
}

static bool sql_pattern_counts(struct sql_matcher *m)
{
	if (++m->compared % LOOKS == 0 && !progress_step(m->database->progress, 0))
		m->cancelled = true;
	return !m->cancelled;
}

/* Returns the next part of a pattern, and *character of it. For a set *at is behind its [. */
static enum sql_part sql_pattern_part(const struct sql_matcher *m, const unsigned char **at,
                                      uint32_t *character)
{
	if (!**at)
		return PATTERN_END;
	*character = sql_pattern_read(at);
	if (m->escape != NONE && *character == m->escape) {
		if (!**at)
			return PATTERN_NEVER;
		*character = sql_pattern_read(at);
		return PATTERN_CHARACTER;
	}
	if (*character == (m->is_glob ? '*' : '%'))
		return PATTERN_ANY;
	if (*character == (m->is_glob ? '?' : '_'))
		return PATTERN_ONE;
	return m->is_glob && *character == '[' ? PATTERN_SET : PATTERN_CHARACTER;
}

/* Returns true if a set such as [^a-z] has a character; *at gets behind it. A set without end has
   none. */
static bool sql_pattern_set(struct sql_matcher *m, const unsigned char **at, uint32_t wanted)
{
	bool inverted = **at == '^', has = false;
	uint32_t before = NONE, character;
	*at += inverted;
	for (bool first = true; **at && sql_pattern_counts(m); first = false) {
		character = sql_pattern_read(at);
		if (character == ']' && !first)
			return has != inverted;
		if (character == '-' && **at && **at != ']' && before != NONE) {
			character = sql_pattern_read(at);
			has |= wanted >= before && wanted <= character;
			before = NONE;
		} else {
			has |= wanted == character;
			before = character;
		}
	}
	return false;
}

static bool sql_pattern_matches(struct sql_matcher *m, const unsigned char *pattern,
                                const unsigned char *text)
{
	const unsigned char *pattern_back = NULL, *text_back = NULL; /* behind the last % */
	while (sql_pattern_counts(m)) {
		const unsigned char *next = pattern, *text_next = text;
		uint32_t wanted = NONE;
		enum sql_part part = sql_pattern_part(m, &next, &wanted);
		if (part == PATTERN_ANY) {
			if (!*next)
				return true;
			pattern = pattern_back = next;
			text_back = text;
			continue;
		}
		if (part == PATTERN_END && !*text)
			return true;
		uint32_t character = *text ? sql_pattern_read(&text_next) : NONE;
		bool fits = *text && part != PATTERN_END && part != PATTERN_NEVER;
		if (fits && part == PATTERN_SET)
			fits = sql_pattern_set(m, &next, character);
		else if (fits && part == PATTERN_CHARACTER)
			fits = wanted == character
			       || (!m->is_glob && sql_pattern_fold(wanted) == sql_pattern_fold(character));
		if (!fits && (!pattern_back || !*text_back || !*text))
			return false;
		if (!fits) {
			sql_pattern_read(&text_back);
			text_next = text_back;
			next = pattern_back;
		}
		pattern = next;
		text = text_next;
	}
	return false;
}

static void sql_pattern_call(sqlite3_context *context, int count, sqlite3_value **arguments,
                             bool is_glob)
{
	struct sql_matcher m = {.database = sqlite3_user_data(context), .is_glob = is_glob};
	if (count == 3) {
		const unsigned char *escape = sqlite3_value_text(arguments[2]);
		if (!escape)
			return;
		m.escape = *escape ? sql_pattern_read(&escape) : NONE;
		if (m.escape == NONE || *escape) {
			sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
			return;
		}
	}
	const unsigned char *pattern = sqlite3_value_text(arguments[0]);
	const unsigned char *text = sqlite3_value_text(arguments[1]);
	if (!pattern || !text)
		return;
	bool matches = sql_pattern_matches(&m, pattern, text);
	if (m.cancelled)
		sqlite3_result_error_code(context, SQLITE_INTERRUPT);
	else
		sqlite3_result_int(context, matches);
}

static void sql_like(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	sql_pattern_call(context, count, arguments, false);
}

static void sql_glob(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	sql_pattern_call(context, count, arguments, true);
}

static const struct sql_function patterns[] = {
	{"like", 2, 0, sql_like},
	{"like", 3, 0, sql_like},
	{"glob", 2, 0, sql_glob},
};

int sql_pattern_add(struct sql_database *database)
{
	const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int result = SQLITE_OK;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns && result == SQLITE_OK; i++)
		result = sqlite3_create_function(database->db, patterns[i].name, patterns[i].count, how,
		                                 database, patterns[i].call, NULL, NULL);
	return result;
}
