#include "base/number.h"

static void add_digits(struct buf *out, uint64_t value, unsigned base)
{
	static const char digit[] = "0123456789abcdef";
	char text[20];
	size_t at = sizeof text;
	do {
		text[--at] = digit[value % base];
		value /= base;
	} while (value);
	buf_add_bytes(out, text + at, sizeof text - at);
}

void number_add(struct buf *out, uint64_t value)
{
	add_digits(out, value, 10);
}

void number_add_hex(struct buf *out, uint64_t value)
{
	buf_add_bytes(out, "0x", 2);
	add_digits(out, value, 16);
}

void number_add_percent(struct buf *out, uint64_t part, uint64_t whole)
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;
	if (whole && percent < 0.05) /* as of most objects */
		buf_add(out, "0.0");
	else if (whole)
		buf_addf(out, "%.1f", percent);
}
