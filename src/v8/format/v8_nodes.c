/* Nodes of a heap snapshot: objects, and the types that they have. */
#include "v8_reader.h"

#include "base/bits.h"
#include "base/mem.h"

#define NODES_MOST (UINT32_MAX - 16)

enum { STEP = 1 << 14 };

bool v8_is_group(const struct v8 *v, size_t node)
{
	return word_bit_is_set(v->group, node);
}

static void v8_set_group(struct v8 *v, size_t node, bool group)
{
	size_t words = node / 64 + 1;
	while (v->group_words < words) {
		size_t more = v->group_words ? 2 * v->group_words : 64;
		v->group = mem_resize(v->group, more * sizeof *v->group);
		for (size_t i = v->group_words; i < more; i++)
			v->group[i] = 0;
		v->group_words = more;
	}
	if (group)
		word_bit_set(v->group, node);
}

/* Appends the name of a type. Objects and native nodes have the name of their class; all others of
   one type of node are one type, since their names are texts and functions. */
static void v8_add_type_name(const struct v8 *v, unsigned type, uint64_t name, struct buf *out)
{
	switch (v->meta.node_type[type]) {
	case V8_CLOSURE:
		buf_add(out, "Function");
		return;
	case V8_CODE:
		buf_add(out, "(compiled code)");
		return;
	case V8_REGEXP:
		buf_add(out, "RegExp");
		return;
	default:
		break;
	}
	if (name != V8_NO_TYPE_NAME)
		v8_strings_add(&v->strings, name, out);
	if (out->len)
		return;
	buf_add_char(out, '(');
	v8_json_decode(v->meta.node_type_name[type], out);
	buf_add_char(out, ')');
}

/* Returns true the first time that it is asked about a type. */
static bool v8_type_is_new(struct v8 *v, unsigned type, uint64_t name)
{
	if (name == V8_NO_TYPE_NAME) {
		bool known = v->typed >> type & 1;
		v->typed |= (uint64_t)1 << type;
		return !known;
	}
	bool known = word_bit_is_set(v->named, name);
	word_bit_set(v->named, name);
	return !known;
}

/* Returns the number of a node's type, which is passed on when it is new. */
static uint64_t v8_type_of(struct v8 *v, unsigned type, uint64_t name, uint64_t offset)
{
	bool named = v->meta.node_type[type] == V8_OBJECT || v->meta.node_type[type] == V8_NATIVE;
	if (!named || name >= v->strings.count || v8_strings_is_empty(&v->strings, name))
		name = V8_NO_TYPE_NAME;
	uint64_t number = name == V8_NO_TYPE_NAME ? (type + UINT64_C(1)) << 40 : name;
	if (!v8_type_is_new(v, type, name))
		return number;
	SCOPED_BUF text = {0};
	v8_add_type_name(v, type, name, &text);
	const struct type_record record = {
		.offset = offset, .address = number, .name = v8_keep(v, &text)};
	v->sink->record(v->sink->self, RECORD_TYPE, &record);
	return number;
}

static void v8_take_node(struct v8 *v, const uint64_t *field, uint64_t offset)
{
	const struct v8_meta *meta = &v->meta;
	uint64_t type = field[meta->type], name = field[meta->name], size = field[meta->self_size];
	v->node = mem_grow(v->node, v->count, &v->capacity, sizeof *v->node);
	v->node[v->count] = (struct v8_node){field[meta->id], field[meta->edge_count]};
	bool known = type < meta->node_types;
	bool group = v->count == 0
	             || (known && meta->node_type[type] == V8_SYNTHETIC && !field[meta->self_size]);
	v8_set_group(v, v->count, group);
	if (!known && v->types.count == 0) {
		const struct type_record record = {
			.offset = offset, .address = V8_UNKNOWN_TYPE, .name = {"(unknown)", 9}};
		v->sink->record(v->sink->self, RECORD_TYPE, &record);
	}
	if (!known)
		v8_count(&v->types, offset);
	if (name >= v->strings.count)
		v8_count(&v->names, offset);
	if (size > SIZE_MOST) {
		v8_count(&v->sizes, offset);
		size = 0;
	}
	if (!group) {
		const struct log_object_record object = {
			.offset = offset,
			.id = field[meta->id],
			.type = known ? v8_type_of(v, (unsigned)type, name, offset) : V8_UNKNOWN_TYPE,
			.size = size,
			.handle = (uint32_t)v->count,
		};
		v->sink->log(v->sink->self, &object);
	} else if (name < v->strings.count) {
		v->node[v->count].id = name; /* the name of the group: its id is not needed */
	} else {
		v->node[v->count].id = UINT64_MAX;
	}
	v->count++;
}

/* Reads the fields of a node. Returns false at the end of the section, or where it is damaged. */
static bool v8_node_fields(struct v8 *v, struct v8_json *json, uint64_t *field)
{
	for (unsigned i = 0; i < v->meta.node_fields; i++) {
		if (v8_json_number(json, &field[i]))
			continue;
		if (i || v8_json_more(json))
			v8_warn(v, json->at,
			        "The nodes of the heap snapshot are damaged or cut here: those "
			        "before are read");
		return false;
	}
	return true;
}

void v8_read_nodes(struct v8 *v)
{
	struct v8_json json = v->nodes;
	uint64_t field[V8_FIELDS] = {0};
	size_t words = v->strings.count / 64 + 1;
	v->named = mem_alloc(words * sizeof *v->named);
	while (!v->cancelled) {
		v8_json_more(&json);
		uint64_t offset = json.at + json.inside; /* behind the comma */
		if (!v8_node_fields(v, &json, field))
			break;
		if (v->count == NODES_MOST) {
			v8_warn(v, offset, "The heap snapshot has more nodes than goheapx can number");
			break;
		}
		v8_take_node(v, field, offset);
		if (v->count % STEP == 0)
			v->cancelled = !progress_step(v->progress, json.at);
	}
	v->node = mem_grow(v->node, v->count, &v->capacity, sizeof *v->node);
	v->node[v->count] = (struct v8_node){0};
}
