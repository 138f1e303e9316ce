#include "table/naming/typed.h"

#include "go/types/scalar_fields.h"

#include "analysis/kept.h"
#include "analysis/structures.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/name_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 200, LOG_LIMIT = 4096 };

/* Returns the type that the dump itself records for an object; NULL: none. */
static const struct type_record *log_type(const struct analysis *analysis, uint32_t object)
{
	const struct heap *heap = analysis_heap(analysis);
	return heap_has(heap, PART_TYPES) ? &heap->told_types[heap_type(heap, object)] : NULL;
}

static struct typed typed_of(const struct analysis *analysis, uint32_t object)
{
	const struct typing *typing = analysis_typing(analysis);
	return typing ? typing_object(typing, object) : (struct typed){0};
}

static uint32_t label_of(const struct analysis *analysis, uint32_t object)
{
	const struct labels *labels = analysis_labels(analysis);
	return labels ? labels_of(labels, object) : 0;
}

static enum type_source source_of(const struct analysis *analysis, uint32_t object)
{
	const struct type_record *log = log_type(analysis, object);
	if (log)
		return log->name.len ? SOURCE_RECORD : SOURCE_NONE;
	return (enum type_source)typed_of(analysis, object).source;
}

void typed_add_log(const struct type_record *type, struct buf *out)
{
	if (type->name.len)
		text_add_escaped(out, type->name.data, type->name.len, LOG_LIMIT);
	else
		buf_addf(out, "#%" PRIx64, type->address);
}

static bool is_structure(const struct analysis *analysis, gotype_id type)
{
	const struct structures *structures = analysis_structures(analysis);
	return structures && structures->role && structures->role[type];
}

void typed_add_thing(const struct analysis *analysis, gotype_id type, bool many, struct buf *out)
{
	bool structure = is_structure(analysis, type);
	if (many && !structure)
		buf_add(out, "[]");
	const struct gotypes *types = typing_types(analysis_typing(analysis));
	if (many && strcmp(gotype_get(types, type)->name, "uint8") == 0)
		buf_add(out, "byte");
	else
		(structure ? gotype_display_whole : gotype_display)(types, type, out);
}

bool typed_is_guess(const struct analysis *analysis, uint32_t object)
{
	return object != OBJECT_NONE && typed_of(analysis, object).known == KNOWN_GUESS;
}

bool typed_are_guessed(uint64_t guessed, uint64_t count)
{
	return guessed && guessed >= count / 10;
}

void typed_add_mark_of(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	buf_add(out, type_mark(typed_is_guess(analysis, object) ? KNOWN_GUESS : KNOWN_EXACT));
}

bool typed_any(const struct analysis *analysis)
{
	return analysis_labels(analysis) || heap_has(analysis_heap(analysis), PART_TYPES);
}

/* Returns true if the object represents a map or channel that is shown as a whole. */
static bool is_thing(const struct analysis *analysis, uint32_t object)
{
	const struct structures *structures = analysis_structures(analysis);
	return structures && !analysis_parts(analysis) && structures_of(structures, object) == object;
}

/* A code says what a name depends on: a typed_key, one of these, a type and a count of values, or
   that nothing is known. */
#define CODE_LABEL (1ULL << 63) /* and a label; 0: there is none */
#define CODE_WHOLE (1ULL << 62) /* and a typed_key */
#define CODE_TEXT  (1ULL << 61)
#define CODE_THING (1ULL << 58)

uint64_t typed_part_code(const struct analysis *analysis, uint32_t object)
{
	if (log_type(analysis, object))
		return CODE_WHOLE | typed_key(analysis, object);
	struct typed typed = typed_of(analysis, object);
	uint64_t thing = is_thing(analysis, object) ? CODE_THING : 0;
	uint64_t guess = typed.known == KNOWN_GUESS ? TYPED_CODE_GUESS : 0;
	if (!typed.type)
		return CODE_LABEL | thing | label_of(analysis, object) | guess;
	if (thing && is_structure(analysis, typed.type))
		return thing | (uint64_t)typed.type << 32 | guess;
	return (typed.text ? CODE_TEXT : (uint64_t)typed.type << 32 | typed.count) | guess;
}

uint64_t typed_code(const struct analysis *analysis, uint32_t object)
{
	size_t key = analysis_parts(analysis) ? TYPED_KEY_UNKNOWN : typed_key(analysis, object);
	if (key == TYPED_KEY_UNKNOWN)
		return typed_part_code(analysis, object);
	return CODE_WHOLE | key | (typed_is_guess(analysis, object) ? TYPED_CODE_GUESS : 0);
}

