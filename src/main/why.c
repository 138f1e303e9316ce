/* goheapx why: why an object is alive, in sentences. */
#include "table/why.h"
#include "main/commands.h"
#include "main/json.h"
#include "main/output.h"
#include "table/argument.h"
#include "table/node_kind.h"
#include "table/step.h"
#include "table/typed.h"

static void why_command_add_text(struct json *json, const char *key, const struct buf *text)
{
	json_key(json, key);
	if (text->len)
		json_text(json, buf_text(text));
	else
		json_null(json);
}

static void why_command_add_number(struct json *json, const char *key, uint64_t number)
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
	why_command_add_text(json, "name", &name);
	json_key(json, "address");
	if (address)
		json_address(json, address);
	else
		json_null(json);
	buf_free(&name);
}

static void why_command_add_dominators(const struct why *why, struct json *json)
{
	json_key(json, "dominators");
	json_open(json, '[');
	for (size_t i = why->path_dominators.count; i-- > 2;) {
		uint32_t node = why->path_dominators.path_dominator[i - 1].node;
		open_node(why, node, json);
		why_command_add_number(json, "retained_bytes",
		                       why->path_dominators.dominators->bytes[node]);
		json_close(json, '}');
		if (!output_some(json->out))
			break;
	}
	json_close(json, ']');
}

static void why_command_add_co_holders(const struct why *why,
                                       const struct why_co_holders *co_holders, struct json *json)
{
	open_node(why, why->path_dominators.path_dominator[co_holders->path_dominator].node, json);
	json_key(json, "holders");
	json_open(json, '[');
	for (size_t i = 0; i < co_holders->holders; i++) {
		open_node(why, co_holders->holder[i].node, json);
		why_command_add_number(json, "count", co_holders->holder[i].count);
		why_command_add_number(json, "retained_bytes", co_holders->holder[i].bytes);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_key(json, "held_directly");
	json_bool(json, co_holders->directly);
	why_command_add_number(json, "freed_bytes", co_holders->freed.bytes);
	why_command_add_number(json, "freed_objects", co_holders->freed.objects);
	json_close(json, '}');
}

static void add_all_co_holders(const struct why *why, struct json *json)
{
	json_key(json, "held_jointly");
	json_open(json, '[');
	for (size_t i = 0; i < why->co_holders_count; i++)
		why_command_add_co_holders(why, &why->co_holders[i], json);
	json_close(json, ']');
}

static void why_command_add_owner(const struct why *why, struct json *json)
{
	struct buf name = {0};
	if (why->owner != OBJECT_NONE)
		node_add_label(why->analysis, why->owner, &name);
	why_command_add_text(json, "owner", &name);
	buf_free(&name);
}

static void why_command_print_json(const struct why *why, struct buf *out)
{
	const struct dominators *d = analysis_dominators(why->analysis, RETAIN_ALIVE);
	struct json json = {out, false};
	struct buf text = {0};
	json_open(&json, '{');
	json_key(&json, "address");
	json_address(&json, heap_address(why->analysis->heap, why->object));
	typed_add(why->analysis, why->object, &text);
	why_command_add_text(&json, "type", &text);
	why_command_add_number(&json, "size", heap_size(why->analysis->heap, why->object));
	why_command_add_number(&json, "retained_bytes", d->bytes[why->object]);
	why_command_add_number(&json, "retained_objects", d->objects[why->object]);
	buf_clear(&text);
	if (why->path)
		step_add_path(why->analysis, why->path, &text);
	why_command_add_text(&json, "path", &text);
	why_command_add_number(&json, "steps", why->path ? why->path->count : 0);
	why_command_add_dominators(why, &json);
	add_all_co_holders(why, &json);
	why_command_add_owner(why, &json);
	buf_clear(&text);
	why_add_text(why, &text);
	why_command_add_text(&json, "text", &text);
	json_close(&json, '}');
	buf_add_char(out, '\n');
	buf_free(&text);
}

static enum status why_command_print(const struct why *why, const struct options *options)
{
	struct buf out = {0};
	if (options->output == OUTPUT_JSON)
		why_command_print_json(why, &out);
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
	if (!argument_object(analysis, options->operands[1], &id, &err)
	    || !reach_must_be_known(analysis, &err)) {
		status = output_none(options->output, "null", &err);
	} else {
		struct why why;
		why_init(&why, analysis, id, NULL);
		status = why_command_print(&why, options);
		why_fini(&why);
	}
	return close_dump(analysis, options, status);
}
