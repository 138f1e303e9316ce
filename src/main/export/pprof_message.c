#include "main/export/pprof.h"

#include "base/number.h"
#include "base/text.h"
#include "table/owners/object_owner.h"

#include <string.h>

/* Field numbers of messages. */
enum pprof_profile {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_SHOWN = 14 /* the type shown first */
};
enum { TYPE_NAME = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3, LABEL_KEY = 1, LABEL_TEXT = 2 };
enum { MAPPING_ID = 1, MAPPING_LIMIT = 3, MAPPING_NAME = 5, MAPPING_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4, LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4 };
/* Wire types of fields. */
enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

static void pprof_number(struct buf *out, unsigned field, uint64_t number)
{
	if (!number)
		return;
	buf_add_uvarint(out, field << 3 | WIRE_NUMBER);
	buf_add_uvarint(out, number);
}

static void pprof_bytes(struct buf *out, unsigned field, const char *bytes, size_t len)
{
	buf_add_uvarint(out, field << 3 | WIRE_BYTES);
	buf_add_uvarint(out, len);
	buf_add_bytes(out, bytes, len);
}

/* Appends an embedded message and clears it. */
static void pprof_message(struct buf *out, unsigned field, struct buf *message)
{
	pprof_bytes(out, field, buf_text(message), message->len);
	buf_clear(message);
}

static uint64_t pprof_text(struct pprof *pprof, const char *text)
{
	return string_set_number(&pprof->texts, text, NULL);
}

static void pprof_add(struct pprof *pprof, enum pprof_profile field)
{
	pprof_message(&pprof->gzip.plain, field, &pprof->message);
	pprof->ok = pprof->ok && gzip_some(&pprof->gzip);
}

void pprof_begin(struct pprof *pprof, struct buf *out, const struct pprof_type *types, size_t count,
                 size_t first, uint64_t time)
{
	*pprof = (struct pprof){.values = count, .ok = true};
	gzip_begin(&pprof->gzip, out);
	pprof_text(pprof, "");
	for (size_t i = 0; i < count; i++) {
		pprof_number(&pprof->message, TYPE_NAME, pprof_text(pprof, types[i].name));
		pprof_number(&pprof->message, TYPE_UNIT, pprof_text(pprof, types[i].unit));
		pprof_add(pprof, PROFILE_SAMPLE_TYPE);
	}
	struct buf *plain = &pprof->gzip.plain;
	pprof_number(plain, PROFILE_SHOWN, pprof_text(pprof, types[first].name));
	pprof_number(plain, PROFILE_TIME, time);
	/* Without a mapping, pprof complains that it does not know the executable. */
	pprof_number(&pprof->message, MAPPING_ID, 1);
	pprof_number(&pprof->message, MAPPING_LIMIT, 1);
	pprof_number(&pprof->message, MAPPING_NAME, pprof_text(pprof, "-"));
	pprof_number(&pprof->message, MAPPING_FUNCTIONS, 1);
	pprof_add(pprof, PROFILE_MAPPING);
}

uint64_t pprof_location(struct pprof *pprof, const char *function, const char *file, uint64_t line)
{
	SCOPED_BUF key = {0};
	bool is_new;
	buf_addf(&key, "%s\n%s\n", function, file);
	number_add(&key, line);
	uint64_t id = string_set_number(&pprof->places, buf_text(&key), &is_new) + 1ULL;
	if (!is_new)
		return id;
	struct buf *message = &pprof->message;
	pprof_number(message, FUNCTION_ID, id);
	pprof_number(message, FUNCTION_NAME, pprof_text(pprof, function));
	pprof_number(message, FUNCTION_FILE, pprof_text(pprof, file));
	pprof_add(pprof, PROFILE_FUNCTION);
	pprof_number(&pprof->inner, LINE_FUNCTION, id);
	pprof_number(&pprof->inner, LINE_LINE, line);
	pprof_number(message, LOCATION_ID, id);
	pprof_number(message, LOCATION_MAPPING, 1);
	pprof_message(message, LOCATION_LINE, &pprof->inner);
	pprof_add(pprof, PROFILE_LOCATION);
	return id;
}

void pprof_stack(struct pprof *pprof)
{
	buf_clear(&pprof->location);
}

void pprof_push(struct pprof *pprof, uint64_t location)
{
	buf_add_uvarint(&pprof->location, location);
}

void pprof_owner(struct pprof *pprof, const struct analysis *analysis, uint32_t set)
{
	struct buf name = {0};
	uint64_t text;
	if (set == UINT32_MAX)
		return;
	if (!map_get(&pprof->owners, set, &text)) {
		object_owner_add(analysis, set, &name);
		text = pprof_text(pprof, buf_text(&name));
		map_put(&pprof->owners, set, text);
		buf_free(&name);
	}
	pprof_number(&pprof->inner, LABEL_KEY, pprof_text(pprof, "owner"));
	pprof_number(&pprof->inner, LABEL_TEXT, text);
	pprof_message(&pprof->label, SAMPLE_LABEL, &pprof->inner);
}

void pprof_sample(struct pprof *pprof, const uint64_t *values)
{
	pprof_bytes(&pprof->message, SAMPLE_LOCATION, buf_text(&pprof->location), pprof->location.len);
	for (size_t i = 0; i < pprof->values; i++)
		buf_add_uvarint(&pprof->inner, values[i]);
	pprof_message(&pprof->message, SAMPLE_VALUE, &pprof->inner);
	buf_add_bytes(&pprof->message, buf_text(&pprof->label), pprof->label.len);
	buf_clear(&pprof->label);
	pprof_add(pprof, PROFILE_SAMPLE);
}

void pprof_period(struct pprof *pprof, struct pprof_type type, uint64_t period)
{
	pprof_number(&pprof->message, TYPE_NAME, pprof_text(pprof, type.name));
	pprof_number(&pprof->message, TYPE_UNIT, pprof_text(pprof, type.unit));
	pprof_add(pprof, PROFILE_PERIOD_TYPE);
	pprof_number(&pprof->gzip.plain, PROFILE_PERIOD, period);
}

bool pprof_end(struct pprof *pprof, const char *comment)
{
	struct buf *plain = &pprof->gzip.plain;
	pprof_number(plain, PROFILE_COMMENT, pprof_text(pprof, comment));
	for (size_t i = 0; i < pprof->texts.count && pprof->ok; i++) {
		const char *text = string_set_text(&pprof->texts, (uint32_t)i);
		pprof_bytes(plain, PROFILE_STRING, text, strlen(text));
		pprof->ok = gzip_some(&pprof->gzip);
	}
	pprof->ok = gzip_end(&pprof->gzip) && pprof->ok;
	buf_free(&pprof->message);
	buf_free(&pprof->inner);
	buf_free(&pprof->location);
	buf_free(&pprof->label);
	map_free(&pprof->owners);
	string_set_free(&pprof->texts);
	string_set_free(&pprof->places);
	return pprof->ok;
}
