/* The columns of a view of the user: each word of its lines `by` and `show` becomes one. */
#include "table/query/user_view_columns.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/growth/delta.h"
#include "table/naming/nearest.h"
#include "table/owners/row_owner.h"
#include "table/query/row_classes.h"

#include <string.h>

enum { WIDTH = 12, TEXT_WIDTH = 24 };

/* Returns a column of the other table; NULL: *err. */
const struct column *user_column_of(const struct table *of, const char *name, struct err *err)
{
	struct nearest nearest = {.wanted = name};
	SCOPED_BUF shown = {0}, meant = {0};
	int found = table_column(of, name);
	if (found >= 0)
		return &of->columns[found];
	for (int i = 0; i < of->column_count; i++)
		nearest_see(&nearest, of->columns[i].name);
	nearest_add_meant(&nearest, "", &meant);
	text_add_escaped(&shown, name, strlen(name), USER_VIEW_SHOWN);
	err_set(err, "The table %s has no column \"%s\"%s", of->name, buf_text(&shown),
	        buf_text(&meant));
	return NULL;
}

/* Adds a column, under a name that is made of `name` and, if it is taken, of the measure. */
static bool user_column_add(struct user_view *view, struct column column, const char *measure,
                            const char *name, const char *after, struct err *err)
{
	SCOPED_BUF full = {0};
	buf_addf(&full, "%s%s", name, after);
	if (table_column(&view->table, buf_text(&full)) >= 0) {
		buf_clear(&full);
		buf_addf(&full, "%s_%s%s", measure, name, after);
	}
	if (table_column(&view->table, buf_text(&full)) >= 0)
		return err_set(err, "The view %s shows %s twice", view->name, buf_text(&full));
	if (view->table.column_count == USER_VIEW_COLUMNS)
		return err_set(err, "The view %s has too many columns: %d at most", view->name,
		               USER_VIEW_COLUMNS);
	column.name = mem_strdup(buf_text(&full));
	column.title = column.title ? column.title : column.name;
	column.rank = 0;
	view->column[view->table.column_count++] = column;
	return true;
}

/* Adds a column that shows one of the other table, as it is. */
static bool user_column_same(struct user_view *view, const struct table *of, const char *name,
                             struct class_measure measure, struct err *err)
{
	const struct column *from = user_column_of(of, name, err);
	if (!from)
		return false;
	bool text = from->kind == VALUE_TEXT || from->kind == VALUE_LIST;
	return user_column_add(view,
	                       (struct column){
							   .title = from->title,
							   .help = from->help,
							   .kind = from->kind,
							   .width = !view->table.column_count && text ? 0
	                                    : from->width                     ? from->width
	                                                                      : TEXT_WIDTH,
							   .parts = from->parts,
							   .any_kind = from->any_kind,
							   .is_signed = from->is_signed,
							   .cell = classes_cell,
							   .of = {measure.how, from->name},
						   },
	                       "by", from->name, "", err);
}

static bool user_column_by(struct user_view *view, const struct table *of, const char *name,
                           struct err *err)
{
	return user_column_same(view, of, name, (struct class_measure){.how = CLASS_KEY}, err);
}

static bool user_column_plain(struct user_view *view, const struct table *of, const char *name,
                              struct err *err)
{
	return user_column_same(view, of, name, (struct class_measure){.how = CLASS_SAME}, err);
}

/* What `show` can say of the rows of a class. */
static const struct user_measure {
	const char *word;
	const char *name, *help; /* of the column; name NULL: that of the other table's column */
	struct column column;
	bool objects; /* the rows must be about objects */
} user_measures[] = {
	{"rows", "count", "Number of rows", {.kind = VALUE_COUNT, ROWS_COUNT}, false},
	{"bytes",
     "bytes",
     "Bytes of the objects of these rows",
     {.kind = VALUE_BYTES, ROWS_BYTES},
     true},
	{"sum", NULL, "Sum over these rows", {SUM("")}, false},
	{"most", NULL, "The largest of these rows", {MOST("")}, false},
	{"share", "share", "Share of the sum of all rows", {.kind = VALUE_SHARE, SHARE_OF("")}, false},
	{"retained",
     "retained_bytes",
     "Bytes that all objects of these rows retain together",
     {.title = "retained", .kind = VALUE_BYTES, RETAINED},
     true},
	{"owner", "owner", NULL, {ROW_OWNER}, true},
	{"delta", NULL, "How much more that is than in the oldest earlier dump", {DELTA("")}, false},
};

