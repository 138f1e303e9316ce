#include "table/naming/argument.h"

#include "base/text.h"
#include "heap/heap.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t";

bool argument_address(const char *text, uint64_t *address)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	size_t length = strspn(text, digits);
	if (length == 0 || text[length])
		return false;
	errno = 0;
	*address = strtoull(text, NULL, 16);
	return errno == 0;
}

static bool argument_add(struct err *err, const char *sentence)
{
	size_t len = err ? strlen(err->text) : 0;
	if (err && *sentence && !strstr(err->text, sentence))
		snprintf(err->text + len, sizeof err->text - len, ". %s", sentence);
	return false;
}

bool argument_unknown(const struct heap *heap, enum damage_part part, struct err *err)
{
	SCOPED_BUF cause = {0}, sentence = {0};
	if (damage_cause(heap, part, &cause))
		buf_addf(&sentence, "It may be in what is missing: %s", buf_text(&cause));
	return argument_add(err, buf_text(&sentence));
}

bool argument_absent(const struct heap *heap, enum damage_part part, struct err *err)
{
	SCOPED_BUF doubt = {0};
	if (err)
		err->absent = true;
	damage_doubt(heap, part, &doubt);
	return argument_add(err, buf_text(&doubt));
}

bool argument_ends(const char *rest, struct err *err)
{
	return !*rest || err_set(err, "\"%.60s\" after the argument was not understood", rest);
}

bool argument_next_thread(const struct heap *heap, const char **text, uint32_t *index,
                          struct err *err)
{
	const char *word = heap_words(heap)->thread;
	size_t word_length = word ? strlen(word) : 0;
	struct buf number = {0};
	const char *at = *text;
	uint64_t id;
	if (word && strncmp(at, word, word_length) == 0 && strchr(" =", at[word_length]))
		at += word_length + 1;
	size_t length = strcspn(at, blanks);
	buf_add_bytes(&number, at, length);
	bool good = text_parse_number(buf_text(&number), &id);
	buf_free(&number);
	if (!good)
		return err_set(err, "\"%.60s\" is not the number of a %s, such as 1", at,
		               word ? word : "thread");
	*text = at + length + strspn(at + length, blanks);
	for (*index = 0; *index < heap->thread_count; ++*index)
		if (heap->threads[*index].record.id == id)
			return true;
	err_set(err, "The dump has no %s %" PRIu64 "; the table %ss lists them all",
	        word ? word : "thread", id, word ? word : "thread");
	return argument_absent(heap, DAMAGE_THREADS, err);
}

bool argument_thread(const struct heap *heap, const char *text, uint32_t *index, struct err *err)
{
	return argument_next_thread(heap, &text, index, err) && argument_ends(text, err);
}

bool argument_setting(const char *text, const char *name, uint64_t *number, bool *ok)
{
	size_t length = strlen(name);
	if (strncmp(text, name, length) != 0 || text[length] != '=')
		return false;
	*ok = text_parse_number(text + length + 1, number);
	return true;
}

static int argument_digit_of(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

bool argument_bytes(const char *text, struct buf *bytes, struct err *err)
{
	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) {
		buf_add(bytes, text);
		return true;
	}
	text += 2;
	size_t digits = strlen(text);
	if (digits == 0 || digits % 2 || strspn(text, "0123456789abcdefABCDEF") != digits)
		return err_set(err, "Bytes are written as pairs of hexadecimal digits, such as 0x0a1b");
	for (; *text; text += 2)
		buf_add_char(bytes, (char)(argument_digit_of(text[0]) * 16 + argument_digit_of(text[1])));
	return true;
}

void argument_split(const char *text, struct buf *first, struct buf *second)
{
	text += strspn(text, blanks);
	size_t length = strcspn(text, blanks);
	buf_add_bytes(first, text, length);
	text += length;
	text += strspn(text, blanks);
	buf_add_bytes(second, text, strcspn(text, blanks));
}
