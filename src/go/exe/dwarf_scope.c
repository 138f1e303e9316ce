#include "dwarf_scope.h"

#include "debug_damage.h"

enum {
	MAX_STEPS = 1 << 16,
	MAX_LEVELS = sizeof((struct scope *)0)->levels / sizeof(struct scope_level)
};

static bool covers(struct scope *scope, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	bool found = false;
	while (!found && scope->steps > 0 && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		scope->steps--;
		found = scope->pc >= start && scope->pc < end;
	}
	if (at >= 0)
		/* libdw reports an error for DW_AT_high_pc in length form, but reads it correctly */
		debug_begin();
	return found;
}

static void dwarf_scope_enter(struct scope *scope, Dwarf_Die *parent, const char *inlined)
{
	struct scope_level *level = &scope->levels[scope->depth];
	if (scope->depth < MAX_LEVELS && dwarf_child(parent, &level->next) == 0) {
		level->inlined = inlined;
		level->started = false;
		scope->depth++;
	}
}

void scope_start(struct scope *scope, Dwarf_Die *function, uint64_t pc)
{
	scope->pc = pc;
	scope->steps = MAX_STEPS;
	scope->depth = 0;
	dwarf_scope_enter(scope, function, NULL);
}

bool scope_next(struct scope *scope, Dwarf_Die *variable, const char **inlined)
{
	while (scope->depth > 0 && scope->steps > 0) {
		struct scope_level *level = &scope->levels[scope->depth - 1];
		scope->steps--;
		if (level->started && dwarf_siblingof(&level->next, &level->next) != 0) {
			scope->depth--;
			continue;
		}
		level->started = true;
		int tag = dwarf_tag(&level->next);
		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
			*variable = level->next;
			*inlined = level->inlined;
			return true;
		}
		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
		    && covers(scope, &level->next))
			dwarf_scope_enter(scope, &level->next,
			                  tag == DW_TAG_inlined_subroutine ? die_name(&level->next)
			                                                   : level->inlined);
	}
	return false;
}
