/* Chromium traces with memory dumps (memory-infra). A memory dump of a process is one or more
   events of phase "v" with heaps in args.dumps (chromium_heaps.c). Names of the older dialects are
   in events of phase "M", anywhere in the file. Only names and entries stay in memory. */
#include "chromium/format/chromium_read.h"
#include "chromium/format/events.h"
#include "format/format.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 256, FORGET = 1 << 24 };

void chromium_warn(struct chromium *c, uint64_t offset, const char *text)
{
	c->sink->warning(c->sink->self, offset, text);
}

void chromium_odd(struct chromium *c, uint64_t offset, const char *text)
{
	c->sink->notice(c->sink->self, offset, text);
}

bool chromium_find_process(struct chromium *c, const json_t *event, uint32_t *process)
{
	uint64_t pid, index;
	if (!chromium_read_number(json_object_get(event, "pid"), &pid))
		return false;
	if (!map_get(&c->processes, pid, &index)) {
		index = c->process_count;
		map_put(&c->processes, pid, index);
		MEM_PUSH(c->process, c->process_count, c->process_capacity, (struct process){.pid = pid});
	}
	*process = (uint32_t)index;
	return true;
}

void chromium_warn_repeated(const struct reading *r, uint64_t count)
{
	SCOPED_BUF text = {0};
	text_add_number_of(&text, count, "name", "names");
	buf_add(&text, " under ids that are taken, left out");
	if (count)
		chromium_warn(r->c, r->offset, buf_text(&text));
}

static void read_frames(struct reading *r, const json_t *frames)
{
	const char *key;
	json_t *value;
	uint64_t repeated = 0;
	json_object_foreach ((json_t *)(uintptr_t)frames, key, value) {
		uint32_t id = chromium_name(r->c, key, strlen(key));
		uint32_t name = chromium_read_name(r->c, json_object_get(value, "name"));
		uint32_t parent = chromium_read_name(r->c, json_object_get(value, "parent"));
		repeated += !chromium_define(r->c, r->process, ID_FRAME, id, name, parent);
	}
	chromium_warn_repeated(r, repeated);
}

static void read_types(struct reading *r, const json_t *types)
{
	const char *key;
	json_t *value;
	struct process *process = &r->c->process[r->process];
	if (process->has_types) {
		chromium_warn(r->c, r->offset,
		              "A process names its types a second time: the first ones count");
		return;
	}
	process->has_types = json_is_object(types);
	json_object_foreach ((json_t *)(uintptr_t)types, key, value)
		chromium_define(r->c, r->process, ID_TYPE, chromium_name(r->c, key, strlen(key)),
		                chromium_read_name(r->c, value), 0);
}

static void read_metadata(struct reading *r, const json_t *event)
{
	const json_t *args = json_object_get(event, "args");
	const char *name = json_string_value(json_object_get(event, "name"));
	if (!name || !chromium_find_process(r->c, event, &r->process))
		return;
	if (strcmp(name, "process_name") == 0)
		r->c->process[r->process].name = chromium_read_name(r->c, json_object_get(args, "name"));
	else if (strcmp(name, "stackFrames") == 0)
		read_frames(r, json_object_get(args, "stackFrames"));
	else if (strcmp(name, "typeNames") == 0)
		read_types(r, json_object_get(args, "typeNames"));
}

static void warn_of(struct chromium *c, const struct event *event, const char *what,
                    const char *detail)
{
	SCOPED_BUF text = {0};
	buf_add(&text, what);
	text_add_escaped(&text, detail, strlen(detail), 100);
	chromium_warn(c, event->offset, buf_text(&text));
}

