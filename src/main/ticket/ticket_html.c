/* A report as one self-contained HTML file, readable without its script. */
#include "main/print/page_print.h"
#include "main/print/writer.h"
#include "main/subcommand.h"
#include "main/ticket/ticket.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/runtime.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, STEP = 22, PICTURE_DEPTH = 24, COLORS = 6, OPEN_DEPTH = 1 };

static void ticket_html_text(struct buf *out, const char *text)
{
	for (; *text; text++)
		if (strchr("<>&\"'", *text))
			buf_addf(out, "&#%d;", *text);
		else
			buf_add_char(out, *text);
}

/* A cell and the text before it. */
struct ticket_piece {
	const char *before, *column;
};

static void ticket_html_pieces(const struct ticket_part *part, size_t at,
                               const struct ticket_piece *piece, struct buf *out)
{
	for (; piece->column; piece++) {
		buf_add(out, piece->before);
		SCOPED_BUF text = {0};
		rows_text(part->rows, ticket_row(part, at), table_column(part->rows->table, piece->column),
		          &text);
		ticket_html_text(out, buf_text(&text));
	}
	buf_add(out, piece->before);
}

/* ---- Tables. An abbreviated number has all digits in its value attribute */

static void ticket_html_cell(const struct ticket_part *part, size_t at, int place, struct buf *out)
{
	int number = part->columns.column[place];
	const struct column *column = &part->rows->table->columns[number];
	SCOPED_BUF text = {0}, shown = {0};
	struct value value = {.text = &text};
	rows_cell(part->rows, ticket_row(part, at), number, &value);
	bool digits = value.kind == VALUE_BYTES || value.kind == VALUE_COUNT
	              || value.kind == VALUE_TIME;
	if (column->width == 0 && part->selection.depth)
		buf_addf(out, "<td style=\"padding-left:%" PRIu32 "em\">", part->selection.depth[at] + 1);
	else
		buf_add(out, column_is_right(column) ? "<td class=n>" : "<td>");
	if (digits)
		buf_addf(out, "<data value=\"%s%" PRIu64 "\">", value.negative ? "-" : "", value.number);
	value_add(&value, &shown);
	ticket_html_text(out, buf_text(&shown));
	buf_add(out, digits ? "</data></td>" : "</td>");
}

static void ticket_html_table(const struct ticket_part *part, struct buf *out)
{
	const struct column *columns = part->rows->table->columns;
	buf_addf(out, "<div class=wide><table id=\"%s-rows\"%s><thead><tr>", part->kind->table,
	         part->selection.depth ? "" : " class=sort");
	for (int i = 0; i < part->columns.count; i++) {
		const struct column *column = &columns[part->columns.column[i]];
		buf_addf(out, "<th scope=col%s title=\"", column_is_right(column) ? " class=n" : "");
		ticket_html_text(out, column->help);
		buf_add(out, "\">");
		ticket_html_text(out, column->title);
		buf_add(out, "</th>");
	}
	buf_add(out, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < part->selection.count; i++) {
		buf_add(out, "<tr>");
		for (int k = 0; k < part->columns.count; k++)
			ticket_html_cell(part, i, k, out);
		buf_add(out, "</tr>\n");
	}
	buf_add(out, "</tbody></table></div>\n");
}

/* ---- Trees: an icicle plot, and an unfolding list */

/* The horizontal position of a row in the plot, in bytes. */
struct ticket_place {
	uint64_t start, bytes;
};

static struct ticket_place *ticket_html_places(const struct ticket_part *part)
{
	struct ticket_place *place = mem_alloc((part->selection.count + 1) * sizeof *place);
	uint64_t used[TICKET_DEPTH + 1] = {0};
	for (size_t i = 0; i < part->selection.count; i++) {
		uint32_t depth = part->selection.depth[i];
		place[i].bytes = rows_weight(part->rows, ticket_row(part, i));
		place[i].start = used[depth];
		used[depth] += place[i].bytes;
		if (depth + 1 < TICKET_DEPTH)
			used[depth + 1] = place[i].start;
	}
	return place;
}

static unsigned ticket_html_color(const char *name)
{
	uint64_t hash = 5381;
	while (*name)
		hash = hash * 33 + (unsigned char)*name++;
	return (unsigned)(hash % COLORS);
}

