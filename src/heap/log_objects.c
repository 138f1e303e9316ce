/* A sorted array with a hash table by name. */
#include "log_objects.h"

#include "base/bound.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/objects.h"

#include <stdlib.h>

void log_objects_free(struct log_objects *log)
{
	if (!log)
		return;
	free(log->object);
	free(log->root);
	free(log->type);
	free(log->type_section);
	free(log->domain);
	free(log->place);
	free(log);
}

void log_objects_begin(struct log_objects *log, const struct domain_record *record)
{
	MEM_PUSH(log->domain, log->domain_count, log->domain_capacity,
	         (struct domain){.record = *record});
}

void log_objects_end(struct log_objects *log)
{
	log->domain[log->domain_count - 1].ended = true;
}

static uint32_t section_of(const struct log_objects *log)
{
	return (uint32_t)log->domain_count - 1;
}

void log_objects_add(struct log_objects *log, const struct log_object_record *record)
{
	MEM_PUSH(log->object, log->count, log->capacity,
	         (struct log_object){
				 .name = record->id,
				 .handle = record->handle,
				 .offset = record->offset,
				 .type = record->type,
				 .size = record->size,
				 .section = section_of(log),
			 });
}

void log_objects_add_root(struct log_objects *log, const struct log_root_record *record)
{
	MEM_PUSH(log->root, log->root_count, log->root_capacity,
	         (struct log_root){*record, section_of(log), HEAP_NO_TYPE});
}

static void log_objects_add_type_in(struct log_objects *log, const struct type_record *record,
                                    uint32_t section)
{
	size_t count = log->type_count;
	MEM_PUSH(log->type_section, count, log->section_capacity, section);
	MEM_PUSH(log->type, log->type_count, log->type_capacity, *record);
}

void log_objects_add_type(struct log_objects *log, const struct type_record *record)
{
	log_objects_add_type_in(log, record, section_of(log));
}

/* Returns the index of a type by section and number; `next` if there is none, which then is its
   index. `types` maps hashes to indices; a hash that is taken counts up. */
static uint64_t log_objects_number_type(const struct log_objects *log, struct map *types,
                                        uint32_t section, uint64_t number, uint64_t next)
{
	uint64_t hash = hash_mix(section, number, hash_multiplier()), at = next;
	for (; !map_add(types, hash, &at)
	       && (log->type[at].address != number || log->type_section[at] != section);
	     hash++)
		at = next;
	return at;
}

static void log_objects_warn(const struct sink *sink, uint64_t offset, const char *text)
{
	sink->warning(sink->self, offset, text);
}

static struct map log_objects_index_types(struct log_objects *log, const struct sink *sink)
{
	struct map types = {0};
	for (size_t i = 0; i < log->type_count; i++) {
		uint32_t section = log->type_section[i];
		if (log_objects_number_type(log, &types, section, log->type[i].address, i) == i)
			log->domain[section].types++;
		else
			log_objects_warn(sink, log->type[i].offset,
			                 "A second type has a number that is taken: the first one counts");
	}
	return types;
}

/* Returns a type; adds one without a name if it is only mentioned. */
static uint32_t log_objects_find_type(struct log_objects *log, struct map *types, uint32_t section,
                                      uint64_t number)
{
	uint64_t type = log_objects_number_type(log, types, section, number, log->type_count);
	if (type == log->type_count)
		log_objects_add_type_in(
			log, &(struct type_record){.offset = ERR_NO_OFFSET, .address = number}, section);
	return (uint32_t)type;
}

/* Replaces type numbers of objects by indices. Consecutive objects often have the same type. */
static void look_up_types(struct log_objects *log, const struct sink *sink)
{
	struct map types = log_objects_index_types(log, sink);
	const struct log_object *last = NULL;
	uint64_t last_number = 0;
	for (size_t i = 0; i < log->count; i++) {
		struct log_object *object = &log->object[i];
		uint64_t number = object->type;
		bool same = last && last->section == object->section && last_number == number;
		object->type = same ? last->type
		                    : log_objects_find_type(log, &types, object->section, number);
		last = object;
		last_number = number;
	}
	for (size_t i = 0; i < log->root_count; i++) {
		struct log_root *root = &log->root[i];
		if (root->record.has_container)
			root->container =
				log_objects_find_type(log, &types, root->section, root->record.container);
	}
	map_free(&types);
}

ORDER_BY_TWO(log_objects_by_name, struct log_object, name, offset);

