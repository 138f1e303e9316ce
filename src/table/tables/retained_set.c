/* The tables of the objects that something retains or owns, by type, package or allocation site:
   classes of the table objects. */
#include "table/cell.h"
#include "table/contents/object_set.h"
#include "table/growth/delta.h"
#include "table/query/row_classes.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SET_NAME, SET_SHARE = 3, SET_COLUMNS = 7 };

struct retained_set {
	struct table table; /* with the columns of what they are grouped by */
	const struct table *declared;
	struct column column[SET_COLUMNS];
	const struct set_by *by;
	struct buf set;  /* as the table objects takes it */
	bool compared;   /* with the oldest dump */
	uint64_t *fresh; /* by row: objects that were not there in the oldest dump */
};

static const struct set_by {
	const char *word, *column; /* of the table objects */
} set_bys[] = {{"type", "type"}, {"package", "package"}, {"site", "call"}};

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

/* Makes the argument a set of the table objects, and the declaration of the classes. */
static void set_read(struct retained_set *self, const struct table *table, const char *selector,
                     const char *argument)
{
	size_t length = strlen(argument);
	SCOPED_BUF operand = {0};
	self->by = set_by_of(argument, &length);
	buf_add_bytes(&operand, argument, length);
	buf_add(&self->set, selector);
	object_set_add_operand(&self->set, buf_text(&operand));
	memcpy(self->column, table->columns, SET_COLUMNS * sizeof *self->column);
	self->column[SET_NAME].of.from = self->by->column;
	self->declared = table;
	self->table = *table;
	self->table.made = &classes_made;
	self->table.classes_of = "objects";
	self->table.of_argument = buf_text(&self->set);
	self->table.columns = self->column;
}

static void set_fini(struct retained_set *self)
{
	buf_free(&self->set);
	free(self->fresh);
}

/* ---- Rows */

static bool set_not_compared(const struct rows *rows)
{
	return !((const struct retained_set *)rows->data)->compared;
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

static void set_count_new(struct rows *rows)
{
	struct retained_set *self = rows->data;
	const struct classes *c = rows->classes;
	self->fresh = mem_alloc((rows->count + 1) * sizeof *self->fresh);
	for (size_t row = 0; row < c->of->count; row++)
		self->fresh[c->of_row[row]] += !delta_is_old(rows->analysis, rows_object(c->of, row));
}

/* Opens the set of the oldest dump. What cannot be named there retained nothing. */
static bool set_compare(struct rows *rows, const char *argument, struct err *err)
{
	const struct retained_set *self = rows->data;
	struct err nowhere = {0};
	rows->table = self->declared; /* that reads the argument for the oldest dump */
	set_has_old_addresses(rows->analysis, buf_text(&self->set), &nowhere);
	delta_begin(rows, argument, rows->progress, &nowhere);
	rows->before->known = true;
	rows->table = &self->table;
	if (nowhere.set)
		buf_addf(&rows->note, "All of it counts as new. In the oldest dump: %s.", nowhere.text);
	classes_add_gone(rows);
	set_count_new(rows);
	return !rows->progress || !atomic_load(&rows->progress->cancel)
	       || err_set(err, "Comparing with the oldest dump was cancelled");
}

static void set_add_title(struct rows *rows)
{
	const struct retained_set *self = rows->data;
	const struct rows *of = rows->classes->of;
	const char *words = buf_text(&of->title);
	uint64_t now = rows->classes->column[SET_SHARE].whole.number, was = 0;
	text_add_number_of(&rows->title, of->count, "object", "objects");
	buf_addf(&rows->title, ", %s", text_size(now).text);
	if (self->compared) {
		if (rows->before->rows)
			was = rows->before->rows->classes->column[SET_SHARE].whole.number;
		buf_addf(&rows->title, "%s%s)", now < was ? " (-" : " (+",
		         text_size(now < was ? was - now : now - was).text);
	}
	buf_addf(&rows->title, ",%s, by %s", words + strcspn(words, " "), self->by->word);
}

static bool set_open(struct rows *rows, const char *selector, const char *argument, struct err *err)
{
	struct retained_set *self = rows->data = mem_alloc(sizeof *self);
	set_read(self, rows->table, selector, argument);
	self->compared = delta_oldest_reached(rows) && series_knows_objects(rows->analysis);
	rows->table = &self->table;
	if (!classes_open(rows, argument, err) || (self->compared && !set_compare(rows, argument, err)))
		return false;
	set_add_title(rows);
	return true;
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

static void set_close(struct rows *rows)
{
	set_fini(rows->data);
}

static void set_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	classes_cell(rows, row, value);
	if (value->kind == VALUE_NONE)
		cell_text(value, "(not known)");
}

static void set_new_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct retained_set *self = rows->data;
	if (self->fresh)
		cell_number(value, VALUE_COUNT, self->fresh[row]);
}

