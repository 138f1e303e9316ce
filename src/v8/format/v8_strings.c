#include "v8_strings.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* V8 cuts names at 1,024 characters. Only so many bytes of a longer string are looked at: it may be
   the name of any number of nodes. */
enum { KIND_SHIFT = 62, DIGITS = 9, SHOWN = 1 << 13 };

static const char pair_end[] = " pair in WeakMap (table @";

static bool v8_is_digits(const char *text, size_t len)
{
	size_t i = 0;
	while (i < len && text[i] >= '0' && text[i] <= '9')
		i++;
	return len && i == len;
}

/* Returns the digits of the table's id at the end of the description of a pair; empty: it is
   none. */
static struct text v8_pair_table(struct text string)
{
	size_t digits = 0, end = sizeof pair_end - 1;
	if (!string.len || string.data[string.len - 1] != ')')
		return (struct text){0};
	const char *last = string.data + string.len - 1;
	while (digits + 1 < string.len && last[-1 - (ptrdiff_t)digits] >= '0'
	       && last[-1 - (ptrdiff_t)digits] <= '9')
		digits++;
	if (!digits || string.len - 1 - digits < end || memcmp(last - digits - end, pair_end, end) != 0)
		return (struct text){0};
	return (struct text){last - digits, digits};
}

/* Returns the kind of a string, and sets *from to what is remembered of it: its text, of a pair the
   id of the table. */
static enum v8_string_kind v8_kind_of(struct text string, struct text *from)
{
	*from = string;
	if (string.len <= DIGITS && v8_is_digits(string.data, string.len)
	    && (string.len == 1 || *string.data != '0'))
		return V8_DIGITS;
	struct text table = v8_pair_table(string);
	if (!table.len || table.len > DIGITS * 2)
		return V8_TEXT;
	*from = table;
	return V8_PAIR;
}

bool v8_strings_read(struct v8_strings *strings, struct v8_json *json)
{
	struct text string;
	strings->data = json->data;
	bool whole = v8_json_take(json, '[');
	while (whole && !v8_json_take(json, ']')) {
		whole = (!strings->count || v8_json_take(json, ',')) && v8_json_string(json, &string);
		if (!whole)
			break;
		strings->place =
			mem_grow(strings->place, strings->count, &strings->capacity, sizeof *strings->place);
		enum v8_string_kind kind = v8_kind_of(string, &string);
		strings->place[strings->count++] = (uint64_t)kind << KIND_SHIFT
		                                   | (uint64_t)((const uint8_t *)string.data - json->data);
	}
	strings->end = json->at;
	return whole;
}

void v8_strings_free(struct v8_strings *strings)
{
	free(strings->place);
}

static uint64_t v8_strings_place(const struct v8_strings *strings, uint64_t number)
{
	return strings->place[number] & (((uint64_t)1 << KIND_SHIFT) - 1);
}

/* Returns the text of a string with its escapes, or the beginning of a long one. */
static struct text v8_strings_raw(const struct v8_strings *strings, uint64_t number)
{
	uint64_t place = v8_strings_place(strings, number), left = strings->end - place;
	struct v8_json json = {
		.data = strings->data, .at = place - 1, .end = left > SHOWN ? place + SHOWN : strings->end};
	struct text string;
	if (v8_json_string(&json, &string))
		return string;
	return (struct text){(const char *)json.data + place, (size_t)(json.end - place)};
}

enum v8_string_kind v8_strings_kind(const struct v8_strings *strings, uint64_t number)
{
	return (enum v8_string_kind)(strings->place[number] >> KIND_SHIFT);
}

bool v8_strings_is_empty(const struct v8_strings *strings, uint64_t number)
{
	return strings->data[v8_strings_place(strings, number)] == '"';
}

uint64_t v8_strings_number(const struct v8_strings *strings, uint64_t number)
{
	uint64_t value = 0;
	struct v8_json json = {
		.data = strings->data, .at = v8_strings_place(strings, number), .end = strings->end};
	return v8_json_number(&json, &value) ? value : 0;
}

void v8_strings_add(const struct v8_strings *strings, uint64_t number, struct buf *out)
{
	if (v8_strings_kind(strings, number) == V8_PAIR)
		buf_addf(out, "value in WeakMap @%" PRIu64, v8_strings_number(strings, number));
	else
		v8_json_decode(v8_strings_raw(strings, number), out);
}
