/* goheapx info: what is in the dump. The report for people is in info_report.c. */
#include "main/info.h"

#include "analysis/input_state.h"
#include "base/text.h"
#include "main/commands.h"
#include "main/key_values.h"
#include "main/output.h"
#include "table/node.h"
#include "table/typed.h"

static void add_dump_text(struct key_values *values, const char *name, struct text text)
{
	struct buf visible = {0};
	text_add_escaped(&visible, text.data, text.len, SIZE_MAX);
	key_values_text(values, name, buf_text(&visible));
	buf_free(&visible);
}

static bool info_has(const struct analysis *analysis, enum format_part part)
{
	return analysis_heap(analysis)->format->has & part;
}

static void info_add_program(struct key_values *values, const struct heap *heap)
{
	add_dump_text(values, "go_version", heap->params.version);
	add_dump_text(values, "arch", heap->params.arch);
	key_values_number(values, "pointer_size", heap->params.layout.pointer_size);
	key_values_bool(values, "big_endian", heap->params.layout.big_endian);
}

struct count {
	const char *name;
	uint64_t number;
};

static void add_numbers(struct key_values *values, const struct count *counts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		key_values_number(values, counts[i].name, counts[i].number);
}

/* Nothing can be told without roots. */
static void info_add_reach(struct key_values *values, const struct reach *reach)
{
	const struct count counts[] = {
		{"reachable_objects", reach->objects},
		{"reachable_bytes", reach->bytes},
	};
	if (reach->known)
		add_numbers(values, counts, sizeof counts / sizeof *counts);
	for (size_t i = 0; !reach->known && i < sizeof counts / sizeof *counts; i++)
		key_values_null(values, counts[i].name);
}

/* Only logs have weak roots. */
static void info_add_weak(struct key_values *values, const struct analysis *analysis)
{
	const struct count counts[] = {
		{"weakly_reachable_objects", analysis_reach(analysis)->weak_objects},
		{"weakly_reachable_bytes", analysis_reach(analysis)->weak_bytes},
	};
	if (info_has(analysis, HAS_DOMAINS))
		add_numbers(values, counts, sizeof counts / sizeof *counts);
}

/* All bytes of the dump, split by what holds them. */
static void info_add_owners(struct key_values *values, const struct analysis *analysis)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	const struct reach *reach = analysis_reach(analysis);
	enum root_class end = info_has(analysis, HAS_DOMAINS) ? ROOT_CLASSES : ROOT_CLASS_WEAK;
	key_values_open_group(values, "owned_bytes");
	for (enum root_class s = 0; s < end && reach->known; s++)
		key_values_number(values, root_class_names[s],
		                  node_root_class_tree(analysis, s)
		                      ->bytes[root_nodes_node(root_nodes, root_nodes->root_class[s])]);
	if (reach->known)
		key_values_number(values, "none",
		                  objects_bytes(analysis_heap(analysis)->objects) - reach->bytes
		                      - reach->weak_bytes);
	key_values_close_group(values);
}

/* The executable that names come from, or why it is not used; and what is wrong with it. */
static void add_executable(struct key_values *values, const struct analysis *analysis)
{
	const struct names *names = analysis_names(analysis);
	key_values_text(values, "executable", names->exe ? names->path : NULL);
	key_values_text(values, "executable_refused",
	                names->refused.len ? buf_text(&names->refused) : NULL);
	key_values_text(values, "executable_damage", analysis_executable_damage(analysis));
}

static void info_add_objects(struct key_values *values, const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct count counts[] = {
		{"objects", heap_object_count(heap)},
		{"object_bytes", objects_bytes(heap->objects)},
		{"ghosts_dropped", heap->ghosts},
		{"pointers", heap->edge_count},
		{"dangling_pointers", heap->dangling_count},
	};
	add_numbers(values, counts, sizeof counts / sizeof *counts);
	info_add_reach(values, analysis_reach(analysis));
	info_add_weak(values, analysis);
}

static void info_add_records(struct key_values *values, const struct heap *heap)
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
	add_numbers(values, record_counts, sizeof record_counts / sizeof *record_counts);
}

/* CSV has no groups in groups: there the numbers have the name before theirs. */
static void add_typed_count(struct key_values *values, const char *name, struct typed_count count)
{
	struct buf text = {0};
	if (values->csv) {
		buf_addf(&text, "%s_objects", name);
		key_values_number(values, buf_text(&text), count.objects);
		buf_clear(&text);
		buf_addf(&text, "%s_bytes", name);
		key_values_number(values, buf_text(&text), count.bytes);
	} else {
		json_key(&values->json, name);
		json_open(&values->json, '{');
		key_values_number(values, "objects", count.objects);
		key_values_number(values, "bytes", count.bytes);
		json_close(&values->json, '}');
	}
	buf_free(&text);
}