static void ticket_html_node(const struct ticket_part *part, size_t at,
                             const struct ticket_place *place, uint64_t whole, struct buf *out)
{
	static const struct ticket_piece pieces[] = {
		{"<text x=\"4\" y=\"15\">", "name"},
		{" ", "type"},
		{"</text></svg><title>", "name"},
		{"\n", "type"},
		{"\n", "bytes"},
		{", ", "share"},
		{"</title></a>\n", NULL},
	};
	SCOPED_BUF name = {0};
	double x = (double)WIDTH * (double)place->start / (double)whole;
	double width = (double)WIDTH * (double)place->bytes / (double)whole;
	uint32_t depth = part->selection.depth[at];
	rows_text(part->rows, ticket_row(part, at), table_column(part->rows->table, "name"), &name);
	buf_addf(out,
	         "<a href=\"#w%zu\" class=\"b c%u\" data-d=%" PRIu32 "><svg x=\"%.2f\" y=\"%" PRIu32
	         "\" width=\"%.2f\" height=\"%d\"><rect width=\"100%%\" height=\"100%%\"/>",
	         at, ticket_html_color(buf_text(&name)), depth, x, (depth + 1) * STEP, width, STEP - 1);
	ticket_html_pieces(part, at, pieces, out);
}

static void ticket_html_icicle(const struct ticket_part *part, const struct ticket_place *places,
                               uint64_t whole, struct buf *out)
{
	uint32_t deepest = 0;
	SCOPED_BUF size = {0};
	for (size_t i = 0; i < part->selection.count; i++)
		if (part->selection.depth[i] > deepest && part->selection.depth[i] < PICTURE_DEPTH)
			deepest = part->selection.depth[i];
	text_add_size(&size, whole);
	buf_addf(
		out,
		"<p class=tools><label>Search <input id=search type=search autocomplete=off></label> "
		"<span id=found></span></p>\n"
		"<svg id=icicle role=img aria-label=\"Where the memory is\" viewBox=\"0 0 %d %" PRIu32
		"\" preserveAspectRatio=none width=\"100%%\" height=\"%" PRIu32 "\">\n"
		"<a href=\"#where\" class=\"b root\" data-d=-1><svg x=\"0\" y=\"0\" width=\"%d\" "
		"height=\"%d\"><rect width=\"100%%\" height=\"100%%\"/><text x=\"4\" y=\"15\">all that "
		"is reachable, %s</text></svg></a>\n",
		WIDTH, (deepest + 2) * STEP, (deepest + 2) * STEP, WIDTH, STEP - 1, buf_text(&size));
	for (size_t i = 0; i < part->selection.count; i++)
		if (part->selection.depth[i] < PICTURE_DEPTH)
			ticket_html_node(part, i, &places[i], whole, out);
	buf_add(out, "</svg>\n");
}

static void ticket_html_item(const struct ticket_part *part, size_t at, struct buf *out)
{
	static const struct ticket_piece pieces[] = {
		{"", "bytes"},
		{"</data></span><span class=s>", "share"},
		{"</span><b>", "name"},
		{"</b> <i>", "type"},
		{"</i> <small>", "count"},
		{" &times;, such as ", "example"},
		{"</small>", NULL},
	};
	struct value bytes = rows_number(part->rows, ticket_row(part, at), "bytes");
	buf_addf(out, "<span class=s><data value=\"%" PRIu64 "\">", bytes.number);
	ticket_html_pieces(part, at, pieces, out);
}

static void ticket_html_tree(const struct ticket_part *part, struct buf *out)
{
	const uint32_t *depth = part->selection.depth;
	buf_add(out, "<div class=tree id=where-rows>\n");
	for (size_t i = 0; i < part->selection.count; i++) {
		uint32_t next = i + 1 < part->selection.count ? depth[i + 1] : 0;
		bool folder = i + 1 < part->selection.count && next > depth[i];
		if (folder)
			buf_addf(out, "<details id=w%zu%s><summary>", i, depth[i] < OPEN_DEPTH ? " open" : "");
		else
			buf_addf(out, "<p id=w%zu>", i);
		ticket_html_item(part, i, out);
		buf_add(out, folder ? "</summary>\n" : "</p>\n");
		for (uint32_t d = depth[i]; !folder && d > next; d--)
			buf_add(out, "</details>");
	}
	buf_add(out, "</div>\n");
}

/* ---- Other parts */

