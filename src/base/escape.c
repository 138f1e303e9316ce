/* UTF-8 decoding, and escaping of untrusted bytes: part of base/text.h. */
#include "base/bound.h"
#include "base/text.h"
#include "base/unicode_table.h"

#include <string.h>

enum { MARKS = 2 /* combining marks allowed on a character */ };

/* Sequences of 2, 3 and 4 bytes. */
static const struct {
	uint8_t mask, mark, len;
	uint32_t smallest;
} forms[] = {
	{0xe0, 0xc0, 2, 0x80},
	{0xf0, 0xe0, 3, 0x800},
	{0xf8, 0xf0, 4, 0x10000},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* Returns the length of the sequence that a first byte, not of ASCII, announces, or 0; *smallest is
   the smallest code point that needs this length, *bits the payload bits of the first byte. */
static size_t sequence(uint8_t first, uint32_t *smallest, uint32_t *bits)
{
	for (size_t i = 0; i < FORMS; i++)
		if ((first & forms[i].mask) == forms[i].mark) {
			*smallest = forms[i].smallest;
			*bits = first & (uint8_t)~forms[i].mask;
			return forms[i].len;
		}
	return 0;
}

size_t text_decode(const char *bytes, size_t len, uint32_t *codepoint)
{
	uint32_t smallest = 0, value = 0;
	if ((uint8_t)bytes[0] < 0x80) {
		*codepoint = (uint8_t)bytes[0];
		return 1;
	}
	size_t need = sequence((uint8_t)bytes[0], &smallest, &value);
	*codepoint = 0xfffd;
	if (need == 0 || need > len)
		return 1;
	for (size_t i = 1; i < need; i++) {
		if (((uint8_t)bytes[i] & 0xc0) != 0x80)
			return 1;
		value = value << 6 | ((uint8_t)bytes[i] & 0x3f);
	}
	if (value < smallest || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 1;
	*codepoint = value;
	return need;
}

void text_add_character(struct buf *out, uint32_t codepoint)
{
	size_t more = 0; /* bytes after the first */
	while (more < FORMS && codepoint >= forms[more].smallest)
		more++;
	buf_add_char(out, (char)((more ? forms[more - 1].mark : 0U) | codepoint >> 6 * more));
	while (more-- > 0)
		buf_add_char(out, (char)(0x80U | (codepoint >> 6 * more & 0x3f)));
}

static bool is_among(const struct range *ranges, size_t count, uint32_t c)
{
	size_t at = lower_bound(ranges, count, BOUND_BY(struct range, last), c);
	return at < count && ranges[at].first <= c;
}

/* Width and printability come from tables of this project: wcwidth() and iswprint() know only ASCII
   in the C locale, and screens must not depend on the locale. */
#define IS_AMONG(ranges, c) is_among(ranges, sizeof ranges / sizeof *ranges, c)

static bool is_ascii(uint32_t c)
{
	return c >= 0x20 && c < 0x7f;
}

bool text_is_plain(uint32_t c)
{
	return is_ascii(c) || !IS_AMONG(hidden_ranges, c);
}

int text_width(uint32_t c)
{
	if (is_ascii(c) || IS_AMONG(hidden_ranges, c))
		return 1;
	return IS_AMONG(mark_ranges, c) ? 0 : IS_AMONG(wide_ranges, c) ? 2 : 1;
}

static void add_escaped(struct buf *buf, uint8_t byte)
{
	static const struct {
		uint8_t byte;
		const char *text;
	} named[] = {
		{'\n', "\\n"},
		{'\t', "\\t"},
		{'\r', "\\r"},
		{'\\', "\\\\"},
	};
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (named[i].byte == byte) {
			buf_add(buf, named[i].text);
			return;
		}
	static const char digits[] = "0123456789abcdef";
	buf_add_bytes(buf, (char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, 4);
}

/* More marks than MARKS would grow over the neighboring lines; a mark without a base character
   would combine with a character of the screen. `marks` is how many more may follow. */
bool text_is_shown(uint32_t c, unsigned *marks)
{
	if (text_is_plain(c) && !text_width(c))
		return *marks && (*marks)--;
	*marks = text_is_plain(c) ? MARKS : 0;
	return *marks;
}

size_t text_ascii_length(const char *bytes, size_t len, unsigned *marks)
{
	size_t at = 0;
	while (at < len && is_ascii((uint8_t)bytes[at]) && bytes[at] != '"' && bytes[at] != '\\')
		at++;
	*marks = at ? MARKS : *marks;
	return at;
}

/* Appends the next character, escaped if necessary. Returns its length in bytes. */
static size_t escape_add_character(struct buf *buf, const char *bytes, size_t len, unsigned *marks,
                                   bool escapes_backslash)
{
	uint32_t c;
	size_t step = text_decode(bytes, len, &c);
	if (text_is_shown(c, marks) && (c != '\\' || !escapes_backslash))
		buf_add_bytes(buf, bytes, step);
	else
		for (size_t k = 0; k < step; k++)
			add_escaped(buf, (uint8_t)bytes[k]);
	return step;
}

void text_add_escaped(struct buf *buf, const char *bytes, size_t len, size_t limit)
{
	size_t shown = len < limit ? len : limit;
	unsigned marks = 0;
	for (size_t i = 0; i < shown;) {
		size_t ascii = text_ascii_length(bytes + i, shown - i, &marks);
		buf_add_bytes(buf, bytes + i, ascii);
		i += ascii;
		if (i < shown)
			i += escape_add_character(buf, bytes + i, len - i, &marks, true);
	}
	if (shown < len)
		buf_add_cut(buf);
}

/* Appends a character that is not shown, or has a meaning in quotation marks. */
static void escape_add_key_character(struct buf *buf, const char *bytes, size_t step, uint32_t c)
{
	static const char controls[] = "\a\b\t\n\v\f\r", letters[] = "abtnvfr";
	const char *named = c && c < 0x80 ? strchr(controls, (int)c) : NULL;
	if (c == '"' || c == '\\')
		buf_add_bytes(buf, (char[]){'\\', (char)c}, 2);
	else if (named)
		buf_add_bytes(buf, (char[]){'\\', letters[named - controls]}, 2);
	else if (step == 1)
		add_escaped(buf, (uint8_t)*bytes);
	else
		buf_addf(buf, c > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)c);
}

void text_add_key(struct buf *buf, const char *bytes, size_t len, size_t limit)
{
	size_t shown = len < limit ? len : limit;
	unsigned marks = 0;
	buf_add_char(buf, '"');
	for (size_t i = 0; i < shown;) {
		size_t ascii = text_ascii_length(bytes + i, shown - i, &marks);
		buf_add_bytes(buf, bytes + i, ascii);
		i += ascii;
		if (i == shown)
			break;
		uint32_t c;
		size_t step = text_decode(bytes + i, len - i, &c);
		if (c != '"' && c != '\\' && text_is_shown(c, &marks))
			buf_add_bytes(buf, bytes + i, step);
		else
			escape_add_key_character(buf, bytes + i, step, c);
		i += step;
	}
	if (shown < len)
		buf_add_cut(buf);
	buf_add_char(buf, '"');
}

void text_add_safe(struct buf *buf, const char *text)
{
	unsigned marks = 0;
	for (size_t len = strlen(text), i = 0; i < len;)
		i += escape_add_character(buf, text + i, len - i, &marks, false);
}
