/* Marks: a letter stores a view with its cursor; ' is the start of the last jump. */
#include "ui/state.h"

#include <string.h>

/* Returns the mark with a name; NULL: not a valid name. */
static struct location *mark_of(struct explorer *explorer, const char *name)
{
	unsigned char letter = (unsigned char)name[0];
	if (letter == 0 || name[1] != '\0')
		return NULL;
	if (letter == '\'' || letter == '`')
		return &explorer->marks[MARKS - 1];
	if (letter >= 'a' && letter <= 'z')
		return &explorer->marks[letter - 'a'];
	if (letter >= 'A' && letter <= 'Z')
		return &explorer->marks[26 + letter - 'A'];
	return NULL;
}

/* A view that still loads is marked as it will open. */
static void mark_put(struct explorer *explorer, struct location *mark)
{
	location_fini(mark);
	location_copy(mark, view_stack_here(&explorer->view_stack));
}

void explorer_leave(struct explorer *explorer)
{
	if (!view_stack_waits(&explorer->view_stack))
		mark_put(explorer, &explorer->marks[MARKS - 1]);
}

bool marks_set(struct explorer *explorer, const char *name, struct err *err)
{
	struct location *mark = mark_of(explorer, name);
	if (!mark)
		return err_set(err, "A mark is one letter, a to z or A to Z");
	mark_put(explorer, mark);
	explorer_message(explorer, "Marked %s: '%s comes back here", name, name);
	return true;
}

bool marks_jump(struct explorer *explorer, const char *name, struct err *err)
{
	struct location *mark = mark_of(explorer, name);
	if (!mark)
		return err_set(err, "A mark is one letter, a to z or A to Z, or ' for the last jump");
	if (!mark->ops)
		return err_set(err, "Mark %s is not set: m %s sets it", name, name);
	struct location target;
	location_copy(&target, mark);
	explorer_leave(explorer);
	bool done = true;
	struct view *view = view_stack_view(&explorer->view_stack);
	const struct location *here = view_stack_here(&explorer->view_stack);
	const char *argument = here->argument ? here->argument : "";
	if (here->ops == target.ops && strcmp(argument, target.argument ? target.argument : "") == 0
	    && strcmp(buf_text(&here->words), buf_text(&target.words)) == 0
	    && !view_stack_waits(&explorer->view_stack)) {
		view->cursor = target.cursor;
		view->top = target.top;
		view->left = target.left;
	} else {
		done = view_stack_open(&explorer->view_stack, &target, err);
	}
	location_fini(&target);
	return done;
}
