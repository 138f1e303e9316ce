/* Edges of a heap snapshot: grouped by their sources, in the order of the nodes. */
#include "v8_reader.h"

enum { STEP = 1 << 16 };

bool v8_edge_next(const struct v8 *v, struct v8_json *json, struct v8_edge *edge)
{
	const struct v8_meta *meta = &v->meta;
	uint64_t field[V8_FIELDS];
	v8_json_more(json);
	edge->offset = json->at + json->inside; /* behind the comma */
	for (unsigned i = 0; i < meta->edge_fields; i++)
		if (!(i == meta->edge_name ? v8_json_index : v8_json_number)(json, &field[i]))
			return false;
	uint64_t type = field[meta->edge_type], to = field[meta->to_node];
	edge->place = field[meta->edge_name];
	edge->type = type < meta->edge_types ? (enum v8_edge_type)meta->edge_type_of[type] : V8_NAMED;
	edge->good = type < meta->edge_types && to % meta->node_fields == 0
	             && to / meta->node_fields < v->count;
	edge->target = edge->good ? (uint32_t)(to / meta->node_fields) : 0;
	edge->named = edge->type != V8_ELEMENT && edge->type != V8_HIDDEN;
	return true;
}

struct v8_json v8_edges_of(const struct v8 *v, size_t node)
{
	uint64_t from = v->node[node].edges;
	return (struct v8_json){.data = v->edges.data,
	                        .at = from,
	                        .end = v->node[node + 1].edges,
	                        .inside = from > v->edges.at};
}

uint32_t v8_edge_place(const struct v8 *v, const struct v8_edge *edge)
{
	uint64_t place = edge->place;
	if (edge->named && place >= v->strings.count)
		return PLACE_NONE;
	if (edge->named && v8_strings_kind(&v->strings, place) == V8_DIGITS)
		place = v->strings.count + v8_strings_number(&v->strings, place);
	else if (!edge->named)
		place = place < UINT32_MAX ? v->strings.count + place : PLACE_NONE;
	return place < PLACE_NONE ? (uint32_t)place : PLACE_NONE;
}

void v8_read_edges(struct v8 *v)
{
	struct v8_json json = v->edges;
	struct v8_edge edge;
	bool whole = true;
	size_t node = 0;
	for (; node < v->count && whole && !v->cancelled; node++) {
		uint64_t count = v->node[node].edges;
		v->node[node].edges = json.at;
		for (; count && whole && !v->cancelled; count--) {
			struct v8_json start = json;
			whole = v8_edge_next(v, &json, &edge);
			if (whole) {
				if (!edge.good)
					v8_count(&v->targets, edge.offset);
				else if (edge.named && edge.place >= v->strings.count)
					v8_count(&v->names, edge.offset);
				if (++v->edge_count % STEP == 0)
					v->cancelled = !progress_step(v->progress, edge.offset);
			} else
				json = start;
		}
	}
	for (; node <= v->count; node++)
		v->node[node].edges = json.at;
	if (!whole)
		v8_warn(v, json.at,
		        "The edges of the heap snapshot are damaged or cut here, or there are "
		        "fewer than the nodes say: those before are read");
	else if (!v->cancelled && v8_json_more(&json))
		v8_warn(v, json.at,
		        "The heap snapshot has more edges than its nodes say: these are left out");
}
