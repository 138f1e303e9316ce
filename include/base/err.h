/* An error: one complete sentence, and an offset in the file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ERR_NO_OFFSET UINT64_MAX

/* The first failure fills it; a later err_set on a set error does nothing. Start with `struct err
   err = {0}` or err_clear(). */
struct err {
	bool set;
	uint64_t offset; /* in the file, or ERR_NO_OFFSET */
	char text[512];  /* printable UTF-8, without a final full stop or newline */
	bool absent;     /* the query was valid, but the dump does not contain its answer */
};

void err_clear(struct err *err);

/* Both always return false, so that a caller can write `return err_set(...)`. err may be NULL. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool err_at(struct err *err, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes the error to standard error as one line "goheapx: ...". `about`, a file name or NULL,
   comes first. */
void err_tell(const struct err *err, const char *about);
/* Writes a notice of any length in the same form, and adds the full stop. */
void err_tell_text(const char *text, const char *about);
