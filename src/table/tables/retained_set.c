/* The tables of the objects that something retains or owns, by type, package or allocation site. */
#include "table/cell.h"
#include "table/contents/object_set.h"
#include "table/growth/delta.h"
#include "table/naming/typed.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct set_group {
	char *name; /* NULL: the objects that no sample tells the site of */
	struct set_sum {
		uint64_t count, bytes;
	} was, now;     /* in the oldest earlier dump, and in this one */
	uint64_t fresh; /* objects that were not there in the oldest dump */
};
struct retained_set {
	struct set_group *group;
	size_t capacity;
	struct set_sum was, now; /* of all */
	struct buf set;          /* as the table objects takes it */
	const struct set_by *by;
	bool compared; /* with the oldest dump */
};

/* ---- What they are grouped by */

static uint64_t set_site_key(const struct analysis *analysis, uint32_t id)
{
	const struct profiles *profiles = &analysis_heap(analysis)->profiles;
	const struct sample *sample = profiles_of_object(profiles, id);
	return sample && sample->profile != PROFILE_NONE ? 1 + (uint64_t)sample->profile : UINT64_MAX;
}

static void set_add_type(const struct analysis *analysis, uint32_t id, struct buf *out)
{
	typed_add_name(analysis, id, out);
}

static void set_add_package(const struct analysis *analysis, uint32_t id, struct buf *out)
{
	typed_add_code_package(analysis, typed_code(analysis, id), out);
}

static void set_add_site(const struct analysis *analysis, uint32_t id, struct buf *out)
{
	const struct profiles *profiles = &analysis_heap(analysis)->profiles;
	const struct sample *sample = profiles_of_object(profiles, id);
	struct stack_frame frame;
	if (!sample || sample->profile == PROFILE_NONE
	    || !profile_site(&profiles->profile[sample->profile], &frame))
		return;
	text_add_symbol(out, frame.function.data, frame.function.len, SIZE_MAX);
	if (frame.file.len)
		buf_add_char(out, ' ');
	text_add_escaped(out, frame.file.data, frame.file.len, SIZE_MAX);
	if (frame.file.len)
		buf_addf(out, ":%" PRIu64, frame.line);
}

static const struct set_by {
	const char *word;
	/* Returns a key: objects with the same key have the same name; 0: unknown. */
	uint64_t (*key)(const struct analysis *analysis, uint32_t id);
	void (*add)(const struct analysis *analysis, uint32_t id, struct buf *out); /* nothing: unknown
	                                                                             */
} set_bys[] = {
	{"type", typed_code, set_add_type},
	{"package", typed_code, set_add_package},
	{"site", set_site_key, set_add_site},
};

/* Takes " by WORD" from the end of an argument of `length` bytes. */
static const struct set_by *set_by_of(const char *argument, size_t *length)
{
	for (size_t i = 0; i < sizeof set_bys / sizeof *set_bys; i++) {
		size_t tail = strlen(" by ") + strlen(set_bys[i].word);
		const char *at = argument + *length - tail;
		if (*length > tail && strncmp(at, " by ", 4) == 0 && strcmp(at + 4, set_bys[i].word) == 0) {
			*length -= tail;
			return &set_bys[i];
		}
	}
	return &set_bys[0];
}

/* Appends the argument as a set of the table objects. */
static const struct set_by *set_read(const char *selector, const char *argument, struct buf *set)
{
	size_t length = strlen(argument);
	const struct set_by *by = set_by_of(argument, &length);
	SCOPED_BUF operand = {0};
	buf_add_bytes(&operand, argument, length);
	buf_add(set, selector);
	object_set_add_operand(set, buf_text(&operand));
	return by;
}

/* ---- Rows */

static size_t set_group_new(struct rows *rows, const struct analysis *analysis, uint32_t id)
{
	struct retained_set *self = rows->data;
	SCOPED_BUF name = {0};
	self->by->add(analysis, id, &name);
	MEM_PUSH(self->group, rows->count, self->capacity,
	         ((struct set_group){.name = name.len ? mem_strdup(buf_text(&name)) : NULL}));
	return rows->count - 1;
}

static void set_sum_add(struct set_sum *sum, const struct set_sum *more)
{
	sum->count += more->count;
	sum->bytes += more->bytes;
}

static int set_group_order(const void *a, const void *b)
{
	const struct set_group *x = a, *y = b;
	if (!x->name || !y->name)
		return (x->name == NULL) - (y->name == NULL);
	return strcmp(x->name, y->name);
}

