#include "ui/terminfo.h"

#include "ui/terminfo_table.h"

#include <stdlib.h>
#include <string.h>

bool terminfo_lend(const char *type)
{
	if (getenv("TERMINFO"))
		return false;
	for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++)
		if (strcmp(terminals[i].type, type) == 0)
			return setenv("TERMINFO", terminals[i].description, 1) == 0;
	return false;
}

void terminfo_take_back(void)
{
	unsetenv("TERMINFO");
}
