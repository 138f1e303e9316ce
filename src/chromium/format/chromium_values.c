/* Names and numbers in traces: text, plain numbers, hexadecimal text. */
#include "chromium/format/chromium_read.h"
#include "chromium/format/events.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t chromium_name(struct chromium *c, const char *text, size_t len)
{
	return heap_profiles_name(c->heap_profiles, (struct text){text, len});
}

uint32_t chromium_read_name(struct chromium *c, const json_t *value)
{
	char digits[32];
	if (json_is_string(value)) {
		const char *text = json_string_value(value);
		size_t len = json_string_length(value), skip = len && *text == EVENTS_NUMBER;
		return chromium_name(c, text + skip, len - skip);
	}
	if (!json_is_integer(value))
		return 0;
	int len = snprintf(digits, sizeof digits, "%" PRId64, (int64_t)json_integer_value(value));
	return chromium_name(c, digits, (size_t)len);
}

static bool chromium_values_parse(const char *text, size_t len, unsigned base, uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t value = 0;
	for (size_t i = 0; i < len; i++) {
		const char *digit = memchr(digits, tolower((unsigned char)text[i]), base);
		if (!digit || value > (UINT64_MAX - (uint64_t)(digit - digits)) / base)
			return false;
		value = value * base + (uint64_t)(digit - digits);
	}
	*number = value;
	return len > 0;
}

static bool take_real(double real, uint64_t *number)
{
	bool fits = real >= 0 && real < 0x1p64;
	if (fits)
		*number = (uint64_t)real;
	return fits;
}

bool chromium_read_number(const json_t *value, uint64_t *number)
{
	if (json_is_real(value))
		return take_real(json_real_value(value), number);
	if (json_is_integer(value)) {
		*number = (uint64_t)json_integer_value(value);
		return json_integer_value(value) >= 0;
	}
	if (!json_string_length(value) || *json_string_value(value) != EVENTS_NUMBER)
		return false;
	const char *digits = json_string_value(value) + 1;
	return chromium_values_parse(digits, json_string_length(value) - 1, 10, number)
	       || take_real(strtod(digits, NULL), number);
}

bool chromium_read_hex(struct reading *r, const json_t *value, uint64_t *number)
{
	if (chromium_read_number(value, number)) {
		r->plain_numbers++;
		return true;
	}
	return json_is_string(value)
	       && chromium_values_parse(json_string_value(value), json_string_length(value), 16,
	                                number);
}
