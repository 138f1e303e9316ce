/* A report as Markdown, for issue trackers without HTML. */
#include "base/text.h"
#include "main/print/page_print.h"
#include "main/print/writer.h"
#include "main/subcommand.h"
#include "main/ticket/ticket.h"

#include <string.h>

/* Appends a text with all markup and HTML escaped. */
static void ticket_markdown_text(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<' || *text == '>' || *text == '&')
			buf_addf(out, "&#%d;", *text);
		else if (strchr("\\`*_[]|~@#", *text))
			buf_addf(out, "\\%c", *text);
		else
			buf_add_char(out, *text == '\n' || *text == '\r' ? ' ' : *text);
	}
}

static void ticket_markdown_head(const struct ticket_part *part, struct buf *out)
{
	const struct column *columns = part->rows->table->columns;
	for (int i = 0; i < part->columns.count; i++) {
		buf_add(out, "| ");
		ticket_markdown_text(out, columns[part->columns.column[i]].title);
		buf_add_char(out, ' ');
	}
	buf_add(out, "|\n");
	for (int i = 0; i < part->columns.count; i++)
		buf_add(out, column_is_right(&columns[part->columns.column[i]]) ? "| --: " : "| --- ");
	buf_add(out, "|\n");
}

static void ticket_markdown_row(const struct ticket_part *part, size_t at, struct buf *out)
{
	SCOPED_BUF text = {0};
	for (int i = 0; i < part->columns.count; i++) {
		const struct column *column = &part->rows->table->columns[part->columns.column[i]];
		buf_clear(&text);
		buf_add(out, "| ");
		for (uint32_t k = 0;
		     part->selection.depth && !column->width && k < part->selection.depth[at]; k++)
			buf_add(out, "&nbsp;&nbsp;");
		ticket_add_cell(part, at, i, &text);
		ticket_markdown_text(out, buf_text(&text));
		buf_add_char(out, ' ');
	}
	buf_add(out, "|\n");
}

enum { TREE_SHOWN = 60 }; /* rows, because Markdown cannot fold them */

static void ticket_markdown_part(const struct ticket_part *part, struct buf *out)
{
	buf_addf(out, "\n## %s\n\n%s\n\n", part->kind->title, part->kind->text);
	if (part->why.len) {
		ticket_markdown_text(out, buf_text(&part->why));
		buf_add(out, "\n\n");
	}
	if (!part->rows || !part->selection.count)
		return;
	size_t count = part->selection.count, shown = count < TREE_SHOWN ? count : TREE_SHOWN;
	ticket_markdown_head(part, out);
	for (size_t i = 0; i < shown; i++)
		ticket_markdown_row(part, i, out);
	if (part->more + count - shown)
		buf_addf(out, "\n%zu more are left out.\n", part->more + count - shown);
}

static void ticket_markdown_write(const struct ticket *ticket, struct buf *out)
{
	const struct page *page = &ticket->people;
	SCOPED_BUF name = {0};
	text_add_escaped(&name, ticket->file, strlen(ticket->file), SIZE_MAX);
	buf_add(out, "# Heap of ");
	ticket_markdown_text(out, buf_text(&name));
	buf_add(out, "\n\n");
	if (ticket->state.len) {
		buf_add(out, "**");
		ticket_markdown_text(out, buf_text(&ticket->state));
		buf_add(out, ".**\n\n");
	}
	for (size_t i = 0; i < page->count; i++) {
		if (page->lines[i].rows)
			continue;
		buf_add(out, "    "); /* preformatted */
		page_print_line(page, &page->lines[i], out);
	}
	for (size_t i = 0; i < ticket->count; i++)
		ticket_markdown_part(&ticket->part[i], out);
	buf_addf(out, "\nWritten by goheapx %s%s.\n", goheapx_version,
	         ticket->redacted ? ", without what stands in objects" : "");
}

const struct ticket_form ticket_markdown = {"md", ticket_markdown_write};
