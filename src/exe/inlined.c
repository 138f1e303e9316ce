/* Inlined calls: the inline tree of a function (runtime/symtab.go: inlinedCall,
   runtime/symtabinl.go). */
#include "pclntab_layout.h"

#include <string.h>

enum {
	INLINE_INDEX = 2, /* pcdata table of indices into the tree */
	DEEPEST = 512,    /* a deeper tree has a cycle */
	PROBES = 32,      /* number of trees that must be valid to accept a base */
	BASE_LEAST = 36,
	BASE_MOST = 44, /* words of the module record that may hold the base */
};

/* Returns the address of a function's inline tree for a given base; 0: none. */
static uint64_t inlined_tree_address(const struct pclntab *table, size_t function, uint64_t base)
{
	return pclntab_funcdata_from(table, function, table->layout->inline_tree, base);
}

struct call {
	const char *name;
	uint64_t parent; /* address of an instruction at the call site */
};

/* Reads an entry of the inline tree. Returns false if the entry is invalid. */
static bool read_call(const struct pclntab *table, size_t function, uint64_t tree, uint64_t index,
                      struct call *call)
{
	const struct pclntab_layout *layout = table->layout;
	uint64_t name, parent, entry = tree + index * layout->call.size;
	if (index > UINT16_MAX || !image_number(table->image, entry + layout->call.name, 4, &name)
	    || !image_number(table->image, entry + layout->call.parent, 4, &parent))
		return false;
	call->name = pclntab_text(table, table->names + name);
	call->parent = table->functions[function].entry + parent;
	return *call->name && pclntab_find(table, call->parent) == function;
}

/* Returns true if the first inline trees are valid with this base. */
static bool is_base(const struct pclntab *table, uint64_t base)
{
	struct call call;
	size_t probes = 0;
	for (size_t i = 0; i < table->count && probes < PROBES; i++) {
		uint64_t tree = inlined_tree_address(table, i, base);
		if (tree && !read_call(table, i, tree, 0, &call))
			return false;
		probes += tree != 0;
	}
	return probes > 0;
}

uint64_t pclntab_funcdata_base(const struct pclntab *table)
{
	static const char *const names[] = {"go:func.*", "go.func.*"};
	const struct image *image = table->image;
	uint64_t base, record = table->module.address;
	if (!table->layout->narrow)
		return 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (image_symbol_named(image, names[i], &base) && is_base(table, base))
			return base;
	for (uint64_t word = BASE_LEAST; record && word < BASE_MOST; word++) {
		uint64_t at = record + word * image->pointer_size;
		if (image_pointer(image, at, &base) && is_base(table, base))
			return base;
	}
	return 0;
}

/* Returns the address of the inline tree, or 0 if there is none or the base of funcdata is
   unknown. */
static uint64_t inlined_tree_known(const struct pclntab *table, size_t function)
{
	return !table->layout->narrow || table->funcdata
	           ? inlined_tree_address(table, function, table->funcdata)
	           : 0;
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
