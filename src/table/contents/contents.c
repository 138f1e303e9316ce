#include "table/contents/contents.h"

#include "analysis/preview.h"
#include "heap/heap.h"

/* Finds the entries or elements if the object is a header; their rows come first. */
static void open_container(struct contents *contents)
{
	const struct typed_fields *members = &contents->members;
	const struct goruntime *rt;
	struct gomap map;
	if (!members->typed.type || members->typed.count != 1)
		return;
	rt = typing_runtime(contents->in.typing);
	contents->is_sync = gosync_read(rt, members->typed.type, members->data, members->size,
	                                heap_object_count(contents->in.heap), &contents->sync);
	if (contents->is_sync) {
		contents->is_map = true;
		contents->first = contents->sync.count;
		return;
	}
	contents->is_map = gomap_start(rt, members->typed.type, members->data, members->size, &map);
	if (contents->is_map) {
		gomap_index_init(&contents->map, &map);
		contents->first = contents->map.count;
		return;
	}
	contents->is_channel = chan_rows_init(&contents->queue, &contents->in, members->typed.type,
	                                      members->data, members->size);
	if (contents->is_channel)
		contents->first = chan_rows_count(&contents->queue);
}

void contents_init(struct contents *contents, const struct analysis *analysis, uint32_t object,
                   const struct object_record *record)
{
	uint64_t width = analysis_heap(analysis)->params.layout.pointer_size;
	*contents = (struct contents){
		.in = datum_memory(analysis),
		.object = object,
		.record = *record,
	};
	typed_fields_init(&contents->members, analysis, object, record);
	open_container(contents);
	uint64_t told = (contents->members.end + width - 1) / width * width;
	if (contents->members.count && typing_fills(contents->in.typing, object))
		told = record->stored; /* the allocator's rounding is no field */
	raw_words_init(&contents->words, analysis_heap(analysis), record, record->header + told);
	nested_maps_init(&contents->embedded, &contents->members);
	contents->count = contents->first;
	if (!contents->is_map)
		contents->count += contents->members.count + contents->words.count
		                   + contents->embedded.count;
}

void contents_init_value(struct contents *contents, const struct analysis *analysis,
                         const struct datum *value)
{
	*contents = (struct contents){.in = datum_memory(analysis), .object = value->object};
	typed_fields_init_value(&contents->members, &contents->in, value);
	open_container(contents);
	nested_maps_init(&contents->embedded, &contents->members);
	contents->count = contents->first;
	if (!contents->is_map)
		contents->count += contents->members.count + contents->embedded.count;
}

bool contents_init_sync(struct contents *contents, const struct analysis *analysis,
                        const struct datum *value)
{
	*contents = (struct contents){
		.in = datum_memory(analysis), .object = value->object, .is_map = true, .is_sync = true};
	const struct typing *typing = contents->in.typing;
	if (!typing || !value->type || !value->data || value->count != 1
	    || gosync_role(gotype_get(typing_types(typing), value->type)->name) != GOSYNC_MAP
	    || !gosync_read(typing_runtime(typing), value->type, value->data, value->room,
	                    heap_object_count(contents->in.heap), &contents->sync))
		return false;
	contents->count = contents->first = contents->sync.count;
	return true;
}

void contents_fini(struct contents *contents)
{
	gomap_index_fini(&contents->map);
	gosync_free(&contents->sync);
	nested_maps_fini(&contents->embedded);
	chan_rows_fini(&contents->queue);
	typed_fields_fini(&contents->members);
	raw_words_fini(&contents->words);
}

/* Stores the n-th entry of a map. A value without a pointer of its own links to the object that
   contains it, if it is boxed or a struct. */
static void get_entry(struct contents *contents, uint64_t n, struct field *field, struct buf *name)
{
	const struct gomap_slots *slots = &contents->map.at.slots;
	struct gomap_entry entry;
	gomap_index_get(&contents->map, n, &entry);
	nested_maps_pair(&contents->in, &entry, slots->key, slots->value, field, name);
	bool boxed = slots->value_boxed;
	if (!field->is_pointer
	    && (boxed || gotype_get(contents->members.scalars.types, slots->value)->fields > 1))
		field->target = heap_find(contents->in.heap, entry.value.address);
}

void contents_get(struct contents *contents, uint64_t n, struct field *field, struct buf *name)
{
	uint64_t members = contents->members.count;
	uint64_t last = contents->count - contents->embedded.count;
	if (!contents->is_map && n >= last)
		nested_maps_get(&contents->embedded, &contents->in, n - last, field, name);
	else if (n >= contents->first + members)
		raw_words_get(&contents->words, n - contents->first - members, field);
	else if (n >= contents->first)
		typed_fields_get(&contents->members, n - contents->first, field, name);
	else if (contents->is_sync)
		nested_maps_entry(&contents->in, &contents->sync, n, field, name);
	else if (contents->is_map)
		get_entry(contents, n, field, name);
	else
		chan_rows_get(&contents->queue, n, field, name);
}

enum type_known contents_known(const struct contents *contents, const struct field *field)
{
	if (contents->object == OBJECT_NONE)
		return KNOWN_EXACT;
	const struct datum at = {
		.address = heap_address(contents->in.heap, contents->object) + field->offset,
		.object = contents->object,
	};
	return datum_known(&contents->in, &at);
}

bool contents_part(struct contents *contents, uint64_t n, struct datum *part)
{
	struct gomap_entry entry = {0};
	gotype_id type = 0;
	if (n >= contents->first)
		return false;
	if (contents->is_sync) {
		entry = gosync_get(typing_runtime(contents->in.typing), &contents->sync, (size_t)n);
		type = contents->sync.value;
	} else if (contents->is_map) {
		gomap_index_get(&contents->map, n, &entry);
		type = contents->map.at.slots.value;
	} else if (n < contents->first - contents->queue.waiter_count) {
		entry.value.address = contents->queue.chan.address
		                      + gochan_offset(&contents->queue.chan, n);
		type = contents->queue.chan.elem;
	}
	enum gokind kind = type ? gotype_get(typing_types(contents->in.typing), type)->kind
	                        : GO_INVALID;
	*part = datum_at(&contents->in, entry.value.address, type, 1);
	return kind == GO_STRUCT || kind == GO_ARRAY;
}

void contents_add_text(const struct contents *contents, const struct field *field, struct buf *out)
{
	const struct heap *heap = contents->in.heap;
	struct preview_place place = {contents->record.data, contents->record.stored,
	                              field->offset + contents->record.header};
	bool closure = contents->members.typed.source == SOURCE_CLOSURE && field->offset == 0;
	if (closure && field->type) {
		uint64_t entry = heap_word(contents->in.heap, field->data);
		if (!govalue_add_function(&contents->in, entry, out))
			govalue_add(&contents->in, field->type, field->data, field->size, out);
	} else if (field->type && field->data)
		govalue_add(&contents->in, field->type, field->data, field->size, out);
	else if (field->target != OBJECT_NONE && field->offset != UINT64_MAX)
		preview_pointer(heap, &place, out);
	else if (!field->is_word && field->data)
		preview_bytes(field->data, field->size, out);
	else if (field->is_word && !field->is_pointer)
		preview_scalar(field->word, heap->params.layout.pointer_size, out);
}
