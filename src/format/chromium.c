/* Traces of Chromium with memory dumps (memory-infra). A dump of a process is one or more
   events of phase "v"; its heaps are in args.dumps, in one of three dialects:

     heaps      entries of {"size", "bt", "type", "count"} in hexadecimal text. From 2016 on
                they are cumulative; before, the first entry has no "bt", and those with one
                tell a stack's own bytes.
     heaps_v2   four parallel arrays of numbers, own bytes; names come piece by piece with
                each dump.

   Names of the first two are in events of phase "M", anywhere in the file. Nothing here keeps
   more of the file than names and entries. */
#include "format/chromium.h"
#include "format/events.h"
#include "format/plugins.h"

#include "base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 256, FORGET = 1 << 24 };

/* The event that is being read. */
struct reading {
	struct chromium *c;
	uint64_t offset;
	uint32_t process;
	uint64_t plain_numbers; /* sizes that are no text */
};

static void warn(struct chromium *c, uint64_t offset, const char *text)
{
	c->sink->warning(c->sink->self, offset, text);
}

/* ---- Values */

static uint32_t name_of(struct chromium *c, const char *text, size_t len)
{
	return accounts_name(c->accounts, (struct text){text, len});
}

/* An id, or any text: what is no text becomes one. 0: nothing. */
static uint32_t read_name(struct chromium *c, const json_t *value)
{
	char digits[32];
	if (json_is_string(value)) {
		const char *text = json_string_value(value);
		size_t len = json_string_length(value), skip = len > 1 && *text == EVENTS_NUMBER;
		return name_of(c, text + skip, len - skip);
	}
	if (!json_is_integer(value))
		return 0;
	int len = snprintf(digits, sizeof digits, "%" PRId64, (int64_t)json_integer_value(value));
	return name_of(c, digits, (size_t)len);
}

static bool parse(const char *text, size_t len, unsigned base, uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t value = 0;
	for (size_t i = 0; i < len; i++) {
		const char *digit = memchr(digits, tolower((unsigned char)text[i]), base);
		if (!digit || value > (UINT64_MAX - (uint64_t)(digit - digits)) / base)
			return false;
		value = value * base + (uint64_t)(digit - digits);
	}
	*number = value;
	return len > 0;
}

/* A number as JSON has it. */
static bool read_number(const json_t *value, uint64_t *number)
{
	double real = json_is_real(value) ? json_real_value(value) : -1;
	if (json_is_integer(value) && json_integer_value(value) >= 0)
		*number = (uint64_t)json_integer_value(value);
	else if (real >= 0 && real < 1.8e19)
		*number = (uint64_t)real;
	else if (json_is_string(value) && *json_string_value(value) == EVENTS_NUMBER)
		return parse(json_string_value(value) + 1, json_string_length(value) - 1, 10, number);
	else
		return false;
	return true;
}

/* Hexadecimal text; a plain number is taken as it is. */
static bool read_hex(struct reading *r, const json_t *value, uint64_t *number)
{
	if (read_number(value, number)) {
		r->plain_numbers++;
		return true;
	}
	return json_is_string(value) &&
	       parse(json_string_value(value), json_string_length(value), 16, number);
}

/* ---- Processes and names */

static bool find_process(struct chromium *c, const json_t *event, uint32_t *process)
{
	uint64_t pid, index;
	if (!read_number(json_object_get(event, "pid"), &pid))
		return false;
	if (!map_get(&c->processes, pid, &index)) {
		index = c->process_count;
		map_put(&c->processes, pid, index);
		c->process = mem_grow(c->process, c->process_count, &c->process_capacity,
		                      sizeof *c->process);
		c->process[c->process_count++] = (struct process){.pid = pid};
	}
	*process = (uint32_t)index;
	return true;
}

static void warn_repeated(struct reading *r, uint64_t count)
{
	struct buf text = {0};
	if (!count)
		return;
	buf_addf(&text, "%" PRIu64 " frames have ids that are taken: the first ones count", count);
	warn(r->c, r->offset, buf_text(&text));
	buf_free(&text);
}

