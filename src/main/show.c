/* goheapx show: one object. */
#include "base/text.h"
#include "main/commands.h"
#include "main/output.h"
#include "main/path_print.h"
#include "main/writer.h"
#include "table/alloc_site.h"
#include "table/argument.h"
#include "table/inner.h"
#include "table/operand.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>

enum { ENDS = 5 }; /* steps of the way that are shown, at each end */

struct object {
	const struct analysis *analysis;
	uint32_t id;
	struct object_place place;
	uint64_t stored; /* bytes of it that are in the dump */
	size_t references, referrers, roots;
	struct paths *paths;
	const struct path *path; /* NULL: unreachable */
	struct rows *fields;
	size_t limit;       /* of fields */
	struct inner inner; /* what the address that was asked for is, */
	bool has_inner;     /* where that is not the object */
	uint64_t through; /* memory outside of the heap that was asked for, and points to it; 0: none */
};

static uint64_t address_of(const struct object *object)
{
	return object->place.slot + object->place.header;
}

static bool has_contents(const struct heap *heap)
{
	return heap->format->has & HAS_CONTENTS;
}

static void add_inner_text(const struct object *object, struct buf *out)
{
	const struct inner *inner = &object->inner;
	if (!object->has_inner)
		return;
	buf_addf(out, "\nat +0x%" PRIx64 "%*s", inner->offset, inner->offset < 16 ? 5 : 4, "");
	buf_addf(out, "%s%s", buf_text(&inner->name), inner->name.len ? " " : "");
	gotype_display(analysis_types(object->analysis), inner->type, out);
	buf_addf(out, "%s%s", inner->text.len ? "  " : "", buf_text(&inner->text));
}

static void add_facts_text(const struct object *object, struct buf *out)
{
	if (object->through)
		buf_addf(out,
		         "through     what was asked for is static, at 0x%" PRIx64
		         ": this is the object that it points to\n",
		         object->through);
	buf_addf(out, "object      0x%" PRIx64 "\nsize        ", address_of(object));
	text_add_size(out, object->place.size);
	if (object->place.size >= 1024)
		buf_addf(out, " = %" PRIu64 " bytes", object->place.size);
	if (object->place.header)
		buf_addf(out, ", %u of them the allocation header; the slot is at 0x%" PRIx64,
		         object->place.header, object->place.slot);
	if (has_contents(analysis_heap(object->analysis)) && object->stored < object->place.size)
		buf_addf(out, "; the dump holds only the first %" PRIu64, object->stored);
	buf_add(out, "\ntype        ");
	if (typed_add(object->analysis, object->id, out)) {
		buf_addf(out, "\n            %s: ", typed_level(object->analysis, object->id));
		typed_add_why(object->analysis, object->id, out);
	} else {
		buf_add(out, "not known");
	}
	add_inner_text(object, out);
	buf_add(out, "\nreferences  ");
	text_add_count(out, object->references);
	buf_add(out, "\nreferrers   ");
	text_add_number_of(out, object->referrers, "object", "objects");
	buf_add(out, ", ");
	text_add_number_of(out, object->roots, "root", "roots");
	buf_add_char(out, '\n');
}

/* The profile of its allocation; NULL where that is not known. */
static const struct profile_record *show_profile(const struct object *object)
{
	const struct profiles *profiles = &analysis_heap(object->analysis)->profiles;
	const struct sample *sample = profiles_of_object(profiles, object->id);
	bool found = sample && sample->profile != PROFILE_NONE;
	return found ? &profiles->profile[sample->profile] : NULL;
}

static void add_site_text(const struct object *object, struct buf *out)
{
	const struct profile_record *profile = show_profile(object);
	struct stack_frame frame;
	if (!profile)
		return;
	buf_addf(out, "allocated   by profile 0x%" PRIx64 ":\n", profile->id);
	for (struct stack_walk walk = stack_walk(profile); stack_walk_next(&walk, &frame);) {
		buf_add(out, "            ");
		stack_frame_add(&frame, out);
		buf_add_char(out, '\n');
	}
}

