/* goheapx info: what is in the dump. The report for people is in info_report.c. */
#include "main/info.h"

#include "analysis/input_state.h"
#include "base/text.h"
#include "main/commands.h"
#include "main/facts.h"
#include "main/output.h"
#include "table/node.h"
#include "table/typed.h"

static void add_dump_text(struct facts *facts, const char *name, struct text text)
{
	struct buf visible = {0};
	text_add_visible(&visible, text.data, text.len, SIZE_MAX);
	facts_text(facts, name, buf_text(&visible));
	buf_free(&visible);
}

static bool has(const struct analysis *analysis, enum format_part part)
{
	return analysis->heap->format->has & part;
}

static void add_program(struct facts *facts, const struct heap *heap)
{
	add_dump_text(facts, "go_version", heap->params.version);
	add_dump_text(facts, "arch", heap->params.arch);
	facts_number(facts, "pointer_size", heap->params.layout.pointer_size);
	facts_bool(facts, "big_endian", heap->params.layout.big_endian);
}

struct count {
	const char *name;
	uint64_t number;
};

static void add_numbers(struct facts *facts, const struct count *counts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		facts_number(facts, counts[i].name, counts[i].number);
}

/* Nothing can be told without roots. */
static void add_reach(struct facts *facts, const struct reach *reach)
{
	const struct count counts[] = {
		{"reachable_objects", reach->objects},
		{"reachable_bytes", reach->bytes},
	};
	if (reach->known)
		add_numbers(facts, counts, sizeof counts / sizeof *counts);
	for (size_t i = 0; !reach->known && i < sizeof counts / sizeof *counts; i++)
		facts_null(facts, counts[i].name);
}

/* Only logs have weak roots. */
static void add_weak(struct facts *facts, const struct analysis *analysis)
{
	const struct count counts[] = {
		{"weakly_reachable_objects", analysis->reach->weak_objects},
		{"weakly_reachable_bytes", analysis->reach->weak_bytes},
	};
	if (has(analysis, HAS_DOMAINS))
		add_numbers(facts, counts, sizeof counts / sizeof *counts);
}

/* All bytes of the dump, split by what holds them. */
static void add_owners(struct facts *facts, const struct analysis *analysis)
{
	const struct anchors *anchors = analysis->anchors;
	const struct reach *reach = analysis->reach;
	enum strength end = has(analysis, HAS_DOMAINS) ? STRENGTHS : STRENGTH_WEAK;
	facts_open_group(facts, "owned_bytes");
	for (enum strength s = 0; s < end && reach->known; s++)
		facts_number(facts, strength_names[s],
		             node_strength_tree(analysis, s)->bytes[anchors_node(anchors,
		                                                                 anchors->strength[s])]);
	if (reach->known)
		facts_number(facts, "none", objects_bytes(analysis->heap->objects) - reach->bytes
		                            - reach->weak_bytes);
	facts_close_group(facts);
}

/* The executable that names come from, or why it is not used; and what is wrong with it. */
static void add_executable(struct facts *facts, const struct analysis *analysis)
{
	const struct names *names = analysis->names;
	facts_text(facts, "executable", names->exe ? names->path : NULL);
	facts_text(facts, "executable_refused", names->refused.len ? buf_text(&names->refused) : NULL);
	facts_text(facts, "executable_damage", analysis_executable_damage(analysis));
}

static void add_objects(struct facts *facts, const struct analysis *analysis)
{
	const struct heap *heap = analysis->heap;
	const struct count counts[] = {
		{"objects", heap_object_count(heap)},
		{"object_bytes", objects_bytes(heap->objects)},
		{"ghosts_dropped", heap->ghosts},
		{"pointers", heap->edge_count},
		{"dangling_pointers", heap->dangling_count},
	};
	add_numbers(facts, counts, sizeof counts / sizeof *counts);
	add_reach(facts, analysis->reach);
	add_weak(facts, analysis);
}

static void add_records(struct facts *facts, const struct heap *heap)
{
	const struct count record_counts[] = {
		{"types", heap->type_count},
		{"itabs", heap->itab_count},
		{"goroutines", heap->goroutine_count},
		{"frames", heap->frame_count},
		{"finalizers", heap->finalizer_count - heap->queued_finalizer_count},
		{"queued_finalizers", heap->queued_finalizer_count},
		{"defers", heap->defer_count},
		{"panics", heap->panic_count},
		{"threads", heap->thread_count},
		{"profiles", heap->profiles.count},
		{"samples", heap->profiles.sample_count},
	};
	add_numbers(facts, record_counts, sizeof record_counts / sizeof *record_counts);
}

/* CSV has no groups in groups: there the numbers have the name before theirs. */
static void add_typed_count(struct facts *facts, const char *name, struct typed_count count)
{
	struct buf text = {0};
	if (facts->csv) {
		buf_addf(&text, "%s_objects", name);
		facts_number(facts, buf_text(&text), count.objects);
		buf_clear(&text);
		buf_addf(&text, "%s_bytes", name);
		facts_number(facts, buf_text(&text), count.bytes);
	} else {
		json_key(&facts->json, name);
		json_open(&facts->json, '{');
		facts_number(facts, "objects", count.objects);
		facts_number(facts, "bytes", count.bytes);
		json_close(&facts->json, '}');
	}
	buf_free(&text);
}

