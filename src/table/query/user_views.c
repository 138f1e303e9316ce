/* The file of views: lines into declarations of tables. */
#include "table/query/user_views.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/user_file.h"
#include "table/query/row_classes.h"
#include "table/query/user_view_columns.h"

#include <errno.h>
#include <string.h>

enum {
	FILE_MOST = 64 * 1024,
	VIEWS_MOST = 32,
	NAME_MOST = 32,
	PATH_SHOWN = 200,
	RANK = 10000, /* behind all others */
};

/* Tables live as long as the program does. */
struct user_views {
	struct user_view view[VIEWS_MOST];
	size_t count;
	size_t line; /* of the line that is read, or of what is made */
	bool (*is_word)(const char *name);
	struct buf wrong; /* lines */
	const char *path;
};
static struct user_views user_views;

/* Appends what is wrong; returns false. */
static bool user_views_fail(struct user_views *views, const struct err *err)
{
	text_add_escaped(&views->wrong, views->path, strlen(views->path), PATH_SHOWN);
	buf_addf(&views->wrong, ", line %zu: %s\n", views->line, err->text);
	return false;
}

/* ---- The file */

static bool user_view_name_fits(const struct user_views *views, const char *name, struct err *err)
{
	size_t length = strlen(name);
	if (!length || length > NAME_MOST || *name < 'a' || *name > 'z'
	    || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")])
		return err_set(err,
		               "A view has a name of up to %d small letters, digits and -, then a colon"
		               " and a table, as in: view big-types: types",
		               NAME_MOST);
	if (table_find(name) || views->is_word(name))
		return err_set(err, "The name %s is taken: goheapx knows it already", name);
	for (size_t i = 0; i < views->count; i++)
		if (strcmp(views->view[i].name, name) == 0)
			return err_set(err, "The name %s is taken by the view of line %zu", name,
			               views->view[i].line);
	return true;
}

/* Takes "NAME: TABLE [ARGUMENT]". */
static bool user_view_begin(struct user_views *views, const char *text, struct err *err)
{
	SCOPED_BUF name = {0}, of = {0};
	size_t length = strcspn(text, ":");
	buf_add_bytes(&name, text, length);
	text += length;
	if (!*text)
		buf_clear(&name);
	if (!user_view_name_fits(views, buf_text(&name), err))
		return false;
	if (views->count == VIEWS_MOST)
		return err_set(err, "There are too many views: %d at most", VIEWS_MOST);
	text += 1 + strspn(text + 1, " \t");
	buf_add_bytes(&of, text, strcspn(text, " \t"));
	text += of.len;
	views->view[views->count++] =
		(struct user_view){.line = views->line,
	                       .name = mem_strdup(buf_text(&name)),
	                       .of = mem_strdup(buf_text(&of)),
	                       .argument = mem_strdup(text + strspn(text, " \t"))};
	return true;
}

static bool user_views_line(struct user_views *views, const char *line, bool *inside,
                            struct err *err)
{
	static const char *const words[PARTS_OF_VIEW] = {"by", "show", "where", "sort"};
	size_t length = strcspn(line, " \t"), rest = length + strspn(line + length, " \t");
	if (length == 4 && strncmp(line, "view", length) == 0)
		return *inside = user_view_begin(views, line + rest, err);
	for (size_t i = 0; i < PARTS_OF_VIEW; i++) {
		if (strlen(words[i]) != length || strncmp(line, words[i], length) != 0)
			continue;
		if (!*inside) /* of a view that is wrong, or of none */
			return views->count || views->wrong.len
			       || err_set(err, "A view begins with its name: view big-types: types");
		struct user_view *view = &views->view[views->count - 1];
		if (view->part[i].text)
			return err_set(err, "The view %s has two lines \"%s\"", view->name, words[i]);
		view->part[i].text = mem_strdup(line + rest);
		view->part[i].line = views->line;
		return true;
	}
	return err_set(err, "A line begins with view, by, show, where or sort");
}

static void user_views_read(struct user_views *views, char *line)
{
	bool inside = false;
	for (char *end; *line; line = end) {
		struct err err = {0};
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		views->line++;
		line[text_trimmed(line, strcspn(line, "\r"))] = '\0';
		line += strspn(line, " \t");
		if (*line && *line != '#' && !user_views_line(views, line, &inside, &err)) {
			if (inside)
				views->view[views->count - 1].state = VIEW_WRONG;
			user_views_fail(views, &err);
		}
	}
}

/* ---- Tables */

static bool user_view_make(struct user_views *views, struct user_view *view, struct err *err);

/* Returns the table that a view is of, which may be another view; NULL: *err. */
static const struct table *user_view_base(struct user_views *views, struct user_view *view,
                                          struct err *err)
{
	const struct table *of = table_find(view->of);
	SCOPED_BUF shown = {0};
	for (size_t i = 0; !of && i < views->count; i++) {
		struct user_view *other = &views->view[i];
		if (strcmp(other->name, view->of) != 0)
			continue;
		if (other->state == VIEW_BUSY) {
			err_set(err, "The view %s is made of itself", other->name);
			return NULL;
		}
		if (other->state == VIEW_READ)
			user_view_make(views, other, &(struct err){0});
		if (other->state == VIEW_MADE)
			return &other->table;
		views->line = view->line;
		err_set(err, "The view %s, that %s is made of, is wrong", other->name, view->name);
		return NULL;
	}
	text_add_escaped(&shown, view->of, strlen(view->of), USER_VIEW_SHOWN);
	if (!of)
		err_set(err, "There is no table \"%s\": goheapx help list names them all",
		        buf_text(&shown));
	else if (of->makes_columns)
		err_set(err, "The columns of %s depend on its argument: there is no view of it", of->name);
	else if (table_takes(of, view->argument, err))
		return of;
	return NULL;
}

static void user_view_tell(struct user_view *view)
{
	static const char *const words[] = {[PART_BY] = ", by ", [PART_WHERE] = " where "};
	struct buf help = {0};
	buf_addf(&help, "A view of the user: %s", view->of);
	buf_add(&help, *view->argument ? " " : "");
	text_add_escaped(&help, view->argument, strlen(view->argument), USER_VIEW_SHOWN);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i] && view->part[i].text) {
			buf_add(&help, words[i]);
			text_add_escaped(&help, view->part[i].text, strlen(view->part[i].text),
			                 USER_VIEW_SHOWN);
		}
	view->table.help = buf_text(&help); /* which stays */
	view->table.title = view->table.help + strlen("A view of the user: ");
}

