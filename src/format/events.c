#include "format/events.h"

#include <ctype.h>
#include <string.h>

enum { PROBED = 1 << 16 };

static size_t skip_blanks(const struct events *e, size_t at)
{
	while (at < e->size && (e->data[at] == ' ' || e->data[at] == '\t' || e->data[at] == '\n' ||
	                        e->data[at] == '\r'))
		at++;
	return at;
}

/* Some programs write quotes within names as they are: one that nothing follows which may follow a
   string is not the end of it. */
static bool ends_string(const struct events *e, size_t quote)
{
	size_t next = skip_blanks(e, quote + 1);
	return next >= e->size || strchr(",:]}", e->data[next]);
}

/* The first byte after a string that begins at `at`; the size of the file when it does not end. */
static size_t skip_string(const struct events *e, size_t at)
{
	for (at++; at < e->size && !(e->data[at] == '"' && ends_string(e, at)); at++)
		at += e->data[at] == '\\';
	return at < e->size ? at + 1 : e->size;
}

/* The same of any value, without recursion. */
static size_t skip_value(const struct events *e, size_t at)
{
	size_t depth = 0;
	while (at < e->size) {
		uint8_t c = e->data[at];
		if (c == '"') {
			at = skip_string(e, at);
		} else if (c == '{' || c == '[') {
			depth++;
			at++;
		} else if (c == '}' || c == ']') {
			if (depth == 0)
				return at;
			depth--;
			at++;
		} else if (depth == 0 && c == ',') {
			return at;
		} else {
			at++;
			continue;
		}
		if (depth == 0)
			return at;
	}
	return at;
}

static bool is_string(const struct events *e, size_t at, size_t end, const char *text)
{
	size_t len = strlen(text);
	return end - at == len + 2 && memcmp(e->data + at + 1, text, len) == 0;
}

static size_t begin_of(const uint8_t *data, size_t size)
{
	return size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static bool find_text(const uint8_t *data, size_t size, const char *text)
{
	return memmem(data, size < PROBED ? size : PROBED, text, strlen(text));
}

bool events_probe(const uint8_t *data, size_t size)
{
	const struct events e = {.data = data, .size = size};
	size_t at = skip_blanks(&e, begin_of(data, size));
	if (at >= size)
		return false;
	if (data[at] == '{')
		return find_text(data, size, "\"traceEvents\"") || find_text(data, size, "\"metadata\"");
	if (data[at] != '[')
		return false;
	at = skip_blanks(&e, at + 1);
	if (at < size && data[at] == ']')
		return true;
	return at < size && data[at] == '{' && find_text(data, size, "\"ph\"");
}

/* The members of the object around the events, up to these. */
static bool find_events(struct events *e)
{
	while ((e->at = skip_blanks(e, e->at)) < e->size && e->data[e->at] == '"') {
		size_t key = e->at, end = skip_string(e, key);
		size_t value = skip_blanks(e, end);
		if (value >= e->size || e->data[value] != ':')
			return false;
		value = skip_blanks(e, value + 1);
		bool wanted = is_string(e, key, end, "traceEvents");
		if (wanted && value < e->size && e->data[value] == '[') {
			e->at = value + 1;
			return true;
		}
		e->at = skip_blanks(e, skip_value(e, value));
		if (e->at < e->size && e->data[e->at] == ',')
			e->at++;
	}
	return false;
}

bool events_begin(struct events *e, const uint8_t *data, size_t size)
{
	*e = (struct events){.data = data, .size = size};
	e->at = skip_blanks(e, begin_of(data, size));
	if (e->at >= size)
		return false;
	e->bare = data[e->at++] == '[';
	e->inside = e->bare || find_events(e);
	return e->inside;
}

/* Cuts an object: its members at the first level are looked at for the phase. One that a bracket
   closes does not end. */
static size_t cut(const struct events *e, size_t at, char *phase)
{
	size_t depth = 0, key = 0, key_end = 0;
	*phase = 0;
	while (at < e->size) {
		uint8_t c = e->data[at];
		if (c == '"') {
			size_t end = skip_string(e, at);
			if (depth == 1 && key && end - at == 3 && is_string(e, key, key_end, "ph"))
				*phase = (char)e->data[at + 1];
			key = depth == 1 && !key ? at : 0;
			key_end = end;
			at = end;
			continue;
		}
		if (c == ']' && depth == 1)
			return SIZE_MAX;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		key = c == ',' || c == '{' || c == '[' ? 0 : key;
		at++;
		if (depth == 0)
			return at;
	}
	return SIZE_MAX;
}

/* What comes after the array; true when the object around it is closed. */
static bool is_closed(const struct events *e, size_t at)
{
	while (at < e->size) {
		at = skip_value(e, at);
		if (at < e->size && e->data[at] == '}')
			return true;
		at++;
	}
	return false;
}

static bool end(struct events *e)
{
	bool closed = e->at < e->size && e->data[e->at] == ']';
	e->complete = e->bare || (closed && is_closed(e, e->at + 1));
	e->inside = false;
	return false;
}

/* Does an event begin at this brace? No other object of a trace has these keys first. */
static bool begins_event(const struct events *e, size_t brace)
{
	static const char *const keys[] = {"pid", "tid", "ts", "ph", "cat", "args"};
	size_t key = skip_blanks(e, brace + 1), before = brace;
	while (before && isspace(e->data[before - 1]))
		before--;
	if (!before || e->data[before - 1] != ',' || key >= e->size || e->data[key] != '"')
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		size_t len = strlen(keys[i]) + 2;
		if (e->size - key >= len && e->data[key + len - 1] == '"' &&
		    is_string(e, key, key + len, keys[i]))
			return true;
	}
	return false;
}

