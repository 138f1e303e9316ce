#include "netcf/format/lines.h"

#include <string.h>

enum { PROBED = 1 << 16 };
enum { SURROGATE = 0xd800, LOW_SURROGATE = 0xdc00, SURROGATES_END = 0xe000, REPLACEMENT = 0xfffd };

/* Guesses the encoding without a byte order mark: a letter next to a zero byte is UTF-16. */
static enum encoding lines_guess(const struct lines *lines)
{
	if (lines->size >= 2 && lines->data[0] && !lines->data[1])
		return ENCODING_UTF16LE;
	if (lines->size >= 2 && !lines->data[0] && lines->data[1])
		return ENCODING_UTF16BE;
	return ENCODING_UTF8;
}

static uint32_t unit_at(const struct lines *lines, size_t at)
{
	if (lines->encoding == ENCODING_UTF8)
		return lines->data[at];
	bool big = lines->encoding == ENCODING_UTF16BE;
	return (uint32_t)lines->data[at + !big] << 8 | lines->data[at + big];
}

/* Returns true if the first line ends with a CR without an LF. */
static bool has_cr_only(const struct lines *lines)
{
	size_t width = lines->encoding == ENCODING_UTF8 ? 1 : 2, end = lines->size;
	if (end - lines->at > PROBED)
		end = lines->at + PROBED;
	for (size_t at = lines->at; at + 2 * width <= end; at += width) {
		uint32_t c = unit_at(lines, at);
		if (c == '\n' || c == '\r')
			return c == '\r' && unit_at(lines, at + width) != '\n';
	}
	return false;
}

struct lines lines_begin(const uint8_t *data, size_t size)
{
	static const struct {
		const char *mark;
		size_t len;
		enum encoding encoding;
	} marks[] = {
		{"\xef\xbb\xbf", 3, ENCODING_UTF8},
		{"\xff\xfe", 2, ENCODING_UTF16LE},
		{"\xfe\xff", 2, ENCODING_UTF16BE},
	};
	struct lines lines = {.data = data, .size = size};
	lines.encoding = lines_guess(&lines);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (size >= marks[i].len && memcmp(data, marks[i].mark, marks[i].len) == 0) {
			lines.at = marks[i].len;
			lines.encoding = marks[i].encoding;
		}
	lines.by_cr = has_cr_only(&lines);
	return lines;
}

struct lines lines_at(const struct lines *lines, uint64_t offset)
{
	return (struct lines){.data = lines->data,
	                      .size = lines->size,
	                      .encoding = lines->encoding,
	                      .by_cr = lines->by_cr,
	                      .at = offset < lines->size ? (size_t)offset : lines->size};
}

void lines_end(struct lines *lines)
{
	buf_free(&lines->decoded);
}

bool lines_are_borrowed(const struct lines *lines)
{
	return lines->encoding == ENCODING_UTF8;
}

/* Decodes one UTF-16 character; an unpaired surrogate is U+FFFD. */
static uint32_t take_character(struct lines *lines)
{
	uint32_t unit = unit_at(lines, lines->at);
	lines->at += 2;
	if (unit < SURROGATE || unit >= SURROGATES_END)
		return unit;
	if (unit >= LOW_SURROGATE || lines->size - lines->at < 2)
		return REPLACEMENT;
	uint32_t low = unit_at(lines, lines->at);
	if (low < LOW_SURROGATE || low >= SURROGATES_END)
		return REPLACEMENT;
	lines->at += 2;
	return 0x10000 + ((unit - SURROGATE) << 10) + (low - LOW_SURROGATE);
}

/* Decodes a UTF-16 line. A single byte at the end of the file is ignored. */
static struct text take_utf16(struct lines *lines)
{
	buf_clear(&lines->decoded);
	while (!lines->ended && lines->size - lines->at >= 2) {
		uint32_t c = take_character(lines);
		lines->ended = c == '\n' || (lines->by_cr && c == '\r');
		if (!lines->ended)
			text_add_character(&lines->decoded, c);
	}
	if (!lines->ended)
		lines->at = lines->size;
	return (struct text){buf_text(&lines->decoded), lines->decoded.len};
}

static const char *find_either(const char *start, size_t left)
{
	for (; left; start++, left--)
		if (*start == '\r' || *start == '\n')
			return start;
	return NULL;
}

static struct text take_utf8(struct lines *lines)
{
	const char *start = (const char *)lines->data + lines->at;
	size_t left = lines->size - lines->at;
	const char *end = lines->by_cr ? find_either(start, left) : memchr(start, '\n', left);
	struct text line = {start, end ? (size_t)(end - start) : left};
	lines->ended = end != NULL;
	lines->at += line.len + lines->ended;
	return line;
}

bool lines_next(struct lines *lines, uint64_t *offset, struct text *line)
{
	if (lines->at >= lines->size)
		return false;
	*offset = lines->at;
	lines->ended = false;
	lines->number++;
	*line = lines->encoding == ENCODING_UTF8 ? take_utf8(lines) : take_utf16(lines);
	if (line->len && line->data[line->len - 1] == '\r')
		line->len--;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct text line_word(struct text *line)
{
	while (line->len && is_blank(*line->data)) {
		line->data++;
		line->len--;
	}
	struct text word = {line->data, 0};
	while (word.len < line->len && !is_blank(word.data[word.len]))
		word.len++;
	line->data += word.len;
	line->len -= word.len;
	return word;
}

struct text line_trim(struct text line)
{
	while (line.len && is_blank(*line.data)) {
		line.data++;
		line.len--;
	}
	while (line.len && is_blank(line.data[line.len - 1]))
		line.len--;
	return line;
}

static int lines_digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	char lower = (char)(c | 0x20);
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool line_hex(struct text text, uint64_t *number)
{
	uint64_t value = 0;
	if (text.len == 0 || text.len > 16)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		int digit = lines_digit_of(text.data[i]);
		if (digit < 0)
			return false;
		value = value << 4 | (unsigned)digit;
	}
	*number = value;
	return true;
}
