/* The kinds of lines that the explorer asks for. */
#include "ui/explorer.h"

const struct line_kind line_kinds[LINE_KINDS + 1] = {
	{':', ":", NULL, NULL},
	{'/', "/", "search", "next"},
	{'&', "&", "filter", "filter"},
	{'|', "|", "pipe", NULL},
	{'s', "sort by: ", "sort", "sort-next"},
	{'.', "column: ", "column", NULL},
	{'=', "go to: ", "goto", NULL},
	{'?', "about: ", "palette", "palette"},
	{0},
};

const struct line_kind *line_kind_find(char kind)
{
	const struct line_kind *at = line_kinds;
	while (at->kind && at->kind != kind)
		at++;
	return at->kind ? at : NULL;
}
