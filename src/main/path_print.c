#include "main/path_print.h"

#include "analysis/path_dominators.h"
#include "base/text.h"
#include "main/number.h"
#include "main/output.h"
#include "main/writer.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>

/* A path that is being printed, and its dominators where dominators are known. */
struct way {
	const struct analysis *analysis;
	const struct path *path;
	const struct dominators *dominators; /* NULL: not known */
	struct path_dominators path_dominators;
};

/* One step: 0 is the root. */
struct step {
	bool is_root;
	uint64_t address; /* 0: none */
	uint64_t offset;  /* UINT64_MAX: none */
	uint64_t size;
	bool path_dominator; /* every way leads through it, or it is the end */
	uint64_t retained;
	struct buf name; /* of the root, or of the field with the pointer */
	struct buf path; /* of the root: the whole way as one expression */
	struct buf type, text;
};

static void way_init(struct way *way, const struct analysis *analysis, const struct path *path)
{
	uint32_t object = path->step[path->count - 1];
	*way = (struct way){analysis, path, analysis_dominators_of(analysis, object), {0}};
	if (way->dominators)
		path_dominators_init(&way->path_dominators, way->dominators, analysis_reach(analysis),
		                     path);
}

static void way_fini(struct way *way)
{
	path_dominators_fini(&way->path_dominators);
}

/* Of a root that is one of several, what its variable or slot retains. */
static void fill_root_path_dominator(const struct way *way, struct step *step)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(way->analysis);
	const struct path_dominator *path_dominator = path_dominators_root_node(&way->path_dominators);
	step->path_dominator = path_dominator != NULL;
	step->retained =
		way->dominators
			->bytes[path_dominator
	                    ? path_dominator->node
	                    : root_nodes_node(root_nodes, root_nodes->of_root[way->path->root])];
}

static void fill_root(const struct way *way, struct step *step)
{
	const struct root *root = &analysis_heap(way->analysis)->roots[way->path->root];
	step->is_root = true;
	step->address = root->address;
	step->offset = UINT64_MAX;
	root_add_name(way->analysis, root, &step->name);
	step_add_path(way->analysis, way->path, &step->path);
	if (way->dominators)
		fill_root_path_dominator(way, step);
}

static void fill_object(const struct way *way, size_t at, struct step *step)
{
	const struct analysis *analysis = way->analysis;
	const struct heap *heap = analysis_heap(analysis);
	uint32_t id = way->path->step[at];
	step->is_root = false;
	step->address = heap_address(heap, id);
	step->offset = path_step_offset(heap, way->path, at);
	step->size = heap_size(heap, id);
	if (way->dominators) {
		step->path_dominator = path_dominators_at(&way->path_dominators, at) != NULL;
		step->retained = way->dominators->bytes[id];
	}
	if (at > 0)
		step_add(analysis, way->path->step[at - 1], step->offset, &step->name);
	typed_add(analysis, id, &step->type);
	preview_object(heap, id, &step->text);
}

static void fill_step(const struct way *way, size_t at, struct step *step)
{
	buf_clear(&step->name);
	buf_clear(&step->path);
	buf_clear(&step->type);
	buf_clear(&step->text);
	if (at == 0)
		fill_root(way, step);
	else
		fill_object(way, at - 1, step);
}

static void step_fini(struct step *step)
{
	buf_free(&step->name);
	buf_free(&step->path);
	buf_free(&step->type);
	buf_free(&step->text);
}

/* "*" and what a dominator retains. */
static void add_path_dominator(const struct way *way, const struct step *step, struct buf *size,
                               struct buf *out)
{
	if (!way->dominators || !step->path_dominator)
		return;
	buf_clear(size);
	text_add_size(size, step->retained);
	buf_addf(out, "  retains %s", buf_text(size));
}

