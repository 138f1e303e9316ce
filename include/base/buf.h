/* A growing string, always NUL-terminated. `struct buf b = {0}` is an empty one. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	char *data; /* NULL until something is added; read it with buf_text() */
	size_t len, capacity;
	unsigned without; /* a mask of parts that its reader does not want */
	bool cut;         /* something was left out: set by buf_add_cut, cleared by the reader */
};

/* Append a string, or any bytes, which are copied. */
void buf_add(struct buf *buf, const char *text);
void buf_add_bytes(struct buf *buf, const void *bytes, size_t len);
void buf_add_char(struct buf *buf, char c);
void buf_add_uvarint(struct buf *buf, uint64_t number); /* see cursor_uvarint */
void buf_add_cut(struct buf *buf);                      /* "…" for what is left out */
void buf_addf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_addv(struct buf *buf, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));
void buf_clear(struct buf *buf); /* does not free the memory */
void buf_truncate(struct buf *buf, size_t len);
void buf_free(struct buf *buf);
/* Declares a local buffer that is freed where its block ends: SCOPED_BUF text = {0}; */
#define SCOPED_BUF __attribute__((cleanup(buf_free))) struct buf
const char *buf_text(const struct buf *buf); /* never NULL */
