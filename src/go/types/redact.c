/* Says which words of a heap stay. A word stays only where the collector's masks or a type say what
   it is: no number is a pointer because it looks like one. */
#include "go/types/redact.h"

#include "redact_constants.h"
#include "redact_plan.h"

#include "format/format.h"
#include "go/runtime/gomemory.h"
#include "heap/heap.h"
#include "heap/record_index.h"
#include "heap/stack_words.h"

#include <string.h>

enum { STEP = 1 << 12 };

struct redacting {
	const struct redact_source *source;
	const struct heap *heap;
	struct redaction *redaction;
	struct redact_known known;
	struct redact_constants constants;
	struct redact_plans plans;
	unsigned width;
	uint64_t longest; /* a larger number is no length */
};

/* Keeps a pointer, unless what it leads to tells a value. `text`: to the bytes of a text. `boxed`:
   the word before it says that it leads to a value. What stays already was asked for by the reader,
   or is known better. */
static void keep_address(struct redacting *r, const uint8_t *at, bool text, bool boxed)
{
	uint64_t word = heap_word(r->heap, at);
	const struct redact_constants *constants = &r->constants;
	if (!word || redaction_keeps(r->redaction, at, r->width))
		return;
	if (redact_constants_has(constants, word)
	    || ((text || boxed) && redact_constants_in_program(constants, word)))
		redaction_make_same(r->redaction, at, r->width);
	else if (redact_known_has(&r->known, word))
		redaction_keep(r->redaction, at, r->width);
}

/* Keeps a pointer in memory that begins at `start`. */
static void keep_pointer(struct redacting *r, const uint8_t *at, const uint8_t *start)
{
	bool behind = at >= start + r->width;
	keep_address(r, at, false,
	             behind
	                 && redact_constants_boxes(&r->constants, heap_word(r->heap, at - r->width)));
}

static void keep_item(struct redacting *r, const struct redact_item *item, const uint8_t *at,
                      const uint8_t *start)
{
	if (item->word == REDACT_POINTER)
		keep_pointer(r, at, start);
	else if (item->word == REDACT_TEXT)
		keep_address(r, at, true, false);
	else if (item->word == REDACT_SEED) {
		if (gomemory_number(r->heap, at, item->size <= 8 ? item->size : 8))
			redaction_fill(r->redaction, at, item->size);
	} else if (item->word == REDACT_NUMBER || heap_word(r->heap, at) <= r->longest)
		redaction_keep(r->redaction, at, item->size);
}

/* Keeps the words of `count` values of a type in `room` bytes. Rows of rows nest as deep as the
   type does. */
static void keep_values(struct redacting *r, gotype_id type, bool of_runtime, uint64_t count,
                        const uint8_t *at, uint64_t room)
{
	const struct redact_plan *plan = type ? redact_plan_of(&r->plans, type, of_runtime) : NULL;
	uint64_t size = plan ? gotype_get(r->source->types, type)->size : 0;
	const uint8_t *start = at;
	if (!size || !plan->count)
		return;
	for (; count && room; count--) {
		for (size_t i = 0; i < plan->count; i++) {
			const struct redact_item *item = &plan->item[i];
			if (item->word == REDACT_ROW) {
				if (item->offset < room)
					keep_values(r, item->of, of_runtime, item->size, at + item->offset,
					            room - item->offset);
			} else if (item->offset + item->size <= room) {
				keep_item(r, item, at + item->offset, start);
			}
		}
		at += size;
		room = room > size ? room - size : 0;
	}
}

/* Keeps the pointers of a mask. `every`: the mask is unknown, so that each word may be one. */
static void keep_fields(struct redacting *r, struct fields fields, const uint8_t *data,
                        uint64_t size)
{
	bool every = fields.old == &fields_masks && fields.mask == FIELDS_EVERY;
	uint64_t offset;
	while (fields_next(&fields, &offset))
		if (size >= r->width && offset <= size - r->width
		    && (!every || heap_find(r->heap, heap_word(r->heap, data + offset)) != OBJECT_NONE))
			keep_pointer(r, data + offset, data);
}

