/* All values of a type in the reachable objects: part of table/contents/value_set.h. Each map and
   channel is read through its header, so that slots that are empty or were left behind do not
   count; of an array, only the elements that a slice covers count, if there is one. */
#include "value_search.h"

#include "analysis/structures.h"
#include "base/mem.h"
#include "go/runtime/gochan.h"
#include "go/runtime/gomap.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_EVERY = 4096, DEPTH = 64 };
enum value_holds { HOLDS_UNKNOWN, HOLDS_NOTHING, HOLDS_SOME };

bool value_type_holds(struct value_search *search, gotype_id id, int depth)
{
	const struct gotype *type = gotype_get(search->types, id);
	if (!id || !type->size || depth > DEPTH)
		return false;
	if (search->wanted[id] || search->holds[id])
		return search->wanted[id] || search->holds[id] == HOLDS_SOME;
	bool holds = type->kind == GO_ARRAY && value_type_holds(search, type->elem, depth + 1);
	for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields && !holds; i++)
		holds = value_type_holds(search, gotype_field(search->types, type->first_field + i)->type,
		                         depth + 1);
	search->holds[id] = holds ? HOLDS_SOME : HOLDS_NOTHING;
	return holds;
}

void value_visit_type(struct value_search *search, uint64_t address, gotype_id id, uint64_t count,
                      uint64_t room, uint64_t index, int depth)
{
	const struct gotype *type = gotype_get(search->types, id);
	if (depth > DEPTH || !value_type_holds(search, id, 0))
		return;
	count = count < room / type->size ? count : room / type->size;
	if (search->wanted[id]) {
		value_set_add(search->set, address, id, count, index);
		return;
	}
	for (uint64_t at = 0; at < count && !search->set->cut; at++, address += type->size) {
		if (type->kind == GO_ARRAY)
			value_visit_type(search, address, type->elem, type->count, type->size, UINT64_MAX,
			                 depth + 1);
		for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields; i++) {
			const struct gofield *field = gotype_field(search->types, type->first_field + i);
			value_visit_type(search, address + field->offset, field->type, 1,
			                 type->size - field->offset, UINT64_MAX, depth + 1);
		}
	}
}

/* ---- Maps and channels */

/* Adds those in a key or value of an entry. One with an object of its own is found there, unless it
   is an array: such objects have the type of the elements. */
static void value_visit_part(struct value_search *search, const struct gomap_entry *entry,
                             const struct gomap_slots *slots, bool is_value)
{
	const struct gomap_part *part = is_value ? &entry->value : &entry->key;
	gotype_id type = is_value ? slots->value : slots->key;
	bool boxed = part->place != part->address;
	if (!part->data || (boxed && gotype_get(search->types, type)->kind != GO_ARRAY))
		return;
	if (is_value && search->wanted[type])
		value_set_add_entry(search->set, part->address, type, entry->key.address, slots->key);
	else if (!boxed || search->wanted[type])
		value_visit_type(search, part->address, type, 1, part->size, UINT64_MAX, 0);
}

static void value_visit_map(struct value_search *search, struct gomap *map)
{
	struct gomap_entry entry;
	if (!value_type_holds(search, map->slots.key, 0)
	    && !value_type_holds(search, map->slots.value, 0))
		return;
	while (!search->set->cut && gomap_next(map, &entry)) {
		value_visit_part(search, &entry, &map->slots, false);
		value_visit_part(search, &entry, &map->slots, true);
	}
}

/* Adds those in buckets or groups whose header is not in the heap. */
static void value_visit_slots(struct value_search *search, const struct datum *object)
{
	struct gomap_slots slots;
	struct gomap_entry entry;
	if (!gomap_slots(search->rt, object->type, &slots))
		return;
	for (uint64_t at = 0; at < object->count && slots.size <= object->room - at * slots.size;
	     at++) {
		const uint8_t *bucket = object->data + at * slots.size;
		for (unsigned slot = 0; slot < GOMAP_SLOTS; slot++) {
			if (gomap_slot_use(search->rt, &slots, bucket, slot, false) != GOMAP_USED)
				continue;
			gomap_entry_get(search->rt, &slots, bucket, object->address + at * slots.size, slot,
			                &entry);
			value_visit_part(search, &entry, &slots, false);
			value_visit_part(search, &entry, &slots, true);
		}
	}
}

