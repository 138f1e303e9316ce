/* A streaming scanner of JSON and text that remembers the last place to cut at. */
#include "main/print/bounded.h"

#include "base/text.h"

#include <string.h>

static bool bounded_is_json(const struct bounded *bounded)
{
	return bounded->output == OUTPUT_JSON;
}

/* Returns true if what is kept may be printed. JSON needs room for the brackets that close it, and
   for a line end on each side of the last. */
static bool bounded_fits(const struct bounded *bounded)
{
	size_t room = bounded_is_json(bounded) && bounded->open.depth ? bounded->open.depth + 4 : 0;
	return !bounded->most || bounded->printed + bounded->size + room <= bounded->most;
}

static void bounded_print(struct bounded *bounded, size_t len, const struct bounded_open *open,
                          struct buf *out)
{
	buf_add_bytes(out, buf_text(&bounded->kept), len);
	bounded->open_printed = *open;
}

/* The kept part does not fit: prints it up to its last comma if nothing else is to be printed, and
   closes the brackets. */
static void bounded_fill(struct bounded *bounded, struct buf *out)
{
	const struct bounded_open *open = &bounded->open_printed;
	bounded->full = true;
	bounded->left_lines++;
	bounded->left_bytes += bounded->kept.len;
	if (bounded->lines <= 1 && bounded->comma) {
		bounded_print(bounded, bounded->comma, &bounded->open_at_comma, out);
		bounded->left_bytes -= bounded->comma;
	}
	if (!bounded_is_json(bounded))
		return;
	for (size_t depth = open->depth; depth--;) {
		buf_add(out, depth ? "" : "\n");
		buf_add_char(out, open->bracket[depth] == '{' ? '}' : ']');
	}
	buf_add_char(out, '\n');
}

/* A line has come: it is printed, but for a comma at its end that only another line needs. */
static void bounded_line(struct bounded *bounded, struct buf *out)
{
	struct buf *kept = &bounded->kept;
	bool comma = bounded_is_json(bounded) && kept->len > 1 && kept->data[kept->len - 2] == ',';
	size_t len = kept->len - (comma ? 2 : 0);
	if (!bounded->skip && !bounded_fits(bounded)) {
		bounded_fill(bounded, out);
		return;
	}
	if (bounded->skip) {
		bounded->skip--;
	} else {
		bounded_print(bounded, len, &bounded->open, out);
		bounded->printed += bounded->size;
		bounded->lines++;
	}
	bounded->comma = bounded->size = 0;
	buf_clear(kept);
	buf_add(kept, comma ? ",\n" : "");
}

/* Follows the brackets and strings of JSON. */
static void bounded_scan(struct bounded *bounded, char c)
{
	struct bounded_open *open = &bounded->open;
	if (bounded->in_string) {
		bounded->in_string = bounded->escaped || c != '"';
		bounded->escaped = !bounded->escaped && c == '\\';
	} else if (c == '"') {
		bounded->in_string = true;
	} else if ((c == '{' || c == '[') && open->depth < BOUNDED_DEPTH) {
		open->bracket[open->depth++] = c;
	} else if ((c == '}' || c == ']') && open->depth) {
		open->depth--;
	} else if (c == ',' && bounded_fits(bounded)) {
		bounded->comma = bounded->kept.len;
		bounded->open_at_comma = *open;
	}
}

void bounded_add(struct bounded *bounded, const char *bytes, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		if (bounded->full) {
			bounded->left_bytes++;
			bounded->left_lines += bytes[i] == '\n';
			continue;
		}
		if (bounded_is_json(bounded))
			bounded_scan(bounded, bytes[i]);
		buf_add_char(&bounded->kept, bytes[i]);
		bounded->size += bounded->quoted && strchr("\"\\\n", bytes[i]) ? 2 : 1;
		if (bytes[i] == '\n')
			bounded_line(bounded, out);
	}
}

void bounded_end(struct bounded *bounded, struct buf *out)
{
	if (!bounded->full && bounded->kept.len)
		bounded_line(bounded, out);
	buf_free(&bounded->kept);
}

void bounded_tell(const struct bounded *bounded, bool rows, size_t skipped, struct buf *text)
{
	if (!bounded->full)
		return;
	/* The last line of JSON is its closing bracket. */
	size_t head = rows && bounded->output != OUTPUT_JSONL;
	size_t left = bounded->left_lines - (bounded_is_json(bounded) && bounded->left_lines > 1);
	size_t shown = bounded->lines > head ? bounded->lines - head : 0;
	text_add_number_of(text, left, rows ? "row is" : "line is", rows ? "rows are" : "lines are");
	buf_addf(text, " left out, %s, as %s says", text_size(bounded->left_bytes).text,
	         bounded->quoted ? "max_bytes" : "--max-bytes");
	if (rows || !bounded_is_json(bounded))
		buf_addf(text, "; %s %zu shows what follows", bounded->quoted ? "skip" : "--skip",
		         skipped + shown);
}
