#include "heap/listed.h"

#include "base/hash.h"
#include "base/mem.h"
#include "heap/objects.h"

#include <stdlib.h>

void listed_free(struct listed *listed)
{
	if (!listed)
		return;
	free(listed->object);
	free(listed->root);
	free(listed->type);
	free(listed->type_section);
	free(listed->domain);
	free(listed->place);
	free(listed);
}

void listed_begin(struct listed *listed, const struct domain_record *record)
{
	listed->domain = mem_grow(listed->domain, listed->domain_count, &listed->domain_capacity,
	                          sizeof *listed->domain);
	listed->domain[listed->domain_count++] = (struct domain){.record = *record};
}

void listed_end(struct listed *listed)
{
	listed->domain[listed->domain_count - 1].ended = true;
}

static uint32_t section_of(const struct listed *listed)
{
	return (uint32_t)listed->domain_count - 1;
}

void listed_add(struct listed *listed, const struct listed_record *record)
{
	listed->object = mem_grow(listed->object, listed->count, &listed->capacity,
	                          sizeof *listed->object);
	listed->object[listed->count++] = (struct listed_object){
		.name = record->id, .offset = record->offset, .type = record->type, .size = record->size,
		.section = section_of(listed),
	};
}

void listed_add_root(struct listed *listed, const struct listed_root_record *record)
{
	listed->root = mem_grow(listed->root, listed->root_count, &listed->root_capacity,
	                        sizeof *listed->root);
	listed->root[listed->root_count++] =
		(struct listed_root){*record, section_of(listed), LISTED_NO_TYPE};
}

static uint32_t add_type(struct listed *listed, const struct type_record *record, uint32_t section)
{
	listed->type = mem_grow(listed->type, listed->type_count, &listed->type_capacity,
	                        sizeof *listed->type);
	listed->type_section = mem_grow(listed->type_section, listed->type_count,
	                                &listed->section_capacity, sizeof *listed->type_section);
	listed->type[listed->type_count] = *record;
	listed->type_section[listed->type_count] = section;
	return (uint32_t)listed->type_count++;
}

void listed_add_type(struct listed *listed, const struct type_record *record)
{
	add_type(listed, record, section_of(listed));
}

/* Types by section and number, in a table of their own while objects ask for them. */
struct type_index {
	struct listed *listed;
	uint32_t *place; /* index + 1 */
	unsigned bits;
	uint64_t multiplier;
};

static uint32_t *type_place(const struct type_index *index, uint32_t section, uint64_t number)
{
	const struct listed *listed = index->listed;
	uint64_t hash = hash_mix(section, number, index->multiplier);
	size_t mask = ((size_t)1 << index->bits) - 1;
	size_t at = (size_t)hash_place(hash, index->multiplier, index->bits);
	while (index->place[at] && (listed->type[index->place[at] - 1].address != number ||
	                            listed->type_section[index->place[at] - 1] != section))
		at = (at + 1) & mask;
	return &index->place[at];
}

static void grow_index(struct type_index *index)
{
	free(index->place);
	index->bits++;
	while (index->listed->type_count * 2 >= (size_t)1 << index->bits)
		index->bits++;
	index->place = mem_alloc(sizeof *index->place << index->bits);
	for (size_t i = 0; i < index->listed->type_count; i++) {
		uint32_t *place = type_place(index, index->listed->type_section[i],
		                             index->listed->type[i].address);
		if (!*place)
			*place = (uint32_t)i + 1;
	}
}

static void warn(const struct sink *sink, uint64_t offset, const char *text)
{
	sink->warning(sink->self, offset, text);
}

static struct type_index index_types(struct listed *listed, const struct sink *sink)
{
	struct type_index index = {.listed = listed, .multiplier = hash_multiplier(), .bits = 4};
	grow_index(&index);
	for (size_t i = 0; i < listed->type_count; i++) {
		uint32_t section = listed->type_section[i];
		if (*type_place(&index, section, listed->type[i].address) == i + 1)
			listed->domain[section].types++;
		else
			warn(sink, listed->type[i].offset,
			     "A second type has a number that is taken: the first one counts");
	}
	return index;
}

/* One that is only mentioned is added without a name. */
static uint32_t find_type(struct type_index *index, uint32_t section, uint64_t number)
{
	uint32_t *place = type_place(index, section, number);
	if (*place)
		return *place - 1;
	const struct type_record nameless = {.offset = ERR_NO_OFFSET, .address = number};
	uint32_t type = add_type(index->listed, &nameless, section);
	*place = type + 1;
	if (index->listed->type_count * 2 >= (size_t)1 << index->bits)
		grow_index(index);
	return type;
}

/* The number of a type of an object, by the index that takes its place. The last one is asked for
   again and again. */
