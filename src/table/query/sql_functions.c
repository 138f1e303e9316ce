/* Functions that replace those of SQLite of the same name, which compare at every place of a text
   and cannot be interrupted while they do: with two values of 32 MB for years. These take one pass,
   or look whether they are cancelled (sql_pattern.c). */
#include "table/query/sql_functions.h"

#include "base/map.h"

#include <string.h>

/* json_patch compares every key with every other one. Its answer has no place in a heap. */
bool sql_function_is_slow(const char *name)
{
	return sqlite3_stricmp(name, "json_patch") == 0;
}

static struct text sql_argument(sqlite3_value *value)
{
	const char *data = (const char *)sqlite3_value_text(value);
	return (struct text){data ? data : "", data ? (size_t)sqlite3_value_bytes(value) : 0};
}

static bool sql_any_null(int count, sqlite3_value **arguments)
{
	bool any = false;
	for (int i = 0; i < count; i++)
		any |= sqlite3_value_type(arguments[i]) == SQLITE_NULL;
	return any;
}

/* Returns true if a byte continues a character of UTF-8. */
static bool sql_continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static void sql_instr(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	bool bytes = true;
	if (sql_any_null(count, arguments))
		return;
	for (int i = 0; i < count; i++)
		bytes &= sqlite3_value_type(arguments[i]) == SQLITE_BLOB;
	struct text in = sql_argument(arguments[0]), wanted = sql_argument(arguments[1]);
	const char *found = wanted.len ? memmem(in.data, in.len, wanted.data, wanted.len) : in.data;
	sqlite3_int64 place = found ? 1 : 0;
	for (const char *at = in.data; found && at < found; at++)
		place += bytes || !sql_continues(at[1]);
	sqlite3_result_int64(context, place);
}

/* ---- replace */

enum { STEP = 1024 };

/* Searches in steps not much longer than what is wanted: memmem may look at all that it is given,
   as with a sanitizer, which is too much for each of millions of short matches. needle_find is
   faster where bytes are rare, but compares at every place of a text that is made to harm. */
static const char *sql_find(const char *at, const char *end, struct text wanted)
{
	while ((size_t)(end - at) >= wanted.len) {
		size_t left = (size_t)(end - at), step = wanted.len + STEP;
		size_t size = left < step + wanted.len ? left : step + wanted.len;
		const char *found = memmem(at, size, wanted.data, wanted.len);
		if (found || size == left)
			return found;
		at += step;
	}
	return NULL;
}

static size_t sql_occurrences(struct text in, struct text wanted)
{
	size_t count = 0;
	const char *end = in.data + in.len, *at = in.data;
	while ((at = sql_find(at, end, wanted)) != NULL) {
		at += wanted.len;
		count++;
	}
	return count;
}

static char *sql_append(char *to, const char *data, size_t len)
{
	if (len)
		memcpy(to, data, len);
	return to + len;
}

static void sql_replace(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	if (sql_any_null(count - 1, arguments))
		return;
	struct text in = sql_argument(arguments[0]), wanted = sql_argument(arguments[1]);
	struct text by = sql_argument(arguments[2]);
	if (!wanted.len || !*wanted.data) {
		sqlite3_result_value(context, arguments[0]);
		return;
	}
	if (sqlite3_value_type(arguments[2]) == SQLITE_NULL)
		return;
	sqlite3 *db = sqlite3_context_db_handle(context);
	size_t times = sql_occurrences(in, wanted), rest = in.len - times * wanted.len;
	size_t most = (size_t)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1);
	if (rest > most || (by.len && times > (most - rest) / by.len)) {
		sqlite3_result_error_toobig(context);
		return;
	}
	size_t size = rest + times * by.len;
	char *made = sqlite3_malloc64(size + 1), *to = made;
	if (!made) {
		sqlite3_result_error_nomem(context);
		return;
	}
	const char *end = in.data + in.len, *at = in.data, *found;
	while ((found = sql_find(at, end, wanted)) != NULL) {
		to = sql_append(sql_append(to, at, (size_t)(found - at)), by.data, by.len);
		at = found + wanted.len;
	}
	*sql_append(to, at, (size_t)(end - at)) = 0;
	sqlite3_result_text64(context, made, size, sqlite3_free, SQLITE_UTF8);
}

