/* The listed objects of a log, as a reader tells them, in the order that struct sink asks for. */
#include "heap/builder.h"

#include "base/mem.h"
#include "log_objects.h"

bool builder_owes(struct builder *b, bool in_order, uint64_t offset, const char *early)
{
	if (!in_order && !b->early) {
		b->early = early;
		b->early_offset = offset;
	}
	return in_order;
}

void builder_begin_domain(void *self, const struct domain_record *record)
{
	struct builder *b = self;
	if (!b->log)
		b->log = mem_alloc(sizeof *b->log);
	log_objects_begin(b->log, record);
}

void builder_end_domain(void *self, uint64_t offset)
{
	struct builder *b = self;
	if (builder_owes(b, b->log, offset, "the end of a domain before its begin"))
		log_objects_end(b->log);
}

void builder_list_object(void *self, const struct log_object_record *record)
{
	struct builder *b = self;
	if (builder_owes(b, b->log, record->offset, "a listed object before its domain"))
		log_objects_add(b->log, record);
}

void builder_list_root(void *self, const struct log_root_record *record)
{
	struct builder *b = self;
	if (builder_owes(b, b->log, record->offset, "a root before its domain"))
		log_objects_add_root(b->log, record);
}

void builder_add_type(struct builder *b, enum record_kind kind, const void *record)
{
	const uint64_t *offset = record; /* every record begins with its offset */
	if (builder_owes(b, b->log, *offset, "a type before its domain")
	    && builder_owes(b, kind == RECORD_TYPE, *offset, "a record that no list of objects has"))
		log_objects_add_type(b->log, record);
}
