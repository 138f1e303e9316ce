#include "base/err.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void err_clear(struct err *err)
{
	*err = (struct err){0};
}

static void fill(struct err *err, uint64_t offset, const char *format, va_list arguments)
{
	if (!err || err->set)
		return;
	err->set = true;
	err->offset = offset;
	vsnprintf(err->text, sizeof err->text, format, arguments);
}

bool err_set(struct err *err, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fill(err, ERR_NO_OFFSET, format, arguments);
	va_end(arguments);
	return false;
}

bool err_at(struct err *err, uint64_t offset, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fill(err, offset, format, arguments);
	va_end(arguments);
	return false;
}

void err_tell_text(const char *text, const char *about)
{
	SCOPED_BUF line = {0};
	buf_add(&line, "goheapx: ");
	if (about) {
		text_add_escaped(&line, about, strlen(about), SIZE_MAX);
		buf_add(&line, ": ");
	}
	text_add_safe(&line, text);
	fprintf(stderr, "%s.\n", buf_text(&line));
}

void err_tell(const struct err *err, const char *about)
{
	SCOPED_BUF text = {0};
	buf_add(&text, err->text);
	if (err->offset != ERR_NO_OFFSET)
		buf_addf(&text, " (at byte %" PRIu64 " of the file)", err->offset);
	err_tell_text(buf_text(&text), about);
}
