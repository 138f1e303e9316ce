#include "main/key_values.h"

#include "main/number.h"
#include "main/writer.h"

void key_values_begin(struct key_values *values, enum output output, struct buf *out)
{
	*values = (struct key_values){.json = {out, false}, .csv = output == OUTPUT_CSV};
	if (values->csv)
		buf_add(out, "name,value\r\n");
	else
		json_open(&values->json, '{');
}

void key_values_end(struct key_values *values)
{
	if (values->csv)
		return;
	json_close(&values->json, '}');
	buf_add_char(values->json.out, '\n');
}

void key_values_open_group(struct key_values *values, const char *name)
{
	values->group = name;
	if (values->csv)
		return;
	json_key(&values->json, name);
	json_open(&values->json, '{');
}

void key_values_close_group(struct key_values *values)
{
	values->group = NULL;
	if (!values->csv)
		json_close(&values->json, '}');
}

/* A fact of CSV is written by JSON's functions as well: a number is the same, and so is a bool. */
static void begin_fact(struct key_values *values, const char *name)
{
	if (!values->csv) {
		json_key(&values->json, name);
		return;
	}
	buf_addf(values->json.out, "%s%s%s,", values->group ? values->group : "",
	         values->group ? "." : "", name);
	values->json.comma = false;
}

static void end_fact(struct key_values *values)
{
	if (values->csv)
		buf_add(values->json.out, "\r\n");
}

void key_values_number(struct key_values *values, const char *name, uint64_t number)
{
	begin_fact(values, name);
	json_number(&values->json, number);
	end_fact(values);
}

void key_values_null(struct key_values *values, const char *name)
{
	begin_fact(values, name);
	if (!values->csv)
		json_null(&values->json);
	end_fact(values);
}

void key_values_bool(struct key_values *values, const char *name, bool value)
{
	begin_fact(values, name);
	json_bool(&values->json, value);
	end_fact(values);
}

void key_values_address(struct key_values *values, const char *name, uint64_t address)
{
	begin_fact(values, name);
	if (values->csv)
		number_add_hex(values->json.out, address);
	else
		json_address(&values->json, address);
	end_fact(values);
}

void key_values_text(struct key_values *values, const char *name, const char *text)
{
	begin_fact(values, name);
	if (values->csv)
		csv_text(values->json.out, text ? text : "");
	else if (text)
		json_text(&values->json, text);
	else
		json_null(&values->json);
	end_fact(values);
}

void key_values_numbers(struct key_values *values, const char *name, const uint64_t *numbers,
                        size_t count)
{
	begin_fact(values, name);
	if (!values->csv)
		json_open(&values->json, '[');
	for (size_t i = 0; i < count; i++) {
		if (values->csv && i)
			buf_add_char(values->json.out, ' ');
		values->json.comma = values->json.comma && !values->csv;
		json_number(&values->json, numbers[i]);
	}
	if (!values->csv)
		json_close(&values->json, ']');
	end_fact(values);
}