/* Returns true for the address of a type or an interface table, or the entry of a function. */
static bool is_code_or_type(struct redacting *r, uint64_t word, bool code)
{
	const struct names *names = r->source->names;
	uint64_t entry;
	const char *name;
	if (code)
		return names && names->exe
		       && exe_function(names->exe, word - names->fit.bias, &name, &entry)
		       && entry == word - names->fit.bias;
	return map_get(&r->known.exact, word, &entry)
	       || (r->source->types && gotypes_at(r->source->types, word - names->fit.bias));
}

/* Keeps the first word of a closure, the entry of its function. */
static void keep_entry(struct redacting *r, const struct object_record *record)
{
	const uint8_t *first = record->data + record->header;
	if (record->stored >= record->header + r->width
	    && is_code_or_type(r, heap_word(r->heap, first), true))
		redaction_keep(r->redaction, first, r->width);
}

/* Keeps the types in front of the pointers of an object without a type: those of interfaces. */
static void keep_evidence(struct redacting *r, const struct object_record *record)
{
	struct fields fields = record->fields;
	uint64_t offset, before = UINT64_MAX, size = record->stored;
	while (fields_next(&fields, &offset)) {
		bool follows = offset >= r->width && offset - r->width != before;
		before = offset;
		if (follows && size >= r->width && offset <= size - r->width
		    && is_code_or_type(r, heap_word(r->heap, record->data + offset - r->width), false))
			redaction_keep(r->redaction, record->data + offset - r->width, r->width);
	}
}

/* Returns true if the runtime's timer in an object is one: it calls package time. */
static bool redact_is_timer(struct redacting *r, gotype_id whole, const uint8_t *data)
{
	const struct names *names = r->source->names;
	struct gotypes *types = r->source->types;
	uint64_t in = 0, at = 0, entry;
	const char *name;
	gotype_id timer = gotype_field_named(types, whole, "timer", &in);
	if (!timer || !gotype_field_named(types, timer, "f", &at))
		return false;
	uint64_t closure = heap_word(r->heap, data + in + at);
	uint64_t code = closure ? gomemory_word(r->plans.runtime, closure) : 0;
	return code && exe_function(names->exe, code - names->fit.bias, &name, &entry)
	       && strncmp(name, "time.", 5) == 0;
}

/* Keeps the runtime's timer behind a time.Timer or time.Ticker: since Go 1.23 package time does not
   declare that it is there. What else stands behind one is the program's. */
static void keep_timer(struct redacting *r, gotype_id type, const uint8_t *data, uint64_t size)
{
	const char *name = gotype_get(r->source->types, type)->name;
	if (strcmp(name, "time.Timer") != 0 && strcmp(name, "time.Ticker") != 0)
		return;
	gotype_id whole = gotypes_named(r->source->types, "runtime.timeTimer");
	if (whole && size >= gotype_get(r->source->types, whole)->size
	    && redact_is_timer(r, whole, data))
		keep_values(r, whole, true, 1, data, size);
}

static void redact_object(struct redacting *r, uint32_t id, const struct object_record *record)
{
	const struct typing *typing = r->source->typing;
	const uint8_t *data = record->data;
	uint64_t size = record->stored;
	struct typed typed = {0};
	if (record->header && record->header <= size)
		keep_pointer(r, data, data);
	keep_entry(r, record);
	if (typing)
		typed = typing_object(typing, id);
	if (typed.type && !typed.text && size > record->header)
		keep_values(r, typed.type, false, typed.count, data + record->header,
		            size - record->header);
	if (typed.type)
		keep_timer(r, typed.type, data, size);
	struct typed_part part;
	for (uint32_t at = 0; typing && !typed.type && typing_part(typing, id, &at, &part);)
		if (part.offset < size)
			keep_values(r, part.type, false, part.count, data + part.offset, size - part.offset);
	keep_fields(r, record->fields, data, size);
	if (!typed.type)
		keep_evidence(r, record);
}