/* Parses an event. If an object has a key twice, the last value counts, as in other readers. */
static json_t *load(struct chromium *c, const struct event *event, const struct buf *clean)
{
	json_error_t error;
	const char *text = buf_text(clean);
	json_t *json = json_loadb(text, clean->len, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
	if (!json && json_error_code(&error) == json_error_duplicate_key) {
		warn_of(c, event, "An object has a key twice, the last one counts: ", error.text);
		json = json_loadb(text, clean->len, JSON_ALLOW_NUL, &error);
	}
	if (!json)
		warn_of(c, event, "This event is no valid JSON, it is left out: ", error.text);
	return json;
}

/* Reads an event. Events of other phases are not even parsed. */
static void read_event(struct chromium *c, const struct event *event, struct buf *clean)
{
	struct reading r = {.c = c, .offset = event->offset};
	if (!event->ended)
		chromium_warn(c, event->offset, "This event does not end: it is left out");
	else if (!event->phase)
		chromium_warn(c, event->offset, "This event says nothing of its phase: it is left out");
	if (!event->ended || (event->phase != 'v' && event->phase != 'M'))
		return;
	buf_clear(clean);
	if (events_clean(event->text, clean))
		chromium_odd(c, event->offset,
		             "Quotes within names are not escaped here: they are "
		             "taken as part of the names");
	json_t *json = load(c, event, clean);
	if (json && event->phase == 'M')
		read_metadata(&r, json);
	else if (json)
		chromium_read_dump(&r, json);
	json_decref(json);
}

static void chromium_close(struct reader *reader)
{
	struct chromium *c = (struct chromium *)reader;
	heap_profiles_free(c->heap_profiles);
	map_free(&c->definitions);
	map_free(&c->processes);
	map_free(&c->taken);
	free(c->definition);
	free(c->entry);
	free(c->heap);
	free(c->process);
	free(c);
}

/* Names the processes of what allocators report, and puts the reports in order. */
static void chromium_settle_reports(struct chromium *c)
{
	SCOPED_BUF text = {0};
	for (size_t i = 0; i < c->heap_profiles->uses; i++) {
		struct allocator_use *use = &c->heap_profiles->use[i];
		const struct process *process = &c->process[use->process];
		use->process_name = process->name;
		use->process = process->pid;
	}
	uint64_t count = heap_profiles_settle_uses(c->heap_profiles);
	text_add_number_of(&text, count, "report of an allocator is", "reports of allocators are");
	buf_add(&text, " there twice for one memory dump and process: the first counts");
	if (count)
		chromium_warn(c, ERR_NO_OFFSET, buf_text(&text));
}

static void warn_frames(struct chromium *c, uint64_t count, const char *what)
{
	SCOPED_BUF text = {0};
	buf_addf(&text, "%s %s", text_number_of(count, "frame", "frames").text, what);
	if (count)
		chromium_warn(c, ERR_NO_OFFSET, buf_text(&text));
}

/* Resolves names and passes the results to the sink. */
static void chromium_finish(struct chromium *c, const struct events *events)
{
	chromium_resolve(c);
	chromium_settle_reports(c);
	warn_frames(c, c->orphans, "with a parent that the trace does not name, put at the root");
	warn_frames(c, c->loops, "that lead to themselves, in a circle of parents");
	if (events->skipped)
		chromium_warn(c, ERR_NO_OFFSET, "Some elements of the array of events are no events");
	if (!events->complete)
		chromium_warn(c, events->size, "The trace ends too soon: what came after here is lost");
	else
		c->sink->end(c->sink->self, events->size);
	struct trace_record trace = {.events = c->events, .processes = c->process_count};
	for (size_t i = 0; i < c->process_count; i++)
		trace.dumps += c->process[i].dumps;
	c->sink->trace(c->sink->self, &trace);
	c->sink->heap_profiles(c->sink->self, c->heap_profiles);
}

static struct reader *chromium_do_read(const struct format *format, const struct input *input,
                                       const struct sink *sink, struct progress *progress,
                                       struct err *err)
{
	(void)format;
	struct events events;
	struct event event;
	SCOPED_BUF clean = {0};
	if (!events_begin(&events, input->data, input->size)) {
		err_set(err, "The file is JSON, but no trace: it has no array \"traceEvents\"");
		return NULL;
	}
	struct chromium *c = mem_alloc(sizeof *c);
	c->sink = sink;
	c->heap_profiles = heap_profiles_new();
	/* running out of memory must not look like invalid JSON */
	json_set_alloc_funcs(mem_alloc, free);
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
	chromium_finish(c, &events);
	c->sink = NULL;
	return (struct reader *)c;
}

static bool chromium_probe(const struct format *format, const uint8_t *data, size_t size)
{
	(void)format;
	return events_probe(data, size);
}

static const struct runtime chromium_runtime = {.parts = PART_BREAKDOWN | PART_ALLOCATORS};

DEFINE_PLUGIN(formats, struct format, format_chromium) = {
	.rank = 90,
	.name = "chromium",
	.help = "Chromium trace with memory dumps",
	.noun = "Chromium trace",
	.runtime = &chromium_runtime,
	.probe = chromium_probe,
	.read = chromium_do_read,
	.close = chromium_close,
};
