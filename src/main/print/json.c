#include "main/print/json.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

static void before_value(struct json *json)
{
	if (json->comma)
		buf_add_char(json->out, ',');
	json->comma = true;
}

void json_open(struct json *json, char bracket)
{
	before_value(json);
	buf_add_char(json->out, bracket);
	json->comma = false;
}

void json_close(struct json *json, char bracket)
{
	buf_add_char(json->out, bracket);
	json->comma = true;
}

void json_line(struct json *json)
{
	if (json->comma)
		buf_add_char(json->out, ',');
	buf_add_char(json->out, '\n');
	json->comma = false;
}

struct json *json_key(struct json *json, const char *key)
{
	json_text(json, key);
	buf_add_char(json->out, ':');
	json->comma = false;
	return json;
}

void json_none(struct json *json)
{
	before_value(json);
	buf_add(json->out, "null");
}

void json_bool(struct json *json, bool value)
{
	before_value(json);
	buf_add(json->out, value ? "true" : "false");
}

void json_number(struct json *json, uint64_t value)
{
	before_value(json);
	number_add(json->out, value);
}

void json_address(struct json *json, uint64_t address)
{
	before_value(json);
	buf_add_char(json->out, '"');
	number_add_hex(json->out, address);
	buf_add_char(json->out, '"');
}

void json_bytes(struct json *json, const char *bytes, size_t len)
{
	unsigned marks = 0;
	before_value(json);
	buf_add_char(json->out, '"');
	for (size_t i = 0, step; i < len; i += step) {
		uint32_t c;
		step = text_ascii_length(bytes + i, len - i, &marks);
		if (step) {
			buf_add_bytes(json->out, bytes + i, step);
			continue;
		}
		step = text_decode(bytes + i, len - i, &c);
		if (c == '"' || c == '\\')
			buf_add_char(json->out, '\\');
		if (text_is_shown(c, &marks))
			buf_add_bytes(json->out, bytes + i, step);
		else if (c > 0xffff)
			buf_addf(json->out, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 | (c & 0x3ff));
		else
			buf_addf(json->out, "\\u%04x", c);
	}
	buf_add_char(json->out, '"');
}

void json_text(struct json *json, const char *utf8)
{
	json_bytes(json, utf8, strlen(utf8));
}

static void json_list(struct json *json, const struct buf *list)
{
	SCOPED_BUF text = {0};
	json_open(json, '[');
	for (const char *item = buf_text(list); *item;) {
		size_t len = strcspn(item, "\n");
		buf_clear(&text);
		buf_add_bytes(&text, item, len);
		json_text(json, buf_text(&text));
		item += len + (item[len] == '\n');
	}
	json_close(json, ']');
}

void json_value(struct json *json, const struct value *value)
{
	if (value->negative) {
		before_value(json);
		buf_add_char(json->out, '-');
		if (value->kind == VALUE_SHARE)
			number_add_percent(json->out, value->number, value->whole);
		else
			number_add(json->out, value->number);
		return;
	}
	switch (value->kind) {
	case VALUE_NONE:
		json_none(json);
		break;
	case VALUE_TEXT:
		json_text(json, buf_text(value->text));
		break;
	case VALUE_LIST:
		json_list(json, value->text);
		break;
	case VALUE_ADDRESS:
		json_address(json, value->number);
		break;
	case VALUE_BOOL:
		json_bool(json, value->number);
		break;
	case VALUE_SHARE:
		if (value->whole == 0) {
			json_none(json);
			break;
		}
		before_value(json);
		number_add_percent(json->out, value->number, value->whole);
		break;
	case VALUE_REAL:
		before_value(json);
		value_add(value, json->out);
		break;
	default: /* the others are numbers */
		json_number(json, value->number);
		break;
	}
}

void json_cells(struct json *json, const struct rows *rows, size_t row,
                const struct columns *columns)
{
	const struct table *table = rows->table;
	SCOPED_BUF text = {0};
	for (int i = 0; i < columns->count; i++) {
		struct value value = columns_value(columns, rows, row, i, &text);
		json_value(json_key(json, table->columns[columns->column[i]].name), &value);
	}
}