/* Adds all object records as zones: those of free slots hold what the program left there. */
static bool redact_records(struct redacting *r, struct progress *progress)
{
	const struct heap *heap = r->heap;
	const struct record_index *index = &heap->index;
	struct object_record record;
	progress_begin(progress, "redacting", index->count);
	for (size_t i = 0; i < index->count; i++) {
		const struct record_entry *entry = &index->entry[i];
		if (i % STEP == 0 && !progress_step(progress, i))
			return false;
		if (entry->kind != RECORD_OBJECT && entry->kind != RECORD_GHOST)
			continue;
		for (unsigned k = 0; k < entry->count; k++) {
			if (!format_row(heap->format, heap->reader, k ? 0 : entry->offset, &record))
				break;
			redaction_add_zone(r->redaction, (uint64_t)(record.data - heap->input->data),
			                   record.stored);
			uint32_t id = entry->kind == RECORD_OBJECT ? heap_find(heap, record.slot) : OBJECT_NONE;
			if (id != OBJECT_NONE && heap_address(heap, id) == record.slot + record.header)
				redact_object(r, id, &record);
		}
	}
	return true;
}

static void redact_segment(struct redacting *r, const struct segment_record *segment)
{
	redaction_add_zone(r->redaction, (uint64_t)(segment->data - r->heap->input->data),
	                   segment->size);
	keep_fields(r, segment->fields, segment->data, segment->size);
}

static void keep_variable(struct redacting *r, uint64_t address, gotype_id type, uint64_t count,
                          bool of_runtime)
{
	uint64_t size = gotype_get(r->source->types, type)->size;
	struct gomemory_piece piece;
	if (!size || !gomemory_piece(r->heap, address, &piece))
		return;
	uint64_t into = address - piece.address;
	keep_values(r, type, of_runtime, count, piece.data + into, piece.size - into);
}

/* Keeps what is no large number in the runtime's variables of a program without symbols. */
static void redact_runtime(struct redacting *r)
{
	const struct runtime_variables *known = r->source->names->runtime;
	for (size_t i = 0; known && i < known->count; i++) {
		struct gomemory_piece piece;
		const struct runtime_variable *variable = &known->item[i];
		const uint8_t *data = gomemory_piece(r->heap, variable->address, &piece)
		                          ? gomemory_in_piece(&piece, variable->address, variable->size)
		                          : NULL;
		for (uint64_t at = 0; data && at + r->width <= variable->size; at += r->width)
			keep_item(r, &(struct redact_item){0, r->width, 0, REDACT_LENGTH}, data + at, data);
	}
}

/* Keeps the words of global variables, and of the values that they point to in data and bss. */
static void redact_variables(struct redacting *r)
{
	const struct redact_source *s = r->source;
	size_t globals = 0;
	const struct exe_global *global = s->types ? gotypes_globals(s->types, &globals) : NULL;
	for (size_t i = 0; i < globals; i++)
		keep_variable(r, global[i].address + s->names->fit.data_bias, global[i].type, 1,
		              redact_is_of_runtime(global[i].name));
	for (uint32_t i = 0; s->statics && i < r->heap->segment_count; i++) {
		const struct segment_record *segment = &r->heap->segments[i];
		for (uint64_t at = 0; at < segment->size;) {
			const struct static_value *value = statics_find(s->statics, segment->address + at);
			if (value)
				keep_variable(r, value->address, value->type, value->count, false);
			uint64_t end = value ? value->address + value->count * value->size - segment->address
			                     : 0;
			at = end > at ? end : at + r->width;
		}
	}
}

/* Keeps a word of a frame by the local variable that it is a part of. */
static void redact_local(struct redacting *r, const struct frame_record *frame, uint64_t at)
{
	struct local local;
	if (!locals_find(r->source->locals, frame, frame->sp + at, &local) || !local.type)
		return;
	const struct redact_plan *plan = redact_plan_of(&r->plans, local.type, false);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->item[i].word != REDACT_ROW && plan->item[i].offset == local.offset
		    && plan->item[i].size <= frame->size - at)
			keep_item(r, &plan->item[i], frame->data + at, frame->data);
}