static void read_frames(struct reading *r, const json_t *frames)
{
	const char *key;
	json_t *value;
	uint64_t repeated = 0;
	json_object_foreach((json_t *)(uintptr_t)frames, key, value) {
		uint32_t id = name_of(r->c, key, strlen(key));
		uint32_t name = read_name(r->c, json_object_get(value, "name"));
		uint32_t parent = read_name(r->c, json_object_get(value, "parent"));
		repeated += !chromium_define(r->c, r->process, ID_FRAME, id, name, parent);
	}
	warn_repeated(r, repeated);
}

static void read_types(struct reading *r, const json_t *types)
{
	const char *key;
	json_t *value;
	struct process *process = &r->c->process[r->process];
	if (process->has_types) {
		warn(r->c, r->offset, "A process names its types a second time: the first ones count");
		return;
	}
	process->has_types = json_is_object(types);
	json_object_foreach((json_t *)(uintptr_t)types, key, value)
		chromium_define(r->c, r->process, ID_TYPE, name_of(r->c, key, strlen(key)),
		                read_name(r->c, value), 0);
}

static void read_metadata(struct reading *r, const json_t *event)
{
	const json_t *args = json_object_get(event, "args");
	const char *name = json_string_value(json_object_get(event, "name"));
	if (!name || !find_process(r->c, event, &r->process))
		return;
	if (strcmp(name, "process_name") == 0)
		r->c->process[r->process].name = read_name(r->c, json_object_get(args, "name"));
	else if (strcmp(name, "stackFrames") == 0)
		read_frames(r, json_object_get(args, "stackFrames"));
	else if (strcmp(name, "typeNames") == 0)
		read_types(r, json_object_get(args, "typeNames"));
}

/* ---- Heaps */

static struct raw_heap *begin_heap(struct reading *r, const struct raw_heap *dump,
                                   const char *allocator)
{
	struct chromium *c = r->c;
	c->heap = mem_grow(c->heap, c->heap_count, &c->heap_capacity, sizeof *c->heap);
	struct raw_heap *heap = &c->heap[c->heap_count++];
	*heap = *dump;
	heap->allocator = name_of(c, allocator, strlen(allocator));
	heap->first = c->entry_count;
	return heap;
}

static void add_entry(struct chromium *c, struct raw_heap *heap, struct raw_entry entry)
{
	c->entry = mem_grow(c->entry, c->entry_count, &c->entry_capacity, sizeof *c->entry);
	c->entry[c->entry_count++] = entry;
	heap->count++;
}

static void tell_unused(struct reading *r, const char *allocator, uint64_t count, const char *what)
{
	struct buf text = {0};
	if (count) {
		buf_addf(&text, "%" PRIu64 " entries of ", count);
		text_add_visible(&text, allocator, strlen(allocator), 60);
		buf_addf(&text, " %s", what);
		warn(r->c, r->offset, buf_text(&text));
	}
	buf_free(&text);
}

/* One entry of the first dialects. False: it cannot be used. */
static bool read_entry(struct reading *r, const json_t *value, struct raw_heap *heap)
{
	struct raw_entry entry = {0};
	const json_t *bt = json_object_get(value, "bt"), *count = json_object_get(value, "count");
	const json_t *type = json_object_get(value, "type");
	if (!read_hex(r, json_object_get(value, "size"), &entry.size))
		return false;
	if (!bt && heap->dialect == DIALECT_CUMULATIVE)
		return false;
	entry.frame = read_name(r->c, bt);
	entry.type = read_name(r->c, type);
	if (count && !read_hex(r, count, &entry.count))
		return false;
	heap->counted = heap->counted && count;
	if (!bt && !type)
		heap->total = entry.size;
	else
		add_entry(r->c, heap, entry);
	return true;
}

static void read_heap(struct reading *r, const struct raw_heap *dump, const char *allocator,
                      const json_t *entries)
{
	struct raw_heap *heap = begin_heap(r, dump, allocator);
	uint64_t unused = 0;
	bool has_bt = json_object_get(json_array_get(entries, 0), "bt") != NULL;
	heap->dialect = has_bt ? DIALECT_CUMULATIVE : DIALECT_SELF;
	heap->counted = has_bt;
	for (size_t i = 0; i < json_array_size(entries); i++)
		unused += !read_entry(r, json_array_get(entries, i), heap);
	tell_unused(r, allocator, unused, "lack their size or stack: they are left out");
}

