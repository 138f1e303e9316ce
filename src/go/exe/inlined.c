/* Inlined calls: the inline tree of a function (runtime/symtab.go: inlinedCall,
   runtime/symtabinl.go). */
#include "pclntab_layout.h"

#include <string.h>

enum {
	INLINE_INDEX = 2, /* pcdata table of indices into the tree */
	DEEPEST = 512,    /* a deeper tree has a cycle */
};

struct call {
	const char *name;
	uint64_t parent; /* address of an instruction at the call site */
};

/* Reads an entry of the inline tree. Returns false if the entry is invalid. */
static bool read_call(const struct pclntab *table, size_t function, uint64_t tree, uint64_t index,
                      struct call *call)
{
	table = pclntab_of(table, function);
	const struct pclntab_layout *layout = table->layout;
	uint64_t name, parent, entry = tree + index * layout->call.size;
	if (index > UINT16_MAX || !image_number(table->image, entry + layout->call.name, 4, &name)
	    || !image_number(table->image, entry + layout->call.parent, 4, &parent))
		return false;
	call->name = pclntab_text(table, table->names + name);
	call->parent = table->functions[function].entry + parent;
	return *call->name && pclntab_find(table, call->parent) == function;
}

/* Returns the address of the inline tree, or 0 if there is none or the base of funcdata is
   unknown. */
static uint64_t inlined_tree_known(const struct pclntab *table, size_t function)
{
	return pclntab_funcdata(table, function, pclntab_of(table, function)->layout->inline_tree);
}

bool inlined_is_tree(const struct pclntab *table, size_t function, uint64_t tree)
{
	struct call call;
	uint64_t name;
	uint8_t size = table->layout->call.size, set = 0;
	const uint8_t *entry = image_bytes(table->image, tree, size);
	for (uint8_t i = 0; entry && i < size; i++)
		set |= entry[i];
	/* Zeros name the first function of the table, but every call has a line. */
	return set && read_call(table, function, tree, 0, &call)
	       && image_number(table->image, tree + table->layout->call.name, 4, &name)
	       && (!name || !pclntab_number(table, table->names + name - 1, 1));
}

size_t pclntab_lines(const struct pclntab *table, uint64_t pc, struct pclntab_line *lines,
                     size_t max)
{
	size_t function = pclntab_find(table, pc), count = 0;
	if (function == SIZE_MAX || max == 0)
		return 0;
	uint64_t tree = inlined_tree_known(table, function);
	for (unsigned depth = 0; tree && depth < DEEPEST; depth++) {
		struct call call;
		int64_t index = pclntab_pcdata(table, function, INLINE_INDEX, pc);
		if (index < 0 || !read_call(table, function, tree, (uint64_t)index, &call))
			break;
		if (count + 1 < max) {
			pclntab_position(table, function, pc, &lines[count]);
			lines[count++].function = call.name;
		}
		pc = call.parent;
	}
	pclntab_position(table, function, pc, &lines[count]);
	lines[count++].function = pclntab_name(table, function);
	return count;
}

struct inlined_walk inlined_walk_make(const struct pclntab *table)
{
	enum { AGAIN = 8 }; /* how often the same tables may be read: functions may share them */
	return (struct inlined_walk){.table = table, .budget = AGAIN * table->size};
}

void inlined_walk_enter(struct inlined_walk *walk, size_t function)
{
	const struct pclntab *table = walk->table;
	walk->function = function;
	walk->tree = inlined_tree_known(table, function);
	walk->places = walk->tree ? pclntab_pcdata_offset(table, function, INLINE_INDEX) : 0;
	walk->run = pclntab_run_first(table, function, walk->places);
	walk->name = NULL;
}

static bool inlined_walk_next(struct inlined_walk *walk, struct pclntab_run *run)
{
	if (!walk->budget || !pclntab_run_next(walk->table, run))
		return false;
	walk->budget--;
	return true;
}

/* Returns true for a method with a pointer receiver: addresses in its code may be arguments of its
   caller. */
static bool inlined_is_method(const char *name)
{
	return strstr(name, ".(*") != NULL;
}

/* Returns the function that contains entry `index` of the tree, skipping such methods; NULL: the
   outermost function. */
static const char *inlined_walk_call(struct inlined_walk *walk, int64_t index)
{
	struct call call;
	for (unsigned depth = 0; depth < DEEPEST && index >= 0; depth++) {
		if (!read_call(walk->table, walk->function, walk->tree, (uint64_t)index, &call))
			return NULL;
		if (!inlined_is_method(call.name))
			return call.name;
		struct pclntab_run run = pclntab_run_first(walk->table, walk->function, walk->places);
		for (index = -1; inlined_walk_next(walk, &run);)
			if (call.parent < run.end) {
				index = (int64_t)run.value;
				break;
			}
	}
	return NULL;
}

const char *inlined_walk_name(struct inlined_walk *walk, uint64_t pc)
{
	bool more = true;
	while (pc >= walk->run.end && (more = inlined_walk_next(walk, &walk->run)))
		walk->name = NULL;
	if (!more || !walk->name)
		walk->name = more ? inlined_walk_call(walk, (int64_t)walk->run.value) : NULL;
	if (!walk->name)
		walk->name = pclntab_name(walk->table, walk->function);
	return walk->name;
}
