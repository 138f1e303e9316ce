#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

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
