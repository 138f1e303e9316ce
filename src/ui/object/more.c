/* The rows of an object's lists that its page has no room for: a search goes through them, too. */
#include "ui/object_page.h"

#include "ui/grid.h"

enum { LISTS = 3 };

/* The list that has the n-th row of all, *n being its number there; NULL: there are no more. */
static const struct rows *list_of(const struct object_page *object, size_t *n)
{
	const struct rows *lists[LISTS] = {object->fields, object->holders, object->references};
	for (size_t i = 0; i < LISTS; i++) {
		if (lists[i] && *n < lists[i]->count)
			return lists[i];
		*n -= lists[i] ? lists[i]->count : 0;
	}
	return NULL;
}

static size_t more_count(const struct view *view)
{
	const struct object_page *object = view->data;
	size_t all = SIZE_MAX;
	list_of(object, &all);
	return SIZE_MAX - all;
}

static bool is_on_page(const struct object_page *object, const struct rows *rows, size_t row)
{
	for (size_t i = 0; i < object->page.count; i++)
		if (object->page.lines[i].rows == rows && object->page.lines[i].row == row)
			return true;
	return false;
}

static bool more_matches(const struct view *view, size_t n, const char *needle)
{
	const struct object_page *object = view->data;
	const struct rows *rows = list_of(object, &n);
	return rows && grid_matches(rows, n, needle) && !is_on_page(object, rows, n);
}

static size_t more_link(const struct view *view, size_t n, struct buf *command)
{
	const struct object_page *object = view->data;
	const struct rows *rows = list_of(object, &n);
	if (rows)
		object_link(object, rows, command);
	return n;
}

const struct view_more object_more = {
	.count = more_count,
	.matches = more_matches,
	.link = more_link,
};
