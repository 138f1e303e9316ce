/* Where operands end: part of table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "base/text.h"
#include "table/naming/variable_user.h"

#include <ctype.h>
#include <string.h>

bool operand_ends_here(const char *text)
{
	return !*text || strchr(" \t>,", *text) || expression_goes_on(text)
	       || variable_user_skip_function(text) != text;
}

bool operand_read_number(const char *text, const char *word, uint64_t *number, const char **end)
{
	size_t length = strlen(word);
	if (strncmp(text, word, length) != 0)
		return false;
	text += length;
	size_t digits = strspn(text, "0123456789");
	if (!digits || !operand_ends_here(text + digits))
		return false;
	struct buf copy = {0};
	buf_add_bytes(&copy, text, digits);
	bool good = text_parse_number(copy.data, number);
	buf_free(&copy);
	*end = text + digits;
	return good;
}

bool operand_leaves(const char *rest)
{
	rest += strspn(rest, operand_blanks);
	return text_handle(rest) == rest || (*rest && strchr(">[.", *rest))
	       || (*rest == ',' && isdigit((unsigned char)rest[1])) /* "1,260 × main.Session" */
	       || strncmp(rest, "×", strlen("×")) == 0 || strncmp(rest, "and ", strlen("and ")) == 0;
}
