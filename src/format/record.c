#include "format/record.h"

#include "go/format/dump/go_layout.h"

#include <stddef.h>
#include <string.h>

/* Sets of layouts that have a field. */
enum {
	NEVER = 0,
	EARLY = GO_EARLY,
	ALL = GO_SECOND - 1,
	FROM_BETA = ALL & ~GO_EARLY,
	FROM_13 = FROM_BETA & ~GO_13BETA,
	UP_TO_13 = GO_EARLY | GO_13BETA | GO_13,
	BETA_TO_13 = GO_13BETA | GO_13,
	FROM_14 = ALL & ~UP_TO_13,
	FROM_17 = GO_17,
	BETA_TO_16 = FROM_BETA & ~GO_17,
	SECOND = GO_SECOND
};

/* Defines a text and a list of fields per record, in functions, so that a row can use `self`. */
#define RECORD(KIND, name, listed, title, text)           \
	static const char name##_text[] = text;               \
	static const struct record_field *name##_fields(void) \
	{                                                     \
		typedef struct name##_record self;                \
		static const struct record_field fields[] = {
#define ARRAY(type, member, count, encoding, when) \
	{#member, ENCODING_##encoding, when, count, offsetof(self, member)},
#define FIELD(type, member, encoding, when) ARRAY(type, member, 1, encoding, when)
#define AGAIN(member, encoding, when)       ARRAY(type, member, 1, encoding, when)
/* clang-format off */
#define END(name) {0}}; return fields; }
/* clang-format on */
#include "format/records.def"

const struct record_type record_types[RECORD_KINDS] = {
#define RECORD(KIND, name, listed, title, text) \
	[RECORD_##KIND] = {listed, title, name##_text, name##_fields, sizeof(struct name##_record)},
#define SAME(KIND, listed, like, title) \
	[RECORD_##KIND] = {listed, title, like##_text, like##_fields, sizeof(struct like##_record)},
#define OTHER(KIND, listed, title) [RECORD_##KIND] = {listed, title, "", NULL, 0},
#include "format/records.def"
};

const char *const memstats_names[MEMSTATS_FIELDS] = {
	"Alloc",       "TotalAlloc", "Sys",        "Lookups",   "Mallocs",      "Frees",
	"HeapAlloc",   "HeapSys",    "HeapIdle",   "HeapInuse", "HeapReleased", "HeapObjects",
	"StackInuse",  "StackSys",   "MSpanInuse", "MSpanSys",  "MCacheInuse",  "MCacheSys",
	"BuckHashSys", "GCSys",      "OtherSys",   "NextGC",    "LastGC",       "PauseTotalNs",
};

bool memstats_value(const struct memstats_record *stats, const char *name, uint64_t *value)
{
	for (size_t i = 0; i < MEMSTATS_FIELDS; i++)
		if (strcmp(memstats_names[i], name) == 0) {
			*value = stats->field[i];
			return stats->present && !(stats->unknown >> i & 1);
		}
	return false;
}

uint64_t layout_word_slow(const struct layout *layout, const uint8_t *data)
{
	uint64_t word = 0;
	for (unsigned i = 0; i < layout->pointer_size; i++) {
		unsigned at = layout->big_endian ? i : layout->pointer_size - 1U - i;
		word = word << 8 | data[at];
	}
	return word;
}

unsigned record_minor_version(struct text version)
{
	static const char mark[] = "go1.";
	const char *at = version.len ? memmem(version.data, version.len, mark, sizeof mark - 1) : NULL;
	unsigned minor = 0;
	if (!at)
		return 0;
	for (at += sizeof mark - 1; at < version.data + version.len && *at >= '0' && *at <= '9'; at++)
		minor = minor < 1000 ? minor * 10 + (unsigned)(*at - '0') : minor;
	return minor;
}