/* The offset of the first object is in the root's name. */
static void add_text_step(const struct way *way, const struct step *step, bool first,
                          struct buf *out)
{
	struct buf size = {0};
	buf_add(out, way->dominators && step->path_dominator ? "* " : "  ");
	if (step->is_root)
		buf_add(out, buf_text(&step->path));
	else if (first || step->offset == UINT64_MAX)
		buf_addf(out, "%10s", "");
	else
		buf_addf(out, "+0x%-7" PRIx64, step->offset);
	text_add_size(&size, step->size);
	if (!step->is_root)
		buf_addf(out, "  0x%-14" PRIx64 "  %9s", step->address, buf_text(&size));
	add_path_dominator(way, step, &size, out);
	const struct buf *texts[] = {&step->name, &step->type, &step->text};
	for (size_t i = 0; i < sizeof texts / sizeof *texts && !step->is_root; i++)
		if (texts[i]->len)
			buf_addf(out, "  %s", buf_text(texts[i]));
	buf_add_char(out, '\n');
	buf_free(&size);
}

bool way_print_text(const struct analysis *analysis, const struct path *path, size_t ends,
                    struct buf *out)
{
	struct step step = {0};
	struct way way;
	bool ok = true;
	way_init(&way, analysis, path);
	for (size_t i = 0; i <= path->count && ok; i++) {
		if (i > ends && path->count - i > ends) {
			size_t skipped = path->count - ends - i;
			buf_add(out, "  ... ");
			text_add_count(out, skipped);
			buf_add(out, " more steps\n");
			i += skipped;
		}
		fill_step(&way, i, &step);
		add_text_step(&way, &step, i == 1, out);
		ok = output_some(out);
	}
	step_fini(&step);
	way_fini(&way);
	return ok;
}

static void add_json_text(struct json *json, const char *key, const struct buf *text)
{
	json_key(json, key);
	if (text->len)
		json_text(json, buf_text(text));
	else
		json_null(json);
}

static void add_json_path_dominator(const struct way *way, const struct step *step,
                                    struct json *json)
{
	json_key(json, "dominator");
	if (way->dominators)
		json_bool(json, step->path_dominator);
	else
		json_null(json);
	json_key(json, "retained_bytes");
	if (way->dominators)
		json_number(json, step->retained);
	else
		json_null(json);
}

static void add_json_step(const struct way *way, const struct step *step, struct json *json)
{
	json_open(json, '{');
	json_key(json, "kind");
	json_text(json, step->is_root ? "root" : "object");
	json_key(json, "address");
	if (step->address)
		json_address(json, step->address);
	else
		json_null(json);
	json_key(json, "offset");
	if (step->offset != UINT64_MAX)
		json_number(json, step->offset);
	else
		json_null(json);
	add_json_text(json, "name", &step->name);
	add_json_path_dominator(way, step, json);
	if (step->is_root) {
		add_json_text(json, "path", &step->path);
	} else {
		json_key(json, "size");
		json_number(json, step->size);
		add_json_text(json, "type", &step->type);
		add_json_text(json, "text", &step->text);
	}
	json_close(json, '}');
}

bool way_print_json(const struct analysis *analysis, const struct path *path, struct json *json)
{
	struct step step = {0};
	struct way way;
	bool ok = true;
	way_init(&way, analysis, path);
	json_open(json, '[');
	for (size_t i = 0; i <= path->count && ok; i++) {
		fill_step(&way, i, &step);
		json_line(json);
		add_json_step(&way, &step, json);
		ok = output_some(json->out);
	}
	json_close(json, ']');
	step_fini(&step);
	way_fini(&way);
	return ok;
}

static void add_csv_step(const struct way *way, const struct step *step, struct buf *out)
{
	buf_add(out, step->is_root ? "root," : "object,");
	if (step->address)
		number_add_hex(out, step->address);
	buf_add_char(out, ',');
	if (step->offset != UINT64_MAX)
		number_add(out, step->offset);
	buf_add_char(out, ',');
	csv_text(out, buf_text(&step->name));
	buf_add(out, !way->dominators ? "," : step->path_dominator ? ",true" : ",false");
	buf_add_char(out, ',');
	if (way->dominators)
		number_add(out, step->retained);
	buf_add(out, "\r\n");
}

bool way_print_csv(const struct analysis *analysis, const struct path *path, size_t number,
                   struct buf *out)
{
	struct step step = {0};
	struct way way;
	bool ok = true;
	way_init(&way, analysis, path);
	for (size_t i = 0; i <= path->count && ok; i++) {
		fill_step(&way, i, &step);
		buf_addf(out, "%zu,%zu,", number, i);
		add_csv_step(&way, &step, out);
		ok = output_some(out);
	}
	step_fini(&step);
	way_fini(&way);
	return ok;
}
