/* goheapx manual: prints the whole manual page. */
#include "main/manual.h"

#include "main/commands.h"
#include "main/output.h"

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

enum status run_manual(const struct options *options)
{
	(void)options;
	struct buf out = {0};
	buf_add(&out, manual_head);
	buf_add(&out, manual_processes);
	manual_usage(&out);
	buf_add(&out, manual_types);
	buf_add(&out, manual_output);
	buf_add(&out, manual_ways);
	manual_exports(&out);
	manual_tables(&out);
	buf_add(&out, manual_filters);
	manual_sql(&out);
	manual_questions(&out);
	manual_explorer(&out);
	buf_add(&out, manual_environment);
	buf_add(&out, manual_tail);
	return output_end(&out, STATUS_ANSWERED);
}