static uint64_t log_objects_name_of(const struct log_objects *log, uint32_t section,
                                    uint64_t number)
{
	return section ? (section + 1ULL) << log->shift | number : number;
}

/* Returns true if the number fits into a name beside the section. */
static bool has_name(const struct log_objects *log, uint32_t section, uint64_t number)
{
	if (!log->shift)
		return true;
	return number >> log->shift == 0 && section + 1ULL <= UINT64_MAX >> log->shift;
}

static void give_names(struct log_objects *log, const struct sink *sink)
{
	size_t kept = 0;
	for (size_t i = 0; i < log->count; i++) {
		struct log_object object = log->object[i];
		if (!has_name(log, object.section, object.name)) {
			log_objects_warn(sink, object.offset,
			                 "The number of this object is too large to be distinct from those of "
			                 "other sections: it is left out");
			continue;
		}
		object.name = log_objects_name_of(log, object.section, object.name);
		log->object[kept++] = object;
	}
	log->count = kept;
}

static void drop_repeated(struct log_objects *log, const struct sink *sink)
{
	size_t kept = 0;
	for (size_t i = 0; i < log->count; i++) {
		if (kept && log->object[kept - 1].name == log->object[i].name)
			log_objects_warn(sink, log->object[i].offset,
			                 "A second object has a number that is taken: it is left out");
		else
			log->object[kept++] = log->object[i];
	}
	log->count = kept;
}

static void log_objects_make_places(struct log_objects *log)
{
	log->bits = 4;
	while (log->count * 2 > (size_t)1 << log->bits)
		log->bits++;
	log->multiplier = hash_multiplier();
	log->place = mem_alloc(sizeof *log->place << log->bits);
	size_t mask = ((size_t)1 << log->bits) - 1;
	for (size_t i = 0; i < log->count; i++) {
		size_t at = (size_t)hash_place(log->object[i].name, log->multiplier, log->bits);
		while (log->place[at])
			at = (at + 1) & mask;
		log->place[at] = (uint32_t)i + 1;
	}
}

static void log_objects_count(struct log_objects *log)
{
	for (size_t i = 0; i < log->count; i++) {
		struct domain *domain = &log->domain[log->object[i].section];
		domain->objects++;
		domain->bytes += log->object[i].size;
		log->bytes += log->object[i].size;
	}
	for (size_t i = 0; i < log->root_count; i++)
		log->domain[log->root[i].section].roots++;
}

static void warn_of_nameless(const struct log_objects *log, const struct sink *sink)
{
	for (size_t i = 0; i < log->type_count; i++)
		if (!log->type[i].name.len) {
			log_objects_warn(sink, ERR_NO_OFFSET,
			                 "Objects or roots mention types that the file does not name: "
			                 "they are shown as # and the number");
			return;
		}
}

void log_objects_build(struct log_objects *log, const struct sink *sink)
{
	uint64_t numbers = 0;
	look_up_types(log, sink);
	for (size_t i = 0; i < log->count; i++)
		numbers |= log->object[i].name;
	if (log->domain_count > 1)
		log->shift = numbers >> 32 ? 48 : 32;
	give_names(log, sink);
	size_t i = 1;
	while (i < log->count && log->object[i - 1].name <= log->object[i].name)
		i++;
	if (i < log->count)
		qsort(log->object, log->count, sizeof *log->object, log_objects_by_name);
	drop_repeated(log, sink);
	log_objects_make_places(log);
	log_objects_count(log);
	warn_of_nameless(log, sink);
}

uint32_t log_objects_find(const struct log_objects *log, uint64_t name)
{
	size_t mask = ((size_t)1 << log->bits) - 1;
	size_t at = (size_t)hash_place(name, log->multiplier, log->bits);
	for (; log->place[at]; at = (at + 1) & mask)
		if (log->object[log->place[at] - 1].name == name)
			return log->place[at] - 1;
	return OBJECT_NONE;
}

uint32_t log_objects_find_in(const struct log_objects *log, uint32_t section, uint64_t number)
{
	if (!has_name(log, section, number))
		return OBJECT_NONE;
	return log_objects_find(log, log_objects_name_of(log, section, number));
}

uint64_t log_objects_memory(const struct log_objects *log)
{
	return log->capacity * sizeof *log->object + log->root_capacity * sizeof *log->root
	       + log->type_capacity * (sizeof *log->type + sizeof *log->type_section)
	       + log->domain_capacity * sizeof *log->domain + (sizeof *log->place << log->bits);
}
