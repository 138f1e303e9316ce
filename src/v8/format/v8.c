/* Heap snapshots of V8, as Chrome, Node.js and Deno write them: one JSON object.

     {"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count", ...],
                          "node_types":[["hidden","array", ...], ...],
                          "edge_fields":["type","name_or_index","to_node"],
                          "edge_types":[["context","element", ...], ...]},
                  "node_count":N,"edge_count":N},
      "nodes":[numbers],"edges":[numbers], ..., "strings":["<dummy>", ...]}

   V8 writes it in src/profiler/heap-snapshot-generator.cc. The edges of a node are the next ones in
   the list, as many as its field says. `to_node` is the index of a number in "nodes". Sections may
   come in any order; unknown ones are skipped.

   A reference is weak if V8 calls it so, or a shortcut, which repeats another path, but from the
   root. V8 tells an entry of a WeakMap twice: the edge from the key to the value retains, that from
   the table is an ephemeron. */
#include "v8_reader.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PROBED_START = 1 << 20, PROBED_END = 1 << 16 };

void v8_warn(struct v8 *v, uint64_t offset, const char *text)
{
	v->sink->warning(v->sink->self, offset, text);
}

void v8_count(struct v8_damage *damage, uint64_t offset)
{
	if (damage->count++ == 0)
		damage->offset = offset;
}

struct text v8_keep(struct v8 *v, const struct buf *text)
{
	struct v8_kept *kept = mem_alloc(sizeof *kept + text->len + 1);
	memcpy(kept->text, buf_text(text), text->len);
	kept->len = text->len;
	kept->next = v->kept;
	v->kept = kept;
	return (struct text){kept->text, text->len};
}

/* Moves behind an array of numbers, which is read later. Returns false if it has no end. */
static bool v8_find_numbers(struct v8_json *json, struct v8_json *section)
{
	if (!v8_json_take(json, '['))
		return false;
	const uint8_t *from = json->data + json->at;
	const uint8_t *end = memchr(from, ']', (size_t)(json->end - json->at));
	*section = *json;
	section->inside = false;
	section->end = end ? json->at + (uint64_t)(end - from) : json->end;
	json->at = end ? section->end + 1 : json->end;
	return end;
}

/* Finds the sections and reads the header and the strings. Returns false where the file is damaged
   or cut, or with *err if the header is unusable. */
static bool v8_find_section(struct v8 *v, struct v8_json *json, bool *header, struct err *err)
{
	struct text name;
	if (!v8_json_string(json, &name) || !v8_json_take(json, ':'))
		return false;
	if (text_is(name, "snapshot") && !*header)
		return *header = v8_meta_read(json, &v->meta, err);
	if (text_is(name, "nodes") && !v->nodes.data)
		return v8_find_numbers(json, &v->nodes);
	if (text_is(name, "edges") && !v->edges.data)
		return v8_find_numbers(json, &v->edges);
	if (text_is(name, "strings") && !v->strings.data)
		return v8_strings_read(&v->strings, json);
	return v8_json_skip(json);
}

static bool v8_find_sections(struct v8 *v, struct v8_json json, struct err *err)
{
	bool header = false, whole = v8_json_take(&json, '{');
	for (bool first = true; whole && !v8_json_take(&json, '}'); first = false)
		whole = (first || v8_json_take(&json, ',')) && v8_find_section(v, &json, &header, err);
	if (!header)
		return err_at(err, json.at, "The heap snapshot has no header"); /* unless more is said */
	if (json.malformed)
		v8_warn(v, json.malformed - 1,
		        "A string of the heap snapshot has an escape or a byte that no "
		        "string may have");
	v->cut = !whole;
	if (!whole)
		v8_warn(v, json.at, "The heap snapshot is damaged or cut here: what follows is not read");
	else if (v8_json_more(&json))
		v8_warn(v, json.at, "Something follows the end of the heap snapshot");
	return true;
}

static void v8_warn_of(struct v8 *v, const struct v8_damage *damage, const char *what)
{
	SCOPED_BUF text = {0};
	if (!damage->count)
		return;
	buf_addf(&text, "%" PRIu64 " %s", damage->count, what);
	v8_warn(v, damage->offset, buf_text(&text));
}

/* Compares a number of the header with what was read. */
static void v8_compare(struct v8 *v, bool edges, uint64_t found)
{
	SCOPED_BUF text = {0};
	if (!v->meta.has_counts[edges] || v->meta.counts[edges] == found)
		return;
	buf_addf(&text, "The header tells of %" PRIu64 " %s, but there are %" PRIu64,
	         v->meta.counts[edges], edges ? "edges" : "nodes", found);
	v8_warn(v, ERR_NO_OFFSET, buf_text(&text));
}

static void v8_finish(struct v8 *v, uint64_t size)
{
	if (v->cancelled)
		return;
	v8_warn_of(v, &v->types, "nodes have a type that the header does not name");
	v8_warn_of(v, &v->names, "names are none of the strings: they are left out");
	v8_warn_of(v, &v->sizes, "sizes are larger than any that V8 writes: they count as 0");
	v8_warn_of(v, &v->targets,
	           "edges lead to no node, or have a type that the header does not "
	           "name: they are left out");
	v8_warn_of(v, &v->lost_groups,
	           "synthetic nodes are not reached from the root: their edges are left out");
	v8_compare(v, false, v->count);
	v8_compare(v, true, v->edge_count);
	if (!v->cut)
		v->sink->end(v->sink->self, size);
}