static void typed_add_code_label(const struct analysis *analysis, uint64_t code, struct buf *out)
{
	if ((uint32_t)code)
		(code & CODE_THING ? labels_add_whole : labels_add)(analysis_labels(analysis),
		                                                    (uint32_t)code, out);
}

bool typed_add_code(const struct analysis *analysis, uint64_t code, struct buf *out)
{
	gotype_id type = (gotype_id)((code & (CODE_THING - 1)) >> 32);
	if (code & CODE_LABEL) {
		typed_add_code_label(analysis, code, out);
		return (uint32_t)code;
	}
	if (code & CODE_WHOLE) {
		typed_add_key(analysis, (size_t)(code & (CODE_THING - 1)), out);
	} else if (code & CODE_THING) {
		typed_add_thing(analysis, type, false, out);
	} else if (code & CODE_TEXT) {
		buf_add(out, "string data");
	} else {
		if ((uint32_t)code > 1 && name_wants(out, NAME_LENGTH))
			buf_addf(out, "[%" PRIu32 "]", (uint32_t)code);
		gotype_display(typing_types(analysis_typing(analysis)), type, out);
	}
	return true;
}

void typed_add_code_package(const struct analysis *analysis, uint64_t code, struct buf *out)
{
	SCOPED_BUF name = {0};
	typed_add_marked(analysis, code, &name);
	typed_add_package(buf_text(&name), typed_code_is_label(analysis, code), out);
}

bool typed_code_is_bytes(const struct analysis *analysis, uint64_t code)
{
	if (code & CODE_WHOLE)
		return typed_key_is_bytes(analysis, (size_t)(code & (CODE_THING - 1)));
	return code & CODE_TEXT;
}

bool typed_code_is_label(const struct analysis *analysis, uint64_t code)
{
	if (code & CODE_WHOLE)
		return typed_key_is_label(analysis, (size_t)(code & (CODE_THING - 1)));
	return code & CODE_LABEL && (uint32_t)code;
}

bool typed_is_label(const struct analysis *analysis, uint32_t object)
{
	return typed_code_is_label(analysis, typed_code(analysis, object));
}

bool typed_add_marked(const struct analysis *analysis, uint64_t code, struct buf *out)
{
	buf_add(out, type_mark(code & TYPED_CODE_GUESS ? KNOWN_GUESS : KNOWN_EXACT));
	return typed_add_code(analysis, code, out);
}

bool typed_add_part(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	return typed_add_marked(analysis, typed_part_code(analysis, object), out);
}

bool typed_add_name(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	return typed_add_code(analysis, typed_code(analysis, object), out);
}

bool typed_add(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	return typed_add_marked(analysis, typed_code(analysis, object), out);
}

void typed_add_entries(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	const struct structures *structures = analysis_structures(analysis);
	uint64_t entries;
	if (!structures || analysis_parts(analysis)
	    || !structures_entries(structures, object, &entries))
		return;
	buf_add(out, "  ");
	if (name_wants(out, NAME_COUNT))
		text_add_count(out, entries);
	buf_add(out, entries == 1 ? " entry" : " entries");
}

enum type_known typed_known(const struct analysis *analysis, uint32_t object)
{
	uint32_t label = label_of(analysis, object);
	if (label)
		return labels_known(analysis_labels(analysis), label);
	return log_type(analysis, object) ? type_known(source_of(analysis, object))
	                                  : (enum type_known)typed_of(analysis, object).known;
}

const char *typed_level(const struct analysis *analysis, uint32_t object)
{
	enum type_known known = typed_known(analysis, object);
	return known == KNOWN_NONE ? "a label" : type_known_names[known];
}

const char *typed_source(const struct analysis *analysis, uint32_t object)
{
	uint32_t label = label_of(analysis, object);
	return label ? labels_reason(analysis_labels(analysis), label)
	             : type_source_names[source_of(analysis, object)];
}

void cell_type_code(struct value *value, const struct analysis *analysis, uint64_t code)
{
	typed_add_code(analysis, code, cell_begin(value));
	value->guess = code & TYPED_CODE_GUESS;
}

void cell_type(struct value *value, const struct analysis *analysis, uint32_t object)
{
	if (object != OBJECT_NONE)
		cell_type_code(value, analysis, typed_code(analysis, object));
}

/* The type of the value at an address, and its start. */
struct typed_place {
	gotype_id type;
	uint64_t start;
};

static bool add_variable(const struct analysis *analysis, uint64_t address,
                         struct typed_place *found, struct buf *out)
{
	uint64_t place = address - analysis_names(analysis)->fit.data_bias;
	const struct exe_global *global = gotypes_global_at(analysis_types(analysis), place);
	if (!global)
		return false;
	if (out && name_wants(out, NAME_HEAD))
		text_add_symbol(out, global->name, strlen(global->name), NAME_LIMIT);
	uint64_t inside = place - global->address;
	struct scalar_field scalar =
		scalar_value_at(analysis_types(analysis), global->type, inside, out);
	*found = (struct typed_place){scalar.type, address - inside + scalar.offset};
	return true;
}

