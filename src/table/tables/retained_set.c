/* The tables of the objects that something retains or owns, by type, package or allocation site. */
#include "table/cell.h"
#include "table/contents/object_set.h"
#include "table/naming/typed.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct set_group {
	char *name; /* NULL: the objects that no sample tells the site of */
	uint64_t count, bytes;
};
struct retained_set {
	struct set_group *group;
	size_t capacity;
	uint64_t count, bytes; /* of all */
	struct buf set;        /* as the table objects takes it */
	const struct set_by *by;
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
	typed_add(analysis, id, out);
}

static void set_add_package(const struct analysis *analysis, uint32_t id, struct buf *out)
{
	struct buf name = {0};
	typed_add(analysis, id, &name);
	typed_add_package(buf_text(&name), typed_is_label(analysis, id), out);
	buf_free(&name);
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
	{"type", typed_text_key, set_add_type},
	{"package", typed_text_key, set_add_package},
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
	struct buf operand = {0};
	buf_add_bytes(&operand, argument, length);
	buf_add(set, selector);
	object_set_add_operand(set, buf_text(&operand));
	buf_free(&operand);
	return by;
}

/* ---- Rows */

static void set_group_add(struct rows *rows, size_t at, uint64_t bytes)
{
	struct retained_set *self = rows->data;
	self->group[at].count++;
	self->group[at].bytes += bytes;
	self->count++;
	self->bytes += bytes;
}

static size_t set_group_new(struct rows *rows, uint32_t id)
{
	struct retained_set *self = rows->data;
	struct buf name = {0};
	self->by->add(rows->analysis, id, &name);
	MEM_PUSH(self->group, rows->count, self->capacity,
	         ((struct set_group){.name = name.len ? mem_strdup(buf_text(&name)) : NULL}));
	buf_free(&name);
	return rows->count - 1;
}

static int set_group_order(const void *a, const void *b)
{
	const struct set_group *x = a, *y = b;
	if (!x->name || !y->name)
		return (x->name == NULL) - (y->name == NULL);
	return strcmp(x->name, y->name);
}

/* Makes one group of those with one name: keys of unknown objects differ. */
static void set_groups_merge(struct rows *rows)
{
	struct retained_set *self = rows->data;
	size_t kept = 0;
	if (rows->count)
		qsort(self->group, rows->count, sizeof *self->group, set_group_order);
	for (size_t i = 0; i < rows->count; i++) {
		struct set_group *from = &self->group[i];
		if (!kept || set_group_order(&self->group[kept - 1], from) != 0) {
			self->group[kept++] = *from;
			continue;
		}
		self->group[kept - 1].count += from->count;
		self->group[kept - 1].bytes += from->bytes;
		free(from->name);
	}
	rows->count = kept;
}

static bool set_open(struct rows *rows, const char *selector, const char *argument, struct err *err)
{
	struct retained_set *self = mem_alloc(sizeof *self);
	struct rows chosen = {.analysis = rows->analysis, .progress = rows->progress};
	self->by = set_read(selector, argument, &self->set);
	bool done = object_set_select(&chosen, buf_text(&self->set), err);
	const uint32_t *ids = chosen.data;
	struct map known = {0};
	rows->data = self;
	for (size_t i = 0; done && i < chosen.count; i++) {
		uint64_t key = self->by->key(rows->analysis, ids[i]), at;
		if (!key || !map_get(&known, key, &at)) {
			at = set_group_new(rows, ids[i]);
			if (key)
				map_put(&known, key, at);
		}
		set_group_add(rows, at, heap_size(analysis_heap(rows->analysis), ids[i]));
	}
	set_groups_merge(rows);
	text_add_number_of(&rows->title, self->count, "object", "objects");
	buf_add(&rows->title, ", ");
	text_add_size(&rows->title, self->bytes);
	const char *words = buf_text(&chosen.title);
	buf_addf(&rows->title, ",%s, by %s", words + strcspn(words, " "), self->by->word);
	if (!rows->count)
		buf_add(&rows->note, "There is no such object.");
	map_free(&known);
	buf_free(&chosen.title);
	buf_free(&chosen.note);
	free(chosen.data);
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
	struct buf set = {0};
	set_read(selector, argument, &set);
	unsigned stages = object_set_needs(buf_text(&set)) | STAGE_TYPED;
	buf_free(&set);
	return stages;
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
	for (size_t i = 0; self && i < rows->count; i++)
		free(self->group[i].name);
	if (self) {
		free(self->group);
		buf_free(&self->set);
	}
	free(self);
}

static void set_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const char *name = ((const struct retained_set *)rows->data)->group[row].name;
	buf_add(cell_begin(value), name ? name : "(not known)");
	cell_end(value);
}

static void set_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct retained_set *self = rows->data;
	cell_share(value, self->group[row].bytes, self->bytes);
}

static const struct column columns[] = {
	{"name", "name",
     "The type, package or allocation site; the site is known of objects that the memory profiler "
     "has sampled",
     VALUE_TEXT, 0, 0, .cell = set_name_cell},
	{"count", "objects", "Objects of it", VALUE_COUNT, 11, 0, FIELD(struct set_group, count)},
	{"bytes", "bytes", "Bytes of their slots; all rows add up to those of the set", VALUE_BYTES, 9,
     0, FIELD(struct set_group, bytes)},
	{"share", "share", "Share of the bytes of the set", VALUE_SHARE, 7, 1, .cell = set_share_cell},
};

/* A type opens its objects in the set. */
static void set_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct retained_set *self = rows->data;
	struct buf set = {0};
	if (self->by != &set_bys[0] || !self->group[row].name)
		return;
	buf_addf(&set, "%s and type=%s", buf_text(&self->set), self->group[row].name);
	buf_add(command, "objects ");
	text_add_quoted(command, "", buf_text(&set));
	buf_free(&set);
}

#define SET_TABLE                                                                                \
	COLUMNS(columns), .close = set_close, RECORDS(struct retained_set, group), .link = set_link, \
					  .sort = "bytes", .parts = PART_OBJECTS, .needs = STAGE_REACHED

static const struct table table_retained_set = {
	.rank = 83,
	.name = "retained-set",
	.help =
		"The objects that would be freed without something, by type, package or allocation site: "
		"without a variable, an object, " THREAD_WORD "s, or a set as the table objects takes "
		"it, such as type=main.Session",
	.argument = "X [by type|package|site]",
	.takes = TAKES_PLACE | TAKES_SET,
	.needs_with = retained_set_needs,
	.open = retained_set_open,
	SET_TABLE,
};
PLUGIN(tables, table_retained_set);

static const struct table table_owned_set = {
	.rank = 84,
	.name = "owned-set",
	.help = "The objects that an owner of the table owners owns, by type, package or allocation "
			"site; the name of a variable stands for all of its parts",
	.argument = "OWNER [by type|package|site]",
	.completes = "owners.name",
	.needs_with = owned_set_needs,
	.open = owned_set_open,
	SET_TABLE,
};
PLUGIN(tables, table_owned_set);
