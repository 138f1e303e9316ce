#include "base/buf.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct buf *buf, size_t more)
{
	size_t needed = buf->len + more + 1;
	if (needed <= buf->capacity)
		return;
	size_t larger = buf->capacity * 2;
	buf->capacity = larger > needed ? larger : needed + 32;
	buf->data = mem_resize(buf->data, buf->capacity);
}

void buf_add_bytes(struct buf *buf, const void *bytes, size_t len)
{
	make_room(buf, len);
	if (len)
		memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void buf_add(struct buf *buf, const char *text)
{
	buf_add_bytes(buf, text, strlen(text));
}

void buf_add_char(struct buf *buf, char c)
{
	make_room(buf, 1);
	buf->data[buf->len++] = c;
	buf->data[buf->len] = '\0';
}

void buf_add_uvarint(struct buf *buf, uint64_t number)
{
	char bytes[10];
	size_t len = 0;
	for (; number > 0x7f; number >>= 7)
		bytes[len++] = (char)(number | 0x80);
	bytes[len++] = (char)number;
	buf_add_bytes(buf, bytes, len);
}

void buf_add_cut(struct buf *buf)
{
	buf_add(buf, "…");
	buf->cut = true;
}

void buf_addv(struct buf *buf, const char *format, va_list arguments)
{
	va_list again;
	va_copy(again, arguments);
	int len = vsnprintf(NULL, 0, format, arguments);
	if (len > 0) {
		make_room(buf, (size_t)len);
		vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
		buf->len += (size_t)len;
	}
	va_end(again);
}

void buf_addf(struct buf *buf, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	buf_addv(buf, format, arguments);
	va_end(arguments);
}

void buf_truncate(struct buf *buf, size_t len)
{
	if (len >= buf->len)
		return;
	buf->len = len;
	buf->data[len] = '\0';
}

void buf_clear(struct buf *buf)
{
	buf_truncate(buf, 0);
}

void buf_free(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){0};
}

const char *buf_text(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}