static void show_print_text(const struct object *object, struct buf *out)
{
	add_facts_text(object, out);
	add_site_text(object, out);
	if (!analysis_reach(object->analysis)->known) {
		buf_add(out, "reachable   unknown: there are no roots in the dump\n");
	} else if (reach_has(analysis_reach(object->analysis), object->id)) {
		buf_add(out, "reachable   yes, ");
		text_add_count(out, object->path->count);
		buf_addf(out, " %s from a root:\n", object->path->count == 1 ? "step" : "steps");
	} else {
		buf_add(out, "reachable   ");
		root_add_none(object->analysis, object->id, out);
		buf_add_char(out, '\n');
	}
	if (object->path)
		way_print_text(object->analysis, object->path, ENDS, out);
	buf_add_char(out, '\n');
	writer_print(OUTPUT_TEXT, object->fields, NULL, NULL, object->limit, out);
}

static void show_print_csv(const struct object *object, struct buf *out)
{
	writer_print(OUTPUT_CSV, object->fields, NULL, NULL, object->limit, out);
}

/* Without contents, what it refers to stands in their place. */
static void add_fields_json(const struct object *object, struct json *json)
{
	size_t count = object->fields->count < object->limit ? object->fields->count : object->limit;
	const struct columns columns = columns_all(object->fields->table);
	json_key(json, has_contents(analysis_heap(object->analysis)) ? "fields" : "targets");
	json_open(json, '[');
	for (size_t i = 0; i < count; i++) {
		json_line(json);
		json_open(json, '{');
		json_cells(json, object->fields, i, &columns);
		json_close(json, '}');
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
	const struct heap *heap = analysis_heap(object->analysis);
	struct buf root = {0};
	json_key(json, "distance");
	if (!object->path) {
		json_null(json);
		json_key(json, "root");
		json_null(json);
		json_key(json, "path");
		json_null(json);
		return;
	}
	json_number(json, object->path->count);
	root_add_name(object->analysis, &heap->roots[object->path->root], &root);
	json_key(json, "root");
	json_text(json, buf_text(&root));
	buf_clear(&root);
	step_add_path(object->analysis, object->path, &root);
	json_key(json, "path");
	json_text(json, buf_text(&root));
	buf_free(&root);
}

static void add_text_json(struct json *json, const char *name, struct text text)
{
	struct buf visible = {0};
	text_add_escaped(&visible, text.data, text.len, SIZE_MAX);
	json_key(json, name);
	json_text(json, buf_text(&visible));
	buf_free(&visible);
}

static void add_stack_json(const struct profile_record *profile, struct json *json)
{
	struct stack_frame frame;
	json_open(json, '[');
	for (struct stack_walk walk = stack_walk(profile); stack_walk_next(&walk, &frame);) {
		json_open(json, '{');
		add_text_json(json, "function", frame.function);
		add_text_json(json, "file", frame.file);
		add_number_json(json, "line", frame.line);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_site_json(const struct object *object, struct json *json)
{
	const struct profile_record *profile = show_profile(object);
	json_key(json, "allocation");
	if (!profile) {
		json_null(json);
		return;
	}
	json_open(json, '{');
	json_key(json, "profile");
	json_address(json, profile->id);
	json_key(json, "stack");
	add_stack_json(profile, json);
	json_close(json, '}');
}

static void add_type_json(const struct object *object, struct json *json)
{
	struct buf type = {0};
	json_key(json, "type");
	if (typed_add(object->analysis, object->id, &type))
		json_text(json, buf_text(&type));
	else
		json_null(json);
	json_key(json, "type_known");
	json_text(json, typed_known(object->analysis, object->id));
	buf_clear(&type);
	typed_add_why(object->analysis, object->id, &type);
	json_key(json, "type_why");
	json_text(json, buf_text(&type));
	buf_free(&type);
}

/* A name of nothing is that of a value in a block. */
static void add_inner_json(const struct object *object, struct json *json)
{
	const struct inner *inner = &object->inner;
	struct buf type = {0};
	json_key(json, "at");
	if (!object->has_inner) {
		json_null(json);
		return;
	}
	json_open(json, '{');
	add_number_json(json, "offset", inner->offset);
	json_key(json, "name");
	json_text(json, buf_text(&inner->name));
	json_key(json, "type");
	gotype_display(analysis_types(object->analysis), inner->type, &type);
	json_text(json, buf_text(&type));
	json_key(json, "text");
	json_text(json, buf_text(&inner->text));
	json_close(json, '}');
	buf_free(&type);
}

static void show_print_json(const struct object *object, struct buf *out)
{
	struct json json = {out, false};
	json_open(&json, '{');
	json_key(&json, "address");
	json_address(&json, address_of(object));
	json_key(&json, "slot");
	json_address(&json, object->place.slot);
	json_key(&json, "through");
	if (object->through)
		json_address(&json, object->through);
	else
		json_null(&json);
	add_number_json(&json, "size", object->place.size);
	add_number_json(&json, "stored", object->stored);
	add_type_json(object, &json);
	add_inner_json(object, &json);
	json_key(&json, "reachable");
	if (analysis_reach(object->analysis)->known)
		json_bool(&json, reach_has(analysis_reach(object->analysis), object->id));
	else
		json_null(&json);
	add_number_json(&json, "references", object->references);
	add_number_json(&json, "referrers", object->referrers);
	add_number_json(&json, "roots", object->roots);
	add_way_json(object, &json);
	add_site_json(object, &json);
	add_fields_json(object, &json);
	json_close(&json, '}');
	buf_add_char(out, '\n');
}

static struct rows *open_fields(const struct analysis *analysis, uint64_t address, struct err *err)
{
	struct buf argument = {0};
	buf_addf(&argument, "0x%" PRIx64, address);
	const char *table = has_contents(analysis_heap(analysis)) ? "fields" : "references";
	struct rows *fields = rows_open(table_find(table), analysis, buf_text(&argument), err);
	buf_free(&argument);
	return fields;
}

static enum status show_object(const struct analysis *analysis, uint32_t id, uint64_t through,
                               const struct options *options)
{
	static void (*const print[])(const struct object *, struct buf *) = {
		[OUTPUT_TEXT] = show_print_text,
		[OUTPUT_JSON] = show_print_json,
		[OUTPUT_CSV] = show_print_csv,
	};
	struct err err = {0};
	struct buf out = {0};
	struct object object = {
		.analysis = analysis,
		.id = id,
		.limit = options->limit,
		.through = through,
		.references = heap_references(analysis_heap(analysis), id).count,
		.referrers = heap_referrers(analysis_heap(analysis), id).count,
		.roots = reach_roots_of(analysis_reach(analysis), id).count,
	};
	struct object_record record;
	uint64_t address;
	if (argument_address(options->operands[1], &address))
		object.has_inner = inner_init(&object.inner, analysis, id, address);
	objects_place(analysis_heap(analysis)->objects, id, &object.place);
	if (heap_object(analysis_heap(analysis), id, &record))
		object.stored = record.stored;
	object.fields = open_fields(analysis, address_of(&object), &err);
	if (!object.fields)
		return output_none(options->output, "null", &err);
	object.paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), id);
	object.path = paths_get(object.paths, 0, NULL);
	print[options->output](&object, &out);
	rows_close(object.fields);
	paths_close(object.paths);
	inner_fini(&object.inner);
	return output_end(&out, STATUS_ANSWERED);
}

enum status run_show(const struct options *options)
{
	struct analysis *analysis =
		open_dump(options->operands[0], options->exe, STAGE_DOMINATED | STAGE_TYPED);
	struct err err = {0};
	struct operand asked;
	uint64_t through;
	uint32_t id;
	if (!analysis)
		return STATUS_FAILED;
	bool ok = argument_operand(analysis, options->operands[1], &asked, &err)
	          && operand_object(analysis, &asked, &id, &err);
	if (ok && !operand_is_static(analysis, &asked, &through))
		through = 0;
	enum status status = ok ? show_object(analysis, id, through, options)
	                        : output_none(options->output, "null", &err);
	return close_dump(analysis, options, status);
}
