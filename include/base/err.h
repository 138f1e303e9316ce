/* What went wrong, as one whole sentence, and where in the file. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stdint.h>

#define ERR_NO_OFFSET UINT64_MAX

/* Filled by the first failure and kept: a later err_set on a set error does nothing.
   Start with `struct err err = {0}` or err_clear(). */
struct err {
	bool set;
	uint64_t offset; /* in the file, or ERR_NO_OFFSET */
	char text[384];  /* printable UTF-8, without a final full stop or newline */
	bool absent;     /* the question was fine; what it asks for is not in the dump */
};

void err_clear(struct err *err);

/* Both return false, so that a caller can write `return err_set(...)`. err may be NULL. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool err_at(struct err *err, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes it on the standard error as one line "goheapx: ...", what it is about (a file, or NULL)
   first. */
void err_tell(const struct err *err, const char *about);
/* The same of sentences that are no error, and of any length; the full stop is added. */
void err_tell_text(const char *text, const char *about);

#endif
