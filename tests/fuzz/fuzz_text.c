/* Any bytes as what a dump or a person gives as text: decoded, made visible, drawn, and read as a
   number. The first byte says how much of it there is room for. */
#include "fuzz.h"

#include "base/text.h"
#include "ui/canvas.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void decode(const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		uint32_t c;
		size_t step = text_decode(text + i, len - i, &c);
		fuzz_check(step >= 1 && step <= 4 && step <= len - i && c <= 0x10ffff);
		int width = text_width(c);
		fuzz_check(width >= 0 && width <= 2);
		i += step;
	}
}

static void make_visible(const char *text, size_t len, size_t limit)
{
	SCOPED_BUF out = {0};
	text_add_escaped(&out, text, len, limit);
	fuzz_check_visible(buf_text(&out));
	fuzz_check(strlen(buf_text(&out)) == out.len);
}

/* A number that is one is the same when it is printed and read again. */
static void parse(const char *text)
{
	uint64_t value, again;
	SCOPED_BUF out = {0};
	if (!text_parse_number(text, &value))
		return;
	buf_addf(&out, "%" PRIu64, value);
	fuzz_check(text_parse_number(buf_text(&out), &again) && again == value);
}

static void draw(const char *text, int width)
{
	struct canvas canvas;
	SCOPED_BUF out = {0};
	canvas_init(&canvas, width, 4);
	canvas_text(&canvas, 0, width / 3, -1, STYLE_PLAIN, text);
	canvas_text(&canvas, 1, 1, width / 2, STYLE_PLAIN, text);
	canvas_middle(&canvas, 2, 0, width, STYLE_PLAIN, text);
	canvas_right(&canvas, 3, 0, width, STYLE_PLAIN, text);
	if (*text)
		canvas_match(&canvas, 0, text);
	fuzz_check(text_columns(text) >= 0);
	for (int y = 0; y < canvas.height; y++) {
		buf_clear(&out);
		canvas_row(&canvas, y, &out);
		fuzz_check_visible(buf_text(&out));
	}
	canvas_fini(&canvas);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	SCOPED_BUF text = {0};
	char *bytes = malloc(size - 1); /* for those that take a length: nothing may be read after it */
	if (size > 1)
		memcpy(bytes, data + 1, size - 1);
	buf_add_bytes(&text, data + 1, size - 1);
	decode(bytes, size - 1);
	make_visible(bytes, size - 1, data[0]);
	parse(buf_text(&text));
	draw(buf_text(&text), 1 + data[0] % 120);
	free(bytes);
	return 0;
}
