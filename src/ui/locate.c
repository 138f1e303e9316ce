/* Resolution of addresses to objects, frames, global variables and threads. */
#include "ui/locate.h"

#include "base/text.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/contents/contents.h"
#include "table/naming/argument.h"
#include "table/naming/entity.h"
#include "table/naming/part.h"
#include "table/naming/variable_user.h"

#include <inttypes.h>
#include <string.h>

struct place_of {
	const struct analysis *analysis;
	const struct heap *heap;
	uint64_t address;
	struct buf *command, *note;
};

static bool in_object(struct place_of *p)
{
	uint32_t id = heap_find(p->heap, p->address);
	if (id == OBJECT_NONE)
		return false;
	uint64_t start = heap_address(p->heap, id);
	buf_addf(p->command, "object 0x%" PRIx64, start);
	if (p->address > start)
		buf_addf(p->note, "0x%" PRIx64 " is +0x%" PRIx64 " in this object.", p->address,
		         p->address - start);
	else if (p->address < start)
		buf_addf(p->note, "0x%" PRIx64 " is in the allocation header of this object.", p->address);
	return true;
}

static bool in_frame(struct place_of *p)
{
	for (uint32_t i = 0; i < p->heap->frame_count; i++) {
		const struct frame *frame = &p->heap->frames[i];
		if (p->address - frame->record.sp >= frame->record.size || frame->thread == UINT32_MAX)
			continue;
		thread_add_name(p->heap, &p->heap->threads[frame->thread], p->command);
		buf_addf(p->note, "0x%" PRIx64 " is +0x%" PRIx64 " in the frame of ", p->address,
		         p->address - frame->record.sp);
		text_add_symbol(p->note, frame->record.function.data, frame->record.function.len, 60);
		buf_add(p->note, ".");
		return true;
	}
	return false;
}

static bool in_thread(struct place_of *p)
{
	for (uint32_t i = 0; i < p->heap->thread_count; i++)
		if (p->heap->threads[i].record.address == p->address) {
			thread_add_name(p->heap, &p->heap->threads[i], p->command);
			return true;
		}
	return false;
}

static bool in_variable(struct place_of *p)
{
	const char *name;
	uint64_t offset;
	if (!names_variable(analysis_names(p->analysis), p->address, &name, &offset))
		return false;
	buf_add(p->command, "roots ");
	text_add_symbol(p->command, name, strlen(name), SIZE_MAX);
	buf_addf(p->note, "0x%" PRIx64 " is +0x%" PRIx64 " in this variable.", p->address, offset);
	return true;
}

static bool locate_in_segment(struct place_of *p)
{
	for (uint32_t i = 0; i < p->heap->segment_count; i++) {
		const struct segment_record *segment = &p->heap->segments[i];
		if (p->address - segment->address >= segment->size)
			continue;
		if (in_variable(p))
			return true;
		enum root_kind kind = segment->bss ? ROOT_BSS : ROOT_DATA;
		const struct root word = {.kind = (uint8_t)kind, .address = p->address, .holder = i};
		buf_addf(p->command, "roots %s", heap_root_kind(p->heap, (int)kind));
		buf_addf(p->note, "0x%" PRIx64 " is ", p->address);
		variable_user_add_place(p->analysis, &word, p->note);
		buf_add(p->note, ", memory of global variables.");
		return true;
	}
	return false;
}

bool locate(const struct analysis *analysis, uint64_t address, struct buf *command,
            struct buf *note, struct err *err)
{
	static bool (*const kinds[])(struct place_of *) = {
		in_object,
		in_frame,
		in_thread,
		locate_in_segment,
	};
	if (!analysis_has(analysis, STAGE_READ)) {
		buf_addf(command, "object 0x%" PRIx64, address);
		return true;
	}
	struct place_of p = {analysis, analysis_heap(analysis), address, command, note};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i](&p))
			return true;
	SCOPED_BUF place = {0};
	operand_add_place(analysis, address, &place);
	err_set(err, "Nothing of this dump lies at 0x%" PRIx64 "%s%s", address,
	        place.len ? ": it is " : "", buf_text(&place));
	return argument_absent(p.heap, DAMAGE_GLOBALS, err);
}

/* Finds the page of a value that is no object: the entries of a sync.Map, the fields of a variable
   or of a part of an object. */
static bool locate_value(const struct analysis *analysis, const char *text,
                         const struct operand *operand, struct buf *command, struct buf *note)
{
	struct contents contents;
	struct datum part;
	uint64_t address, size;
	if (operand->kind == OPERAND_VALUE
	    && contents_init_sync(&contents, analysis, &operand->value.place)) {
		buf_addf(command, "fields %s", text);
		text_add_escaped(note, text, strlen(text), 100);
		buf_addf(note, " is a sync.Map of %s.",
		         text_number_of(contents.count, "entry", "entries").text);
		contents_fini(&contents);
		return true;
	}
	bool outside = part_outside(analysis, operand, &part);
	if (outside)
		buf_addf(command, "fields %s", text);
	if (operand_tell_value(analysis, text, note)) {
		buf_add_char(note, '.');
		return true;
	}
	if (outside && operand_memory(analysis, operand, &address, &size))
		buf_addf(note, "It takes %" PRIu64 " bytes at 0x%" PRIx64 ".", size, address);
	if (outside)
		return true;
	if (!part_of_operand(analysis, operand, &part))
		return false;
	buf_addf(command, "object %s", text);
	text_add_escaped(note, text, strlen(text), 100);
	buf_add(note, " is in ");
	entity_add_label(analysis, entity_of_object(part.object), note);
	buf_add_char(note, '.');
	return true;
}

bool locate_text(const struct analysis *analysis, const char *text, struct buf *command,
                 struct buf *note, struct err *err)
{
	struct operand operand;
	const char *rest = text;
	uint64_t address, size;
	uint32_t id;
	if (!*text)
		return err_set(err, "Which address, variable, " THREAD_WORD " or path? For example: goto "
		                    "main.cache");
	if (argument_address(text, &address))
		return locate(analysis, address, command, note, err);
	if (!operand_read(analysis, &rest, &operand, err))
		return false;
	const struct heap *heap = analysis_heap(analysis);
	if (*rest)
		return err_set(err, "What is meant by \"%.60s\", behind what is understood?", rest);
	if (operand.set) {
		buf_addf(command, "object %s", text);
		text_add_escaped(note, text, strlen(text), 100);
		buf_add(note, " is several objects.");
		return true;
	}
	if (operand.kind == OPERAND_THREAD || operand.kind == OPERAND_FRAME) {
		uint32_t index = operand.kind == OPERAND_FRAME ? heap->frames[operand.index].thread
		                                               : operand.index;
		thread_add_name(heap, &heap->threads[index], command);
		return true;
	}
	if (locate_value(analysis, text, &operand, command, note))
		return true;
	struct err why = {0};
	if (!operand_object(analysis, &operand, &id, &why)) {
		if (!operand_memory(analysis, &operand, &address, &size))
			return err_set(err, "%s", why.text);
		buf_addf(command, "roots %s", text);
		buf_addf(note, "It takes %" PRIu64 " bytes at 0x%" PRIx64 ".", size, address);
		return true;
	}
	buf_addf(command, "object 0x%" PRIx64, operand_inside(analysis, &operand, id));
	text_add_escaped(note, text, strlen(text), 100);
	buf_add(note, " is ");
	entity_add_label(analysis, entity_of_node(analysis, id), note);
	buf_add_char(note, '.');
	return true;
}
