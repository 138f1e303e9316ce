/* Rewrites events for a strict JSON parser. */
#include "chromium/format/events.h"

#include <ctype.h>
#include <string.h>

static size_t hex_unit(const char *at, size_t left, uint32_t *unit)
{
	*unit = 0;
	if (left < 6 || at[0] != '\\' || at[1] != 'u')
		return 0;
	for (int i = 2; i < 6; i++) {
		if (!isxdigit((unsigned char)at[i]))
			return 0;
		*unit =
			*unit << 4
			| (uint32_t)(isdigit((unsigned char)at[i]) ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10);
	}
	return 6;
}

/* Appends an escape such as "\n", or a surrogate pair. A backslash that begins no escape is part of
   the name. Returns the bytes consumed. */
static size_t add_escape(const char *at, size_t left, struct buf *out)
{
	uint32_t first, second;
	if (!hex_unit(at, left, &first)) {
		bool escape = left > 1 && at[1] && strchr("\"\\/bfnrt", at[1]);
		buf_add_bytes(out, escape ? at : "\\\\", 2);
		return escape ? 2 : 1;
	}
	if (first && (first < 0xd800 || first > 0xdfff)) {
		buf_add_bytes(out, at, 6);
		return 6;
	}
	bool pair = first && first < 0xdc00 && hex_unit(at + 6, left - 6, &second) && second >= 0xdc00
	            && second <= 0xdfff;
	if (pair)
		buf_add_bytes(out, at, 12);
	else
		buf_add(out, "\\ufffd");
	return pair ? 12 : 6;
}

static size_t events_clean_add_character(const char *at, size_t left, struct buf *out)
{
	uint32_t c;
	if (*at && (unsigned char)*at < 0x20) {
		buf_addf(out, "\\u%04x", (unsigned)*at);
		return 1;
	}
	size_t len = text_decode(at, left, &c);
	if (c == 0xfffd || c == 0)
		buf_add(out, "\xef\xbf\xbd");
	else
		buf_add_bytes(out, at, len);
	return len;
}

static size_t events_clean_add_string(struct text event, size_t at, struct buf *out, size_t *quotes)
{
	const char *data = event.data;
	size_t i = at + 1;
	buf_add_char(out, '"');
	while (i < event.len) {
		if (data[i] == '"') {
			if (events_end_string((const uint8_t *)data, event.len, i))
				break;
			buf_add(out, "\\\"");
			i++;
			++*quotes;
		} else if (data[i] == '\\') {
			i += add_escape(data + i, event.len - i, out);
		} else {
			i += events_clean_add_character(data + i, event.len - i, out);
		}
	}
	buf_add_char(out, '"');
	return i < event.len ? i + 1 - at : event.len - at;
}

static size_t events_clean_add_number(const char *at, size_t left, struct buf *out)
{
	enum { EXACT = 18 };
	size_t len = 0, digits = 0;
	bool power = false;
	for (; len < left && strchr("0123456789+-.eE", at[len]) && at[len]; len++) {
		digits += isdigit((unsigned char)at[len]) != 0;
		power = power || (at[len] | 0x20) == 'e';
	}
	bool wide = power || digits > EXACT;
	if (wide)
		buf_addf(out, "\"\\u%04x", EVENTS_NUMBER);
	buf_add_bytes(out, at, len);
	if (wide)
		buf_add_char(out, '"');
	return len;
}

size_t events_clean(struct text event, struct buf *out)
{
	size_t quotes = 0;
	for (size_t i = 0; i < event.len;) {
		const char *at = event.data + i;
		if (*at == '"') {
			i += events_clean_add_string(event, i, out, &quotes);
		} else if (*at == '-' || isdigit((unsigned char)*at)) {
			i += events_clean_add_number(at, event.len - i, out);
		} else {
			buf_add_char(out, *at);
			i++;
		}
	}
	return quotes;
}
