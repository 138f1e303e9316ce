#include "table/naming/former_names.h"

#include <string.h>

const struct former_name former_names[] = {
	{"cuts", "what-if"},
	{"freed", "what-if"},
	{"merged", "path-tree"},
	{"by-type", "turn-by-type"},
	{"bottom-up", "turn-bottom-up"},
	{"hide", "column-hide"},
	{"next-way", "next-segment"},
	{"open-all", "toggle-all"},
	{"previous-way", "previous-segment"},
	{"strengths", "owners-root"},
	{"tagged", "tag-list"},
	{"uncut", "cut-undo"},
	{"untag", "tag-none"},
	{"widen", "column-widen"},
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
	{"hist", "types", .says = "The histogram of classes: objects and bytes of each type"},
	{"histogram", "types", .says = "The histogram of classes: objects and bytes of each type"},
	{"leaks", "findings",
     .says = "Leak suspects: what holds much, grew, piles up or can never run"},
	{"suspects", "findings",
     .says = "Leak suspects: what holds much, grew, piles up or can never run"},
	{"summary", "overview", .says = "What is wrong, and what the heap consists of"},
	{"stats", "overview", .says = "What is wrong, and what the heap consists of"},
	{"dominator-tree", "owners", .says = "The dominator tree from its roots: who owns the memory"},
	{"gc-roots", "roots", .says = "What is alive by itself: variables, stacks, finalizers"},
	{"containment", "where", .says = "The heap by path from its roots"},
	{"merge-paths", "path-tree", .says = "Paths from roots to several objects, merged"},
	{"retainers", "referrers",
     .says = "What points to an object: the referrers of that on the row"},
	{"strings", "objects", .says = "The texts of strings", .filter = "type ~ \"string data\""},
	{"maps", "collections map", .says = "Maps with their entries and what is kept for more"},
	{"slices", "collections slice", .says = "Slices with their lengths and capacities"},
	{"channels", "collections chan", .says = "Channels with what waits in them"},
	{"rss", "memory", .says = "Resident memory and what it is used for"},
	{"malloc", "mappings malloc", .says = "What C code has from malloc, in use and free"},
	{"cgo", "mappings", .says = "Memory that is not Go's, and what points there"},
	{"smaps", "mappings", .says = "The mapped memory of the process, and what points there"},
	{"globals", "variables", .says = "Global variables by size"},
	{"treemap", "breakdown", .says = "I shows blocks as wide as their bytes"},
	{"flame", "breakdown", .says = "I shows blocks as wide as their bytes, a line each level"},
	{"flamegraph", "breakdown", .says = "I shows blocks as wide as their bytes, a line each level"},
	{"comparison", "growth", .says = "What has grown since an earlier dump"},
	{"diff", "growth", .says = "What has grown since an earlier dump"},
	{"oql", "sql", .says = "Queries: SQL over all tables"},
	{"q!", "quit", .says = "Leaves the explorer, as in vi"},
	{"w!", "write", .says = "Writes the list to a new file; one that is there stays"},
	{"wq", "quit", .says = "Leaves the explorer, as in vi; nothing is written"},
	{"x", "quit", .says = "Leaves the explorer, as in vi; nothing is written"},
	{"exit", "quit", .says = "Leaves the explorer"},
	{"$", "last", .says = "Goes to the last row, as in vi"},
	{"0", "first", .says = "Goes to the first row, as in vi"},
	{"pprof", "profiles", .says = "The samples of allocations; export pprof-alloc writes them"},
	{0},
};

const struct field_word *field_word_find(const char *word)
{
	for (const struct field_word *at = field_words; at->word; at++)
		if (strcmp(at->word, word) == 0)
			return at;
	return NULL;
}
