#include "main/info.h"

#include "analysis/damage.h"
#include "base/text.h"
#include "table/breakdown_query.h"
#include "table/typed.h"
#include "ui/goroutine_states.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINES = 6,       /* of a list, at most */
	LEFT_WIDTH = 41, /* of an 80-column screen; the rest is the right block's */
	NAME_WIDTH = 27,
};

/* "name  12,345": a line of a block. */
static void add_count(struct buf *out, const char *name, uint64_t number)
{
	struct buf text = {0};
	text_add_count(&text, number);
	buf_addf(out, " %-*s%11s\n", NAME_WIDTH, name, buf_text(&text));
	buf_free(&text);
}

/* "name  12,345  1.5 MB  98.0%" */
static void info_report_add_share(struct buf *out, const char *name, uint64_t count, uint64_t bytes,
                                  uint64_t whole)
{
	struct buf number = {0}, size = {0}, share = {0};
	text_add_count(&number, count);
	text_add_size(&size, bytes);
	text_add_share(&share, bytes, whole);
	buf_addf(out, " %-10s %10s %9s %6s\n", name, buf_text(&number), buf_text(&size),
	         buf_text(&share));
	buf_free(&number);
	buf_free(&size);
	buf_free(&share);
}

/* Takes the first line off *text; empty at its end. */
static struct text next_line(const char **text)
{
	struct text line = {*text, strcspn(*text, "\n")};
	*text += line.len;
	*text += **text == '\n';
	return line;
}

/* Columns, not bytes, are what a line is filled up to. */
static size_t columns_of(struct text line)
{
	size_t columns = 0;
	for (size_t at = 0; at < line.len;) {
		uint32_t c;
		at += text_decode(line.data + at, line.len - at, &c);
		columns += (size_t)text_width(c);
	}
	return columns;
}

/* Two blocks of lines, after an empty line; frees both. */
static void add_blocks(struct buf *out, struct buf *left, struct buf *right)
{
	const char *a = buf_text(left), *b = buf_text(right);
	buf_add_char(out, '\n');
	while (*a || *b) {
		struct text first = next_line(&a), second = next_line(&b);
		buf_add_bytes(out, first.data, first.len);
		for (size_t i = columns_of(first); second.len && i < LEFT_WIDTH; i++)
			buf_add_char(out, ' ');
		buf_add_bytes(out, second.data, second.len);
		buf_add_char(out, '\n');
	}
	buf_free(left);
	buf_free(right);
}

static bool info_report_has(const struct heap *heap, enum format_part part)
{
	return heap->format->has & part;
}

static void info_report_add_program(const struct heap *heap, struct buf *out)
{
	if (heap->params.version.len)
		text_add_escaped(out, heap->params.version.data, heap->params.version.len, 60);
	else
		buf_add(out, "a Go from 1.7 to 1.16,");
	buf_add_char(out, ' ');
	text_add_escaped(out, heap->params.arch.data, heap->params.arch.len, 20);
	buf_addf(out, ", %u-bit %s-endian", 8U * heap->params.layout.pointer_size,
	         heap->params.layout.big_endian ? "big" : "little");
}

static void add_file(const struct heap *heap, struct buf *out)
{
	text_add_escaped(out, heap->input->path, strlen(heap->input->path), SIZE_MAX);
	buf_add(out, ": ");
	if (info_report_has(heap, HAS_RUNTIME))
		info_report_add_program(heap, out);
	else
		buf_addf(out, "%s", heap->format->noun);
	buf_add(out, ", ");
	buf_add(out, heap->complete ? "complete\n" : "CUT: the record that ends a dump is missing\n");
}

static void info_report_add_heap(const struct analysis *analysis, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct reach *reach = analysis_reach(analysis);
	uint64_t count = heap_object_count(heap), bytes = objects_bytes(heap->objects);
	buf_add(out, "Heap\n");
	info_report_add_share(out, "objects", count, bytes, bytes);
	if (reach->known) {
		info_report_add_share(out, "reachable", reach->objects, reach->bytes, bytes);
		if (reach->weak_objects)
			info_report_add_share(out, "weakly", reach->weak_objects, reach->weak_bytes, bytes);
		info_report_add_share(out, "no root", count - reach->objects - reach->weak_objects,
		                      bytes - reach->bytes - reach->weak_bytes, bytes);
	} else {
		buf_add(out, " what is alive cannot be told\n");
	}
	add_count(out, "pointers between objects", heap->edge_count);
	if (heap->dangling_count)
		add_count(out, "pointers to no object", heap->dangling_count);
	if (heap->ghosts)
		add_count(out, "ghost slots left out", heap->ghosts);
}