static void value_visit_channel(struct value_search *search, const struct gochan *chan)
{
	if (!chan->buffer || !value_type_holds(search, chan->elem, 0))
		return;
	for (uint64_t n = 0; n < chan->length && !search->set->cut; n++)
		value_visit_type(search, chan->address + gochan_offset(chan, n), chan->elem, 1,
		                 chan->elem_size, n, 0);
}

bool value_visit_header(struct value_search *search, const struct datum *header,
                        enum gostructure_role role, bool visit)
{
	struct gomap map;
	struct gochan chan;
	bool good = role == GOSTRUCTURE_MAP
	                ? gomap_start(search->rt, header->type, header->data, header->room, &map)
	                : gochan_read(search->rt, header->type, header->data, header->room, &chan);
	if (good && visit && role == GOSTRUCTURE_MAP)
		value_visit_map(search, &map);
	else if (good && visit)
		value_visit_channel(search, &chan);
	return good;
}

enum gostructure_role value_role(const struct value_search *search, gotype_id type)
{
	return (enum gostructure_role)analysis_structures(search->analysis)->role[type];
}

bool value_is_asked(const struct value_search *search, enum type_known known)
{
	return known == KNOWN_GUESS || !search->guess;
}

/* Returns true if the values of an object are found through the header of a map or channel. */
static bool value_has_header(struct value_search *search, uint32_t object)
{
	uint32_t head = structures_of(analysis_structures(search->analysis), object);
	if (head == object)
		return false;
	struct datum header = datum_of_object(&search->set->in, head);
	enum gostructure_role role = value_role(search, header.type);
	return (role == GOSTRUCTURE_MAP || role == GOSTRUCTURE_CHAN) && header.data
	       && value_visit_header(search, &header, role, false);
}

/* ---- Objects */

void value_visit_elements(struct value_search *search, uint32_t object)
{
	struct datum array = datum_of_object(&search->set->in, object);
	value_visit_type(search, array.address, array.type, array.count, array.room, 0, 0);
}

/* Adds those in an array: in the elements that slices cover, else in all. */
static void value_visit_array(struct value_search *search, const struct datum *array)
{
	const struct collections *found = &search->found;
	uint64_t size = gotype_get(search->types, array->type)->size, first, at = 0;
	if (!map_get(&search->arrays, array->object, &first)) {
		MEM_PUSH(search->loose, search->loose_count, search->loose_capacity, array->object);
		return;
	}
	size_t item = found->window[first].item;
	for (size_t i = first; i < found->windows && found->window[i].item == item; i++) {
		uint64_t start = found->window[i].start > at ? found->window[i].start : at;
		uint64_t end = found->window[i].end;
		if (start < end && end <= array->count && start <= array->room / size)
			value_visit_type(search, array->address + start * size, array->type, end - start,
			                 array->room - start * size, start, 0);
		at = end > at ? end : at;
	}
}

