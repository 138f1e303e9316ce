/* The identity of an object: its size, its type, the requested address, its allocation site. */
#include "report/object.h"

#include "base/text.h"
#include "heap/heap.h"
#include "heap/profile.h"
#include "table/naming/inner.h"
#include "table/naming/typed.h"
#include "table/notes/notes.h"

#include <inttypes.h>

void object_add_size(struct page *page)
{
	const struct object_record *record = &((const struct object_page *)page->own)->record;
	enum { LEAST_RESIDENT = 2 << 12 }; /* smaller ones share their page */
	SCOPED_BUF text = {0};
	uint64_t resident;
	bool known = record->size >= LEAST_RESIDENT
	             && heap_resident(analysis_heap(page->analysis), page->address - record->header,
	                              record->size, &resident);
	page_hex(page, "address", page->address);
	page_hex(page, "slot", page->address - record->header);
	page_number(page, "size", record->size);
	page_number(page, "stored", record->stored);
	if (known)
		page_number(page, "resident_bytes", resident);
	if (page->form == FORM_TEXT)
		page_fieldf(page, "object", "0x%" PRIx64, page->address);
	text_add_size(&text, record->size);
	if (record->size >= 1024)
		buf_addf(&text, " = %s bytes", text_count(record->size).text);
	if (record->header)
		buf_addf(&text, ", with an allocation header of %d bytes", record->header);
	if (known)
		buf_addf(&text, ", %s of it resident", text_size(resident).text);
	page_field(page, "size", buf_text(&text));
	/* Go truncates objects of 2 GiB and more when it writes them. */
	if (record->data && record->stored < record->size) {
		buf_clear(&text);
		text_add_count(&text, record->stored);
		page_fieldf(page, "contents", "the dump has only the first %s bytes", buf_text(&text));
	}
}

/* Appends what is at the requested address: ": .Buf []byte len 12". An empty name stands for a
   value in a block. */
static void object_add_inner(struct page *page, const struct inner *inner, struct buf *out)
{
	SCOPED_BUF type = {0};
	const struct object_page *object = page->own;
	struct govalue in = datum_memory(page->analysis);
	uint64_t start = heap_address(analysis_heap(page->analysis), object->id);
	const struct datum at = {.address = start + inner->offset, .object = object->id};
	buf_add(&type, type_mark(datum_known(&in, &at)));
	gotype_display(analysis_types(page->analysis), inner->type, &type);
	page_open(page, "at");
	page_number(page, "offset", inner->offset);
	page_text(page, "name", &inner->name);
	page_text(page, "type", &type);
	page_text(page, "text", &inner->text);
	page_close(page);
	buf_addf(out, ": %s%s%s", buf_text(&inner->name), inner->name.len ? " " : "", buf_text(&type));
	buf_addf(out, "%s%s", inner->text.len ? "  " : "", buf_text(&inner->text));
}

void object_add_asked(struct page *page)
{
	const struct object_page *object = page->own;
	struct inner inner;
	SCOPED_BUF text = {0};
	buf_addf(&text, "0x%" PRIx64, object->asked);
	if (object->asked > page->address)
		buf_addf(&text, ", +0x%" PRIx64 " in this object", object->asked - page->address);
	else
		buf_add(&text, ", in the allocation header of this object");
	if (inner_init(&inner, page->analysis, object->id, object->asked))
		object_add_inner(page, &inner, &text);
	else
		page_null(page, "at");
	if (object->asked != page->address)
		page_field(page, "asked for", buf_text(&text));
	inner_fini(&inner);
}

void object_add_through(struct page *page)
{
	const struct object_page *object = page->own;
	page_hex(page, "through", object->through);
	if (object->through)
		page_fieldf(page, "through",
		            "the requested value is static, at 0x%" PRIx64
		            ": this is the object that it points to",
		            object->through);
}

/* Adds the type. The allocation header is the address of the object's type. */
void object_add_type(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct object_page *object = page->own;
	SCOPED_BUF text = {0}, why = {0};
	bool known = typed_add(analysis, object->id, &text);
	typed_add_why(analysis, object->id, &why);
	page_string(page, "type", known ? buf_text(&text) : NULL);
	page_string(page, "type_known", type_known_names[typed_known(analysis, object->id)]);
	page_text(page, "type_why", &why);
	if (known)
		page_fieldf(page, "type", "%s  (%s%s%s)", buf_text(&text),
		            typed_level(analysis, object->id), page->form == FORM_TEXT ? ": " : "; i: why",
		            page->form == FORM_TEXT ? buf_text(&why) : "");
	else if (object->record.header && object->record.data)
		page_fieldf(page, "type", "descriptor at 0x%" PRIx64 ", which is not in the dump",
		            heap_word(analysis_heap(analysis), object->record.data));
}

/* Adds what the user has noted on the object. */
void object_add_note(struct page *page)
{
	struct notes notes;
	SCOPED_BUF subject = {0}, text = {0};
	notes_load(&notes, page->analysis);
	buf_addf(&subject, "0x%" PRIx64, page->address);
	const struct note *note = notes_find(&notes, NOTE_OBJECT, buf_text(&subject));
	if (note) {
		note_add(note, &text);
		page_field(page, "note", buf_text(&text));
		page_string(page, "verdict", note->verdict ? note_verdicts[note->verdict] : NULL);
		page_string(page, "verdict_why", note->why);
		page_string(page, "note", note->text);
	}
	notes_fini(&notes);
}

/* Adds all calls of the allocation for programs and text; the screen has room for the relevant one
   only. */
static void object_add_stack(struct page *page, const struct profile_record *profile)
{
	struct stack_frame frame;
	const char *name = "allocated in";
	page_open_array(page, "stack");
	for (struct stack_walk walk = stack_walk(profile); stack_walk_next(&walk, &frame);) {
		SCOPED_BUF text = {0};
		page_open(page, NULL);
		page_escaped(page, "function", frame.function);
		page_escaped(page, "file", frame.file);
		page_number(page, "line", frame.line);
		page_close(page);
		stack_frame_add(&frame, &text);
		if (page->form == FORM_TEXT)
			page_field(page, name, buf_text(&text));
		name = "";
	}
	page_close(page);
}

/* Adds the allocation site, if the profiler sampled the object. */
void object_add_site(struct page *page)
{
	const struct object_page *object = page->own;
	const struct profiles *profiles = &analysis_heap(page->analysis)->profiles;
	const struct sample *sample = profiles_of_object(profiles, object->id);
	struct stack_frame frame;
	SCOPED_BUF text = {0}, link = {0};
	if (!sample || sample->profile == PROFILE_NONE) {
		page_null(page, "allocation");
		return;
	}
	const struct profile_record *profile = &profiles->profile[sample->profile];
	page_open(page, "allocation");
	page_hex(page, "profile", profile->id);
	object_add_stack(page, profile);
	page_close(page);
	if (page->form == FORM_SCREEN && profile_site(profile, &frame)) {
		stack_frame_add(&frame, &text);
		buf_addf(&link, "profiles-stack 0x%" PRIx64, profile->id);
		page_entry(page, buf_text(&link), STYLE_FAINT, "allocated in", STYLE_LINK, buf_text(&text));
	}
}
