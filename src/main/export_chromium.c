/* Heaps as Chromium writes them into a trace: cumulative sizes of stacks and types, in hexadecimal.
   What is written is chosen as its writer does: the whole, then the parts of what is written, along
   both axes, that are not too small. "<other>" is never written: it is what is left. */
#include "base/mem.h"
#include "base/text.h"
#include "main/exporter.h"
#include "main/json.h"
#include "main/output.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bytes: a name that a trace has once may be that of each of its calls. */
enum { NAME_LIMIT = 512 };

struct export {
	const struct choice *choice;
	struct account_set set;
	bool *frame, *type; /* those that one process has written, by number */
	bool *written;      /* accounts */
	struct json json;
	bool ok;            /* the output has not failed */
};

static void add_name(struct json *json, struct text name)
{
	json_bytes(json, name.data, name.len < NAME_LIMIT ? name.len : NAME_LIMIT);
}

static void add_formatted(struct json *json, const char *key, const char *format, uint64_t number)
{
	struct buf text = {0};
	json_key(json, key);
	buf_addf(&text, format, number);
	json_text(json, buf_text(&text));
	buf_free(&text);
}

/* ---- Entries */

struct kept {
	uint32_t *cell;
	size_t count, capacity;
	bool *seen;
};

static void keep(struct kept *kept, uint32_t cell)
{
	if (cell == CELL_NONE || kept->seen[cell])
		return;
	kept->seen[cell] = true;
	kept->cell = mem_grow(kept->cell, kept->count, &kept->capacity, sizeof *kept->cell);
	kept->cell[kept->count++] = cell;
}

