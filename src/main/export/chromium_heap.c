/* Heap dumps in the trace format of Chromium: cumulative sizes by stack and type, in hexadecimal.
   Entries are selected as Chromium does: the whole, then parts of written entries, along both axes,
   that are not too small. "<other>" is implicit. */
#include "analysis/analysis.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "main/export/exporter.h"
#include "main/print/json.h"
#include "main/print/output.h"

#include <inttypes.h>
#include <stdlib.h>

/* Maximum bytes of a name, because the trace may repeat it for each call. */
enum { NAME_LIMIT = 512 };

struct export
{
	const struct breakdown_query *query;
	struct heap_profile_set set;
	bool *frame, *type; /* by number: written for the current process */
	bool *written;      /* heap profiles */
	struct json json;
	bool ok; /* the output has not failed */
};

static void export_chromium_add_name(struct json *json, struct text name)
{
	json_bytes(json, name.data, name.len < NAME_LIMIT ? name.len : NAME_LIMIT);
}

static void add_formatted(struct json *json, const char *key, const char *format, uint64_t number)
{
	SCOPED_BUF text = {0};
	json_key(json, key);
	buf_addf(&text, format, number);
	json_text(json, buf_text(&text));
}

/* ---- Selection of entries */

struct kept {
	uint32_t *cell;
	size_t count, capacity;
	bool *seen;
};

static void export_chromium_keep(struct kept *kept, uint32_t cell)
{
	if (cell == CELL_NONE || kept->seen[cell])
		return;
	kept->seen[cell] = true;
	MEM_PUSH(kept->cell, kept->count, kept->capacity, cell);
}

static void keep_parts(const struct breakdown *breakdown, uint64_t least, struct kept *kept)
{
	export_chromium_keep(kept, 0);
	for (size_t i = 0; i < kept->count; i++)
		for (int axis = AXIS_STACK; axis <= AXIS_TYPE; axis++) {
			struct part *parts;
			size_t count = breakdown_significant_parts(breakdown, kept->cell[i], (enum axis)axis,
			                                           least, &parts);
			for (size_t k = 0; k < count; k++)
				export_chromium_keep(kept, parts[k].cell);
			free(parts);
		}
}

static int by_ids(const void *a, const void *b, void *cells)
{
	const struct breakdown_cell *x = (struct breakdown_cell *)cells + *(const uint32_t *)a;
	const struct breakdown_cell *y = (struct breakdown_cell *)cells + *(const uint32_t *)b;
	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	return x->type < y->type ? -1 : x->type > y->type;
}

static void export_chromium_add_entry(struct export *e, const struct breakdown *breakdown,
                                      const struct breakdown_cell *cell)
{
	struct json *json = &e->json;
	json_line(json);
	json_open(json, '{');
	if (cell->frame == FRAME_ROOT) {
		json_text(json_key(json, "bt"), "");
	} else {
		add_formatted(json, "bt", "%" PRIu64, cell->frame);
	}
	if (cell->type != TYPE_ALL)
		add_formatted(json, "type", "%" PRIu64, cell->type);
	add_formatted(json, "size", "%" PRIx64, cell->size);
	if (breakdown->counted)
		add_formatted(json, "count", "%" PRIx64, cell->count);
	json_close(json, '}');
	e->type[cell->type] = true;
	for (uint32_t at = cell->frame; !e->frame[at]; at = e->set.heap_profiles->frame[at].parent)
		e->frame[at] = true;
}

static void export_chromium_add_heap(struct export *e, const struct heap_profile *heap_profile)
{
	struct breakdown *breakdown = breakdown_new(e->set.heap_profiles, heap_profile, NULL, false);
	struct kept kept = {.seen = mem_alloc(breakdown->count * sizeof(bool))};
	keep_parts(breakdown, breakdown_query_least(e->query, breakdown->cell[0].size), &kept);
	qsort_r(kept.cell, kept.count, sizeof *kept.cell, by_ids, breakdown->cell);
	json_open(json_key(&e->json, "entries"), '[');
	for (size_t i = 0; i < kept.count && e->ok; i++) {
		export_chromium_add_entry(e, breakdown, &breakdown->cell[kept.cell[i]]);
		e->ok = output_some(e->json.out);
	}
	json_close(&e->json, ']');
	free(kept.cell);
	free(kept.seen);
	breakdown_free(breakdown);
}

/* ---- Events */

static void begin_event(struct export *e, const char *phase, const char *category,
                        const struct heap_profile *heap_profile)
{
	struct json *json = &e->json;
	json_line(json);
	json_open(json, '{');
	json_text(json_key(json, "ph"), phase);
	json_text(json_key(json, "cat"), category);
	json_number(json_key(json, "pid"), heap_profile->process);
	json_number(json_key(json, "tid"), 0);
	json_number(json_key(json, "ts"), heap_profile->time);
}

