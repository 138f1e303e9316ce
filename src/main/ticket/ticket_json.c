/* A report as JSON: the overview's values and the rows of each part. */
#include "main/print/json.h"
#include "main/print/page_print.h"
#include "main/subcommand.h"
#include "main/ticket/ticket.h"

static void ticket_json_rows(const struct ticket_part *part, struct json *json)
{
	json_open(json, '[');
	for (size_t i = 0; part->rows && i < part->selection.count; i++) {
		json_line(json);
		json_open(json, '{');
		if (part->selection.depth)
			json_number(json_key(json, "depth"), part->selection.depth[i]);
		json_cells(json, part->rows, ticket_row(part, i), &part->columns);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void ticket_json_part(const struct ticket_part *part, struct json *json)
{
	json_open(json_key(json, part->kind->table), '{');
	json_key(json, "note");
	if (part->why.len)
		json_text(json, buf_text(&part->why));
	else
		json_none(json);
	json_number(json_key(json, "more"), part->more);
	json_key(json, "rows");
	ticket_json_rows(part, json);
	json_close(json, '}');
}

static void ticket_json_write(const struct ticket *ticket, struct buf *out)
{
	struct json json = {out, false};
	json_open(&json, '{');
	json_text(json_key(&json, "file"), ticket->file);
	json_text(json_key(&json, "version"), goheapx_version);
	json_bool(json_key(&json, "redacted"), ticket->redacted);
	json_key(&json, "overview");
	page_print_values(&ticket->programs, &json);
	for (size_t i = 0; i < ticket->count; i++) {
		json_line(&json);
		ticket_json_part(&ticket->part[i], &json);
	}
	json_close(&json, '}');
	buf_add_char(out, '\n');
}

const struct ticket_form ticket_json = {"json", ticket_json_write};
