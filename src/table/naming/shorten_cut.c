/* Cuts names in their middle, at the borders of their parts. */
#include "shorten_parts.h"
#include "table/naming/shorten.h"

#include "base/text.h"

#include <string.h>

enum {
	HEAD_LEAST = 6, /* columns left for the beginning of a text before its last name */
	UNUSED_MOST = 7 /* columns that may remain unused so that the beginning ends with a part */
};

/* Returns how many columns the end gets at most: half of them, or more to fit the last name. */
static int shorten_tail(const char *text, int columns)
{
	int half = columns - 1 - columns / 2, most = columns - 1 - HEAD_LEAST;
	const char *name = NULL;
	int words = 0; /* words after the name: with two or more it is not the subject of the text */
	for (const char *at = text; *at; at++) {
		words += *at == ' ';
		if (*at == '.' && (shorten_is_letter(at[1]) || at[1] == '(')) {
			name = at;
			words = 0;
		}
	}
	int tail = name && words < 2 ? text_columns(name) : 0;
	return tail > half && tail <= most ? tail : half;
}

/* Returns true if a part of a name or a word begins at a byte of a text. */
static bool shorten_is_border(const char *text, size_t at)
{
	if (!at || text[at - 1] == ' ' || text[at - 1] == '/')
		return true;
	return (text[at] == '.' && text[at + 1] != '.') || (text[at] == '[' && text[at - 1] != '*');
}

/* Returns the byte at which the end of a text begins that fits into `columns`: with a part, if
   there is a part that does (*whole); else with any character. */
static size_t shorten_tail_start(const char *text, size_t len, int columns, bool *whole)
{
	int left = text_columns(text), depth = 0;
	size_t any = len, part = len;
	bool quoted = false;
	for (size_t at = 0; at < len;) {
		uint32_t c;
		bool border = !depth && !quoted && shorten_is_border(text, at);
		any = any == len && left <= columns ? at : any;
		part = part == len && left <= columns && border ? at : part;
		at += text_decode(text + at, len - at, &c);
		left -= text_width(c);
		quoted ^= c == '"';
		depth += c == '(' ? 1 : c == ')' && depth ? -1 : 0;
	}
	*whole = part < len;
	return *whole ? part : any;
}

/* Returns the length of the beginning of a text that fits into `columns`: up to the end of a part,
   if *whole and unless that wastes many columns. *whole stays true if there is a whole part. */
static size_t shorten_head_end(const char *text, size_t len, int columns, bool *whole)
{
	int used = 0, part_columns = 0, depth = 0;
	size_t part = 0, at = 0;
	bool quoted = false;
	while (at < len) {
		uint32_t c;
		size_t next = text_decode(text + at, len - at, &c);
		if (used <= columns && !depth && !quoted && at && shorten_is_border(text, at)) {
			part = at;
			part_columns = used;
		}
		if (used + text_width(c) > columns)
			break;
		quoted ^= c == '"';
		depth += c == '(' ? 1 : c == ')' && depth ? -1 : 0;
		used += text_width(c);
		at += next;
	}
	*whole = *whole && part;
	return *whole && used - part_columns < UNUSED_MOST ? part : at;
}

/* Appends a text that names a type without a name, with its beginning up to the first fields and
   what is behind them. Its end is nothing but braces. Returns true if the name of a field is left
   whole. */
static bool shorten_cut_fields(const char *text, size_t fields, size_t close, int columns,
                               struct buf *out)
{
	int behind = text_columns(text + close), all = text_columns(text);
	bool room = columns - 1 - behind > all - text_columns(text + fields);
	bool whole = room;
	size_t end = shorten_head_end(text, close, columns - 1 - (room ? behind : 0), &whole);
	while (end && text[end - 1] == ' ')
		end--;
	buf_add_bytes(out, text, end);
	buf_add(out, "…");
	if (room)
		buf_add(out, text + close);
	return room && whole && end > fields + 1;
}

bool shorten_cut(const char *text, int columns, struct buf *out)
{
	size_t len = strlen(text), label = shorten_label(text);
	if (text_columns(text) <= columns) {
		buf_add(out, text);
		return true;
	}
	int whole = columns > 2 * (int)label ? (int)label : 0; /* columns of a label that is kept */
	buf_add_bytes(out, text, (size_t)whole);
	text += whole;
	len -= (size_t)whole;
	columns -= whole;
	size_t close, fields = shorten_fields(text, &close);
	if (fields && (!text[close + 1] || text_columns(text + close) < columns / 2))
		return shorten_cut_fields(text, fields, close, columns, out);
	bool at_part;
	size_t start = shorten_tail_start(text, len, shorten_tail(text, columns), &at_part);
	size_t end = shorten_head_end(text, start, columns - 1 - text_columns(text + start), &at_part);
	while (end && text[end - 1] == ' ')
		end--;
	buf_add_bytes(out, text, end);
	buf_add(out, "…");
	buf_add(out, text + start);
	return at_part;
}

int shorten_least(const char *text, int most)
{
	SCOPED_BUF shorter = {0}, cut = {0};
	int columns = most;
	while (columns > HEAD_LEAST) {
		shorten_to(text, columns - 1, &shorter);
		int needed = text_columns(buf_text(&shorter));
		if (needed >= columns)
			break; /* at any narrower width the text is shortened to the same */
		columns = needed > HEAD_LEAST ? needed : HEAD_LEAST;
		buf_clear(&shorter);
	}
	while (columns > HEAD_LEAST && shorten_cut(buf_text(&shorter), columns - 1, &cut)) {
		columns--;
		buf_clear(&cut);
	}
	return columns;
}

/* Returns the length of what two texts begin with, in whole characters. */
static size_t shorten_common(const char *text, const char *other)
{
	size_t common = 0;
	while (text[common] && text[common] == other[common])
		common++;
	while (common && ((unsigned char)text[common] & 0xc0) == 0x80)
		common--;
	return common;
}

void shorten_apart(const char *text, const char *other, int columns, struct buf *out)
{
	enum { BEFORE = 4 }; /* bytes that are left before the difference */
	size_t differs = shorten_common(text, other), start = differs;
	while (start && !shorten_is_border(text, start))
		start--;
	if (!start || text_columns(text + start) - text_columns(text + differs) > columns / 3)
		for (start = differs;
		     start && (differs - start < BEFORE || ((unsigned char)text[start] & 0xc0) == 0x80);)
			start--;
	/* The part that differs, its beginning and its end. */
	size_t end = differs + (text[differs] != 0);
	while (text[end] && !shorten_is_border(text, end))
		end++;
	bool whole = true;
	int part = text_columns(text + start) - text_columns(text + end);
	int left = columns - 1 - text_columns(text + start);
	if (start && left <= 0 && part <= columns / 2)
		left = (columns - 1 - part) / 2;
	size_t head = start && left > 0 ? shorten_head_end(text, start, left, &whole) : 0;
	SCOPED_BUF before = {0};
	buf_add_bytes(&before, text, head);
	if (start)
		buf_add(&before, "…");
	buf_add(out, buf_text(&before));
	columns -= text_columns(buf_text(&before));
	if (head && part < columns) { /* the part stays whole */
		buf_add_bytes(out, text + start, end - start);
		columns -= part;
		start = end;
	}
	if (columns > 0)
		shorten_cut(text + start, columns, out);
}
