#include "table/naming/former_names.h"

#include <string.h>

const struct former_name former_names[] = {
	{"cuts", "what-if"},
	{"freed", "what-if"},
	{"merged", "merged-paths"},
	{"next-way", "next-segment"},
	{"previous-way", "previous-segment"},
	{"strengths", "root-classes"},
	{0},
};

const char *current_name(const char *name)
{
	for (const struct former_name *at = former_names; at->former; at++)
		if (strcmp(at->former, name) == 0)
			return at->now;
	return name;
}
