/* Names of bounded length. */
#include "base/text.h"

#include <string.h>
#include <xxhash.h>

enum { HEAD = 100, TAIL = 80, DIGITS = 6 };

static const char handle[] = "…#";

static bool text_bound_is_inside(char c)
{
	return ((uint8_t)c & 0xc0) == 0x80;
}

void text_bound(struct buf *buf, size_t start)
{
	size_t length = buf->len - start;
	if (length <= TEXT_BOUND)
		return;
	const char *text = buf->data + start;
	size_t head = HEAD, tail = length - TAIL;
	while (head && text_bound_is_inside(text[head]))
		head--;
	while (tail < length && text_bound_is_inside(text[tail]))
		tail++;
	SCOPED_BUF out = {0};
	buf_add_bytes(&out, text, head);
	/* not hash_bytes, which is another number in each process */
	buf_addf(&out, "%s%0*x%s", handle, DIGITS, XXH32(text, length, 0) & 0xffffff, text + tail);
	buf_truncate(buf, start);
	buf_add(buf, buf_text(&out));
}

const char *text_handle(const char *text)
{
	const char *at = text;
	while ((at = strstr(at, handle)) != NULL) {
		if (strspn(at + strlen(handle), "0123456789abcdef") >= DIGITS)
			return at;
		at++;
	}
	return NULL;
}
