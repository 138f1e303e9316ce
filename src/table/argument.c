#include "table/argument.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
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

bool argument_absent(struct err *err)
{
	if (err)
		err->absent = true;
	return false;
}

bool argument_object(const struct heap *heap, const char *text, uint32_t *id, struct err *err)
{
	uint64_t address;
	if (!argument_address(text, &address))
		return err_set(err, "\"%.60s\" is no address: write one as in 0xc000012340", text);
	*id = heap_find(heap, address);
	if (*id != OBJECT_NONE)
		return true;
	err_set(err, "No object of the dump lies at 0x%" PRIx64 "; the table objects lists them all",
			address);
	return argument_absent(err);
}

bool argument_goroutine(const struct heap *heap, const char *text, uint32_t *index, struct err *err)
{
	uint64_t id;
	if (!text_parse_number(text, &id))
		return err_set(err, "\"%.60s\" is no number of a goroutine, such as 1", text);
	for (*index = 0; *index < heap->goroutine_count; ++*index)
		if (heap->goroutines[*index].record.id == id)
			return true;
	err_set(err, "The dump has no goroutine %" PRIu64 "; the table goroutines lists them all", id);
	return argument_absent(err);
}

bool argument_setting(const char *text, const char *name, uint64_t *number, bool *ok)
{
	size_t length = strlen(name);
	if (strncmp(text, name, length) != 0 || text[length] != '=')
		return false;
	*ok = text_parse_number(text + length + 1, number);
	return true;
}

static int digit_of(char c)
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
		buf_add_char(bytes, (char)(digit_of(text[0]) * 16 + digit_of(text[1])));
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