/* Writes all heaps of a process in one dump. */
static void add_dump(struct export *e, const struct heap_profile *first)
{
	const struct heap_profiles *heap_profiles = e->set.heap_profiles;
	struct json *json = &e->json;
	begin_event(e, "v", "disabled-by-default-memory-infra", first);
	json_key(json, "name");
	export_chromium_add_name(json, first->dump_kind ? heap_profiles->name[first->dump_kind]
	                                                : (struct text){"explicitly_triggered", 20});
	json_key(json, "id");
	export_chromium_add_name(json, first->dump ? heap_profiles->name[first->dump]
	                                           : (struct text){"0x1", 3});
	json_open(json_key(json, "args"), '{');
	json_open(json_key(json, "dumps"), '{');
	json_text(json_key(json, "level_of_detail"), "detailed");
	json_open(json_key(json, "heaps"), '{');
	for (size_t i = 0; i < heap_profiles->count && e->ok; i++) {
		const struct heap_profile *heap_profile = &heap_profiles->heap_profile[i];
		if (heap_profile->process != first->process || heap_profile->dump != first->dump
		    || !breakdown_query_has(e->query, heap_profiles, heap_profile))
			continue;
		e->written[i] = true;
		export_chromium_add_name(json, heap_profiles->name[heap_profile->allocator]);
		buf_add_char(json->out, ':');
		json->comma = false;
		json_open(json, '{');
		export_chromium_add_heap(e, heap_profile);
		json_close(json, '}');
	}
	for (const char *brackets = "}}}}"; *brackets; brackets++)
		json_close(json, *brackets);
}

static void begin_names(struct export *e, const char *name, const char *argument,
                        const struct heap_profile *heap_profile)
{
	begin_event(e, "M", "__metadata", heap_profile);
	json_text(json_key(&e->json, "name"), name);
	json_open(json_key(&e->json, "args"), '{');
	json_key(&e->json, argument);
}

static void end_names(struct export *e)
{
	json_close(&e->json, '}');
	json_close(&e->json, '}');
}

static void export_chromium_add_frames(struct export *e, const struct heap_profile *heap_profile)
{
	const struct heap_profiles *heap_profiles = e->set.heap_profiles;
	struct json *json = &e->json;
	begin_names(e, "stackFrames", "stackFrames", heap_profile);
	json_open(json, '{');
	for (uint32_t i = FRAME_ROOT + 1; i < heap_profiles->frame_count && e->ok; i++) {
		const struct heap_profile_frame *frame = &heap_profiles->frame[i];
		SCOPED_BUF id = {0};
		if (!e->frame[i])
			continue;
		buf_addf(&id, "%" PRIu32, i);
		json_open(json_key(json, buf_text(&id)), '{');
		json_key(json, "name");
		export_chromium_add_name(json, heap_profiles->name[frame->name]);
		if (frame->parent != FRAME_ROOT)
			add_formatted(json, "parent", "%" PRIu64, frame->parent);
		json_close(json, '}');
		e->ok = output_some(json->out);
	}
	json_close(json, '}');
	end_names(e);
}

static void export_chromium_add_types(struct export *e, const struct heap_profile *heap_profile)
{
	const struct heap_profiles *heap_profiles = e->set.heap_profiles;
	struct json *json = &e->json;
	begin_names(e, "typeNames", "typeNames", heap_profile);
	json_open(json, '{');
	json_text(json_key(json, "0"), "[unknown]");
	for (uint32_t i = TYPE_ALL + 1; i < heap_profiles->name_count; i++) {
		SCOPED_BUF id = {0};
		if (!e->type[i])
			continue;
		buf_addf(&id, "%" PRIu32, i);
		json_key(json, buf_text(&id));
		export_chromium_add_name(json, heap_profiles->name[i]);
	}
	json_close(json, '}');
	end_names(e);
}

/* Writes every dump of a process, then its names. */
static void add_process(struct export *e, const struct heap_profile *first)
{
	const struct heap_profiles *heap_profiles = e->set.heap_profiles;
	e->frame = mem_alloc(heap_profiles->frame_count * sizeof *e->frame);
	e->type = mem_alloc(heap_profiles->name_count * sizeof *e->type);
	e->frame[FRAME_ROOT] = true;
	for (size_t i = 0; i < heap_profiles->count && e->ok; i++) {
		const struct heap_profile *heap_profile = &heap_profiles->heap_profile[i];
		if (heap_profile->process == first->process && !e->written[i]
		    && breakdown_query_has(e->query, heap_profiles, heap_profile))
			add_dump(e, heap_profile);
	}
	if (first->process_name) {
		begin_names(e, "process_name", "name", first);
		export_chromium_add_name(&e->json, heap_profiles->name[first->process_name]);
		end_names(e);
	}
	export_chromium_add_frames(e, first);
	export_chromium_add_types(e, first);
	free(e->frame);
	free(e->type);
}

static bool write_trace(const struct analysis *analysis, const struct export_request *request,
                        struct buf *out, struct err *err)
{
	const struct breakdown_query *query = &request->query;
	struct export e = {.query = query, .json = {out, false}, .ok = true};
	bool any = false;
	heap_profile_set_init(&e.set, analysis);
	const struct heap_profiles *heap_profiles = e.set.heap_profiles;
	e.written = mem_alloc(heap_profiles->count * sizeof *e.written);
	json_open(&e.json, '{');
	json_open(json_key(&e.json, "traceEvents"), '[');
	for (size_t i = 0; i < heap_profiles->count && e.ok; i++) {
		if (e.written[i]
		    || !breakdown_query_has(query, heap_profiles, &heap_profiles->heap_profile[i]))
			continue;
		any = true;
		add_process(&e, &heap_profiles->heap_profile[i]);
	}
	json_close(&e.json, ']');
	json_close(&e.json, '}');
	buf_add_char(out, '\n');
	free(e.written);
	heap_profile_set_fini(&e.set);
	return e.ok && (any || breakdown_query_none(analysis, err));
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_chromium_heap) = {
	.rank = 10,
	.name = "chromium-heap",
	.help = "a trace with heaps by call stack and type, for Chromium's tools",
	.about = "Further arguments choose heaps as in the table breakdown.",
	.needs = STAGE_ALL,
	.parts = PART_BREAKDOWN,
	.takes = EXPORT_BREAKDOWN,
	.write = write_trace,
};
