/* A growing string, always NUL-terminated. `struct buf b = {0}` is an empty one. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of a name that a reader may not want. Who appends such a part asks buf_wants. */
enum name_part {
	NAME_COUNT = 1 << 0,   /* how many there are: "1,200" of "1,200 × main.Session" */
	NAME_ADDRESS = 1 << 1, /* of an object */
	NAME_ID = 1 << 2,      /* the number of a thread */
	NAME_INDEX = 1 << 3,   /* without it "[*]" stands for "[12]" */
	NAME_LENGTH = 1 << 4,  /* of an array: "[12]" of "[12]main.Session" */
	NAME_NOTE = 1 << 5,    /* what a variable of the runtime is: " (threads)" */
	NAME_WORD = 1 << 6,    /* fields of a lock or pool of package sync: ".mu.sema" */
	NAME_HEAD = 1 << 7,    /* the variable or record of a root: "main.cache" of "main.cache.mu" */
};

struct buf {
	char *data; /* NULL until something is added; read it with buf_text() */
	size_t len, capacity;
	unsigned without; /* parts of names that its reader does not want: enum name_part */
	bool cut;         /* something was left out: set by buf_add_cut, cleared by the reader */
};

static inline bool buf_wants(const struct buf *buf, enum name_part part)
{
	return !(buf->without & part);
}

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
