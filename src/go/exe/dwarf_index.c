#include "dwarf_index.h"

#include "base/bound.h"
#include "base/guard.h"
#include "base/mem.h"
#include "dwarf_place.h"
#include "name_hash.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Attributes that the pass reads from each DIE. */
struct top {
	Dwarf_Attribute name, location, descriptor, type;
};
static const struct {
	unsigned at;
	size_t slot;
} wanted[] = {
	{DW_AT_name, offsetof(struct top, name)},
	{DW_AT_location, offsetof(struct top, location)},
	{DW_AT_type, offsetof(struct top, type)},
	{AT_GO_RUNTIME_TYPE, offsetof(struct top, descriptor)},
};

static int dwarf_index_take(Dwarf_Attribute *attribute, void *top)
{
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (dwarf_whatattr(attribute) == wanted[i].at)
			*(Dwarf_Attribute *)(void *)((char *)top + wanted[i].slot) = *attribute;
	return DWARF_CB_OK;
}

/* Adds a name unless it exists: types precede the typedefs that repeat their names. */
static void put_name(struct dwarf_index *index, struct map *map, const char *name, Dwarf_Off offset)
{
	size_t len = strlen(name);
	uint64_t hash = name_hash(name, len), before;
	if (len > index->name_bytes)
		return;
	index->name_bytes -= len;
	if (!map_get(map, hash, &before))
		map_put(map, hash, offset);
}

static void add_function(struct dwarf_index *index, Dwarf_Die *die, struct top *top)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	const char *name = top->name.code ? attribute_text(&top->name) : die_name(die);
	struct dwarf_function function = {.die = offset};
	if (name)
		put_name(index, &index->named_functions, name, offset);
	debug_count(index->damage, DEBUG_FUNCTIONS);
	if (dwarf_lowpc(die, &function.low) != 0 || dwarf_highpc(die, &function.high) != 0)
		return;
	/* libdw reports an error for DW_AT_high_pc in length form, but reads it correctly */
	debug_begin();
	function.low += index->shift;
	function.high += index->shift;
	MEM_PUSH(index->functions, index->function_count, index->function_capacity, function);
}

static void dwarf_index_add_global(struct dwarf_index *index, Dwarf_Die *die, struct top *top)
{
	struct dwarf_global global = {.name = top->name.code ? attribute_text(&top->name) : NULL};
	Dwarf_Die type;
	(void)die;
	if (!global.name || !top->type.code || !top->location.code
	    || !dwarf_formref_die(&top->type, &type)
	    || !dwarf_place_address(index->image, &top->location, &global.address))
		return;
	global.type = dwarf_dieoffset(&type);
	global.address += index->shift;
	MEM_PUSH(index->globals, index->global_count, index->global_capacity, global);
}

uint64_t dwarf_descriptor(const struct dwarf_index *index, uint64_t value)
{
	/* Up to Go 1.21 one type (uintptr) has an address here, all others an offset. */
	bool absolute = value >= index->types && value < index->types_end;
	uint64_t address = absolute ? value : index->types + value;
	return value == 0 || index->types == 0 ? 0 : address + index->shift;
}

static void dwarf_index_add_type(struct dwarf_index *index, Dwarf_Die *die, struct top *top)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	const char *name = top->name.code ? attribute_text(&top->name) : NULL;
	Dwarf_Addr value;
	if (!name)
		return;
	MEM_PUSH(index->types_at, index->type_count, index->type_capacity, offset);
	put_name(index, &index->named_types, name, offset);
	if (top->descriptor.code && dwarf_formaddr(&top->descriptor, &value) == 0
	    && dwarf_descriptor(index, value))
		map_put(&index->descriptors, dwarf_descriptor(index, value), offset);
}

static const struct {
	int tag;
	enum debug_part part;
	void (*add)(struct dwarf_index *index, Dwarf_Die *die, struct top *top);
} tags[] = {
	{DW_TAG_subprogram, DEBUG_FUNCTIONS, add_function},
	{DW_TAG_variable, DEBUG_VARIABLES, dwarf_index_add_global},
	{DW_TAG_base_type, DEBUG_TYPES, dwarf_index_add_type},
	{DW_TAG_structure_type, DEBUG_TYPES, dwarf_index_add_type},
	{DW_TAG_array_type, DEBUG_TYPES, dwarf_index_add_type},
	{DW_TAG_pointer_type, DEBUG_TYPES, dwarf_index_add_type},
	{DW_TAG_subroutine_type, DEBUG_TYPES, dwarf_index_add_type},
	{DW_TAG_typedef, DEBUG_TYPES, dwarf_index_add_type},
};