static void keep_parts(const struct breakdown *breakdown, uint64_t least, struct kept *kept)
{
	keep(kept, 0);
	for (size_t i = 0; i < kept->count; i++)
		for (int axis = AXIS_STACK; axis <= AXIS_TYPE; axis++) {
			struct part *parts;
			size_t count = breakdown_telling_parts(breakdown, kept->cell[i], (enum axis)axis,
												   least, &parts);
			for (size_t k = 0; k < count; k++)
				keep(kept, parts[k].cell);
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

static void add_entry(struct export *e, const struct breakdown *breakdown,
					  const struct breakdown_cell *cell)
{
	struct json *json = &e->json;
	json_line(json);
	json_open(json, '{');
	if (cell->frame == FRAME_ROOT) {
		json_key(json, "bt");
		json_text(json, "");
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
	for (uint32_t at = cell->frame; !e->frame[at]; at = e->set.accounts->frame[at].parent)
		e->frame[at] = true;
}

static void add_heap(struct export *e, const struct account *account)
{
	struct breakdown *breakdown = breakdown_new(e->set.accounts, account, NULL, false);
	struct kept kept = {.seen = mem_alloc(breakdown->count * sizeof(bool))};
	keep_parts(breakdown, choice_least(e->choice, breakdown->cell[0].size), &kept);
	qsort_r(kept.cell, kept.count, sizeof *kept.cell, by_ids, breakdown->cell);
	json_key(&e->json, "entries");
	json_open(&e->json, '[');
	for (size_t i = 0; i < kept.count && e->ok; i++) {
		add_entry(e, breakdown, &breakdown->cell[kept.cell[i]]);
		e->ok = output_some(e->json.out);
	}
	json_close(&e->json, ']');
	free(kept.cell);
	free(kept.seen);
	breakdown_free(breakdown);
}

/* ---- Events */

static void begin_event(struct export *e, const char *phase, const char *category,
						const struct account *account)
{
	struct json *json = &e->json;
	json_line(json);
	json_open(json, '{');
	json_key(json, "ph");
	json_text(json, phase);
	json_key(json, "cat");
	json_text(json, category);
	json_key(json, "pid");
	json_number(json, account->process);
	json_key(json, "tid");
	json_number(json, 0);
	json_key(json, "ts");
	json_number(json, account->time);
}

static bool same_dump(const struct account *a, const struct account *b)
{
	return a->process == b->process && a->dump == b->dump;
}

/* All heaps of a process in one dump. */
static void add_dump(struct export *e, const struct account *first)
{
	const struct accounts *accounts = e->set.accounts;
	struct json *json = &e->json;
	begin_event(e, "v", "disabled-by-default-memory-infra", first);
	json_key(json, "name");
	add_name(json, first->dump_kind ? accounts->name[first->dump_kind]
									: (struct text){"explicitly_triggered", 20});
	json_key(json, "id");
	add_name(json, first->dump ? accounts->name[first->dump] : (struct text){"0x1", 3});
	json_key(json, "args");
	json_open(json, '{');
	json_key(json, "dumps");
	json_open(json, '{');
	json_key(json, "level_of_detail");
	json_text(json, "detailed");
	json_key(json, "heaps");
	json_open(json, '{');
	for (size_t i = 0; i < accounts->count && e->ok; i++) {
		const struct account *account = &accounts->account[i];
		if (!same_dump(account, first) || !choice_has(e->choice, accounts, account))
			continue;
		e->written[i] = true;
		add_name(json, accounts->name[account->allocator]);
		buf_add_char(json->out, ':');
		json->comma = false;
		json_open(json, '{');
		add_heap(e, account);
		json_close(json, '}');
	}
	for (const char *brackets = "}}}}"; *brackets; brackets++)
		json_close(json, *brackets);
}

static void begin_names(struct export *e, const char *name, const char *argument,
						const struct account *account)
{
	begin_event(e, "M", "__metadata", account);
	json_key(&e->json, "name");
	json_text(&e->json, name);
	json_key(&e->json, "args");
	json_open(&e->json, '{');
	json_key(&e->json, argument);
}

static void end_names(struct export *e)
{
	json_close(&e->json, '}');
	json_close(&e->json, '}');
}

static void add_frames(struct export *e, const struct account *account)
{
	const struct accounts *accounts = e->set.accounts;
	struct json *json = &e->json;
	begin_names(e, "stackFrames", "stackFrames", account);
	json_open(json, '{');
	for (uint32_t i = FRAME_ROOT + 1; i < accounts->frame_count && e->ok; i++) {
		const struct account_frame *frame = &accounts->frame[i];
		struct buf id = {0};
		if (!e->frame[i])
			continue;
		buf_addf(&id, "%" PRIu32, i);
		json_key(json, buf_text(&id));
		buf_free(&id);
		json_open(json, '{');
		json_key(json, "name");
		add_name(json, accounts->name[frame->name]);
		if (frame->parent != FRAME_ROOT)
			add_formatted(json, "parent", "%" PRIu64, frame->parent);
		json_close(json, '}');
		e->ok = output_some(json->out);
	}
	json_close(json, '}');
	end_names(e);
}

static void add_types(struct export *e, const struct account *account)
{
	const struct accounts *accounts = e->set.accounts;
	struct json *json = &e->json;
	begin_names(e, "typeNames", "typeNames", account);
	json_open(json, '{');
	json_key(json, "0");
	json_text(json, "[unknown]");
	for (uint32_t i = TYPE_ALL + 1; i < accounts->name_count; i++) {
		struct buf id = {0};
		if (!e->type[i])
			continue;
		buf_addf(&id, "%" PRIu32, i);
		json_key(json, buf_text(&id));
		add_name(json, accounts->name[i]);
		buf_free(&id);
	}
	json_close(json, '}');
	end_names(e);
}

/* Every dump of a process, then its names. */
static void add_process(struct export *e, const struct account *first)
{
	const struct accounts *accounts = e->set.accounts;
	e->frame = mem_alloc(accounts->frame_count * sizeof *e->frame);
	e->type = mem_alloc(accounts->name_count * sizeof *e->type);
	e->frame[FRAME_ROOT] = true;
	for (size_t i = 0; i < accounts->count && e->ok; i++) {
		const struct account *account = &accounts->account[i];
		if (account->process == first->process && !e->written[i] &&
			choice_has(e->choice, accounts, account))
			add_dump(e, account);
	}
	if (first->process_name) {
		begin_names(e, "process_name", "name", first);
		add_name(&e->json, accounts->name[first->process_name]);
		end_names(e);
	}
	add_frames(e, first);
	add_types(e, first);
	free(e->frame);
	free(e->type);
}

static bool write_trace(const struct analysis *analysis, const struct choice *choice,
						struct buf *out, struct err *err)
{
	struct export e = {.choice = choice, .json = {out, false}, .ok = true};
	bool any = false;
	account_set_init(&e.set, analysis);
	const struct accounts *accounts = e.set.accounts;
	e.written = mem_alloc(accounts->count * sizeof *e.written);
	json_open(&e.json, '{');
	json_key(&e.json, "traceEvents");
	json_open(&e.json, '[');
	for (size_t i = 0; i < accounts->count && e.ok; i++) {
		if (e.written[i] || !choice_has(choice, accounts, &accounts->account[i]))
			continue;
		any = true;
		add_process(&e, &accounts->account[i]);
	}
	json_close(&e.json, ']');
	json_close(&e.json, '}');
	buf_add_char(out, '\n');
	free(e.written);
	account_set_fini(&e.set);
	return e.ok && (any || choice_none(analysis, err));
}

const struct exporter exporter_chromium = {
	.name = "chromium-heap",
	.needs = STAGE_ALL,
	.parts = HAS_BREAKDOWN,
	.write = write_trace,
};