static void read_heaps(struct reading *r, const struct raw_heap *dump, const json_t *heaps)
{
	const char *allocator;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)heaps, allocator, value) {
		const json_t *entries = json_object_get(value, "entries");
		if (json_array_size(entries))
			read_heap(r, dump, allocator, entries);
	}
}

/* The names that are new in this dump. */
static void read_maps(struct reading *r, const json_t *maps)
{
	static const struct { const char *map, *name; enum id_kind kind; } kinds[] = {
		{"strings", "string", ID_STRING}, {"nodes", "name_sid", ID_NODE},
		{"types", "name_sid", ID_NODE_TYPE},
	};
	struct chromium *c = r->c;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		const json_t *map = json_object_get(maps, kinds[k].map);
		for (size_t i = 0; i < json_array_size(map); i++) {
			const json_t *value = json_array_get(map, i), *parent = json_object_get(value, "parent");
			bool top = json_is_integer(parent) && json_integer_value(parent) == 0;
			chromium_define(c, r->process, kinds[k].kind,
			                read_name(c, json_object_get(value, "id")),
			                read_name(c, json_object_get(value, kinds[k].name)),
			                top ? 0 : read_name(c, parent));
		}
	}
}

static void read_rows(struct reading *r, const struct raw_heap *dump, const char *allocator,
                      const json_t *rows)
{
	const json_t *sizes = json_object_get(rows, "sizes"), *counts = json_object_get(rows, "counts");
	const json_t *nodes = json_object_get(rows, "nodes"), *types = json_object_get(rows, "types");
	struct raw_heap *heap = begin_heap(r, dump, allocator);
	uint64_t unused = 0;
	heap->dialect = DIALECT_V2;
	heap->counted = counts != NULL;
	for (size_t i = 0; i < json_array_size(sizes); i++) {
		struct raw_entry entry = {0};
		entry.frame = read_name(r->c, json_array_get(nodes, i));
		entry.type = read_name(r->c, json_array_get(types, i));
		if (counts && !read_number(json_array_get(counts, i), &entry.count))
			heap->counted = false;
		if (read_number(json_array_get(sizes, i), &entry.size))
			add_entry(r->c, heap, entry);
		else
			unused++;
	}
	tell_unused(r, allocator, unused, "have no number for their size: they are left out");
}

static void read_v2(struct reading *r, const struct raw_heap *dump, const json_t *heaps)
{
	const char *allocator;
	json_t *value;
	uint64_t version = 0;
	if (!read_number(json_object_get(heaps, "version"), &version) || version != 1)
		warn(r->c, r->offset, "The heaps are not of version 1, but read as if they were");
	read_maps(r, json_object_get(heaps, "maps"));
	json_object_foreach(json_object_get(heaps, "allocators"), allocator, value)
		if (json_is_array(json_object_get(value, "sizes")))
			read_rows(r, dump, allocator, value);
}

/* Of several parts of a dump only one may have heaps. */
static bool take(struct reading *r, const struct raw_heap *dump)
{
	uint64_t key = (uint64_t)dump->dump << 32 | dump->process, ignored;
	if (map_get(&r->c->taken, key, &ignored)) {
		warn(r->c, r->offset, "A second event of this dump and process has heaps: the first counts");
		return false;
	}
	map_put(&r->c->taken, key, 1);
	return true;
}

static void read_dump(struct reading *r, const json_t *event)
{
	struct chromium *c = r->c;
	const json_t *id = json_object_get(event, "id");
	const json_t *dumps = json_object_get(json_object_get(event, "args"), "dumps");
	if (!id || !json_is_object(dumps) || !find_process(c, event, &r->process)) {
		warn(c, r->offset, "A memory dump lacks its id, its process or its contents: it is left out");
		return;
	}
	c->process[r->process].dumps++;
	const json_t *heaps = json_object_get(dumps, "heaps");
	const json_t *v2 = json_object_get(dumps, "heaps_v2");
	struct raw_heap dump = {.offset = r->offset, .process = r->process};
	dump.dump = read_name(c, id);
	dump.dump_kind = read_name(c, json_object_get(event, "name"));
	dump.has_time = read_number(json_object_get(event, "ts"), &dump.time);
	if ((!heaps && !v2) || !take(r, &dump))
		return;
	if (heaps)
		read_heaps(r, &dump, heaps);
	else
		read_v2(r, &dump, v2);
	if (r->plain_numbers)
		warn(c, r->offset, "Sizes are plain numbers in the stead of hexadecimal text: taken as they are");
}

