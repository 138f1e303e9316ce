#include "main/facts.h"

#include "main/number.h"
#include "main/writer.h"

void facts_begin(struct facts *facts, enum output output, struct buf *out)
{
	*facts = (struct facts){.json = {out, false}, .csv = output == OUTPUT_CSV};
	if (facts->csv)
		buf_add(out, "name,value\r\n");
	else
		json_open(&facts->json, '{');
}

void facts_end(struct facts *facts)
{
	if (facts->csv)
		return;
	json_close(&facts->json, '}');
	buf_add_char(facts->json.out, '\n');
}

void facts_open_group(struct facts *facts, const char *name)
{
	facts->group = name;
	if (facts->csv)
		return;
	json_key(&facts->json, name);
	json_open(&facts->json, '{');
}

void facts_close_group(struct facts *facts)
{
	facts->group = NULL;
	if (!facts->csv)
		json_close(&facts->json, '}');
}

/* A fact of CSV is written by JSON's functions as well: a number is the same, and so is a bool. */
static void begin_fact(struct facts *facts, const char *name)
{
	if (!facts->csv) {
		json_key(&facts->json, name);
		return;
	}
	buf_addf(facts->json.out, "%s%s%s,", facts->group ? facts->group : "", facts->group ? "." : "",
			 name);
	facts->json.comma = false;
}

static void end_fact(struct facts *facts)
{
	if (facts->csv)
		buf_add(facts->json.out, "\r\n");
}

void facts_number(struct facts *facts, const char *name, uint64_t number)
{
	begin_fact(facts, name);
	json_number(&facts->json, number);
	end_fact(facts);
}

void facts_null(struct facts *facts, const char *name)
{
	begin_fact(facts, name);
	if (!facts->csv)
		json_null(&facts->json);
	end_fact(facts);
}

void facts_bool(struct facts *facts, const char *name, bool value)
{
	begin_fact(facts, name);
	json_bool(&facts->json, value);
	end_fact(facts);
}

void facts_address(struct facts *facts, const char *name, uint64_t address)
{
	begin_fact(facts, name);
	if (facts->csv)
		number_add_hex(facts->json.out, address);
	else
		json_address(&facts->json, address);
	end_fact(facts);
}

void facts_text(struct facts *facts, const char *name, const char *text)
{
	begin_fact(facts, name);
	if (facts->csv)
		csv_text(facts->json.out, text ? text : "");
	else if (text)
		json_text(&facts->json, text);
	else
		json_null(&facts->json);
	end_fact(facts);
}

void facts_numbers(struct facts *facts, const char *name, const uint64_t *numbers, size_t count)
{
	begin_fact(facts, name);
	if (!facts->csv)
		json_open(&facts->json, '[');
	for (size_t i = 0; i < count; i++) {
		if (facts->csv && i)
			buf_add_char(facts->json.out, ' ');
		facts->json.comma = facts->json.comma && !facts->csv;
		json_number(&facts->json, numbers[i]);
	}
	if (!facts->csv)
		json_close(&facts->json, ']');
	end_fact(facts);
}