/* ---- trim */

/* Returns the length of the character at the beginning of a text. */
static size_t sql_character(const char *at, const char *end)
{
	size_t len = 1;
	if ((unsigned char)*at >= 0xc0)
		while (at + len < end && sql_continues(at[len]))
			len++;
	return len;
}

/* Returns the bytes of a character as a key. What is longer than a key is no character, and not 0.
 */
static uint64_t sql_character_key(const char *at, size_t len)
{
	uint64_t key = 0;
	for (size_t i = 0; i < len && i < sizeof key; i++)
		key = key << 8 | (unsigned char)at[i];
	return key;
}

struct sql_characters {
	bool byte[256]; /* those of one byte */
	struct map others;
};

static struct sql_characters sql_characters_of(struct text of)
{
	struct sql_characters characters = {0};
	const char *end = of.data + of.len;
	for (const char *at = of.data; at < end && *at;) { /* a NUL ends it, as in SQLite */
		size_t len = sql_character(at, end);
		if (len == 1)
			characters.byte[(unsigned char)*at] = true;
		else
			map_put(&characters.others, sql_character_key(at, len), len);
		at += len;
	}
	return characters;
}

static bool sql_is_trimmed(const struct sql_characters *characters, const char *at, size_t len)
{
	uint64_t known;
	if (len == 1)
		return characters->byte[(unsigned char)*at];
	return map_get(&characters->others, sql_character_key(at, len), &known) && known == len;
}

enum { AT_BEGIN = 1, AT_END = 2 };

static void sql_trim(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	const struct sql_function *function = sqlite3_user_data(context);
	if (sql_any_null(count, arguments))
		return;
	struct text text = sql_argument(arguments[0]), space = {" ", 1};
	struct sql_characters characters =
		sql_characters_of(count > 1 ? sql_argument(arguments[1]) : space);
	const char *begin = text.data, *end = text.data + text.len;
	while (function->flags & AT_BEGIN && begin < end) {
		size_t len = sql_character(begin, end);
		if (!sql_is_trimmed(&characters, begin, len))
			break;
		begin += len;
	}
	while (function->flags & AT_END && begin < end) {
		const char *last = end - 1;
		/* No character is longer than its key. */
		while (last > begin && sql_continues(*last) && (size_t)(end - last) < sizeof(uint64_t))
			last--;
		if (sql_character(last, end) != (size_t)(end - last))
			last = end - 1; /* bytes that continue nothing are characters of their own */
		if (!sql_is_trimmed(&characters, last, (size_t)(end - last)))
			break;
		end = last;
	}
	map_free(&characters.others);
	sqlite3_result_text64(context, begin, (sqlite3_uint64)(end - begin), SQLITE_TRANSIENT,
	                      SQLITE_UTF8);
}

/* ---- Registration */

static const struct sql_function functions[] = {
	{"instr", 2, 0, sql_instr},
	{"replace", 3, 0, sql_replace},
	{"trim", 1, AT_BEGIN | AT_END, sql_trim},
	{"trim", 2, AT_BEGIN | AT_END, sql_trim},
	{"ltrim", 1, AT_BEGIN, sql_trim},
	{"ltrim", 2, AT_BEGIN, sql_trim},
	{"rtrim", 1, AT_END, sql_trim},
	{"rtrim", 2, AT_END, sql_trim},
};

int sql_functions_add(struct sql_database *database)
{
	const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int result = sql_pattern_add(database);
	for (size_t i = 0; i < sizeof functions / sizeof *functions && result == SQLITE_OK; i++)
		result = sqlite3_create_function(database->db, functions[i].name, functions[i].count, how,
		                                 (void *)&functions[i], functions[i].call, NULL, NULL);
	return result;
}