/* Appends the expression for a static value that only a pointer leads to, and for the place in
   it. */
static bool add_static(const struct analysis *analysis, uint64_t address, struct typed_place *found,
                       struct buf *out)
{
	const struct static_value *value = statics_find(analysis_statics(analysis), address);
	if (!value)
		return false;
	uint64_t inside = address - value->address;
	bool whole = value->depth > 1 ? add_static(analysis, value->word, found, out)
	                              : add_variable(analysis, value->word, found, out);
	if (whole && value->in_slice && out)
		name_add_index(out, inside / value->size);
	inside %= value->size;
	struct scalar_field scalar =
		scalar_value_at(analysis_types(analysis), value->type, inside, out);
	*found = (struct typed_place){scalar.type, address - inside + scalar.offset};
	return whole;
}

bool typed_add_global_from(const struct analysis *analysis, uint64_t address, gotype_id *type,
                           uint64_t *start, struct buf *out)
{
	struct typed_place found = {0, address};
	bool known = analysis_typing(analysis)
	             && (add_variable(analysis, address, &found, out)
	                 || add_static(analysis, address, &found, out));
	*start = found.start;
	if (type && known)
		*type = found.type;
	return known;
}

bool typed_add_global(const struct analysis *analysis, uint64_t address, gotype_id *type,
                      struct buf *out)
{
	uint64_t ignored;
	return typed_add_global_from(analysis, address, type, &ignored, out);
}

bool typed_add_local(const struct analysis *analysis, const struct frame_record *frame,
                     uint64_t address, gotype_id *type, struct buf *out)
{
	struct local local;
	if (!locals_find(analysis_locals(analysis), frame, address, &local))
		return false;
	if (out)
		text_add_symbol(out, local.name, strlen(local.name), NAME_LIMIT);
	struct scalar_field scalar = scalar_at(analysis_types(analysis), local.type, local.offset, out);
	if (type)
		*type = scalar.type;
	return true;
}

static void typed_do_count(struct typed_count *count, uint64_t bytes)
{
	count->objects++;
	count->bytes += bytes;
}

static void *typed_totals_make(const struct analysis *analysis, enum retain retain,
                               struct progress *progress)
{
	struct typed_totals *totals = mem_alloc(sizeof *totals);
	(void)retain, (void)progress;
	const struct heap *heap = analysis_heap(analysis);
	const struct reach *reach = analysis_reach(analysis);
	const struct labels *labels = analysis_labels(analysis);
	const struct typing *typing = analysis_typing(analysis);
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(heap->objects); r++) {
		objects_run(heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			if (!reach_has(reach, id))
				continue;
			uint32_t label = labels ? labels_of(labels, id) : 0;
			enum label_class class = label ? labels_class(labels, label) : LABEL_NONE;
			enum type_known known = label    ? labels_known(labels, label)
			                        : typing ? (enum type_known)typing_object(typing, id).known
			                                 : typed_known(analysis, id);
			typed_do_count(&totals->known[known], run.size);
			typed_do_count(&totals->labelled[class], run.size);
		}
	}
	return totals;
}

static bool typed_totals_index(void *made, const struct index_io *io)
{
	return INDEX_VALUES(io, "counts", {made, sizeof(struct typed_totals)});
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, typed_totals_kept) = {
	.name = "type-totals",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.make = typed_totals_make,
	.free = free,
	.size = sizeof(struct typed_totals),
	.index = typed_totals_index,
};

struct typed_totals typed_totals(const struct analysis *analysis)
{
	const struct typed_totals *made =
		analysis_kept(analysis, &typed_totals_kept, RETAIN_ALIVE, NULL);
	return *made;
}

bool typed_doubt(struct rows *rows, const char *what)
{
	enum { FEW = 20 }; /* more than a few: one in twenty */
	uint64_t reachable = analysis_reach(rows->analysis)->objects;
	uint64_t untyped = typed_totals(rows->analysis).known[KNOWN_NONE].objects;
	if (!untyped)
		return false;
	if (untyped > reachable / FEW)
		rows->unknown = untyped;
	buf_addf(&rows->note, "Of %s of ", text_count(untyped).text);
	text_add_number_of(&rows->note, reachable, "reachable object", "reachable objects");
	buf_addf(&rows->note, " the type is not known: whether one of them is %s cannot be told.",
	         what);
	return true;
}