static unsigned set_needs(const struct table *table, const char *selector, const char *argument)
{
	struct retained_set *self = mem_alloc(sizeof *self);
	set_read(self, table, selector, argument);
	unsigned needs = classes_need(&self->table) | STAGE_TYPED;
	set_fini(self);
	free(self);
	return needs;
}

static const struct table table_retained_set, table_owned_set;

static unsigned retained_set_needs(const char *argument)
{
	return set_needs(&table_retained_set, retained_selector, argument);
}

static unsigned owned_set_needs(const char *argument)
{
	return set_needs(&table_owned_set, owned_selector, argument);
}

static const struct column columns[SET_COLUMNS] = {
	{"name", "name",
     "The type, package or allocation site; the site is known of objects that the memory profiler "
     "has sampled",
     VALUE_TEXT, 0, 0, .cell = set_name_cell, .of = {CLASS_KEY, "type"}},
	{"count", "objects", "Objects of it", VALUE_COUNT, 11, 0, ROWS_COUNT},
	{"bytes", "bytes", "Bytes of their slots; all rows add up to those of the set", VALUE_BYTES, 9,
     0, SUM("size")},
	{"share", "share", "Share of the bytes of the set", VALUE_SHARE, 7, 1, SHARE_OF("size")},
	{COUNT_DELTA(set_not_compared), .width = 9, .cell = delta_cell, .of = {CLASS_DELTA, "count"},
     .is_signed = true},
	{BYTES_DELTA(set_not_compared), .width = 10, .cell = delta_cell, .of = {CLASS_DELTA, "bytes"},
     .is_signed = true},
	{"new_count", "new",
     "How many of the objects were not there in the oldest earlier dump, as the column born of the "
     "table objects has it; others may be new in the set",
     VALUE_COUNT, 9, 1, .cell = set_new_cell, .absent = set_not_compared},
};

#define SET_TABLE                                                                              \
	COLUMNS(columns), .close = set_close, .none = "There is no such object.", .sort = "bytes", \
					  .parts = PART_OBJECTS, .needs = STAGE_REACHED

DEFINE_PLUGIN(tables, struct table, table_retained_set) = {
	.rank = 83,
	.name = "retained-set",
	.form_of = "retained",
	.by = "type|package|site",
	.help =
		"The objects that would be freed without something, by type, package or allocation site: "
		"without a variable, an object, " THREAD_WORD "s, or a set as the table objects takes "
		"it, such as type=main.Session; with --since, what is new in the set",
	.argument = "X",
	.takes = TAKES_PLACE | TAKES_SET,
	.needs_with = retained_set_needs,
	.open = retained_set_open,
	SET_TABLE,
};

DEFINE_PLUGIN(tables, struct table, table_owned_set) = {
	.rank = 84,
	.name = "owners-set",
	.form_of = "owners",
	.by = "type|package|site",
	.former = "owned-set",
	.help = "The objects that an owner of the table owners owns, by type, package or allocation "
			"site; the name of a variable stands for all of its parts; with --since, what is new",
	.argument = "OWNER",
	.completes = "owners.name",
	.needs_with = owned_set_needs,
	.open = owned_set_open,
	SET_TABLE,
};
