/* Text in the language of manual pages (mdoc): part of main/manual.h. */
#include "main/manual.h"

#include <stdbool.h>
#include <string.h>

enum { LINE = 78 };

static void manual_add_word(struct buf *out, const char *word, size_t length, bool begins_line)
{
	if (begins_line && (*word == '.' || *word == '\''))
		buf_add(out, "\\&");
	for (size_t i = 0; i < length; i++) {
		if (word[i] == '\\')
			buf_add(out, "\\e");
		else
			buf_add_char(out, word[i]);
	}
}

/* Wraps lines, and begins a new line with every sentence. */
void manual_text(struct buf *out, const char *text)
{
	size_t column = 0;
	while (*text) {
		size_t length = strcspn(text, " ");
		bool sentence = column && text[-2] == '.';
		if (column && (sentence || column + 1 + length > LINE)) {
			buf_add_char(out, '\n');
			column = 0;
		}
		if (column)
			buf_add_char(out, ' ');
		manual_add_word(out, text, length, column == 0);
		column += length + (column > 0);
		text += length;
		text += *text == ' ';
	}
	buf_add_char(out, '\n');
}
