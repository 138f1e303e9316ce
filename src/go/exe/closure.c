/* Captured variables of closures. */
#include "base/bound.h"
#include "base/guard.h"
#include "dwarf_files.h"
#include "dwarf_type.h"

#include <string.h>

enum { MAX_CAPTURED = 64, FIRST_MINOR_WITH_OFFSETS = 23 };

struct captured {
	struct gofield fields[MAX_CAPTURED];
	unsigned count;
	bool exact;
};

static uint64_t round_up(uint64_t offset, uint64_t align)
{
	return (offset + align - 1) / align * align;
}

static uint64_t line_of(Dwarf_Die *die)
{
	uint64_t line;
	return die_number(die, DW_AT_decl_line, &line) ? line : UINT64_MAX;
}

/* Returns the first line of a closure. Up to Go 1.19 only its variables have lines. */
static uint64_t closure_first_line(Dwarf_Die *function)
{
	uint64_t line = line_of(function);
	Dwarf_Die child;
	if (line != UINT64_MAX)
		return line;
	for (int none = dwarf_child(function, &child); none == 0;
	     none = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && line_of(&child) < line)
			line = line_of(&child);
	}
	return line;
}

static void closure_add(struct gotypes *types, struct captured *captured, Dwarf_Die *die,
                        uint64_t offset)
{
	const char *name = die_name(die);
	if (captured->count < MAX_CAPTURED && name && *name != '~')
		captured->fields[captured->count++] = (struct gofield){
			name, offset, dwarf_type_declare(types, die_reference_offset(die, DW_AT_type)), false};
}

/* Adds captured variables. Since Go 1.23 DWARF has their offsets in the closure. Before, they are
   the variables declared on the first line of the closure. */
static void add_variables(struct gotypes *types, Dwarf_Die *function, struct captured *captured)
{
	uint64_t offset, line = captured->exact ? 0 : closure_first_line(function);
	Dwarf_Die child;
	for (int none = dwarf_child(function, &child); none == 0;
	     none = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_variable)
			continue;
		if (die_number(&child, AT_GO_CLOSURE_OFFSET, &offset))
			closure_add(types, captured, &child, offset);
		else if (!captured->exact && line_of(&child) == line)
			closure_add(types, captured, &child, 0);
	}
}

/* Adds the receiver of a method value x.Method: it captures x, the first parameter of the
   method. */
static void add_receiver(struct gotypes *types, const char *name, struct captured *captured)
{
	char method[1024];
	size_t len = strlen(name) - strlen("-fm");
	Dwarf_Die die, child;
	if (len >= sizeof method)
		return;
	memcpy(method, name, len);
	method[len] = '\0';
	Dwarf_Off offset = dwarf_function_named(types->reading, method);
	if (!offset || !dwarf_offdie(types->reading->dwarf, offset, &die))
		return;
	captured->exact = true;
	for (int none = dwarf_child(&die, &child); none == 0; none = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_formal_parameter) {
			closure_add(types, captured, &child, types->image->pointer_size);
			return;
		}
}

/* Assigns consecutive offsets to the fields. */
static void closure_lay_out(const struct gotypes *types, struct captured *captured)
{
	uint64_t at = types->image->pointer_size;
	for (unsigned i = 0; i < captured->count; i++) {
		struct gofield *field = &captured->fields[i];
		field->offset = round_up(at, gotype_align(types, field->type));
		at = field->offset + gotype_get(types, field->type)->size;
	}
}

static gotype_id closure_make(struct gotypes *types, const char *name,
                              const struct captured *captured)
{
	uint64_t word = types->image->pointer_size;
	const struct gofield *last = captured->count ? &captured->fields[captured->count - 1] : NULL;
	uint64_t end = last ? last->offset + gotype_get(types, last->type)->size : word;
	gotype_id code = gotypes_named(types, "uintptr"), id = universe_add(types);
	if (!id)
		return 0;
	types->types[id] =
		(struct gotype){.name = name, .kind = GO_STRUCT, .size = round_up(end, word)};
	universe_add_field(types, id, (struct gofield){"F", 0, code, false});
	for (unsigned i = 0; i < captured->count; i++)
		universe_add_field(types, id, captured->fields[i]);
	universe_settle(types);
	return id;
}

static bool closure_is_closure(const char *name)
{
	return strstr(name, ".func") || strstr(name, "wrap"); /* as in gowrap1, deferwrap1, dwrap.1 */
}

static bool is_method_value(const char *name)
{
	size_t len = strlen(name);
	return len > 3 && strcmp(name + len - 3, "-fm") == 0;
}

/* Makes a closure type that is known only by its function. */
static gotype_id name_closure(struct gotypes *types, uint64_t entry)
{
	const struct captured nothing = {0};
	size_t function = types->functions ? pclntab_find(types->functions, entry) : SIZE_MAX;
	if (function == SIZE_MAX || types->functions->functions[function].entry != entry)
		return 0;
	const char *name = pclntab_name(types->functions, function);
	return closure_is_closure(name) || is_method_value(name) ? closure_make(types, name, &nothing)
	                                                         : 0;
}

static gotype_id read_closure(struct gotypes *types, uint64_t entry, bool *exact)
{
	struct dwarf_index *file;
	const struct dwarf_function *function = dwarf_files_function(types, entry, &file);
	if (!function)
		return name_closure(types, entry);
	struct captured captured = {.exact = file->minor >= FIRST_MINOR_WITH_OFFSETS};
	Dwarf_Die die;
	const char *before = guard_enter("libdw");
	types->reading = file;
	const char *name = dwarf_offdie(file->dwarf, function->die, &die) ? die_name(&die) : NULL;
	if (name && is_method_value(name))
		add_receiver(types, name, &captured);
	else if (name && closure_is_closure(name))
		add_variables(types, &die, &captured);
	debug_count(file->damage, DEBUG_VARIABLES);
	guard_leave(before);
	universe_settle(types);
	if (captured.count == 0)
		return name_closure(types, entry);
	if (captured.exact)
		bound_sort(captured.fields, captured.count, BOUND_BY(struct gofield, offset));
	else
		closure_lay_out(types, &captured);
	*exact = captured.exact;
	return closure_make(types, name, &captured);
}

gotype_id gotypes_closure(struct gotypes *types, uint64_t entry, bool *exact)
{
	uint64_t known;
	*exact = false;
	if (!map_get(&types->closures, entry, &known)) {
		known = read_closure(types, entry, exact);
		known <<= 1;
		known |= *exact;
		map_put(&types->closures, entry, known);
	}
	*exact = known & 1;
	return (gotype_id)(known >> 1);
}
