/* What a command, a table or a page takes as its argument: this decides which quotes belong to it,
   what completes it, and what stands for it when it is absent. The text that is shown for it, such
   as "ADDR", decides nothing. */
#pragma once

enum takes {
	TAKES_PLACE = 1 << 0,       /* addresses, variables, paths of fields with their keys */
	TAKES_THIS_OBJECT = 1 << 1, /* when it is absent: the object of the row */
	/* when it is absent: what holds the object of the row, else the object */
	TAKES_THIS_HOLDER = 1 << 2,
	TAKES_FILTER = 1 << 3,
	TAKES_FIELD = 1 << 4, /* of the object of the row */
	TAKES_COLUMN = 1 << 5,
	TAKES_COUNT = 1 << 6,
	TAKES_THREAD = 1 << 7,
	TAKES_FUNCTION = 1 << 8, /* a text, completed as a function */
	TAKES_TYPE = 1 << 9,
	TAKES_ROOTS = 1 << 10, /* a kind of roots */
	TAKES_COMMAND = 1 << 11,
	TAKES_STAGE = 1 << 12,
	TAKES_OPTION = 1 << 13,  /* an option of :set and its value */
	TAKES_LINE = 1 << 14,    /* the rest of the line, with its ; */
	TAKES_STYLE = 1 << 15,   /* styles, colors and attributes */
	TAKES_SET = 1 << 16,     /* objects by selectors (table/contents/object_set.h) */
	TAKES_FORMAT = 1 << 17,  /* a format to export, before a file */
	TAKES_FILE = 1 << 18,    /* the rest of the line is the name of a file */
	TAKES_RUNTIME = 1 << 19, /* another runtime of the process, by its file */
};
