#include "dwarf_attrs.h"

#include <string.h>

const char *attribute_text(Dwarf_Attribute *attribute)
{
	const char *text = dwarf_formstring(attribute);
	return text && strnlen(text, DIE_NAME_MAX) < DIE_NAME_MAX ? text : NULL;
}

const char *die_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(die, DW_AT_name, &attribute) ? attribute_text(&attribute) : NULL;
}

bool die_number(Dwarf_Die *die, unsigned at, uint64_t *value)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;
	if (!dwarf_attr_integrate(die, at, &attribute) || dwarf_formudata(&attribute, &word) != 0)
		return false;
	*value = word;
	return true;
}

bool die_address(Dwarf_Die *die, unsigned at, uint64_t *value)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr address;
	if (!dwarf_attr_integrate(die, at, &attribute) || dwarf_formaddr(&attribute, &address) != 0)
		return false;
	*value = address;
	return true;
}

bool die_reference(Dwarf_Die *die, unsigned at, Dwarf_Die *to)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(die, at, &attribute) && dwarf_formref_die(&attribute, to);
}

Dwarf_Off die_reference_offset(Dwarf_Die *die, unsigned at)
{
	Dwarf_Die to;
	return die_reference(die, at, &to) ? dwarf_dieoffset(&to) : 0;
}
