/* Opens the source line of a row in the user's editor. */
#include "base/text.h"
#include "format/runtime.h"
#include "table/naming/source.h"
#include "ui/editor.h"
#include "ui/state.h"

#include <inttypes.h>

enum { NAME_SHOWN = 300 };

/* Finds the source line of the row, or else of its object. */
static bool edit_place(struct explorer *explorer, struct buf *file, uint64_t *line)
{
	const struct view *view = explorer_view(explorer);
	size_t number;
	const struct rows *rows =
		view->ops->table_row ? view->ops->table_row(view, view->cursor, &number) : NULL;
	if (rows && source_of_row(rows, number, file, line))
		return true;
	uint64_t address = explorer_address(explorer);
	struct entity object = entity_of_object(
		address ? heap_find(analysis_heap(explorer->analysis), address) : OBJECT_NONE);
	return source_of_entity(explorer->analysis, object, file, line);
}

static bool edit(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	SCOPED_BUF file = {0}, path = {0}, shown = {0};
	uint64_t line = 0;
	int status = 0;
	bool known = edit_place(explorer, &file, &line), done = known;
	bool there = known && editor_find(buf_text(&file), &path);
	const struct buf *named = there ? &path : &file;
	text_add_escaped(&shown, buf_text(named), named->len, NAME_SHOWN);
	if (!known)
		err_set(call->err,
		        "No line of source is known here: e is for frames, " THREADS_WORD ", and what "
		        "the profile has seen allocated");
	else if (!there)
		explorer_message(
			explorer, "It is %s:%" PRIu64 ", which is not here: start in the folder of the source",
			buf_text(&shown), line);
	else if (!explorer->host.edit)
		explorer_message(explorer, "It is %s:%" PRIu64, buf_text(&shown), line);
	else
		done = explorer->host.edit(explorer->host.self, buf_text(&path), line, &status, call->err);
	if (done && status)
		explorer_message(explorer, "The editor ended with status %d.", status);
	return done;
}

const struct command commands_edit[] = {
	{"edit", NULL, 0,
     "Opens the line of source of a frame, a " THREAD_WORD
     " or an allocation in $VISUAL or $EDITOR: the "
     "file as it is recorded, else the end of its path in the current folder",
     .run = edit},
	{0},
};