static bool user_view_declare(struct user_views *views, struct user_view *view, struct err *err)
{
	struct table *table = &view->table;
	const struct table *of = user_view_base(views, view, err);
	if (!of)
		return false;
	bool by = view->part[PART_BY].text;
	*table = (struct table){.rank = RANK + (unsigned)(view - views->view),
	                        .name = view->name,
	                        .made = &classes_made,
	                        .of_argument = view->argument,
	                        .of_where = view->part[PART_WHERE].text,
	                        .columns = view->column,
	                        .parts = of->parts,
	                        .from = of->from,
	                        .contents = of->contents,
	                        .has_rows = of->has_rows,
	                        .of_user = true};
	*(by ? &table->classes_of : &table->view_of) = of->name;
	if (user_has_objects(of, false))
		table->members = classes_members;
	if (!user_view_columns(view, of, &views->line, err))
		return false;
	views->line = view->part[PART_WHERE].line;
	if (!classes_check(table, err))
		return false;
	views->line = view->part[PART_SORT].line;
	table->sort = view->part[PART_SORT].text;
	user_view_tell(view);
	for (int i = 0; by && !table->sort && i < table->column_count; i++)
		if (table->columns[i].of.how != CLASS_KEY && classes_kind_adds(table->columns[i].kind))
			table->sort = table->columns[i].name;
	return !table->sort || user_column_of(table, table->sort, err);
}

/* Makes the table of a view, and before it those of the views that it is made of. */
static bool user_view_make(struct user_views *views, struct user_view *view, struct err *err)
{
	views->line = view->line;
	view->state = VIEW_BUSY;
	bool done = user_view_declare(views, view, err);
	done = done && (tables_add(&view->table) || err_set(err, "There are too many tables"));
	view->state = done ? VIEW_MADE : VIEW_WRONG;
	return done || user_views_fail(views, err);
}

static void user_views_make(struct user_views *views, struct buf *text)
{
	struct err err = {0};
	if (strlen(buf_text(text)) < text->len)
		err_set(&err, "The file has a byte 0: it is not text");
	if (err.set)
		user_views_fail(views, &err);
	else if (text->len)
		user_views_read(views, text->data);
	for (size_t i = 0; i < views->count; i++)
		if (views->view[i].state == VIEW_READ)
			user_view_make(views, &views->view[i], &(struct err){0});
}

void user_views_load(bool (*is_word)(const char *name))
{
	SCOPED_BUF path = {0}, text = {0};
	struct err err = {0};
	if (!user_folder(&path, USER_CONFIG))
		return;
	buf_add(&path, "/views");
	user_views.is_word = is_word;
	user_views.path = path.data;
	if (user_file_read(path.data, FILE_MOST, &text, &err))
		user_views_make(&user_views, &text);
	else if (errno != ENOENT && errno != ENOTDIR)
		buf_addf(&user_views.wrong, "%s\n", err.text);
}

const char *user_views_wrong(void)
{
	return buf_text(&user_views.wrong);
}
