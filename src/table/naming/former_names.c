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

const struct field_word field_words[] = {
	{"hist", "types", "The histogram of classes: objects and bytes of each type"},
	{"histogram", "types", "The histogram of classes: objects and bytes of each type"},
	{"leaks", "findings", "Leak suspects: what holds much, grew, piles up or can never run"},
	{"suspects", "findings", "Leak suspects: what holds much, grew, piles up or can never run"},
	{"summary", "overview", "What is wrong, and what the heap consists of"},
	{"stats", "overview", "What is wrong, and what the heap consists of"},
	{"dominator-tree", "owners", "The dominator tree from its roots: who owns the memory"},
	{"gc-roots", "roots", "What is alive by itself: variables, stacks, finalizers"},
	{"containment", "where", "The heap by path from its roots"},
	{"merge-paths", "merged-paths", "Paths from roots to several objects, merged"},
	{"retainers", "referrers", "What points to an object: the referrers of that on the row"},
	{"strings", "objects type=string data", "The texts of strings"},
	{"maps", "collections map", "Maps with their entries and what is kept for more"},
	{"slices", "collections slice", "Slices with their lengths and capacities"},
	{"channels", "collections chan", "Channels with what waits in them"},
	{"rss", "memory", "Resident memory and what it is used for"},
	{"malloc", "mappings malloc", "What C code has from malloc, in use and free"},
	{"cgo", "mappings", "Memory that is not Go's, and what points there"},
	{"smaps", "mappings", "The mapped memory of the process, and what points there"},
	{"globals", "variables", "Global variables by size"},
	{"treemap", "breakdown", "I shows blocks as wide as their bytes"},
	{"flame", "breakdown", "I shows blocks as wide as their bytes, a line each level"},
	{"flamegraph", "breakdown", "I shows blocks as wide as their bytes, a line each level"},
	{"comparison", "growth", "What has grown since an earlier dump"},
	{"diff", "growth", "What has grown since an earlier dump"},
	{"oql", "sql", "Queries: SQL over all tables"},
	{"pprof", "profile", "The samples of allocations; export pprof-alloc writes them"},
	{0},
};

const struct field_word *field_word_find(const char *word)
{
	for (const struct field_word *at = field_words; at->word; at++)
		if (strcmp(at->word, word) == 0)
			return at;
	return NULL;
}
