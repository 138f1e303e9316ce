/* The table of views. A new view is a file in src/ui/views/ and a line here. */
#include "ui/view.h"

#include "base/buf.h"
#include "table/table.h"

#include <string.h>

extern const struct view_ops view_overview, view_list, view_goroutine, view_object, view_path,
	view_hex, view_warnings, view_help, view_tree, view_why;

const struct view_ops *const view_table[] = {
	&view_overview, &view_list, &view_tree,     &view_goroutine, &view_object, &view_path,
	&view_why,      &view_hex,  &view_warnings, &view_help,      NULL,
};

const struct view_ops *view_find(const char *name)
{
	for (size_t i = 0; view_table[i]; i++)
		if (strcmp(view_table[i]->name, name) == 0)
			return view_table[i];
	return NULL;
}

const struct view_ops *view_of_table(const struct table *table)
{
	return table->tree ? &view_tree : &view_list;
}

const struct table *view_table_shown(const struct view_ops *ops, const char *argument)
{
	if (!ops->of_table || !argument)
		return NULL;
	struct buf name = {0};
	buf_add_bytes(&name, argument, strcspn(argument, " "));
	const struct table *table = table_find(buf_text(&name));
	buf_free(&name);
	return table;
}
