#include "v8_meta.h"

struct v8_list {
	struct text item[V8_TYPES];
	unsigned count;
};

struct v8_header {
	struct v8_list node_fields, node_types, edge_fields, edge_types;
	struct v8_meta *meta;
};

/* Reads an array of strings. Returns false if it is none, or longer than any known version has. */
static bool v8_meta_strings(struct v8_json *json, struct v8_list *list)
{
	list->count = 0;
	if (!v8_json_take(json, '['))
		return false;
	while (!v8_json_take(json, ']')) {
		if (list->count && !v8_json_take(json, ','))
			return false;
		if (list->count == V8_TYPES || !v8_json_string(json, &list->item[list->count]))
			return false;
		list->count++;
	}
	return true;
}

/* Reads node_types or edge_types: the first array in it is that of names, other items are the types
   of the other fields. */
static bool v8_meta_types(struct v8_json *json, struct v8_list *list)
{
	list->count = 0;
	if (!v8_json_take(json, '['))
		return false;
	for (bool first = true; !v8_json_take(json, ']'); first = false) {
		if ((!first && !v8_json_take(json, ',')) || !v8_json_more(json))
			return false;
		bool names = !list->count && json->data[json->at] == '[';
		if (!(names ? v8_meta_strings(json, list) : v8_json_skip(json)))
			return false;
	}
	return true;
}

typedef bool v8_member(struct v8_header *header, struct v8_json *json, struct text name);

/* Reads an object, and passes each member to a function that reads its value. */
static bool v8_meta_object(struct v8_header *header, struct v8_json *json, v8_member *member)
{
	struct text name;
	bool first = true;
	if (!v8_json_take(json, '{'))
		return false;
	for (; !v8_json_take(json, '}'); first = false)
		if ((!first && !v8_json_take(json, ',')) || !v8_json_string(json, &name)
		    || !v8_json_take(json, ':') || !member(header, json, name))
			return false;
	return true;
}

static bool v8_meta_member(struct v8_header *header, struct v8_json *json, struct text name)
{
	if (text_is(name, "node_fields"))
		return v8_meta_strings(json, &header->node_fields);
	if (text_is(name, "edge_fields"))
		return v8_meta_strings(json, &header->edge_fields);
	if (text_is(name, "node_types"))
		return v8_meta_types(json, &header->node_types);
	if (text_is(name, "edge_types"))
		return v8_meta_types(json, &header->edge_types);
	return v8_json_skip(json);
}

static bool v8_header_member(struct v8_header *header, struct v8_json *json, struct text name)
{
	bool edges = text_is(name, "edge_count");
	if (text_is(name, "meta"))
		return v8_meta_object(header, json, v8_meta_member);
	if (!edges && !text_is(name, "node_count"))
		return v8_json_skip(json);
	json->inside = false;
	header->meta->has_counts[edges] = v8_json_number(json, &header->meta->counts[edges]);
	return header->meta->has_counts[edges];
}

static bool v8_meta_field(const struct v8_list *fields, const char *name, unsigned *position,
                          struct err *err)
{
	for (unsigned i = 0; i < fields->count && i < V8_FIELDS; i++)
		if (text_is(fields->item[i], name)) {
			*position = i;
			return true;
		}
	return err_set(err, "The header of the heap snapshot does not say where the field \"%s\" is",
	               name);
}

static uint8_t v8_meta_type(struct text name, const char *const *names, uint8_t count)
{
	uint8_t i = 0;
	while (i < count && !text_is(name, names[i]))
		i++;
	return i;
}

static void v8_meta_take_types(struct v8_meta *meta, const struct v8_header *header)
{
	static const char *const nodes[V8_OTHER_NODE] = {"object", "native", "closure",
	                                                 "code",   "regexp", "synthetic"};
	static const char *const edges[V8_NAMED] = {"element", "hidden", "internal", "shortcut",
	                                            "weak"};
	meta->node_types = header->node_types.count;
	meta->edge_types = header->edge_types.count;
	for (unsigned i = 0; i < meta->node_types; i++) {
		meta->node_type_name[i] = header->node_types.item[i];
		meta->node_type[i] = v8_meta_type(header->node_types.item[i], nodes, V8_OTHER_NODE);
	}
	for (unsigned i = 0; i < meta->edge_types; i++)
		meta->edge_type_of[i] = v8_meta_type(header->edge_types.item[i], edges, V8_NAMED);
}

bool v8_meta_read(struct v8_json *json, struct v8_meta *meta, struct err *err)
{
	struct v8_header header = {.meta = meta};
	if (!v8_meta_object(&header, json, v8_header_member))
		return err_at(err, json->at, "The header of the heap snapshot is damaged here");
	meta->node_fields = header.node_fields.count;
	meta->edge_fields = header.edge_fields.count;
	if (meta->node_fields > V8_FIELDS || meta->edge_fields > V8_FIELDS)
		return err_set(err, "The header of the heap snapshot tells of more than %d fields",
		               V8_FIELDS);
	v8_meta_take_types(meta, &header);
	return v8_meta_field(&header.node_fields, "type", &meta->type, err)
	       && v8_meta_field(&header.node_fields, "name", &meta->name, err)
	       && v8_meta_field(&header.node_fields, "id", &meta->id, err)
	       && v8_meta_field(&header.node_fields, "self_size", &meta->self_size, err)
	       && v8_meta_field(&header.node_fields, "edge_count", &meta->edge_count, err)
	       && v8_meta_field(&header.edge_fields, "type", &meta->edge_type, err)
	       && v8_meta_field(&header.edge_fields, "name_or_index", &meta->edge_name, err)
	       && v8_meta_field(&header.edge_fields, "to_node", &meta->to_node, err);
}
