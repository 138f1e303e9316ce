#include "go/format/dump/go_rules.h"

#include <string.h>

enum { PAGE = 8192 };

static const char *go_rules_find(struct text text, const char *word)
{
	return text.len ? memmem(text.data, text.len, word, strlen(word)) : NULL;
}

/* Green Tea is the default since Go 1.26, and an experiment in 1.25. */
static bool has_green_tea(struct text version, unsigned minor)
{
	if (go_rules_find(version, "nogreenteagc"))
		return false;
	return minor >= 26 || go_rules_find(version, "greenteagc");
}

struct go_rules go_rules(struct text version, unsigned pointer_size)
{
	unsigned minor = record_minor_version(version);
	if (minor < 22 || go_rules_find(version, "noallocheaders"))
		return (struct go_rules){0};
	/* runtime/mbitmap.go: heapBitsInSpan: pointer size * bits of a word; one bit per word of the
	   page */
	uint16_t limit = pointer_size == 8 ? 512 : 128;
	return (struct go_rules){
		.ghost_limit = limit,
		.bitmap = (uint16_t)(PAGE / pointer_size / 8),
		.marks = has_green_tea(version, minor) ? 128 : 0,
		.header_over = limit,
	};
}

uint64_t go_rules_slots(const struct go_rules *rules, uint64_t size, uint64_t bytes, bool pointers)
{
	uint64_t kept = pointers ? rules->bitmap : 0;
	kept += size > 8 ? rules->marks : 0;
	return (size > rules->ghost_limit ? bytes : bytes - kept) / size;
}

static void enter_page(struct ghost_filter *filter, const struct go_rules *rules,
                       const struct object_record *object, uint64_t page)
{
	uint64_t size = object->size;
	*filter = (struct ghost_filter){
		.page = page,
		.size = size,
		.scan_end = page + go_rules_slots(rules, size, PAGE, true) * size,
		.noscan_end = page + go_rules_slots(rules, size, PAGE, false) * size,
	};
}

/* Ghosts follow the objects of their span, which decide whether it has pointers. If the span has no
   objects, the ghost's own pointers decide. */
bool ghost_filter_is_ghost(struct ghost_filter *filter, const struct go_rules *rules,
                           const struct object_record *object)
{
	if (object->size > rules->ghost_limit || object->size == 0)
		return false;
	uint64_t page = object->slot & ~(uint64_t)(PAGE - 1);
	if (page != filter->page || object->size != filter->size)
		enter_page(filter, rules, object, page);
	bool pointers = object->fields.at < object->fields.end && *object->fields.at != 0;
	if (object->slot < filter->scan_end) {
		filter->has_pointers |= pointers;
		filter->has_objects = true;
		return false;
	}
	if (object->slot >= filter->noscan_end)
		return true;
	return filter->has_objects ? filter->has_pointers : pointers;
}