static void add_die(struct dwarf_index *index, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	struct top top = {0};
	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
		if (tags[i].tag == tag) {
			dwarf_getattrs(die, dwarf_index_take, &top, 0);
			tags[i].add(index, die, &top);
			debug_count(index->damage, tags[i].part);
		}
}

/* Parses the producer, such as "Go cmd/compile go1.24.4; regabi". */
static void take_version(struct dwarf_index *index, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *producer = dwarf_attr(unit, DW_AT_producer, &attribute) ? attribute_text(&attribute)
	                                                                    : NULL;
	const char *version = producer ? strstr(producer, " go1.") : NULL;
	if (version && index->minor == 0)
		index->minor = (unsigned)strtoul(version + strlen(" go1."), NULL, 10);
}

/* Returns true if the unit has bytes after the DIE that ends it: a hole in the file reads as that
   end. */
static bool has_rest(struct dwarf_index *index, Dwarf_Die *unit, const Dwarf_Die *end)
{
	Dwarf_Off at = dwarf_dieoffset(unit), next;
	size_t header;
	if (!end->addr
	    || dwarf_nextcu(index->dwarf, at - dwarf_cuoffset(unit), &next, &header, NULL, NULL, NULL)
	           != 0)
		return false;
	return at + (uint64_t)((char *)end->addr - (char *)unit->addr) + 1 < next;
}

static void add_unit(struct dwarf_index *index, Dwarf_Die *unit)
{
	Dwarf_Die die, next;
	take_version(index, unit);
	int none = dwarf_child(unit, &die);
	for (; none == 0; die = next) {
		add_die(index, &die);
		next = (Dwarf_Die){0};
		none = dwarf_siblingof(&die, &next);
		index->damage->lost[DEBUG_UNITS] += none > 0 && has_rest(index, unit, &next);
	}
}

ORDER_BY_TWO(by_low, struct dwarf_function, low, low);

static void add_units(struct dwarf_index *index)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	while (dwarf_get_units(index->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
		if (dwarf_srclang(&die) == DW_LANG_Go) /* cgo adds units in other languages */
			add_unit(index, &die);
		debug_count(index->damage, DEBUG_UNITS);
	}
	debug_count(index->damage, DEBUG_UNITS); /* a malformed unit header ends the loop */
	if (index->function_count)
		qsort(index->functions, index->function_count, sizeof *index->functions, by_low);
	bound_sort(index->globals, index->global_count, BOUND_BY(struct dwarf_global, address));
}

struct dwarf_index *dwarf_index_new(const struct dwarf_source *source, struct debug_damage *damage)
{
	struct dwarf_index *index = mem_alloc(sizeof *index);
	*index = (struct dwarf_index){.image = source->image,
	                              .shift = source->shift,
	                              .number = source->number,
	                              .damage = damage,
	                              .types = source->types,
	                              .types_end = source->types_end,
	                              .name_bytes = (uint64_t)1 << 28};
	const char *before = guard_enter("libdw");
	dwarf_file_open(&index->file, source->image, damage);
	index->dwarf = index->file.dwarf;
	if (index->dwarf)
		add_units(index);
	guard_leave(before);
	if (index->type_count > 0)
		return index;
	dwarf_index_free(index);
	return NULL;
}

void dwarf_index_free(struct dwarf_index *index)
{
	if (!index)
		return;
	map_free(&index->named_functions);
	map_free(&index->named_types);
	map_free(&index->descriptors);
	free(index->functions);
	free(index->globals);
	free(index->types_at);
	dwarf_file_close(&index->file);
	free(index);
}

const struct dwarf_function *dwarf_function_at(const struct dwarf_index *index, uint64_t entry)
{
	struct dwarf_function key = {.low = entry};
	return index->function_count == 0
	           ? NULL
	           : bsearch(&key, index->functions, index->function_count, sizeof key, by_low);
}

static Dwarf_Off named(const struct dwarf_index *index, const struct map *map, const char *name)
{
	uint64_t offset;
	Dwarf_Die die;
	if (!map_get(map, name_hash(name, strlen(name)), &offset))
		return 0;
	const char *before = guard_enter("libdw");
	const char *found = dwarf_offdie(index->dwarf, offset, &die) ? die_name(&die) : NULL;
	guard_leave(before);
	return found && strcmp(found, name) == 0 ? offset : 0; /* rules out hash collisions */
}

Dwarf_Off dwarf_function_named(const struct dwarf_index *index, const char *name)
{
	return named(index, &index->named_functions, name);
}

Dwarf_Off dwarf_type_named(const struct dwarf_index *index, const char *name)
{
	return named(index, &index->named_types, name);
}