static void redact_frame(struct redacting *r, uint32_t index)
{
	const struct frame_record *frame = &r->heap->frames[index].record;
	struct stack_words words = heap_stack_words(r->heap, index);
	if (!frame->data)
		return;
	redaction_add_zone(r->redaction, (uint64_t)(frame->data - r->heap->input->data), frame->size);
	for (uint64_t at = 0; r->source->locals && at + r->width <= frame->size; at += r->width)
		redact_local(r, frame, at);
	keep_fields(r, frame->fields, frame->data, frame->size);
	for (size_t i = 0; i < words.count; i++)
		keep_pointer(r, frame->data + words.word[i].offset, frame->data);
}

/* Returns the bytes that a number of a record takes, 7 bits in each; 0: it does not end in time. */
static uint64_t redact_number(const struct redacting *r, uint64_t offset)
{
	enum { LONGEST = 10 };
	for (uint64_t i = 0; i < LONGEST && offset + i < r->redaction->size; i++)
		if (!(r->redaction->data[offset + i] & 0x80))
			return i + 1;
	return 0;
}

/* Makes the address of a panic's value in a record of a heap dump the common one, in as many bytes,
   where it leads to a constant: which one would tell the value. */
static void redact_panic(struct redacting *r, const struct panic_record *panic)
{
	enum { BEFORE = 4 }; /* the kind of the record, addresses of panic and goroutine, the type */
	uint64_t offset = panic->offset, bytes = 0, word = r->constants.common;
	if (!panic->data || heap_find(r->heap, panic->data) != OBJECT_NONE
	    || (r->constants.runtime
	        && (!redact_constants_in_program(&r->constants, panic->data)
	            || !redact_constants_boxes(&r->constants, panic->type))))
		return;
	for (int i = 0; i <= BEFORE; i++) {
		offset += bytes;
		bytes = redact_number(r, offset);
		if (!bytes)
			return;
	}
	if (bytes < sizeof word && word >> (7 * bytes))
		word = 0;
	uint8_t *number = redaction_change(r->redaction, offset, bytes);
	for (uint64_t i = 0; i < bytes; i++, word >>= 7)
		number[i] = (uint8_t)((word & 0x7f) | (i + 1 < bytes ? 0x80 : 0));
}

bool redact_heap(const struct redact_source *source, struct redaction *redaction,
                 struct progress *progress)
{
	struct redacting r = {
		.source = source,
		.heap = source->heap,
		.redaction = redaction,
		.width = source->heap->params.layout.pointer_size,
		.longest = UINT32_MAX,
	};
	uint64_t bytes = objects_bytes(r.heap->objects);
	r.longest = bytes > r.longest ? bytes : r.longest;
	redact_known_init(&r.known, source);
	r.plans.runtime = source->typing ? typing_runtime(source->typing) : NULL;
	redact_constants_init(&r.constants, source, r.plans.runtime);
	for (unsigned i = 0; i < r.width; i++)
		redaction->common[r.heap->params.layout.big_endian ? r.width - 1 - i : i] =
			(uint8_t)(r.constants.common >> (8 * i));
	for (size_t i = 0; i < r.constants.value.count; i++)
		redaction_add_value(redaction, r.constants.value.range[i].start,
		                    r.constants.value.range[i].end - r.constants.value.range[i].start);
	bool done = redact_records(&r, progress);
	redact_runtime(&r);
	redact_variables(&r);
	for (uint32_t i = 0; i < r.heap->segment_count; i++)
		if (r.heap->segments[i].data)
			redact_segment(&r, &r.heap->segments[i]);
	for (uint32_t i = 0; i < r.heap->frame_count; i++)
		redact_frame(&r, i);
	for (uint32_t i = 0; !r.heap->format->executable && i < r.heap->panic_count; i++)
		redact_panic(&r, &r.heap->panics[i]);
	redact_constants_fini(&r.constants);
	redact_plans_fini(&r.plans);
	redact_known_fini(&r.known);
	return done;
}