static void look_up_types(struct listed *listed, const struct sink *sink)
{
	struct type_index index = index_types(listed, sink);
	const struct listed_object *last = NULL;
	uint64_t last_number = 0;
	for (size_t i = 0; i < listed->count; i++) {
		struct listed_object *object = &listed->object[i];
		uint64_t number = object->type;
		bool same = last && last->section == object->section && last_number == number;
		object->type = same ? last->type : find_type(&index, object->section, number);
		last = object;
		last_number = number;
	}
	for (size_t i = 0; i < listed->root_count; i++) {
		struct listed_root *root = &listed->root[i];
		if (root->record.has_container)
			root->container = find_type(&index, root->section, root->record.container);
	}
	free(index.place);
}

static int by_name(const void *a, const void *b)
{
	const struct listed_object *x = a, *y = b;
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static uint64_t name_of(const struct listed *listed, uint32_t section, uint64_t number)
{
	return section ? (section + 1ULL) << listed->shift | number : number;
}

/* Can a number of a section be told from those of the others? */
static bool has_name(const struct listed *listed, uint32_t section, uint64_t number)
{
	if (!listed->shift)
		return true;
	return number >> listed->shift == 0 && section + 1ULL <= UINT64_MAX >> listed->shift;
}

static void choose_shift(struct listed *listed)
{
	uint64_t numbers = 0;
	for (size_t i = 0; i < listed->count; i++)
		numbers |= listed->object[i].name;
	if (listed->domain_count > 1)
		listed->shift = numbers >> 32 ? 48 : 32;
}

static void give_names(struct listed *listed, const struct sink *sink)
{
	size_t kept = 0;
	for (size_t i = 0; i < listed->count; i++) {
		struct listed_object object = listed->object[i];
		if (!has_name(listed, object.section, object.name)) {
			warn(sink, object.offset, "The number of this object is too large to be told from "
			                          "those of other sections: it is left out");
			continue;
		}
		object.name = name_of(listed, object.section, object.name);
		listed->object[kept++] = object;
	}
	listed->count = kept;
}

static void sort(struct listed *listed)
{
	size_t i = 1;
	while (i < listed->count && listed->object[i - 1].name <= listed->object[i].name)
		i++;
	if (i < listed->count)
		qsort(listed->object, listed->count, sizeof *listed->object, by_name);
}

static void drop_repeated(struct listed *listed, const struct sink *sink)
{
	size_t kept = 0;
	for (size_t i = 0; i < listed->count; i++) {
		if (kept && listed->object[kept - 1].name == listed->object[i].name)
			warn(sink, listed->object[i].offset,
			     "A second object has a number that is taken: it is left out");
		else
			listed->object[kept++] = listed->object[i];
	}
	listed->count = kept;
}

static void make_places(struct listed *listed)
{
	listed->bits = 4;
	while (listed->count * 2 > (size_t)1 << listed->bits)
		listed->bits++;
	listed->multiplier = hash_multiplier();
	listed->place = mem_alloc(sizeof *listed->place << listed->bits);
	size_t mask = ((size_t)1 << listed->bits) - 1;
	for (size_t i = 0; i < listed->count; i++) {
		size_t at = (size_t)hash_place(listed->object[i].name, listed->multiplier, listed->bits);
		while (listed->place[at])
			at = (at + 1) & mask;
		listed->place[at] = (uint32_t)i + 1;
	}
}

static void count(struct listed *listed)
{
	for (size_t i = 0; i < listed->count; i++) {
		struct domain *domain = &listed->domain[listed->object[i].section];
		domain->objects++;
		domain->bytes += listed->object[i].size;
		listed->bytes += listed->object[i].size;
	}
	for (size_t i = 0; i < listed->root_count; i++)
		listed->domain[listed->root[i].section].roots++;
}

static void warn_of_nameless(const struct listed *listed, const struct sink *sink)
{
	for (size_t i = 0; i < listed->type_count; i++)
		if (!listed->type[i].name.len) {
			warn(sink, ERR_NO_OFFSET, "Objects or roots mention types that the log does not name: "
			                          "they are shown as # and the number");
			return;
		}
}

void listed_build(struct listed *listed, const struct sink *sink)
{
	look_up_types(listed, sink);
	choose_shift(listed);
	give_names(listed, sink);
	sort(listed);
	drop_repeated(listed, sink);
	make_places(listed);
	count(listed);
	warn_of_nameless(listed, sink);
}

uint32_t listed_find(const struct listed *listed, uint64_t name)
{
	size_t mask = ((size_t)1 << listed->bits) - 1;
	size_t at = (size_t)hash_place(name, listed->multiplier, listed->bits);
	for (; listed->place[at]; at = (at + 1) & mask)
		if (listed->object[listed->place[at] - 1].name == name)
			return listed->place[at] - 1;
	return OBJECT_NONE;
}

uint32_t listed_find_in(const struct listed *listed, uint32_t section, uint64_t number)
{
	if (!has_name(listed, section, number))
		return OBJECT_NONE;
	return listed_find(listed, name_of(listed, section, number));
}

uint64_t listed_memory(const struct listed *listed)
{
	return listed->capacity * sizeof *listed->object + listed->root_capacity * sizeof *listed->root +
	       listed->type_capacity * (sizeof *listed->type + sizeof *listed->type_section) +
	       listed->domain_capacity * sizeof *listed->domain +
	       (sizeof *listed->place << listed->bits);
}
