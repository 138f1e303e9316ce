#include "v8_json.h"

#include <string.h>

bool v8_json_more(struct v8_json *json)
{
	while (json->at < json->end) {
		uint8_t c = json->data[json->at];
		if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
			return true;
		json->at++;
	}
	return false;
}

bool v8_json_take(struct v8_json *json, char c)
{
	if (!v8_json_more(json) || json->data[json->at] != (uint8_t)c)
		return false;
	json->at++;
	return true;
}

bool v8_json_number(struct v8_json *json, uint64_t *number)
{
	if ((json->inside && !v8_json_take(json, ',')) || !v8_json_more(json))
		return false;
	uint64_t value = 0, at = json->at;
	json->inside = true;
	for (; at < json->end; at++) {
		unsigned digit = (unsigned)json->data[at] - '0';
		if (digit > 9)
			break;
		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	bool good = at > json->at && (json->data[json->at] != '0' || at == json->at + 1);
	if (!good)
		return false;
	json->at = at;
	*number = value;
	return true;
}

bool v8_json_index(struct v8_json *json, uint64_t *number)
{
	struct v8_json before = *json;
	*number = 0;
	if ((json->inside && !v8_json_take(json, ',')) || !v8_json_take(json, '-')) {
		*json = before;
		return v8_json_number(json, number);
	}
	json->inside = false;
	bool known = json->at < json->end && (unsigned)json->data[json->at] - '0' <= 9
	             && v8_json_number(json, number) && *number <= UINT64_C(1) << 31;
	*number = (UINT64_C(1) << 32) - *number;
	return known;
}

static bool v8_json_hex(const char *digits, size_t len, uint32_t *code)
{
	*code = 0;
	for (size_t i = 0; i < 4; i++) {
		if (i == len)
			return false;
		char c = digits[i];
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
		                 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
		                 : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
		                                        : 16;
		if (digit == 16)
			return false;
		*code = *code << 4 | digit;
	}
	return true;
}

/* Notes an escape that is none. Returns the offset of its last character. */
static uint64_t v8_json_escape(struct v8_json *json, uint64_t at)
{
	const char *rest = (const char *)json->data + at + 1;
	size_t left = (size_t)(json->end - at - 1);
	uint32_t code;
	bool good = left && *rest && strchr("\"\\/bfnrtu", *rest)
	            && (*rest != 'u' || v8_json_hex(rest + 1, left - 1, &code));
	if (!good && !json->malformed)
		json->malformed = at + 1;
	return at + 1;
}

/* Moves behind the quote that ends a string. */
static bool v8_json_end_string(struct v8_json *json)
{
	for (uint64_t at = json->at; at < json->end; at++) {
		uint8_t c = json->data[at];
		if (c == '"') {
			json->at = at + 1;
			return true;
		}
		if (c == '\\')
			at = v8_json_escape(json, at);
		else if (c < ' ' && !json->malformed)
			json->malformed = at + 1;
	}
	json->at = json->end;
	return false;
}

bool v8_json_string(struct v8_json *json, struct text *string)
{
	if (!v8_json_take(json, '"'))
		return false;
	uint64_t start = json->at;
	if (!v8_json_end_string(json))
		return false;
	*string = (struct text){(const char *)json->data + start, (size_t)(json->at - 1 - start)};
	return true;
}

bool v8_json_skip(struct v8_json *json)
{
	uint64_t depth = 0;
	while (v8_json_more(json)) {
		uint8_t c = json->data[json->at];
		if (c == '"') {
			json->at++;
			if (!v8_json_end_string(json))
				return false;
		} else if (c == '[' || c == '{') {
			depth++;
			json->at++;
			continue;
		} else if (c == ']' || c == '}') {
			if (depth == 0)
				return false;
			depth--;
			json->at++;
		} else {
			json->at++;
			if (depth || c == ',')
				continue;
			while (json->at < json->end && !memchr(",]} \n\t\r", json->data[json->at], 7))
				json->at++;
		}
		if (depth == 0)
			return true;
	}
	return false;
}

/* Appends the character of \uXXXX, or of two of them for one beyond U+FFFF. Returns how many bytes
   behind the u they take; 0: there are no four digits. */
static size_t v8_json_unescape(const char *digits, size_t len, struct buf *out)
{
	uint32_t code, low;
	if (!v8_json_hex(digits, len, &code))
		return 0;
	bool pair = code >= 0xd800 && code < 0xdc00 && len >= 10 && digits[4] == '\\'
	            && digits[5] == 'u' && v8_json_hex(digits + 6, len - 6, &low) && low >= 0xdc00
	            && low < 0xe000;
	if (pair)
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	else if (code >= 0xd800 && code < 0xe000)
		code = 0xfffd;
	text_add_character(out, code);
	return pair ? 10 : 4;
}

void v8_json_decode(struct text string, struct buf *out)
{
	static const char letters[] = "nrtbf", values[] = "\n\r\t\b\f";
	for (size_t i = 0; i < string.len; i++) {
		const char *escape = memchr(string.data + i, '\\', string.len - i);
		size_t plain = escape ? (size_t)(escape - string.data) - i : string.len - i;
		buf_add_bytes(out, string.data + i, plain);
		i += plain + 1;
		if (i >= string.len)
			return;
		char c = string.data[i];
		const char *letter = c ? strchr(letters, c) : NULL;
		size_t digits = c == 'u' ? v8_json_unescape(string.data + i + 1, string.len - i - 1, out)
		                         : 0;
		i += digits;
		if (!digits)
			buf_add_char(out, letter ? values[letter - letters] : c);
	}
}
