#include "go/exe/debug_places.h"

#include "base/guard.h"
#include "dwarf_attrs.h"
#include "dwarf_file.h"

#include <string.h>

struct search {
	const char *package;
	struct debug_place *places;
	size_t count;
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void place_member(struct debug_place *places, size_t count, Dwarf_Die *member)
{
	const char *name = die_name(member);
	Dwarf_Die type;
	Dwarf_Word size = 0;
	for (size_t i = 0; name && i < count; i++) {
		if (places[i].found || !same_text(places[i].name, name))
			continue;
		places[i].found = die_number(member, DW_AT_data_member_location, &places[i].offset);
		if (die_reference(member, DW_AT_type, &type) && dwarf_aggregate_size(&type, &size) == 0)
			places[i].size = size;
		return;
	}
}

static void place_struct(struct search *search, const char *name, Dwarf_Die *die)
{
	struct debug_place *places = search->places;
	Dwarf_Die member;
	size_t first = 0;
	while (first < search->count && !same_text(places[first].of, name))
		first++;
	size_t end = first;
	for (; end < search->count && same_text(places[end].of, name); end++)
		if (!places[end].name && !places[end].found)
			places[end].found = die_number(die, DW_AT_byte_size, &places[end].offset);
	if (first == end)
		return;
	for (int none = dwarf_child(die, &member); none == 0; none = dwarf_siblingof(&member, &member))
		if (dwarf_tag(&member) == DW_TAG_member)
			place_member(places + first, end - first, &member);
}

static void place_constant(struct search *search, const char *name, Dwarf_Die *die)
{
	for (size_t i = 0; i < search->count; i++)
		if (!search->places[i].of && same_text(search->places[i].name, name))
			search->places[i].found = die_number(die, DW_AT_const_value, &search->places[i].offset);
}

static void search_unit(struct search *search, Dwarf_Die *unit)
{
	size_t len = strlen(search->package);
	Dwarf_Die die;
	for (int none = dwarf_child(unit, &die); none == 0; none = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);
		if (tag != DW_TAG_structure_type && tag != DW_TAG_constant)
			continue;
		const char *name = die_name(&die);
		if (!name || strncmp(name, search->package, len) != 0 || name[len] != '.')
			continue;
		if (tag == DW_TAG_constant)
			place_constant(search, name, &die);
		else
			place_struct(search, name, &die);
	}
}

static bool search_units(struct search *search, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	bool found = false;
	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
		if (dwarf_srclang(&die) != DW_LANG_Go || !same_text(die_name(&die), search->package))
			continue;
		search_unit(search, &die);
		found = true;
	}
	return found;
}

bool debug_places_find(const struct image *image, const char *package, struct debug_place *places,
                       size_t count)
{
	struct search search = {package, places, count};
	struct debug_damage damage = {0};
	struct dwarf_file file;
	const char *before = guard_enter("libdw");
	dwarf_file_open(&file, image, &damage);
	bool found = file.dwarf && search_units(&search, file.dwarf);
	dwarf_file_close(&file);
	guard_leave(before);
	buf_free(&damage.sections);
	return found;
}