/* Makes one group of those with one name: keys of unknown objects differ, and so do dumps. */
static void set_groups_merge(struct rows *rows)
{
	struct retained_set *self = rows->data;
	size_t kept = 0;
	if (rows->count)
		qsort(self->group, rows->count, sizeof *self->group, set_group_order);
	for (size_t i = 0; i < rows->count; i++) {
		struct set_group *from = &self->group[i], *last = &self->group[kept - (kept > 0)];
		set_sum_add(&self->was, &from->was);
		set_sum_add(&self->now, &from->now);
		if (!kept || set_group_order(last, from) != 0) {
			self->group[kept++] = *from;
			continue;
		}
		set_sum_add(&last->was, &from->was);
		set_sum_add(&last->now, &from->now);
		last->fresh += from->fresh;
		free(from->name);
	}
	rows->count = kept;
}

/* Adds the groups of the objects of one dump: the newest, or the oldest. `chosen` selects, and
   receives the title. */
static bool set_add_dump(struct rows *rows, struct rows *chosen, struct err *err)
{
	struct retained_set *self = rows->data;
	const struct analysis *analysis = chosen->analysis;
	bool done = object_set_select(chosen, buf_text(&self->set), err);
	bool is_now = analysis == rows->analysis;
	const uint32_t *ids = chosen->data;
	SCOPED_MAP known = {0};
	for (size_t i = 0; done && i < chosen->count; i++) {
		uint64_t key = self->by->key(analysis, ids[i]), at;
		if (!key || !map_get(&known, key, &at)) {
			at = set_group_new(rows, analysis, ids[i]);
			if (key)
				map_put(&known, key, at);
		}
		struct set_group *group = &self->group[at];
		const struct set_sum one = {1, heap_size(analysis_heap(analysis), ids[i])};
		set_sum_add(is_now ? &group->now : &group->was, &one);
		group->fresh += is_now && self->compared && !delta_is_old(analysis, ids[i]);
	}
	free(chosen->data);
	return done;
}

/* Returns true if the objects that a set, "retained=...", names by their addresses are those of the
   oldest dump; false: *err. */
static bool set_has_old_addresses(const struct analysis *analysis, const char *set, struct err *err)
{
	const char span[] = "span=";
	for (const char *at = set + strlen(span); (at = strstr(at, "0x")); at++) {
		uint64_t address = strtoull(at, NULL, 16);
		uint32_t id = heap_find(analysis_heap(analysis), address);
		bool named = strchr(" (=", at[-1]) && strncmp(at - strlen(span), span, strlen(span)) != 0;
		if (named && id != OBJECT_NONE && !delta_is_old(analysis, id))
			return err_set(err, "another object, or none, is at 0x%" PRIx64, address);
	}
	return true;
}

/* Adds the groups of the oldest dump. What cannot be named there retained nothing. */
static bool set_add_oldest(struct rows *rows, struct err *err)
{
	const struct retained_set *self = rows->data;
	struct rows chosen = {.analysis = delta_oldest_reached(rows), .progress = rows->progress};
	struct err nowhere = {0};
	if (!set_has_old_addresses(rows->analysis, buf_text(&self->set), &nowhere)
	    || !set_add_dump(rows, &chosen, &nowhere))
		buf_addf(&rows->note, "All of it counts as new. In the oldest dump: %s.", nowhere.text);
	buf_free(&chosen.title);
	buf_free(&chosen.note);
	return !rows->progress || !atomic_load(&rows->progress->cancel)
	       || err_set(err, "Comparing with the oldest dump was cancelled");
}

static void set_add_title(struct rows *rows, const char *words)
{
	const struct retained_set *self = rows->data;
	uint64_t was = self->was.bytes, now = self->now.bytes;
	text_add_number_of(&rows->title, self->now.count, "object", "objects");
	buf_addf(&rows->title, ", %s", text_size(now).text);
	if (self->compared) {
		buf_addf(&rows->title, "%s%s)", now < was ? " (-" : " (+",
		         text_size(now < was ? was - now : now - was).text);
	}
	buf_addf(&rows->title, ",%s, by %s", words + strcspn(words, " "), self->by->word);
}

static bool set_open(struct rows *rows, const char *selector, const char *argument, struct err *err)
{
	struct retained_set *self = rows->data = mem_alloc(sizeof *self);
	struct rows chosen = {.analysis = rows->analysis, .progress = rows->progress};
	self->by = set_read(selector, argument, &self->set);
	self->compared = delta_oldest_reached(rows) && series_knows_objects(rows->analysis);
	bool done = set_add_dump(rows, &chosen, err) && (!self->compared || set_add_oldest(rows, err));
	set_groups_merge(rows);
	set_add_title(rows, buf_text(&chosen.title));
	if (!rows->count)
		buf_add(&rows->note, "There is no such object.");
	buf_free(&chosen.title);
	buf_free(&chosen.note);
	return done;
}