static void warn_invalid(struct chromium *c, const struct event *event, const json_error_t *error)
{
	struct buf text = {0};
	buf_add(&text, "This event is no valid JSON, it is left out: ");
	text_add_visible(&text, error->text, strlen(error->text), 100);
	warn(c, event->offset, buf_text(&text));
	buf_free(&text);
}

/* Events of other phases are not even parsed. */
static void read_event(struct chromium *c, const struct event *event, struct buf *clean)
{
	struct reading r = {.c = c, .offset = event->offset};
	json_error_t error;
	if (event->phase != 'v' && event->phase != 'M')
		return;
	buf_clear(clean);
	events_clean(event->text, clean);
	json_t *json = json_loadb(buf_text(clean), clean->len, JSON_ALLOW_NUL, &error);
	if (!json)
		warn_invalid(c, event, &error);
	else if (event->phase == 'M')
		read_metadata(&r, json);
	else
		read_dump(&r, json);
	json_decref(json);
}

static void close(struct reader *reader)
{
	struct chromium *c = (struct chromium *)reader;
	accounts_free(c->accounts);
	map_free(&c->definitions);
	map_free(&c->processes);
	map_free(&c->taken);
	free(c->definition);
	free(c->entry);
	free(c->heap);
	free(c->process);
	free(c);
}

static void warn_frames(struct chromium *c, uint64_t count, const char *what)
{
	struct buf text = {0};
	buf_addf(&text, "%" PRIu64 " frames %s", count, what);
	if (count)
		warn(c, ERR_NO_OFFSET, buf_text(&text));
	buf_free(&text);
}

/* What names and entries were gathered in is no longer needed. */
static void finish(struct chromium *c, const struct events *events)
{
	chromium_resolve(c);
	warn_frames(c, c->orphans, "have a parent that the trace does not name: they stand at the root");
	warn_frames(c, c->loops, "are their own parents, in a circle");
	if (events->skipped)
		warn(c, ERR_NO_OFFSET, "Some elements of the array of events are no events");
	if (!events->complete)
		warn(c, events->size, "The trace ends too soon: what came after here is lost");
	else
		c->sink->end(c->sink->self, events->size);
	struct trace_record trace = {.events = c->events, .processes = c->process_count};
	for (size_t i = 0; i < c->process_count; i++)
		trace.dumps += c->process[i].dumps;
	c->sink->trace(c->sink->self, &trace);
	c->sink->accounts(c->sink->self, c->accounts);
}

static struct reader *read(const struct format *format, const struct input *input,
                           const struct sink *sink, struct progress *progress, struct err *err)
{
	(void)format;
	struct events events;
	struct event event;
	struct buf clean = {0};
	if (!events_begin(&events, input->data, input->size)) {
		err_set(err, "%s is JSON, but no trace: it has no array \"traceEvents\"", input->path);
		return NULL;
	}
	struct chromium *c = mem_alloc(sizeof *c);
	c->sink = sink;
	c->accounts = accounts_new();
	progress_begin(progress, "reading the trace", input->size);
	uint64_t forgotten = 0;
	while (events_next(&events, &event)) {
		read_event(c, &event, &clean);
		if (events.at - forgotten > FORGET) {
			input_forget(input, forgotten, events.at);
			forgotten = events.at;
		}
		if (++c->events % STEP == 0 && !progress_step(progress, events.at))
			break;
	}
	buf_free(&clean);
	finish(c, &events);
	c->sink = NULL;
	return (struct reader *)c;
}

static bool probe(const struct format *format, const uint8_t *data, size_t size)
{
	(void)format;
	return events_probe(data, size);
}

const struct format format_chromium = {
	.name = "chromium", .help = "Chromium trace with memory dumps", .noun = "Chromium trace",
	.has = HAS_BREAKDOWN, .probe = probe, .read = read, .close = close,
};
