/* Rows as JSON objects, a line each, in an array or as JSON lines. */
#include "main/print/json.h"
#include "main/print/writer.h"

static void writer_json_begin(struct writing *writing)
{
	buf_add_char(writing->out, '[');
}

static void writer_json_object(struct writing *writing, size_t number, struct json *json)
{
	json_open(json, '{');
	if (writing_tells_depth(writing))
		json_number(json_key(json, "depth"), writing->selection->depth[writing->at]);
	json_cells(json, writing->rows, number, writing->columns);
	json_close(json, '}');
}

static void writer_json_row(struct writing *writing, size_t number)
{
	struct json json = {writing->out, writing->at > writing->first};
	json_line(&json);
	writer_json_object(writing, number, &json);
}

static void writer_json_end(struct writing *writing)
{
	buf_add(writing->out, writing->count > writing->first ? "\n]\n" : "]\n");
}

const struct writer writer_json = {writer_json_begin, writer_json_row, writer_json_end};

static void writer_jsonl_row(struct writing *writing, size_t number)
{
	struct json json = {writing->out, false};
	writer_json_object(writing, number, &json);
	buf_add_char(writing->out, '\n');
}

const struct writer writer_jsonl = {NULL, writer_jsonl_row, NULL};
