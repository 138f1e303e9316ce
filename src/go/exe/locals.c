/* Local variables in memory. */
#include "base/guard.h"
#include "base/mem.h"
#include "dwarf_files.h"
#include "dwarf_place.h"
#include "dwarf_scope.h"
#include "dwarf_type.h"

#include <stdlib.h>

struct found {
	struct exe_variable *items;
	size_t count, capacity;
};

static void locals_add(struct gotypes *types, Dwarf_Die *die, const char *inlined, uint64_t pc,
                       struct found *found)
{
	struct exe_variable variable = {.name = die_name(die),
	                                .inlined = inlined,
	                                .parameter = dwarf_tag(die) == DW_TAG_formal_parameter};
	Dwarf_Attribute location;
	if (!variable.name || !dwarf_attr(die, DW_AT_location, &location))
		return;
	/* pc may be a return address: if the location has ended there, the one just before it is as
	   good. */
	for (uint64_t back = 0; back < 2 && !variable.pieces; back++)
		variable.pieces = dwarf_place_pieces(types->image, &location, pc - back, variable.piece);
	if (!variable.pieces)
		return;
	for (unsigned i = 0; i < variable.pieces; i++)
		variable.piece[i].place += variable.piece[i].absolute ? (int64_t)types->reading->shift : 0;
	variable.type = dwarf_type_declare(types, die_reference_offset(die, DW_AT_type));
	MEM_PUSH(found->items, found->count, found->capacity, variable);
}

/* Limits the pieces to the size of the type. Returns false if none is left. */
static bool fit(const struct gotypes *types, struct exe_variable *variable)
{
	uint64_t size = gotype_get(types, variable->type)->size;
	unsigned kept = 0;
	for (unsigned i = 0; i < variable->pieces; i++) {
		struct exe_piece piece = variable->piece[i];
		if (piece.size == 0)
			piece.size = size;
		if (piece.offset < size && piece.size <= size - piece.offset)
			variable->piece[kept++] = piece;
	}
	variable->pieces = kept;
	return kept > 0;
}

/* `entry` and `pc` are addresses of the file that is read. */
static void find_variables(struct gotypes *types, const struct dwarf_function *function,
                           uint64_t entry, uint64_t pc, struct found *found)
{
	struct scope scope;
	Dwarf_Die die, variable;
	const char *inlined;
	debug_begin();
	if (!dwarf_offdie(types->reading->dwarf, function->die, &die))
		return;
	scope_start(&scope, &die, pc > entry ? pc - 1 : pc);
	while (scope_next(&scope, &variable, &inlined)) {
		locals_add(types, &variable, inlined, pc, found);
		debug_count(types->reading->damage, DEBUG_VARIABLES);
	}
	debug_count(types->reading->damage, DEBUG_VARIABLES); /* a damaged scope ends the loop */
}

struct exe_variable *gotypes_locals(struct gotypes *types, uint64_t entry, uint64_t pc,
                                    size_t *count)
{
	struct dwarf_index *file;
	const struct dwarf_function *function = dwarf_files_function(types, entry, &file);
	struct found found = {0};
	*count = 0;
	if (!function)
		return NULL;
	const char *before = guard_enter("libdw");
	types->reading = file;
	find_variables(types, function, entry - file->shift, pc - file->shift, &found);
	guard_leave(before);
	universe_settle(types);
	for (size_t i = 0; i < found.count; i++)
		if (fit(types, &found.items[i]))
			found.items[(*count)++] = found.items[i];
	if (*count == 0) {
		free(found.items);
		return NULL;
	}
	return found.items;
}
