#include "chromium/format/events.h"

#include <ctype.h>
#include <string.h>

enum { PROBED = 1 << 16 };

static size_t skip_blanks(const struct events *e, size_t at)
{
	while (at < e->size
	       && (e->data[at] == ' ' || e->data[at] == '\t' || e->data[at] == '\n'
	           || e->data[at] == '\r'))
		at++;
	return at;
}

bool events_end_string(const uint8_t *data, size_t size, size_t quote)
{
	const struct events e = {.data = data, .size = size};
	size_t next = skip_blanks(&e, quote + 1);
	return next >= size || strchr(",:]}", data[next]);
}

/* Returns the position after the string that begins at `at`, or the file's size if it does not
   end. */
static size_t skip_string(const struct events *e, size_t at)
{
	for (at++; at < e->size; at++) {
		if (e->data[at] == '"' && events_end_string(e->data, e->size, at))
			return at + 1;
		at += e->data[at] == '\\';
	}
	return e->size;
}

/* Returns the position after a value of any kind; does not recurse. */
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

static bool events_find_text(const uint8_t *data, size_t size, const char *text)
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
		return events_find_text(data, size, "\"traceEvents\"")
		       || events_find_text(data, size, "\"metadata\"");
	if (data[at] != '[')
		return false;
	at = skip_blanks(&e, at + 1);
	if (at < size && data[at] == ']')
		return true;
	return at < size && data[at] == '{' && events_find_text(data, size, "\"ph\"");
}

/* Skips members of the outer object up to the array of events. Returns false if there is none. */
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

/* Returns the end of an object, and its phase from a member of the first level. Returns SIZE_MAX if
   it does not end, or ends with a bracket. */
static size_t events_cut(const struct events *e, size_t at, char *phase)
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

/* Returns true if the outer object is closed after the array. */
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

/* Returns true if an event begins at this brace. No other object of a trace begins with these
   keys. */
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
		if (e->size - key >= len && e->data[key + len - 1] == '"'
		    && is_string(e, key, key + len, keys[i]))
			return true;
	}
	return false;
}

/* Returns the start of the next event after one that does not end, or the file's size. Each such
   event is scanned to the end of the file, so their number is limited. */
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

/* Returns false if more events follow the bracket, which then does not end the array. */
static bool is_last(const struct events *e, size_t bracket)
{
	size_t next = skip_blanks(e, bracket + 1);
	if (next >= e->size || e->data[next] != ',')
		return true;
	next = skip_blanks(e, next + 1);
	return next >= e->size || e->data[next] != '{';
}

/* Skips an element that is no event. Returns false if the file ends within it. */
static bool skip_other(struct events *e)
{
	size_t after = skip_value(e, e->at);
	bool opens = e->data[e->at] == '[' || e->data[e->at] == '"';
	e->inside = after < e->size || !opens;
	e->at = after > e->at ? after : after + 1;
	e->skipped++;
	return e->inside;
}

static void events_take(struct events *e, struct event *event)
{
	size_t stop = events_cut(e, e->at, &event->phase);
	event->offset = e->at;
	event->ended = stop != SIZE_MAX;
	if (!event->ended) {
		stop = find_next(e, e->at);
		e->inside = stop < e->size; /* false: the file ends within this event */
	}
	event->text = (struct text){(const char *)e->data + e->at, stop - e->at};
	e->at = stop;
}

bool events_next(struct events *e, struct event *event)
{
	while (e->inside) {
		e->at = skip_blanks(e, e->at);
		if (e->at >= e->size || (e->data[e->at] == ']' && is_last(e, e->at))) {
			bool closed = e->at < e->size && e->data[e->at] == ']';
			e->complete = e->bare || (closed && is_closed(e, e->at + 1));
			e->inside = false;
			return false;
		}
		if (e->data[e->at] == '{') {
			events_take(e, event);
			return true;
		}
		if (e->data[e->at] == ',')
			e->at++;
		else if (!skip_other(e))
			return false;
	}
	return false;
}