/* Of the reachable objects. The split by certainty has no numbers of those without a type: they are
   split by what their labels go by. */
static void add_typed(struct facts *facts, const struct analysis *analysis)
{
	struct typed_totals totals = typed_totals(analysis);
	uint64_t objects = 0, bytes = 0;
	for (int known = KNOWN_NONE + 1; known < KNOWN_COUNT; known++) {
		objects += totals.known[known].objects;
		bytes += totals.known[known].bytes;
	}
	facts_number(facts, "typed_objects", objects);
	facts_number(facts, "typed_bytes", bytes);
	facts_open_group(facts, "typed");
	for (int known = KNOWN_COUNT - 1; known > KNOWN_NONE; known--)
		add_typed_count(facts, type_known_names[known], totals.known[known]);
	facts_close_group(facts);
	facts_open_group(facts, "labelled");
	for (int class = LABEL_NAME + 1; class < LABEL_CLASSES; class++)
		add_typed_count(facts, label_class_names[class], totals.labelled[class]);
	facts_close_group(facts);
}

static void add_roots(struct facts *facts, const struct heap *heap)
{
	const uint32_t *first = heap->root_kind_first;
	struct root_kinds kinds = heap_root_kinds(heap);
	facts_open_group(facts, "roots");
	for (int kind = kinds.first; kind < kinds.end; kind++)
		facts_number(facts, root_kind_names[kind], first[kind + 1] - first[kind]);
	facts_close_group(facts);
}

static void add_memstats(struct facts *facts, const struct memstats_record *stats)
{
	facts_open_group(facts, "memstats");
	if (stats->present) {
		for (size_t i = 0; i < sizeof memstats_names / sizeof *memstats_names; i++)
			facts_number(facts, memstats_names[i], stats->field[i]);
		facts_numbers(facts, "PauseNs", stats->pause_ns, MEMSTATS_PAUSES);
		facts_number(facts, "NumGC", stats->num_gc);
	}
	facts_close_group(facts);
}

/* CSV has them in the table warnings only. */
static void add_warnings(struct facts *facts, const struct heap *heap)
{
	facts_number(facts, "warnings_dropped", heap->warnings_dropped);
	if (facts->csv) {
		facts_number(facts, "warnings", heap->warning_count);
		return;
	}
	struct json *json = &facts->json;
	json_key(json, "warnings");
	json_open(json, '[');
	for (uint32_t i = 0; i < heap->warning_count; i++) {
		json_open(json, '{');
		json_key(json, "offset");
		if (heap->warnings[i].offset == ERR_NO_OFFSET)
			json_null(json);
		else
			json_number(json, heap->warnings[i].offset);
		json_key(json, "text");
		json_text(json, heap->warnings[i].text);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* What a trace holds that may have no heap in it. */
static void add_trace(struct facts *facts, const struct heap *heap)
{
	const struct count counts[] = {
		{"events", heap->trace.events},
		{"processes", heap->trace.processes},
		{"memory_dumps", heap->trace.dumps},
		{"heaps", heap->accounts->count},
	};
	add_numbers(facts, counts, sizeof counts / sizeof *counts);
}

static void add_state(struct facts *facts, const struct analysis *analysis)
{
	struct input_state state = input_state_of(analysis);
	facts_bool(facts, "whole", state.whole);
	facts_text(facts, "state", state.text.len ? buf_text(&state.text) : NULL);
	input_state_fini(&state);
}

static void print_facts(const struct analysis *analysis, enum output output, struct buf *out)
{
	struct facts facts;
	facts_begin(&facts, output, out);
	facts_text(&facts, "format", analysis->heap->format->name);
	if (has(analysis, HAS_RUNTIME)) {
		add_program(&facts, analysis->heap);
		add_executable(&facts, analysis);
	}
	facts_bool(&facts, "complete", analysis->heap->complete);
	add_state(&facts, analysis);
	if (has(analysis, HAS_DOMAINS))
		info_add_domains(&facts, analysis->heap);
	if (analysis->heap->accounts)
		add_trace(&facts, analysis->heap);
	if (has(analysis, HAS_OBJECTS)) {
		add_objects(&facts, analysis);
		add_owners(&facts, analysis);
	}
	if (has(analysis, HAS_RUNTIME))
		add_records(&facts, analysis->heap);
	if (has(analysis, HAS_OBJECTS))
		add_typed(&facts, analysis);
	if (has(analysis, HAS_RUNTIME)) {
		add_roots(&facts, analysis->heap);
		add_memstats(&facts, &analysis->heap->memstats);
	}
	add_warnings(&facts, analysis->heap);
	facts_end(&facts);
}

enum status run_info(const struct options *options)
{
	const char *exe = options->exe ? options->exe : options->operands[1];
	struct analysis *analysis = open_dump(options->operands[0], exe, STAGE_ALL);
	struct buf out = {0};
	if (!analysis)
		return STATUS_FAILED;
	if (options->output == OUTPUT_TEXT)
		info_report(analysis, &out);
	else
		print_facts(analysis, options->output, &out);
	return close_dump(analysis, options, output_end(&out, STATUS_ANSWERED));
}