/* Where the next event begins after one that does not end; the size of the file: nowhere. Every
   such event was read to the end of the file, so that only some are worth it. */
static size_t find_next(struct events *e, size_t at)
{
	enum { UNENDED = 16 };
	if (++e->unended > UNENDED)
		return e->size;
	do {
		const uint8_t *brace = memchr(e->data + at + 1, '{', e->size - at - 1);
		at = brace ? (size_t)(brace - e->data) : e->size;
	} while (at < e->size && !begins_event(e, at));
	return at;
}

/* A bracket that events come after does not end them. */
static bool is_last(const struct events *e, size_t bracket)
{
	size_t next = skip_blanks(e, bracket + 1);
	if (next >= e->size || e->data[next] != ',')
		return true;
	next = skip_blanks(e, next + 1);
	return next >= e->size || e->data[next] != '{';
}

/* What is no event. False: the file ends within it. */
static bool skip_other(struct events *e)
{
	size_t after = skip_value(e, e->at);
	bool opens = e->data[e->at] == '[' || e->data[e->at] == '"';
	e->inside = after < e->size || !opens;
	e->at = after > e->at ? after : after + 1;
	e->skipped++;
	return e->inside;
}

static void take(struct events *e, struct event *event)
{
	size_t stop = cut(e, e->at, &event->phase);
	event->offset = e->at;
	event->ended = stop != SIZE_MAX;
	if (!event->ended) {
		stop = find_next(e, e->at);
		e->inside = stop < e->size; /* else the file ends within this event */
	}
	event->text = (struct text){(const char *)e->data + e->at, stop - e->at};
	e->at = stop;
}

bool events_next(struct events *e, struct event *event)
{
	while (e->inside) {
		e->at = skip_blanks(e, e->at);
		if (e->at >= e->size || (e->data[e->at] == ']' && is_last(e, e->at)))
			return end(e);
		if (e->data[e->at] == '{') {
			take(e, event);
			return true;
		}
		if (e->data[e->at] == ',')
			e->at++;
		else if (!skip_other(e))
			return false;
	}
	return false;
}

/* ---- Cleaning */

static size_t hex_unit(const char *at, size_t left, uint32_t *unit)
{
	*unit = 0;
	if (left < 6 || at[0] != '\\' || at[1] != 'u')
		return 0;
	for (int i = 2; i < 6; i++) {
		if (!isxdigit((unsigned char)at[i]))
			return 0;
		*unit = *unit << 4 | (uint32_t)(isdigit((unsigned char)at[i]) ? at[i] - '0'
		                                                              : (at[i] | 0x20) - 'a' + 10);
	}
	return 6;
}

/* An escape: "\n", or both halves of a character. A backslash that begins none is of the name. */
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
	bool pair = first && first < 0xdc00 && hex_unit(at + 6, left - 6, &second) && second >= 0xdc00 &&
	            second <= 0xdfff;
	if (pair)
		buf_add_bytes(out, at, 12);
	else
		buf_add(out, "\\ufffd");
	return pair ? 12 : 6;
}

static size_t add_character(const char *at, size_t left, struct buf *out)
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

static size_t add_string(const struct events *e, size_t at, struct buf *out, size_t *quotes)
{
	const char *data = (const char *)e->data;
	size_t i = at + 1;
	buf_add_char(out, '"');
	while (i < e->size && !(data[i] == '"' && ends_string(e, i))) {
		if (data[i] == '"') {
			buf_add(out, "\\\"");
			i++;
			++*quotes;
		} else if (data[i] == '\\') {
			i += add_escape(data + i, e->size - i, out);
		} else {
			i += add_character(data + i, e->size - i, out);
		}
	}
	buf_add_char(out, '"');
	return i < e->size ? i + 1 - at : e->size - at;
}

static size_t add_number(const char *at, size_t left, struct buf *out)
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
	const struct events e = {.data = (const uint8_t *)event.data, .size = event.len};
	size_t quotes = 0;
	for (size_t i = 0; i < event.len;) {
		const char *at = event.data + i;
		if (*at == '"') {
			i += add_string(&e, i, out, &quotes);
		} else if (*at == '-' || isdigit((unsigned char)*at)) {
			i += add_number(at, event.len - i, out);
		} else {
			buf_add_char(out, *at);
			i++;
		}
	}
	return quotes;
}