static const char retained_selector[] = "retained=", owned_selector[] = "owned=";

static bool retained_set_open(struct rows *rows, const char *argument, struct err *err)
{
	return set_open(rows, retained_selector, argument, err);
}

static bool owned_set_open(struct rows *rows, const char *argument, struct err *err)
{
	return set_open(rows, owned_selector, argument, err);
}

static unsigned set_needs(const char *selector, const char *argument)
{
	SCOPED_BUF set = {0};
	set_read(selector, argument, &set);
	return object_set_needs(buf_text(&set)) | STAGE_TYPED;
}

static unsigned retained_set_needs(const char *argument)
{
	return set_needs(retained_selector, argument);
}

static unsigned owned_set_needs(const char *argument)
{
	return set_needs(owned_selector, argument);
}

static void set_close(struct rows *rows)
{
	struct retained_set *self = rows->data;
	for (size_t i = 0; i < rows->count; i++)
		free(self->group[i].name);
	free(self->group);
	buf_free(&self->set);
}

static void set_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const char *name = ((const struct retained_set *)rows->data)->group[row].name;
	buf_add(cell_begin(value), name ? name : "(not known)");
}

static void set_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct retained_set *self = rows->data;
	cell_share(value, self->group[row].now.bytes, self->now.bytes);
}

static bool set_not_compared(const struct rows *rows)
{
	return !((const struct retained_set *)rows->data)->compared;
}

static void set_new_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct set_group *group = rows_record(rows, row);
	if (!set_not_compared(rows))
		cell_number(value, VALUE_COUNT, group->fresh);
}

static const struct column columns[] = {
	{"name", "name",
     "The type, package or allocation site; the site is known of objects that the memory profiler "
     "has sampled",
     VALUE_TEXT, 0, 0, .cell = set_name_cell},
	{"count", "objects", "Objects of it", VALUE_COUNT, 11, 0, FIELD(struct set_group, now.count)},
	{"bytes", "bytes", "Bytes of their slots; all rows add up to those of the set", VALUE_BYTES, 9,
     0, FIELD(struct set_group, now.bytes)},
	{"share", "share", "Share of the bytes of the set", VALUE_SHARE, 7, 1, .cell = set_share_cell},
	{COUNT_DELTA(set_not_compared), .width = 9, .cell = field_unless_absent_cell,
     FIELD_DELTA(struct set_group, was.count, now.count)},
	{BYTES_DELTA(set_not_compared), .width = 10, .cell = field_unless_absent_cell,
     FIELD_DELTA(struct set_group, was.bytes, now.bytes)},
	{"new_count", "new",
     "How many of the objects were not there in the oldest earlier dump, as the column born of the "
     "table objects has it; others may be new in the set",
     VALUE_COUNT, 9, 1, .cell = set_new_cell, .absent = set_not_compared},
};

/* A type opens its objects in the set. */
static void set_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct retained_set *self = rows->data;
	SCOPED_BUF set = {0};
	if (self->by != &set_bys[0] || !self->group[row].name || !self->group[row].now.count)
		return;
	buf_addf(&set, "%s and type=%s", buf_text(&self->set), self->group[row].name);
	buf_add(command, "objects ");
	text_add_quoted(command, "", buf_text(&set));
}

#define SET_TABLE                                                                                \
	COLUMNS(columns), .close = set_close, RECORDS(struct retained_set, group), .link = set_link, \
					  .sort = "bytes", .parts = PART_OBJECTS, .needs = STAGE_REACHED

DEFINE_PLUGIN(tables, struct table, table_retained_set) = {
	.rank = 83,
	.name = "retained-set",
	.help =
		"The objects that would be freed without something, by type, package or allocation site: "
		"without a variable, an object, " THREAD_WORD "s, or a set as the table objects takes "
		"it, such as type=main.Session; with --since, what is new in the set",
	.argument = "X [by type|package|site]",
	.takes = TAKES_PLACE | TAKES_SET,
	.needs_with = retained_set_needs,
	.open = retained_set_open,
	SET_TABLE,
};

DEFINE_PLUGIN(tables, struct table, table_owned_set) = {
	.rank = 84,
	.name = "owned-set",
	.help = "The objects that an owner of the table owners owns, by type, package or allocation "
			"site; the name of a variable stands for all of its parts; with --since, what is new",
	.argument = "OWNER [by type|package|site]",
	.completes = "owners.name",
	.needs_with = owned_set_needs,
	.open = owned_set_open,
	SET_TABLE,
};