static void add_sizes(const struct analysis *analysis, struct buf *out)
{
	struct rows *rows = rows_open(table_find("sizes"), analysis, NULL, NULL);
	uint32_t *order = rows_sorted(rows, table_column(rows->table, rows->table->sort), true, NULL);
	buf_add(out, "Slot sizes that take most\n");
	for (size_t i = 0; i < rows->count && i < LINES; i++) {
		struct buf name = {0};
		text_add_count(&name, rows_number(rows, order[i], "size").number);
		info_report_add_share(out, buf_text(&name), rows_number(rows, order[i], "objects").number,
		                      rows_number(rows, order[i], "bytes").number,
		                      objects_bytes(analysis_heap(analysis)->objects));
		buf_free(&name);
	}
	free(order);
	rows_close(rows);
}

/* Of nothing there are no shares: the dump may end before its roots. */
static void add_typed_shares(const struct reach *reach, const struct typed_totals *totals,
                             struct buf *out)
{
	if (!reach->objects) {
		buf_add(out, " of all objects, as none is known to be reachable\n");
		return;
	}
	buf_add(out, " known of ");
	text_add_share(out, reach->objects - totals->known[KNOWN_NONE].objects, reach->objects);
	buf_add(out, " of the reachable objects, ");
	text_add_share(out, reach->bytes - totals->known[KNOWN_NONE].bytes, reach->bytes);
	buf_add(out, " of their bytes\n");
}

/* "Types: known of 99.8% of the reachable objects, 99.9% of their bytes", and the biggest types;
   where there is no type they are labels. */
static void info_report_add_types(const struct analysis *analysis, struct buf *out)
{
	if (!typed_any(analysis))
		return;
	struct typed_totals totals = typed_totals(analysis);
	struct rows *rows = rows_open(table_find("types"), analysis, NULL, NULL);
	uint32_t *order = rows_sorted(rows, table_column(rows->table, rows->table->sort), true, NULL);
	buf_add(out, "\nTypes:");
	add_typed_shares(analysis_reach(analysis), &totals, out);
	for (size_t i = 0; i < rows->count && i < LINES; i++) {
		struct buf size = {0}, count = {0};
		text_add_size(&size, rows_number(rows, order[i], "bytes").number);
		text_add_count(&count, rows_number(rows, order[i], "count").number);
		buf_addf(out, " %9s %11s  ", buf_text(&size), buf_text(&count));
		rows_text(rows, order[i], table_column(rows->table, "type"), out);
		buf_add_char(out, '\n');
		buf_free(&size);
		buf_free(&count);
	}
	free(order);
	rows_close(rows);
}

static void info_report_add_roots(const struct heap *heap, struct buf *out)
{
	const uint32_t *first = heap->root_kind_first;
	struct root_kinds kinds = heap_root_kinds(heap);
	buf_add(out, "Roots: pointers to objects\n");
	for (int kind = kinds.first; kind < kinds.end; kind++)
		if (first[kind + 1] > first[kind])
			add_count(out, root_kind_names[kind], first[kind + 1] - first[kind]);
}

static void info_report_add_goroutines(const struct analysis *analysis, struct buf *out)
{
	struct goroutine_states states;
	struct buf name = {0};
	goroutine_states_goroutines(&states, analysis_groups(analysis), analysis_heap(analysis));
	buf_add(out, "Goroutines: ");
	text_add_count(out, analysis_heap(analysis)->goroutine_count);
	buf_add(out, " with ");
	text_add_count(out, analysis_groups(analysis)->count);
	buf_add(out, " different stacks\n");
	for (size_t i = 0; i < states.count && i < LINES; i++) {
		buf_clear(&name);
		goroutine_states_name(&states.row[i], &name);
		add_count(out, buf_text(&name), states.row[i].count);
	}
	for (size_t i = LINES; i < states.count; i++)
		states.others += states.row[i].count;
	if (states.others)
		add_count(out, "others", states.others);
	buf_free(&name);
}

static void add_domains(const struct heap *heap, struct buf *out)
{
	struct buf name = {0};
	buf_addf(out, "App domains: %" PRIu32 "\n", heap->domain_count);
	for (size_t i = 0; i < heap->domain_count && i < LINES; i++) {
		const struct domain *domain = &heap->domains[i];
		buf_clear(&name);
		text_add_escaped(&name, domain->record.name.data, domain->record.name.len, NAME_WIDTH);
		add_count(out, buf_text(&name), domain->objects);
	}
	buf_free(&name);
}

