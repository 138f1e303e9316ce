#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_equal(struct text a, struct text b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

bool text_is(struct text a, const char *literal)
{
	return text_equal(a, (struct text){literal, strlen(literal)});
}

struct text_number text_size(uint64_t bytes)
{
	static const char units[][3] = {"KB", "MB", "GB", "TB", "PB", "EB"};
	struct text_number made;
	double value = (double)bytes / 1024;
	size_t unit = 0;
	/* 1023.95 would be printed as 1024.0 */
	while (value >= 1023.95 && unit + 1 < sizeof units / sizeof *units) {
		value /= 1024;
		unit++;
	}
	if (bytes < 1024)
		snprintf(made.text, sizeof made.text, "%" PRIu64 " B", bytes);
	else
		snprintf(made.text, sizeof made.text, "%.1f %s", value, units[unit]);
	return made;
}

void text_add_size(struct buf *buf, uint64_t bytes)
{
	buf_add(buf, text_size(bytes).text);
}

struct text_number text_count(uint64_t count)
{
	struct text_number made;
	char digits[24];
	char *at = made.text;
	int len = snprintf(digits, sizeof digits, "%" PRIu64, count);
	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*at++ = ',';
		*at++ = digits[i];
	}
	*at = 0;
	return made;
}

void text_add_count(struct buf *buf, uint64_t count)
{
	buf_add(buf, text_count(count).text);
}

struct text_number text_number_of(uint64_t count, const char *one, const char *many)
{
	struct text_number made;
	snprintf(made.text, sizeof made.text, "%.26s %s", text_count(count).text,
	         count == 1 ? one : many);
	return made;
}

void text_add_number_of(struct buf *buf, uint64_t count, const char *one, const char *many)
{
	buf_addf(buf, "%s %s", text_count(count).text, count == 1 ? one : many);
}

void text_add_share(struct buf *buf, uint64_t part, uint64_t whole)
{
	if (whole)
		buf_addf(buf, "%.1f%%", 100.0 * (double)part / (double)whole);
}

struct text_number text_duration(uint64_t nanoseconds)
{
	struct text_number made;
	static const struct {
		/* the unit in seconds, and the number of units up to which it is used */
		double seconds, limit;
		const char *name;
	} units[] = {
		{1e-9, 1e3, "ns"}, {1e-6, 1e3, "us"}, {1e-3, 1e3, "ms"},      {1, 120, "s"},
		{60, 120, "min"},  {3600, 48, "h"},   {86400, 1e300, "days"},
	};
	double seconds = (double)nanoseconds / 1e9;
	size_t unit = 0;
	while (seconds / units[unit].seconds >= units[unit].limit)
		unit++;
	double value = seconds / units[unit].seconds;
	bool whole = value >= 10 || unit == 0;
	snprintf(made.text, sizeof made.text, "%.*f %s", whole ? 0 : 1, value, units[unit].name);
	return made;
}

void text_add_duration(struct buf *buf, uint64_t nanoseconds)
{
	buf_add(buf, text_duration(nanoseconds).text);
}

size_t text_trimmed(const char *text, size_t length)
{
	while (length && text[length - 1] == ' ')
		length--;
	return length;
}

void text_add_quoted(struct buf *buf, const char *before, const char *text)
{
	buf_addf(buf, "\"%s", before);
	for (; *text; text++) {
		if (*text == '"')
			buf_add_char(buf, '"');
		buf_add_char(buf, *text);
	}
	buf_add_char(buf, '"');
}

bool text_parse_number(const char *text, uint64_t *value)
{
	static const char units[] = "kmgt";
	if (!isdigit((unsigned char)*text))
		return false;
	char *end;
	bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	errno = 0;
	unsigned long long number = strtoull(text, &end, hexadecimal ? 16 : 10);
	if (errno || (hexadecimal && end <= text + 1))
		return false;
	if (!hexadecimal && *end) {
		const char *unit = strchr(units, tolower((unsigned char)*end));
		if (!unit || !*unit)
			return false;
		unsigned shift = 10 * (unsigned)(unit - units + 1);
		if (number > UINT64_MAX >> shift)
			return false;
		number <<= shift;
		end++;
		if (*end == 'i')
			end++;
		if (*end == 'B' || *end == 'b')
			end++;
	}
	*value = number;
	return *end == '\0';
}

int text_columns(const char *text)
{
	int columns = 0;
	size_t len = strlen(text);
	for (size_t i = 0; i < len;) {
		uint32_t c;
		i += text_decode(text + i, len - i, &c);
		columns += text_width(c);
	}
	return columns;
}

/* Returns true if a number with its unit, such as "30.9 MB", goes on at a space. */
static bool text_is_measure(const char *text, size_t space)
{
	static const char units[] = " B KB MB GB TB PB EB ns us ms s min h days ";
	size_t len = strcspn(text + space + 1, " ,.;:)");
	char word[8] = " ";
	if (!space || text[space - 1] < '0' || text[space - 1] > '9' || !len || len > 4)
		return false;
	memcpy(word + 1, text + space + 1, len);
	word[len + 1] = ' ';
	return strstr(units, word) != NULL;
}

size_t text_line(const char *text, int columns)
{
	size_t len = strlen(text), at = 0, space = 0, inside = 0, separator = 0;
	for (int used = 0; at < len;) {
		uint32_t c;
		size_t end = at + text_decode(text + at, len - at, &c);
		used += text_width(c);
		if (c == ' ')
			*(text_is_measure(text, at) ? &inside : &space) = at;
		if (at && strchr("./[", text[at]))
			separator = at;
		if (used > columns && at && c != ' ')
			return space ? space : inside ? inside : separator ? separator : at;
		at = end;
	}
	return at;
}
