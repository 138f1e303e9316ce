/* The two halves of a list that is linked in both directions. */
#include "growth_links.h"

#include "table/naming/step_class.h"

#include <string.h>
#include <strings.h>

enum { SIBLINGS = 1024 /* more than the fields of any struct that is linked */ };

size_t growth_before_link(const char *step)
{
	static const char *const links[] = {".next", ".prev"};
	size_t len = strlen(step);
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (len >= strlen(links[i]) && strcasecmp(step + len - strlen(links[i]), links[i]) == 0)
			return len - strlen(links[i]);
	return SIZE_MAX;
}

static bool growth_are_links(const struct growth *growth, uint32_t a, uint32_t b)
{
	const struct step_classes *classes = growth_tree(growth, growth->dumps - 1)->step_classes;
	const char *x = growth_step(growth, a), *y = growth_step(growth, b);
	size_t len = growth_before_link(x);
	return len != SIZE_MAX && len == growth_before_link(y) && memcmp(x, y, len) == 0
	       && strcmp(step_classes_type(classes, growth_node_of(growth, a)->label),
	                 step_classes_type(classes, growth_node_of(growth, b)->label))
	              == 0;
}

uint32_t growth_twin(const struct growth *growth, uint32_t place)
{
	uint32_t parent = growth_node_of(growth, place)->parent;
	if (parent == OBJECT_NONE || growth_before_link(growth_step(growth, place)) == SIZE_MAX)
		return UINT32_MAX;
	const struct merge_node *above = growth_node_of(growth, parent);
	if (above->below > SIBLINGS)
		return UINT32_MAX;
	for (uint32_t other = above->first; other < above->first + above->below; other++)
		if (other != place && growth_are_links(growth, place, other))
			return other;
	return UINT32_MAX;
}