static void v8_close(struct reader *reader)
{
	struct v8 *v = (struct v8 *)reader;
	while (v->kept) {
		struct v8_kept *next = v->kept->next;
		free(v->kept);
		v->kept = next;
	}
	v8_strings_free(&v->strings);
	free(v->node);
	free(v->group);
	free(v);
}

static struct v8_json v8_begin(const uint8_t *data, uint64_t size)
{
	struct v8_json json = {.data = data, .end = size};
	if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		json.at = 3;
	return json;
}

static struct reader *v8_read(const struct format *format, const struct input *input,
                              const struct sink *sink, struct progress *progress, struct err *err)
{
	(void)format;
	const struct domain_record all = {0};
	struct v8 *v = mem_alloc(sizeof *v);
	v->sink = sink;
	v->progress = progress;
	progress_begin(progress, "reading the heap snapshot", input->size);
	if (!v8_find_sections(v, v8_begin(input->data, input->size), err)) {
		v8_close((struct reader *)v);
		return NULL;
	}
	sink->domain(sink->self, &all);
	v8_read_nodes(v);
	v8_read_edges(v);
	v8_read_roots(v);
	v8_finish(v, input->size);
	free(v->named);
	v->named = NULL;
	v->sink = NULL;
	v->progress = NULL;
	return (struct reader *)v;
}

static bool v8_probe_has(const uint8_t *data, size_t size, const char *text)
{
	return memmem(data, size, text, strlen(text)) != NULL;
}

/* The header is the first section; a file in another order must have it near its start or end. */
static bool v8_probe(const struct format *format, const uint8_t *data, size_t size)
{
	(void)format;
	static const char fields[] = "\"node_fields\"";
	struct v8_json json = v8_begin(data, size);
	struct text name;
	if (!v8_json_take(&json, '{') || !v8_json_string(&json, &name))
		return false;
	if (text_is(name, "snapshot"))
		return true;
	if (!text_is(name, "nodes") && !text_is(name, "edges") && !text_is(name, "strings"))
		return false;
	size_t start = size < PROBED_START ? size : PROBED_START;
	size_t end = size < PROBED_END ? size : PROBED_END;
	return v8_probe_has(data, start, fields) || v8_probe_has(data + size - end, end, fields);
}

static void v8_references(const struct reader *reader, uint64_t offset, uint32_t node,
                          struct listed_references *references)
{
	(void)offset;
	const struct v8 *v = (const struct v8 *)reader;
	struct v8_json json = v8_edges_of(v, node);
	struct v8_edge edge;
	while (v8_json_more(&json) && v8_edge_next(v, &json, &edge)) {
		if (!edge.good || v8_is_group(v, edge.target))
			continue;
		bool weak = edge.type == V8_WEAK || edge.type == V8_SHORTCUT;
		bool pair = edge.type == V8_INTERNAL && edge.place < v->strings.count
		            && v8_strings_kind(&v->strings, edge.place) == V8_PAIR;
		bool table = pair && v8_strings_number(&v->strings, edge.place) == v->node[node].id;
		listed_references_add(references, (struct listed_reference){
											  .target = v->node[edge.target].id,
											  .place = v8_edge_place(v, &edge),
											  .strength = table  ? STRENGTH_EPHEMERON
		                                                  : weak ? STRENGTH_WEAK
		                                                         : STRENGTH_STRONG,
										  });
	}
}

static bool v8_place(const struct reader *reader, uint32_t place, struct buf *name, uint64_t *index)
{
	const struct v8 *v = (const struct v8 *)reader;
	if (place >= v->strings.count) {
		*index = place - v->strings.count;
		return false;
	}
	if (name)
		v8_strings_add(&v->strings, place, name);
	return true;
}

static const struct listed_root_kind v8_root_kinds[LOG_KINDS + 1] = {
	[LOG_INTERNAL] = {"internal", "V8 itself"},
	[LOG_LOCAL] = {"stack", "stack"},
	[LOG_HANDLE] = {"handle", "handle"},
	[LOG_STATIC] = {"user", "user root"},
};

static const struct runtime v8_runtime = {
	.parts = PART_WEAK,
	.words = {.globals = "user roots and handles",
              .parked = "",
              .running = "stacks",
              .own = "roots of V8"},
};

DEFINE_PLUGIN(formats, struct format, format_v8) = {
	.rank = 75,
	.name = "v8",
	.help = "heap snapshot of V8, as Chrome and Node.js write (.heapsnapshot)",
	.noun = "heap snapshot of V8",
	.runtime = &v8_runtime,
	.root_kinds = v8_root_kinds,
	.lasting = true,
	.probe = v8_probe,
	.read = v8_read,
	.references = v8_references,
	.place = v8_place,
	.close = v8_close,
};