static void value_visit_object(struct value_search *search, uint32_t object)
{
	const struct typing *typing = search->set->in.typing;
	struct typed typed = typing_object(typing, object);
	struct typed_part part;
	uint32_t n = 0;
	if (typed.text)
		return;
	enum gostructure_role role = value_role(search, typed.type);
	bool loose = !typed.type || typed.source == SOURCE_BLOCK;
	if (!loose && !value_is_asked(search, typed.known))
		return;
	if (!loose && role == GOSTRUCTURE_NONE && !value_type_holds(search, typed.type, 0))
		return;
	if (role == GOSTRUCTURE_TABLE)
		return;
	struct datum whole = datum_read_object(&search->set->in, object, &search->reader);
	if (!whole.data)
		return;
	if (role == GOSTRUCTURE_MAP || role == GOSTRUCTURE_CHAN)
		value_visit_header(search, &whole, role, true);
	else if (value_has_header(search, object))
		return;
	else if (role == GOSTRUCTURE_SLOTS)
		value_visit_slots(search, &whole);
	else if (!loose && whole.count > 1)
		value_visit_array(search, &whole);
	else if (!loose)
		value_visit_type(search, whole.address, whole.type, 1, whole.room, UINT64_MAX, 0);
	while (loose && typing_part(typing, object, &n, &part))
		if (part.offset < whole.room
		    && value_is_asked(search, type_known((enum type_source)part.source)))
			value_visit_type(search, whole.address + part.offset, part.type, part.count,
			                 whole.room - part.offset, UINT64_MAX, 0);
}

/* ---- The search */

/* Marks the types with a name. */
static bool value_mark_types(struct value_search *search, const char *name)
{
	SCOPED_BUF text = {0};
	bool any = false;
	for (gotype_id id = 1; id <= gotypes_count(search->types); id++) {
		buf_clear(&text);
		gotype_display(search->types, id, &text);
		search->wanted[id] = strcmp(buf_text(&text), name) == 0;
		any |= search->wanted[id];
	}
	return any;
}

static bool value_holds_elements(void *self, const struct collection *item)
{
	return value_type_holds(self, item->type, 0);
}

/* Finds what slices cover of the arrays whose elements hold such values. */
static bool value_find_windows(struct value_search *search)
{
	if (!collections_find_windows(&search->found, search->analysis, value_holds_elements, search,
	                              search->progress))
		return false;
	const struct collections *found = &search->found;
	for (size_t i = 0; i < found->windows; i++) {
		const struct collection *item = &found->item[found->window[i].item];
		uint64_t known;
		if (!map_get(&search->arrays, item->object, &known))
			map_put(&search->arrays, item->object, i);
	}
	return true;
}

bool value_set_of_type(struct value_set *set, const struct analysis *analysis, const char *name,
                       struct progress *progress)
{
	const struct gotypes *types = typing_types(set->in.typing);
	const struct heap *heap = analysis_heap(analysis);
	size_t count = gotypes_count(types) + (size_t)1;
	struct value_search search = {
		.analysis = analysis,
		.set = set,
		.types = types,
		.rt = typing_runtime(set->in.typing),
		.wanted = mem_alloc(count * sizeof *search.wanted),
		.holds = mem_alloc(count),
		.reader = {.heap = heap},
		.progress = progress,
	};
	set->of_type = true;
	search.guess = *name == TYPE_MARK;
	bool any = value_mark_types(&search, type_unmarked(name)),
		 done = !any || value_find_windows(&search);
	bool rooted = analysis_has_roots(analysis);
	progress_begin(progress, "looking for values", heap_object_count(heap));
	for (uint32_t id = 0; any && done && id < heap_object_count(heap); id++) {
		if (!rooted || reach_has(analysis_reach(analysis), id))
			value_visit_object(&search, id);
		done = id % POLL_EVERY || progress_step(progress, id);
	}
	if (any && done && !set->cut && !search.guess)
		value_visit_variables(&search);
	if (any && done && !set->cut)
		value_visit_arrays(&search);
	free(search.loose);
	free(search.wanted);
	free(search.holds);
	collections_fini(&search.found);
	map_free(&search.arrays);
	return done;
}

uint64_t value_set_count(const struct analysis *analysis, const char *name)
{
	struct value_set set;
	value_set_init(&set, analysis);
	bool done = value_set_of_type(&set, analysis, name, NULL);
	uint64_t count = done ? set.count : 0;
	value_set_fini(&set);
	return count;
}
