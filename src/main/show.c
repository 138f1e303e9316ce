/* goheapx show: one object. */
#include "base/text.h"
#include "main/commands.h"
#include "main/output.h"
#include "main/ways.h"
#include "main/writer.h"
#include "table/argument.h"
#include "table/root.h"

#include <inttypes.h>

enum { ENDS = 5 }; /* steps of the way that are shown, at each end */

struct object {
	const struct analysis *analysis;
	uint32_t id;
	struct object_place place;
	size_t references, referrers, roots;
	struct paths *paths;
	const struct path *path; /* NULL: unreachable */
	struct rows *fields;
	size_t limit; /* of fields */
};

static uint64_t address_of(const struct object *object)
{
	return object->place.slot + object->place.header;
}

static void add_facts_text(const struct object *object, struct buf *out)
{
	buf_addf(out, "object      0x%" PRIx64 "\nsize        ", address_of(object));
	text_add_size(out, object->place.size);
	if (object->place.size >= 1024)
		buf_addf(out, " = %" PRIu64 " bytes", object->place.size);
	if (object->place.header)
		buf_addf(out, ", %u of them the allocation header; the slot is at 0x%" PRIx64,
				 object->place.header, object->place.slot);
	buf_add(out, "\nreferences  ");
	text_add_count(out, object->references);
	buf_add(out, "\nreferrers   ");
	text_add_count(out, object->referrers);
	buf_add(out, object->referrers == 1 ? " object, " : " objects, ");
	text_add_count(out, object->roots);
	buf_add(out, object->roots == 1 ? " root\n" : " roots\n");
}

static void print_text(const struct object *object, struct buf *out)
{
	add_facts_text(object, out);
	if (object->path) {
		buf_add(out, "reachable   yes, ");
		text_add_count(out, object->path->count);
		buf_addf(out, " %s from a root:\n", object->path->count == 1 ? "step" : "steps");
		way_print_text(object->analysis->heap, object->path, ENDS, out);
	} else {
		buf_add(out, "reachable   no: no path leads to it from a root of the dump\n");
	}
	buf_add_char(out, '\n');
	writer_print(OUTPUT_TEXT, object->fields, NULL, object->limit, out);
}

static void print_csv(const struct object *object, struct buf *out)
{
	writer_print(OUTPUT_CSV, object->fields, NULL, object->limit, out);
}

static void add_fields_json(const struct object *object, struct json *json)
{
	size_t count = object->fields->count < object->limit ? object->fields->count : object->limit;
	json_key(json, "fields");
	json_open(json, '[');
	for (size_t i = 0; i < count; i++) {
		json_line(json);
		json_row(json, object->fields, i);
		if (!output_some(json->out))
			return;
	}
	json_close(json, ']');
}

static void add_number_json(struct json *json, const char *name, uint64_t number)
{
	json_key(json, name);
	json_number(json, number);
}

/* Where its first way begins, and how long it is: the way itself may be very long. */
static void add_way_json(const struct object *object, struct json *json)
{
	const struct heap *heap = object->analysis->heap;
	struct buf root = {0};
	json_key(json, "distance");
	if (!object->path) {
		json_null(json);
		json_key(json, "root");
		json_null(json);
		return;
	}
	json_number(json, object->path->count);
	root_add_name(heap, &heap->roots[object->path->root], &root);
	json_key(json, "root");
	json_text(json, buf_text(&root));
	buf_free(&root);
}

static void print_json(const struct object *object, struct buf *out)
{
	struct json json = {out, false};
	json_open(&json, '{');
	json_key(&json, "address");
	json_address(&json, address_of(object));
	json_key(&json, "slot");
	json_address(&json, object->place.slot);
	add_number_json(&json, "size", object->place.size);
	json_key(&json, "reachable");
	json_bool(&json, object->path);
	add_number_json(&json, "references", object->references);
	add_number_json(&json, "referrers", object->referrers);
	add_number_json(&json, "roots", object->roots);
	add_way_json(object, &json);
	add_fields_json(object, &json);
	json_close(&json, '}');
	buf_add_char(out, '\n');
}

static struct rows *open_fields(const struct analysis *analysis, uint64_t address, struct err *err)
{
	struct buf argument = {0};
	buf_addf(&argument, "0x%" PRIx64, address);
	struct rows *fields = rows_open(table_find("fields"), analysis, buf_text(&argument), err);
	buf_free(&argument);
	return fields;
}

static enum status show(const struct analysis *analysis, uint32_t id, const struct options *options)
{
	static void (*const print[])(const struct object *, struct buf *) = {
		[OUTPUT_TEXT] = print_text,
		[OUTPUT_JSON] = print_json,
		[OUTPUT_CSV] = print_csv,
	};
	struct err err = {0};
	struct buf out = {0};
	struct object object = {
		.analysis = analysis,
		.id = id,
		.limit = options->limit,
		.references = heap_references(analysis->heap, id).count,
		.referrers = heap_referrers(analysis->heap, id).count,
		.roots = reach_roots_of(analysis->reach, id).count,
	};
	objects_place(analysis->heap->objects, id, &object.place);
	object.fields = open_fields(analysis, address_of(&object), &err);
	if (!object.fields)
		return complain(NULL, &err);
	object.paths = paths_open(analysis->heap, analysis->reach, id);
	object.path = paths_get(object.paths, 0, NULL);
	print[options->output](&object, &out);
	rows_close(object.fields);
	paths_close(object.paths);
	return output_end(&out, STATUS_ANSWERED);
}

enum status run_show(const struct options *options)
{
	struct analysis *analysis = open_dump(options->operands[0], STAGE_REVERSED);
	struct err err = {0};
	uint32_t id;
	if (!analysis)
		return STATUS_FAILED;
	enum status status = argument_object(analysis->heap, options->operands[1], &id, &err)
							 ? show(analysis, id, options)
							 : complain(NULL, &err);
	analysis_free(analysis);
	return status;
}
