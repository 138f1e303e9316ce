/* The functions of ui/explorer.h that say what the explorer shows now. */
#include "ui/state.h"

#include <stdarg.h>

struct view *explorer_view(struct explorer *explorer)
{
	return explorer->view_stack.count ? view_stack_view(&explorer->view_stack) : NULL;
}

void explorer_message(struct explorer *explorer, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	buf_clear(&explorer->message);
	buf_addv(&explorer->message, format, arguments);
	va_end(arguments);
	explorer->alarm = false;
}

void explorer_fail(struct explorer *explorer, const struct err *err)
{
	if (!err->set)
		return;
	if (err->offset == ERR_NO_OFFSET)
		explorer_message(explorer, "%s.", err->text);
	else
		explorer_message(explorer, "%s (at byte %llu).", err->text,
		                 (unsigned long long)err->offset);
	explorer->alarm = true;
}

uint64_t explorer_address(const struct explorer *explorer)
{
	const struct view *view = view_stack_view(&explorer->view_stack);
	return view->ops->address ? view->ops->address(view, view->cursor) : 0;
}

bool explorer_wants_quit(const struct explorer *explorer)
{
	return explorer->quit;
}
