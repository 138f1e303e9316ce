/* Marks: a letter remembers a view with its cursor; ' is where the last jump began. */
#include "ui/state.h"

#include "base/mem.h"

#include <ctype.h>
#include <string.h>

/* NULL: not the name of a mark. */
static struct spot *mark_of(struct explorer *explorer, const char *name)
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

static void put(struct explorer *explorer, struct spot *mark)
{
	if (history_waits(&explorer->history))
		return;
	spot_fini(mark);
	spot_copy(mark, history_here(&explorer->history));
}

void explorer_leave(struct explorer *explorer)
{
	put(explorer, &explorer->marks[MARKS - 1]);
}

bool marks_set(struct explorer *explorer, const char *name, struct err *err)
{
	struct spot *mark = mark_of(explorer, name);
	if (!mark)
		return err_set(err, "A mark is one letter, a to z or A to Z");
	put(explorer, mark);
	explorer_message(explorer, "Marked %s: '%s comes back here", name, name);
	return true;
}

static bool is_here(struct explorer *explorer, const struct spot *spot)
{
	const struct spot *here = history_here(&explorer->history);
	const char *argument = here->argument ? here->argument : "";
	return here->ops == spot->ops && strcmp(argument, spot->argument ? spot->argument : "") == 0
	       && strcmp(buf_text(&here->words), buf_text(&spot->words)) == 0;
}

bool marks_jump(struct explorer *explorer, const char *name, struct err *err)
{
	struct spot *mark = mark_of(explorer, name);
	if (!mark)
		return err_set(err, "A mark is one letter, a to z or A to Z, or ' for the last jump");
	if (!mark->ops)
		return err_set(err, "Mark %s is not set: m %s sets it", name, name);
	struct spot target;
	spot_copy(&target, mark);
	explorer_leave(explorer);
	bool done = true;
	struct view *view = history_view(&explorer->history);
	if (is_here(explorer, &target) && !history_waits(&explorer->history)) {
		view->cursor = target.cursor;
		view->top = target.top;
		view->left = target.left;
	} else {
		done = history_open(&explorer->history, &target, err);
	}
	spot_fini(&target);
	return done;
}
