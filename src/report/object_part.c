/* The page of a value that is a part of an object, or outside of the heap: what it is, and in which
   object. Its fields follow, as on the page of an object. */
#include "report/object.h"

#include "base/text.h"
#include "heap/name_part.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_SHOWN = 200 };

void object_open_part(struct page *page, const char *expression)
{
	struct object_page *object = page->own;
	struct govalue in = datum_memory(page->analysis);
	page->address = object->asked = object->part.address;
	buf_add(&object->argument, expression);
	buf_add(&page->title, "value ");
	text_add_escaped(&page->title, expression, strlen(expression), NAME_SHOWN);
	text_add_size(&page->side, datum_size(&in, &object->part));
}

/* Adds the object that contains the value. */
static void object_part_add_object(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct object_page *object = page->own;
	uint64_t start = heap_address(analysis_heap(analysis), object->id);
	uint64_t size = object->record.size;
	SCOPED_BUF type = {.without = NAME_LENGTH}, text = {0}, link = {0};
	typed_add_part(analysis, object->id, &type);
	page_open(page, "object");
	page_hex(page, "address", start);
	page_number(page, "size", size);
	page_text(page, "type", &type);
	page_close(page);
	page_number(page, "offset", object->part.address - start);
	buf_addf(&text, "0x%" PRIx64 " +0x%" PRIx64 ", %s%s%s", start, object->part.address - start,
	         text_size(size).text, type.len ? ": " : "", buf_text(&type));
	buf_addf(&link, "object 0x%" PRIx64, start);
	page_entry(page, buf_text(&link), STYLE_FAINT, "part of", STYLE_LINK, buf_text(&text));
}

static void object_part_add_type(struct page *page, enum type_known known)
{
	const struct datum *part = &((const struct object_page *)page->own)->part;
	SCOPED_BUF type = {0}, count = {0};
	buf_add(&type, type_mark(known));
	gotype_display(analysis_types(page->analysis), part->type, &type);
	if (part->count != 1)
		buf_addf(&count, "%s × ", text_count(part->count).text);
	page_text(page, "type", &type);
	page_string(page, "type_known", type_known_names[known]);
	page_fieldf(page, "type", "%s%s  (%s)", buf_text(&count), buf_text(&type),
	            known == KNOWN_NONE ? "a label" : type_known_names[known]);
}

void object_add_part(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct object_page *object = page->own;
	struct govalue in = datum_memory(analysis);
	uint64_t size = datum_size(&in, &object->part);
	bool outside = object->id == OBJECT_NONE;
	enum type_known known = datum_known(&in, &object->part);
	SCOPED_BUF path = {0}, text = {0};
	if (size && object->part.count == 1 && analysis_has(analysis, STAGE_REACHED | STAGE_TYPED))
		part_add_path(analysis, &object->part, &path);
	if (!path.len)
		text_add_escaped(&path, object->argument.data, object->argument.len, NAME_SHOWN);
	buf_add(&text, type_mark(known));
	if (object->part.count == 1)
		govalue_add(&in, object->part.type, object->part.data, object->part.room, &text);
	page_hex(page, "address", page->address);
	page_number(page, "size", size);
	page_text(page, "name", &path);
	page_text(page, "text", &text);
	page_field(page, "value", buf_text(&path));
	object_part_add_type(page, known);
	page_fieldf(page, "address", "0x%" PRIx64, page->address);
	if (object->part.count == 1)
		page_field(page, "text", text.len ? buf_text(&text) : "not in the dump");
	buf_clear(&text);
	text_add_size(&text, size);
	if (object->part.room < size)
		buf_addf(&text, ", of which the dump has only the first %" PRIu64 " bytes",
		         object->part.room);
	page_field(page, "size", buf_text(&text));
	if (!outside)
		object_part_add_object(page);
	else
		page_field(page, "part of", "the program's variables and static data, outside of the heap");
}
