#include "main/ways.h"

#include "base/text.h"
#include "main/number.h"
#include "main/output.h"
#include "main/writer.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>

/* One step: 0 is the root. */
struct step {
	bool is_root;
	uint64_t address; /* 0: none */
	uint64_t offset;  /* UINT64_MAX: none */
	uint64_t size;
	struct buf name; /* of the root, or of the field with the pointer */
	struct buf path; /* of the root: the whole way as one expression */
	struct buf type, text;
};

static void fill_root(const struct analysis *analysis, const struct path *path, struct step *step)
{
	const struct root *root = &analysis->heap->roots[path->root];
	step->is_root = true;
	step->address = root->address;
	step->offset = UINT64_MAX;
	root_add_name(analysis, root, &step->name);
	step_add_path(analysis, path, &step->path);
}

static void fill_step(const struct analysis *analysis, const struct path *path, size_t at,
					  struct step *step)
{
	buf_clear(&step->name);
	buf_clear(&step->path);
	buf_clear(&step->type);
	buf_clear(&step->text);
	if (at == 0) {
		fill_root(analysis, path, step);
		return;
	}
	const struct heap *heap = analysis->heap;
	uint32_t id = path->step[at - 1];
	step->is_root = false;
	step->address = heap_address(heap, id);
	step->offset = path_step_offset(heap, path, at - 1);
	step->size = heap_size(heap, id);
	if (at > 1)
		step_add(analysis, path->step[at - 2], step->offset, &step->name);
	typed_add(analysis, id, &step->type);
	preview_object(heap, id, &step->text);
}

static void step_fini(struct step *step)
{
	buf_free(&step->name);
	buf_free(&step->path);
	buf_free(&step->type);
	buf_free(&step->text);
}

/* The offset of the first object is in the root's name. */
static void add_text_step(const struct step *step, bool first, struct buf *out)
{
	struct buf size = {0};
	if (step->is_root) {
		buf_addf(out, "  %s\n", buf_text(&step->path));
		return;
	}
	text_add_size(&size, step->size);
	if (first || step->offset == UINT64_MAX)
		buf_addf(out, "  %10s", "");
	else
		buf_addf(out, "  +0x%-7" PRIx64, step->offset);
	buf_addf(out, "  0x%-14" PRIx64 "  %9s", step->address, buf_text(&size));
	const struct buf *texts[] = {&step->name, &step->type, &step->text};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i]->len)
			buf_addf(out, "  %s", buf_text(texts[i]));
	buf_add_char(out, '\n');
	buf_free(&size);
}

bool way_print_text(const struct analysis *analysis, const struct path *path, size_t ends,
					struct buf *out)
{
	struct step step = {0};
	bool ok = true;
	for (size_t i = 0; i <= path->count && ok; i++) {
		if (i > ends && path->count - i > ends) {
			size_t skipped = path->count - ends - i;
			buf_add(out, "  ... ");
			text_add_count(out, skipped);
			buf_add(out, " more steps\n");
			i += skipped;
		}
		fill_step(analysis, path, i, &step);
		add_text_step(&step, i == 1, out);
		ok = output_some(out);
	}
	step_fini(&step);
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

static void add_json_step(const struct step *step, struct json *json)
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
	bool ok = true;
	json_open(json, '[');
	for (size_t i = 0; i <= path->count && ok; i++) {
		fill_step(analysis, path, i, &step);
		json_line(json);
		add_json_step(&step, json);
		ok = output_some(json->out);
	}
	json_close(json, ']');
	step_fini(&step);
	return ok;
}

bool way_print_csv(const struct analysis *analysis, const struct path *path, size_t number,
				   struct buf *out)
{
	struct step step = {0};
	bool ok = true;
	for (size_t i = 0; i <= path->count && ok; i++) {
		fill_step(analysis, path, i, &step);
		buf_addf(out, "%zu,%zu,%s,", number, i, step.is_root ? "root" : "object");
		if (step.address)
			number_add_hex(out, step.address);
		buf_add_char(out, ',');
		if (step.offset != UINT64_MAX)
			number_add(out, step.offset);
		buf_add_char(out, ',');
		csv_text(out, buf_text(&step.name));
		buf_add(out, "\r\n");
		ok = output_some(out);
	}
	step_fini(&step);
	return ok;
}
