#include "table/breakdown/breakdown_query.h"

#include "analysis/analysis.h"
#include "base/text.h"
#include "heap/heap.h"
#include "heap/profile.h"
#include "table/naming/argument.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, USUAL = 5000 /* of a million: 0.5% */ };

bool breakdown_query_set_least(struct breakdown_query *query, const char *text, struct err *err)
{
	char *end;
	double percent = strtod(text, &end);
	query->has_least = true;
	query->relative = end > text && strcmp(end, "%") == 0 && percent >= 0 && percent <= 100;
	if (query->relative)
		query->least = (uint64_t)(percent * (MILLION / 100) + 0.5);
	else if (!text_parse_number(text, &query->least))
		return err_set(
			err, "\"%.40s\" is no cutoff: write bytes, as in 10k, or a share, as in 0.5%%", text);
	return true;
}

static bool breakdown_query_take_word(struct breakdown_query *query, const char *word,
                                      struct err *err)
{
	const struct {
		const char *name;
		struct buf *text;
	} settings[] = {
		{"process=", &query->process},
		{"dump=", &query->dump},
		{"allocator=", &query->allocator},
		{"compare=", &query->compare},
	};
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		size_t len = strlen(settings[i].name);
		if (strncmp(word, settings[i].name, len) != 0)
			continue;
		buf_clear(settings[i].text);
		buf_add(settings[i].text, word + len);
		return true;
	}
	if (strcmp(word, "bottom-up") == 0)
		return query->bottom_up = true;
	if (strncmp(word, "min=", 4) == 0)
		return breakdown_query_set_least(query, word + 4, err);
	return err_set(err,
	               "A breakdown is chosen by process=N, dump=ID, allocator=NAME, compare=ID, "
	               "min=BYTES, min=P%% or bottom-up, not \"%.40s\"",
	               word);
}

bool breakdown_query_parse(struct breakdown_query *query, const char *argument, struct err *err)
{
	*query = (struct breakdown_query){0};
	bool ok = true;
	SCOPED_BUF word = {0};
	while (ok && *(argument += strspn(argument, " "))) {
		size_t len = strcspn(argument, " ");
		buf_clear(&word);
		buf_add_bytes(&word, argument, len);
		ok = breakdown_query_take_word(query, buf_text(&word), err);
		argument += len;
	}
	return ok;
}

void breakdown_query_usual_least(struct breakdown_query *query)
{
	query->least = USUAL;
	query->relative = true;
}

void breakdown_query_next_least(struct breakdown_query *query)
{
	static const uint64_t usual[] = {0, 1000, USUAL, 10000, 50000};
	uint64_t present = query->has_least ? query->least : USUAL;
	size_t next = 0, count = sizeof usual / sizeof *usual;
	while (next < count && usual[next] <= present)
		next++;
	query->least = usual[next % count];
	query->has_least = query->relative = true;
}

void breakdown_query_add_least(const struct breakdown_query *query, struct buf *out)
{
	if (query->relative)
		buf_addf(out, "%g%%", (double)query->least * 100 / MILLION);
	else
		text_add_size(out, query->least);
}

static void breakdown_query_add_word(const char *name, const struct buf *value, struct buf *out)
{
	if (value->len)
		buf_addf(out, " %s=%s", name, buf_text(value));
}

void breakdown_query_add(const struct breakdown_query *query, struct buf *out)
{
	breakdown_query_add_word("process", &query->process, out);
	breakdown_query_add_word("dump", &query->dump, out);
	breakdown_query_add_word("allocator", &query->allocator, out);
	breakdown_query_add_word("compare", &query->compare, out);
	if (query->has_least && query->relative)
		buf_addf(out, " min=%g%%", (double)query->least * 100 / MILLION);
	else if (query->has_least)
		buf_addf(out, " min=%" PRIu64, query->least);
	buf_add(out, query->bottom_up ? " bottom-up" : "");
}

void breakdown_query_fini(struct breakdown_query *query)
{
	buf_free(&query->process);
	buf_free(&query->dump);
	buf_free(&query->allocator);
	buf_free(&query->compare);
}

void heap_profile_add_process(const struct heap_profile *heap_profile, struct buf *out)
{
	if (heap_profile->has_process)
		buf_addf(out, "%" PRIu64, heap_profile->process);
}

static bool is_name(const struct heap_profiles *heap_profiles, uint32_t name,
                    const struct buf *wanted)
{
	return !wanted->len || text_is(heap_profiles->name[name], buf_text(wanted));
}

