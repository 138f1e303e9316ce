/* Rows as a JSON array of objects, a line each. */
#include "main/json.h"
#include "main/writer.h"

static void begin(struct writing *writing)
{
	buf_add_char(writing->out, '[');
}

static void row(struct writing *writing, size_t number, bool first)
{
	struct json json = {writing->out, !first};
	json_line(&json);
	json_row(&json, writing->rows, number, writing->columns);
}

static void end(struct writing *writing)
{
	buf_add(writing->out, writing->count ? "\n]\n" : "]\n");
}

const struct writer writer_json = {begin, row, end};