/* A block of statistics; what they mean is in the table memstats. */
static void add_statistics(const struct memstats_record *stats, const char *head,
                           const char *const *names, struct buf *out)
{
	buf_addf(out, "%s\n", head);
	for (; *names; names++) {
		size_t i = 0;
		struct buf size = {0};
		while (strcmp(memstats_names[i], *names) != 0)
			i++;
		text_add_size(&size, stats->field[i]);
		buf_addf(out, " %-*s%11s\n", NAME_WIDTH, *names, buf_text(&size));
		buf_free(&size);
	}
}

static void add_memory(const struct memstats_record *stats, struct buf *out)
{
	static const char *const heap[] = {"HeapInuse", "HeapIdle", "HeapReleased", "NextGC", NULL};
	static const char *const all[] = {"Sys", "StackInuse", "GCSys", "OtherSys", NULL};
	struct buf left = {0}, right = {0}, head = {0};
	if (!stats->present)
		return;
	buf_addf(&head, "The runtime's account of its heap, GC %" PRIu64, stats->num_gc);
	add_statistics(stats, buf_text(&head), heap, &left);
	add_statistics(stats, "and of all its memory", all, &right);
	add_blocks(out, &left, &right);
	buf_free(&head);
}

static void info_report_add_warnings(const struct heap *heap, struct buf *out)
{
	uint64_t count = heap->warning_count + heap->warnings_dropped;
	if (!count && !damage_meaning(heap, 0))
		return;
	buf_add(out, "\nWarnings, and what they mean\n");
	for (uint32_t i = 0; i < heap->warning_count && i < LINES; i++) {
		buf_addf(out, " %s", heap->warnings[i].text);
		if (heap->warnings[i].offset != ERR_NO_OFFSET)
			buf_addf(out, " (at byte %" PRIu64 ")", heap->warnings[i].offset);
		buf_add_char(out, '\n');
	}
	if (count > LINES)
		buf_addf(out, " %" PRIu64 " more: goheapx list warnings\n", count - LINES);
	const char *meaning;
	for (size_t i = 0; (meaning = damage_meaning(heap, i)); i++)
		buf_addf(out, " %s\n", meaning);
}

/* What a trace holds, and the heaps in it. */
static void info_report_add_trace(const struct analysis *analysis, struct buf *out)
{
	const struct trace_record *trace = &analysis_heap(analysis)->trace;
	struct rows *rows = rows_open(table_find("heaps"), analysis, NULL, NULL);
	buf_add(out, "\nTrace: ");
	trace_add(trace, out);
	buf_add_char(out, '\n');
	if (!rows->count)
		buf_addf(out, "%s\n", buf_text(&rows->note));
	for (size_t i = 0; i < rows->count; i++) {
		static const char *const parts[] = {"process", "process_name", "dump", "allocator", "size"};
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
			buf_add(out, k ? "  " : " ");
			rows_text(rows, i, table_column(rows->table, parts[k]), out);
		}
		buf_add_char(out, '\n');
	}
	rows_close(rows);
}

static void info_report_add_objects(const struct analysis *analysis, struct buf *out)
{
	struct buf left = {0}, right = {0};
	info_report_add_heap(analysis, &left);
	add_sizes(analysis, &right);
	add_blocks(out, &left, &right);
	info_report_add_types(analysis, out);
	info_report_add_roots(analysis_heap(analysis), &left);
	if (info_report_has(analysis_heap(analysis), HAS_RUNTIME))
		info_report_add_goroutines(analysis, &right);
	if (info_report_has(analysis_heap(analysis), HAS_DOMAINS))
		add_domains(analysis_heap(analysis), &right);
	add_blocks(out, &left, &right);
}

void info_report(const struct analysis *analysis, struct buf *out)
{
	add_file(analysis_heap(analysis), out);
	if (!analysis_names(analysis)->useless) {
		names_explain(analysis_names(analysis), out);
		buf_add(out, ".\n");
		if (analysis_executable_damage(analysis))
			buf_addf(out, "%s.\n", analysis_executable_damage(analysis));
	}
	if (analysis_heap(analysis)->heap_profiles)
		info_report_add_trace(analysis, out);
	if (info_report_has(analysis_heap(analysis), HAS_OBJECTS))
		info_report_add_objects(analysis, out);
	add_memory(&analysis_heap(analysis)->memstats, out);
	info_report_add_warnings(analysis_heap(analysis), out);
}