static bool is_of(const struct breakdown_query *query, const struct heap_profiles *heap_profiles,
                  const struct heap_profile *heap_profile, const struct buf *dump)
{
	SCOPED_BUF process = {0};
	heap_profile_add_process(heap_profile, &process);
	bool same = !query->process.len || strcmp(buf_text(&process), buf_text(&query->process)) == 0;
	return same && is_name(heap_profiles, heap_profile->allocator, &query->allocator)
	       && is_name(heap_profiles, heap_profile->dump, dump);
}

/* Returns true if the query selects the heap profile. A query without dump= does not select the
   dump that it compares with. */
bool breakdown_query_has(const struct breakdown_query *query,
                         const struct heap_profiles *heap_profiles,
                         const struct heap_profile *heap_profile)
{
	bool is_base = query->compare.len && !query->dump.len
	               && text_is(heap_profiles->name[heap_profile->dump], buf_text(&query->compare));
	return !is_base && is_of(query, heap_profiles, heap_profile, &query->dump);
}

bool heap_profile_is_same_heap(const struct heap_profile *a, const struct heap_profile *b)
{
	return a->has_process == b->has_process && a->process == b->process
	       && a->allocator == b->allocator;
}

static void set_name(struct buf *out, struct text name)
{
	buf_clear(out);
	buf_add_bytes(out, name.data, name.len);
}

void breakdown_query_set_profile(struct breakdown_query *query,
                                 const struct heap_profiles *heap_profiles,
                                 const struct heap_profile *heap_profile)
{
	buf_clear(&query->process);
	heap_profile_add_process(heap_profile, &query->process);
	set_name(&query->dump, heap_profiles->name[heap_profile->dump]);
	set_name(&query->allocator, heap_profiles->name[heap_profile->allocator]);
}

const struct heap_profile *breakdown_query_base(const struct breakdown_query *query,
                                                const struct heap_profiles *heap_profiles,
                                                const struct heap_profile *heap_profile)
{
	for (size_t i = 0; i < heap_profiles->count && query->compare.len; i++) {
		const struct heap_profile *base = &heap_profiles->heap_profile[i];
		if (heap_profile_is_same_heap(base, heap_profile)
		    && text_is(heap_profiles->name[base->dump], buf_text(&query->compare)))
			return base;
	}
	return NULL;
}

uint64_t breakdown_query_least(const struct breakdown_query *query, uint64_t total)
{
	if (!query->relative)
		return query->least;
	return total / MILLION * query->least + total % MILLION * query->least / MILLION;
}

void trace_add(const struct trace_record *trace, struct buf *out)
{
	buf_addf(out, "%s, %s and %s", text_number_of(trace->events, "event", "events").text,
	         text_number_of(trace->dumps, "memory dump", "memory dumps").text,
	         text_number_of(trace->processes, "process", "processes").text);
}

const char *breakdown_query_no_profile(const struct heap *heap)
{
	return heap->complete && !heap->losses
	           ? ": the program ran without one, or was linked without runtime.MemProfile"
	           : "";
}

void breakdown_query_say_rate(struct rows *rows)
{
	SCOPED_BUF rate = {0};
	profile_rate_add(&analysis_heap(rows->analysis)->profiles, &rate);
	buf_addf(&rows->title, ", %s", buf_text(&rate));
	buf_addf(&rows->note, "The allocation profile is %s.", buf_text(&rate));
}

bool breakdown_query_none(const struct analysis *analysis, struct err *err)
{
	const struct heap *heap = analysis_heap(analysis);
	if (heap->heap_profiles && !heap->heap_profiles->count) {
		SCOPED_BUF text = {0};
		trace_add(&heap->trace, &text);
		err_set(err, "This is a valid trace, with no heap by call stack in it: it has %s%s",
		        buf_text(&text),
		        heap->heap_profiles->uses
		            ? "; the table breakdown by reports shows what allocators report"
		            : "");
	} else if (!heap->heap_profiles && !heap->profiles.count)
		err_set(err, "The dump has no allocation profile%s", breakdown_query_no_profile(heap));
	else
		err_set(err, "There is no such heap; the table breakdown by heap lists those there are");
	return argument_absent(heap, DAMAGE_PROFILE, err);
}

static void add_setting(const struct heap_profiles *heap_profiles, const char *name, uint32_t value,
                        struct buf *command)
{
	struct text text = heap_profiles->name[value];
	if (!text.len)
		return;
	buf_addf(command, " %s=", name);
	text_add_escaped(command, text.data, text.len, SIZE_MAX);
}

void heap_profile_link(const struct heap_profiles *heap_profiles,
                       const struct heap_profile *heap_profile, struct buf *command)
{
	buf_add(command, "breakdown");
	if (heap_profile->has_process)
		buf_add(command, " process=");
	heap_profile_add_process(heap_profile, command);
	add_setting(heap_profiles, "dump", heap_profile->dump, command);
	add_setting(heap_profiles, "allocator", heap_profile->allocator, command);
}