static void ticket_html_part(const struct ticket_part *part, struct buf *out)
{
	buf_addf(out, "<section id=\"%s\"><h2>%s</h2><p>%s</p>\n", part->kind->table, part->kind->title,
	         part->kind->text);
	if (part->why.len) {
		buf_add(out, "<p class=note>");
		ticket_html_text(out, buf_text(&part->why));
		buf_add(out, "</p>\n");
	}
	if (part->rows && part->selection.count) {
		if (strcmp(part->kind->table, "where") == 0) {
			uint64_t whole = ticket_whole(part);
			struct ticket_place *places = ticket_html_places(part);
			if (whole)
				ticket_html_icicle(part, places, whole, out);
			ticket_html_tree(part, out);
			free(places);
		} else
			ticket_html_table(part, out);
	}
	if (part->more) {
		SCOPED_BUF count = {0};
		text_add_count(&count, part->more);
		buf_addf(out, "<p class=note>%s more are left out.</p>\n", buf_text(&count));
	}
	buf_add(out, "</section>\n");
}

static void ticket_html_tiles(const struct ticket *ticket, struct buf *out)
{
	static const struct {
		const char *name, *title;
		enum value_kind kind;
	} tiles[] = {
		{"reachable_bytes", "reachable", VALUE_BYTES},
		{"object_bytes", "in objects", VALUE_BYTES},
		{"memstats.Sys", "from the system", VALUE_BYTES},
		{"objects", "objects", VALUE_COUNT},
		{THREADS_WORD, THREADS_WORD, VALUE_COUNT},
		{"stack_bytes", "in stacks", VALUE_BYTES},
		{"lost_goroutines", THREADS_WORD " can never wake up", VALUE_COUNT},
	};
	buf_add(out, "<ul class=tiles>");
	for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
		struct value value;
		SCOPED_BUF text = {0};
		if (!ticket_number(ticket, tiles[i].name, &value))
			continue;
		value.kind = tiles[i].kind;
		value_add(&value, &text);
		buf_addf(out, "<li><data id=\"%s\" value=\"%" PRIu64 "\">%s</data> %s</li>", tiles[i].name,
		         value.number, buf_text(&text), tiles[i].title);
	}
	buf_add(out, "</ul>\n");
}

static void ticket_html_head(const struct ticket *ticket, struct buf *out)
{
	SCOPED_BUF name = {0};
	text_add_escaped(&name, ticket->file, strlen(ticket->file), SIZE_MAX);
	buf_add(
		out,
		"<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
		"style-src &#39;unsafe-inline&#39;; script-src &#39;unsafe-inline&#39;; img-src data:\">\n"
		"<meta name=viewport content=\"width=device-width\">"
		"<meta name=color-scheme content=\"light dark\">\n<title>Heap of ");
	ticket_html_text(out, buf_text(&name));
	buf_addf(out, "</title>\n<style>%s</style></head><body>\n<header><h1>Heap of ", ticket_css);
	ticket_html_text(out, buf_text(&name));
	buf_add(out, "</h1>\n<nav><a href=\"#overview\">Overview</a>");
	for (size_t i = 0; i < ticket->count; i++)
		buf_addf(out, " <a href=\"#%s\">%s</a>", ticket->part[i].kind->table,
		         ticket->part[i].kind->title);
	buf_add(out, "</nav></header>\n<main>\n");
	if (ticket->state.len) {
		buf_add(out, "<p class=warning>");
		ticket_html_text(out, buf_text(&ticket->state));
		buf_add(out, ".</p>\n");
	}
}

static void ticket_html_overview(const struct ticket *ticket, struct buf *out)
{
	SCOPED_BUF line = {0};
	buf_add(out,
	        "<details id=overview><summary>Overview as goheapx info prints it</summary><pre>\n");
	for (size_t i = 0; i < ticket->people.count; i++) {
		buf_clear(&line);
		if (!ticket->people.lines[i].rows)
			page_print_line(&ticket->people, &ticket->people.lines[i], &line);
		ticket_html_text(out, buf_text(&line));
	}
	buf_add(out, "</pre></details>\n");
}

static void ticket_html_write(const struct ticket *ticket, struct buf *out)
{
	ticket_html_head(ticket, out);
	ticket_html_tiles(ticket, out);
	ticket_html_overview(ticket, out);
	for (size_t i = 0; i < ticket->count; i++)
		ticket_html_part(&ticket->part[i], out);
	buf_addf(
		out,
		"</main>\n<footer>Written by goheapx %s%s.</footer>\n<script>%s</script>\n</body></html>\n",
		goheapx_version, ticket->redacted ? ", without what stands in objects" : "", ticket_js);
}

const struct ticket_form ticket_html = {"html", ticket_html_write};