static const struct user_measure *user_measure_find(const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof user_measures / sizeof *user_measures; i++)
		if (strlen(user_measures[i].word) == length
		    && strncmp(user_measures[i].word, text, length) == 0)
			return &user_measures[i];
	return NULL;
}

/* Adds the growth of a column of the view. */
static bool user_column_delta(struct user_view *view, const struct user_measure *measure,
                              const char *name, struct err *err)
{
	const struct user_measure *meant = user_measure_find(name, strlen(name));
	int of = table_column(&view->table, meant && meant->name ? meant->name : name);
	SCOPED_BUF shown = {0};
	struct column column = measure->column;
	text_add_escaped(&shown, name, strlen(name), USER_VIEW_SHOWN);
	if (of < 0 || !classes_kind_adds(view->column[of].kind) || view->column[of].of.how == CLASS_KEY)
		return err_set(err, "delta %s: no number of that name is shown before it",
		               buf_text(&shown));
	column.kind = view->column[of].kind;
	column.help = measure->help;
	column.width = WIDTH;
	column.of.from = view->column[of].name;
	return user_column_add(view, column, measure->word, column.of.from, "_delta", err);
}

/* Returns true if the rows of a table are about objects; `each`: each about one. */
bool user_has_objects(const struct table *of, bool each)
{
	return of->object || of->entity || of->value || (of->members && (!each || of->view_of));
}

static bool user_column_measure(struct user_view *view, const struct table *of, const char *text,
                                struct err *err)
{
	size_t length = strcspn(text, " \t");
	const struct user_measure *measure = user_measure_find(text, length);
	const char *name = text + length + strspn(text + length, " \t");
	SCOPED_BUF shown = {0};
	text_add_escaped(&shown, text, strlen(text), USER_VIEW_SHOWN);
	bool takes = measure && measure->column.of.from;
	if (!measure || takes != (*name != '\0'))
		return err_set(err,
		               "\"%s\" is none of: rows, bytes, sum COL, most COL, share COL, retained,"
		               " owner, delta COL",
		               buf_text(&shown));
	if (measure->column.of.how == CLASS_DELTA)
		return user_column_delta(view, measure, name, err);
	if (measure->objects && !user_has_objects(of, measure->column.of.how == CLASS_BYTES))
		return err_set(err, "The rows of %s are not about objects: they have no %s", of->name,
		               measure->word);
	struct column column = measure->column;
	const struct column *from = takes ? user_column_of(of, name, err) : NULL;
	if (takes && !from)
		return false;
	if (from && !classes_kind_adds(from->kind))
		return err_set(err, "The column %s of %s has no numbers that can be added up", from->name,
		               of->name);
	column.on_request = false;
	column.of.from = from ? from->name : NULL;
	column.kind = column.kind                                             ? column.kind
	              : from->kind == VALUE_BYTES || from->kind == VALUE_TIME ? from->kind
	                                                                      : VALUE_COUNT;
	column.help = measure->help ? measure->help : column.help;
	column.width = column.kind == VALUE_TEXT ? TEXT_WIDTH : WIDTH;
	return user_column_add(view, column, measure->word, measure->name ? measure->name : from->name,
	                       "", err);
}

/* Calls `add` with each word of a list with commas. */
static bool user_view_each(struct user_view *view, const struct table *of, const char *list,
                           bool (*add)(struct user_view *, const struct table *, const char *,
                                       struct err *),
                           struct err *err)
{
	bool done = true;
	while (done) {
		SCOPED_BUF word = {0};
		size_t length = strcspn(list, ",");
		buf_add_bytes(&word, list, text_trimmed(list, length));
		const char *text = buf_text(&word);
		done = add(view, of, text + strspn(text, " \t"), err);
		list += length;
		if (!*list)
			break;
		list++;
	}
	return done;
}

bool user_view_columns(struct user_view *view, const struct table *of, size_t *line,
                       struct err *err)
{
	*line = view->part[PART_BY].line;
	const char *by = view->part[PART_BY].text, *show = view->part[PART_SHOW].text;
	if (by && !user_view_each(view, of, by, user_column_by, err))
		return false;
	*line = show ? view->part[PART_SHOW].line : view->line;
	if (!show)
		return err_set(err, "The view %s has no line \"show\" with what it shows", view->name);
	return user_view_each(view, of, show, by ? user_column_measure : user_column_plain, err);
}
