/* UTF-8, and bytes that nobody vouches for made visible: part of base/text.h. */
#include "base/text.h"

/* Length of the sequence that a first byte announces and the smallest code point that needs it. */
static size_t sequence(uint8_t first, uint32_t *smallest, uint32_t *bits)
{
	static const struct {
		uint8_t mask, mark, len;
		uint32_t smallest;
	} forms[] = {
		{0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000},
	};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
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

/* Ranges that take two columns (East Asian wide, emoji) or none (combining, joiners, variation
   selectors). Own table: wcwidth() knows nothing in the C locale, and screens must not depend on
   it. */
int text_width(uint32_t codepoint)
{
	static const struct {
		uint32_t first, last;
		int width;
	} ranges[] = {
		{0x0300, 0x036f, 0}, {0x0483, 0x0489, 0}, {0x0591, 0x05bd, 0}, {0x0610, 0x061a, 0},
		{0x064b, 0x065f, 0}, {0x1100, 0x115f, 2}, {0x1ab0, 0x1aff, 0}, {0x1dc0, 0x1dff, 0},
		{0x200b, 0x200f, 0}, {0x20d0, 0x20ff, 0}, {0x2e80, 0x303e, 2}, {0x3041, 0x33ff, 2},
		{0x3400, 0x4dbf, 2}, {0x4e00, 0x9fff, 2}, {0xa000, 0xa4cf, 2}, {0xa960, 0xa97f, 2},
		{0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2}, {0xfe00, 0xfe0f, 0}, {0xfe20, 0xfe2f, 0},
		{0xfe30, 0xfe6f, 2}, {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2},
		{0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0},
	};
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (codepoint >= ranges[i].first && codepoint <= ranges[i].last)
			return ranges[i].width;
	return 1;
}

/* Shown as it is: not a control character (C0, DEL, C1), not one that turns or hides the text
   around it (bidirectional overrides, zero width), not private or unassigned planes. */
static bool is_plain(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffd || c == 0xad)
		return false;
	if ((c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f))
		return false;
	return !(c >= 0xe000 && c < 0xf900) && c != 0xfeff && c < 0x30000 && (c & 0xfffe) != 0xfffe;
}

static void add_escaped(struct buf *buf, uint8_t byte)
{
	static const struct { uint8_t byte; const char *text; } named[] = {
		{'\n', "\\n"}, {'\t', "\\t"}, {'\r', "\\r"}, {'\\', "\\\\"},
	};
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (named[i].byte == byte) {
			buf_add(buf, named[i].text);
			return;
		}
	buf_addf(buf, "\\x%02x", byte);
}

void text_add_visible(struct buf *buf, const char *bytes, size_t len, size_t limit)
{
	size_t shown = len < limit ? len : limit;
	for (size_t i = 0; i < shown;) {
		uint32_t c;
		size_t step = text_decode(bytes + i, len - i, &c);
		if (c == '\\' || !is_plain(c)) {
			for (size_t k = 0; k < step; k++)
				add_escaped(buf, (uint8_t)bytes[i + k]);
		} else {
			buf_add_bytes(buf, bytes + i, step);
		}
		i += step;
	}
	if (shown < len)
		buf_add(buf, "…");
}
