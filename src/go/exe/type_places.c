#include "go/exe/type_places.h"

#include "base/mem.h"
#include "rtype.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 1 << 12 };

struct type_places {
	struct rtypes table;
};

struct type_places *type_places_new(const struct exe *exe, const char *version)
{
	struct type_places *places = mem_alloc(sizeof *places);
	unsigned long minor = strncmp(version, "go1.", 4) == 0 ? strtoul(version + 4, NULL, 10) : 0;
	rtypes_init(&places->table, exe_image(exe), exe_pclntab(exe)->module.address,
	            minor < 1000 ? (unsigned)minor : 0);
	return places;
}

void type_places_free(struct type_places *places)
{
	if (places)
		rtypes_fini(&places->table);
	free(places);
}

/* Dumps have the path of the package before a name that is in the file without it or with its last
   part, and no name of pointers with methods. */
static bool type_places_named(const struct rtypes *table, const struct rtype *type,
                              struct text name)
{
	const char *dot = name.len ? memrchr(name.data, '.', name.len) : NULL;
	size_t before = dot ? (size_t)(dot - name.data) + 1 : 0, rest = name.len - before;
	struct text has = rtype_short_name(table, type);
	if (!rest)
		return type->kind == GO_POINTER;
	return rest <= has.len && memcmp(has.data + has.len - rest, name.data + before, rest) == 0;
}

enum type_place_fit type_places_check(const struct type_places *places,
                                      const struct type_place *place, uint64_t shift)
{
	const struct rtypes *table = &places->table;
	struct rtype type;
	uint64_t address = place->address - shift;
	if (address < table->base || address >= table->end)
		return TYPE_PLACE_OUTSIDE;
	return rtype_at(table, address, &type) && type.size == place->size
	               && type_places_named(table, &type, place->name)
	           ? TYPE_PLACE_RIGHT
	           : TYPE_PLACE_WRONG;
}

void type_places_shifts(const struct type_places *places, const struct type_place *place,
                        void (*use)(void *self, uint64_t shift), void *self)
{
	const struct rtypes *table = &places->table;
	uint64_t in_page = place->address % PAGE;
	for (uint64_t page = table->base / PAGE * PAGE; page < table->end; page += PAGE) {
		uint64_t shift = place->address - (page + in_page);
		if (type_places_check(places, place, shift) == TYPE_PLACE_RIGHT)
			use(self, shift);
	}
}