/* Of the reachable objects. The split by certainty has no numbers of those without a type: they are
   split by what their labels go by. */
static void info_add_typed(struct key_values *values, const struct analysis *analysis)
{
	struct typed_totals totals = typed_totals(analysis);
	uint64_t objects = 0, bytes = 0;
	for (int known = KNOWN_NONE + 1; known < KNOWN_COUNT; known++) {
		objects += totals.known[known].objects;
		bytes += totals.known[known].bytes;
	}
	key_values_number(values, "typed_objects", objects);
	key_values_number(values, "typed_bytes", bytes);
	key_values_open_group(values, "typed");
	for (int known = KNOWN_COUNT - 1; known > KNOWN_NONE; known--)
		add_typed_count(values, type_known_names[known], totals.known[known]);
	key_values_close_group(values);
	key_values_open_group(values, "labelled");
	for (int class = LABEL_NAME + 1; class < LABEL_CLASSES; class ++)
		add_typed_count(values, label_class_names[class], totals.labelled[class]);
	key_values_close_group(values);
}

static void info_add_roots(struct key_values *values, const struct heap *heap)
{
	const uint32_t *first = heap->root_kind_first;
	struct root_kinds kinds = heap_root_kinds(heap);
	key_values_open_group(values, "roots");
	for (int kind = kinds.first; kind < kinds.end; kind++)
		key_values_number(values, root_kind_names[kind], first[kind + 1] - first[kind]);
	key_values_close_group(values);
}

static void info_add_memstats(struct key_values *values, const struct memstats_record *stats)
{
	key_values_open_group(values, "memstats");
	if (stats->present) {
		for (size_t i = 0; i < sizeof memstats_names / sizeof *memstats_names; i++)
			key_values_number(values, memstats_names[i], stats->field[i]);
		key_values_numbers(values, "PauseNs", stats->pause_ns, MEMSTATS_PAUSES);
		key_values_number(values, "NumGC", stats->num_gc);
	}
	key_values_close_group(values);
}

/* CSV has them in the table warnings only. */
static void info_add_warnings(struct key_values *values, const struct heap *heap)
{
	key_values_number(values, "warnings_dropped", heap->warnings_dropped);
	if (values->csv) {
		key_values_number(values, "warnings", heap->warning_count);
		return;
	}
	struct json *json = &values->json;
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
static void info_add_trace(struct key_values *values, const struct heap *heap)
{
	const struct count counts[] = {
		{"events", heap->trace.events},
		{"processes", heap->trace.processes},
		{"memory_dumps", heap->trace.dumps},
		{"heaps", heap->heap_profiles->count},
	};
	add_numbers(values, counts, sizeof counts / sizeof *counts);
}

static void info_add_state(struct key_values *values, const struct analysis *analysis)
{
	struct input_state state = input_state_of(analysis);
	key_values_bool(values, "whole", state.whole);
	key_values_text(values, "state", state.text.len ? buf_text(&state.text) : NULL);
	input_state_fini(&state);
}

static void print_facts(const struct analysis *analysis, enum output output, struct buf *out)
{
	struct key_values values;
	key_values_begin(&values, output, out);
	key_values_text(&values, "format", analysis_heap(analysis)->format->name);
	if (info_has(analysis, HAS_RUNTIME)) {
		info_add_program(&values, analysis_heap(analysis));
		add_executable(&values, analysis);
	}
	key_values_bool(&values, "complete", analysis_heap(analysis)->complete);
	info_add_state(&values, analysis);
	if (info_has(analysis, HAS_DOMAINS))
		info_add_domains(&values, analysis_heap(analysis));
	if (analysis_heap(analysis)->heap_profiles)
		info_add_trace(&values, analysis_heap(analysis));
	if (info_has(analysis, HAS_OBJECTS)) {
		info_add_objects(&values, analysis);
		info_add_owners(&values, analysis);
	}
	if (info_has(analysis, HAS_RUNTIME))
		info_add_records(&values, analysis_heap(analysis));
	if (info_has(analysis, HAS_OBJECTS))
		info_add_typed(&values, analysis);
	if (info_has(analysis, HAS_RUNTIME)) {
		info_add_roots(&values, analysis_heap(analysis));
		info_add_memstats(&values, &analysis_heap(analysis)->memstats);
	}
	info_add_warnings(&values, analysis_heap(analysis));
	key_values_end(&values);
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
