/* A growing string, always NUL-terminated. `struct buf b = {0}` is an empty one. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
	char *data; /* NULL until something is added; read it with buf_text() */
	size_t len, capacity;
};

void buf_add(struct buf *buf, const char *text);
void buf_add_bytes(struct buf *buf, const void *bytes, size_t len);
void buf_add_char(struct buf *buf, char c);
void buf_addf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_addv(struct buf *buf, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));
void buf_clear(struct buf *buf); /* does not free the memory */
void buf_truncate(struct buf *buf, size_t len);
void buf_free(struct buf *buf);
const char *buf_text(const struct buf *buf); /* never NULL */

#endif
