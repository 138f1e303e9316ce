/* goheapx why: why an object is alive, in sentences. */
#include "main/commands.h"
#include "main/json.h"
#include "main/output.h"
#include "table/argument.h"
#include "table/node_kind.h"
#include "table/step.h"
#include "table/typed.h"
#include "table/why.h"

static void add_text(struct json *json, const char *key, const struct buf *text)
{
	json_key(json, key);
	if (text->len)
		json_text(json, buf_text(text));
	else
		json_null(json);
}

static void add_number(struct json *json, const char *key, uint64_t number)
{
	json_key(json, key);
	json_number(json, number);
}

/* "name", "address", "retained_bytes" of a node; the object is left open. */
static void open_node(const struct why *why, uint32_t node, struct json *json)
{
	struct buf name = {0};
	uint64_t address = node_address(why->analysis, node);
	node_add_label(why->analysis, node, &name);
	json_line(json);
	json_open(json, '{');
	add_text(json, "name", &name);
	json_key(json, "address");
	if (address)
		json_address(json, address);
	else
		json_null(json);
	buf_free(&name);
}

static void add_dominators(const struct why *why, struct json *json)
{
	json_key(json, "dominators");
	json_open(json, '[');
	for (size_t i = why->gates.count; i-- > 2;) {
		uint32_t node = why->gates.gate[i - 1].node;
		open_node(why, node, json);
		add_number(json, "retained_bytes", why->gates.dominators->bytes[node]);
		json_close(json, '}');
		if (!output_some(json->out))
			break;
	}
	json_close(json, ']');
}

static void add_joint(const struct why *why, const struct why_joint *joint, struct json *json)
{
	open_node(why, why->gates.gate[joint->gate].node, json);
	json_key(json, "holders");
	json_open(json, '[');
	for (size_t i = 0; i < joint->holders; i++) {
		open_node(why, joint->holder[i].node, json);
		add_number(json, "count", joint->holder[i].count);
		add_number(json, "retained_bytes", joint->holder[i].bytes);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_key(json, "held_directly");
	json_bool(json, joint->directly);
	add_number(json, "freed_bytes", joint->freed.bytes);
	add_number(json, "freed_objects", joint->freed.objects);
	json_close(json, '}');
}

static void add_joints(const struct why *why, struct json *json)
{
	json_key(json, "held_jointly");
	json_open(json, '[');
	for (size_t i = 0; i < why->joints; i++)
		add_joint(why, &why->joint[i], json);
	json_close(json, ']');
}

static void add_owner(const struct why *why, struct json *json)
{
	struct buf name = {0};
	if (why->owner != OBJECT_NONE)
		node_add_label(why->analysis, why->owner, &name);
	add_text(json, "owner", &name);
	buf_free(&name);
}

static void print_json(const struct why *why, struct buf *out)
{
	const struct dominators *d = analysis_dominators(why->analysis, RETAIN_ALIVE);
	struct json json = {out, false};
	struct buf text = {0};
	json_open(&json, '{');
	json_key(&json, "address");
	json_address(&json, heap_address(why->analysis->heap, why->object));
	typed_add(why->analysis, why->object, &text);
	add_text(&json, "type", &text);
	add_number(&json, "size", heap_size(why->analysis->heap, why->object));
	add_number(&json, "retained_bytes", d->bytes[why->object]);
	add_number(&json, "retained_objects", d->objects[why->object]);
	buf_clear(&text);
	if (why->path)
		step_add_path(why->analysis, why->path, &text);
	add_text(&json, "path", &text);
	add_number(&json, "steps", why->path ? why->path->count : 0);
	add_dominators(why, &json);
	add_joints(why, &json);
	add_owner(why, &json);
	buf_clear(&text);
	why_add_text(why, &text);
	add_text(&json, "text", &text);
	json_close(&json, '}');
	buf_add_char(out, '\n');
	buf_free(&text);
}

static enum status print(const struct why *why, const struct options *options)
{
	struct buf out = {0};
	if (options->output == OUTPUT_JSON)
		print_json(why, &out);
	else
		why_add_text(why, &out);
	return output_end(&out, why->path ? STATUS_ANSWERED : STATUS_NONE);
}

enum status run_why(const struct options *options)
{
	struct analysis *analysis = open_dump(options->operands[0], options->exe, STAGE_ALL);
	struct err err = {0};
	uint32_t id;
	if (!analysis)
		return STATUS_FAILED;
	enum status status;
	if (!argument_object(analysis, options->operands[1], &id, &err) ||
		!reach_must_be_known(analysis, &err)) {
		status = output_none(options->output, "null", &err);
	} else {
		struct why why;
		why_init(&why, analysis, id, NULL);
		status = print(&why, options);
		why_fini(&why);
	}
	return close_dump(analysis, options, status);
}
