/* Operands that are several threads: a group, those that a function runs in. Part of
   table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "base/bits.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/entity_parts.h"
#include "table/naming/thread.h"

#include <string.h>

static const char operand_group[] = "group=";

/* A function as a text begins with it: `length` bytes, of the longest that a thread runs. */
struct operand_function {
	const char *text;
	size_t length;
};

/* Takes a printed function if it is longer than what was found. */
static void operand_threads_see(struct operand_function *found, const struct buf *name)
{
	const char *end = found->text + name->len;
	if (name->len > found->length && strncmp(found->text, buf_text(name), name->len) == 0
	    && (!*end || strchr(" \t,", *end)))
		found->length = name->len;
}

/* Returns true if a thread does its work in a function, or has it on its stack; with `found` of
   length 0: if that is any function that the text begins with, which it stores. */
static bool operand_threads_has(const struct analysis *analysis, uint32_t thread,
                                struct operand_function *found)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct thread *one = &heap->threads[thread];
	SCOPED_BUF name = {0};
	size_t wanted = found->length;
	found->length = 0;
	thread_add_function(analysis, one, &name);
	if (name.len) { /* behind a blank */
		memmove(name.data, name.data + 1, name.len--);
		operand_threads_see(found, &name);
	}
	for (uint32_t f = one->first_frame; f < one->first_frame + one->frames; f++) {
		struct text function = heap->frames[f].record.function;
		if (!function.len || *function.data != *found->text)
			continue;
		buf_clear(&name);
		entity_add_function(heap, f, &name);
		operand_threads_see(found, &name);
	}
	bool has = wanted ? found->length == wanted : found->length;
	found->length = wanted ? wanted : found->length;
	return has;
}

static uint32_t *operand_threads_of_group(const struct analysis *analysis, uint64_t group,
                                          size_t *count)
{
	const struct groups *groups = analysis_groups(analysis);
	if (group >= groups->count)
		return NULL;
	struct ids members = groups_members(groups, (uint32_t)group);
	size_t size = members.count * sizeof *members.id;
	*count = members.count;
	return memcpy(mem_alloc(size), members.id, size);
}

uint32_t *operand_threads(const struct analysis *analysis, const char *text, size_t *length,
                          size_t *count)
{
	const struct heap *heap = analysis_heap(analysis);
	uint32_t *threads = NULL;
	size_t capacity = 0;
	uint64_t group;
	const char *end;
	*count = 0;
	if (operand_read_number(text, operand_group, &group, &end)) {
		*length = (size_t)(end - text);
		return operand_threads_of_group(analysis, group, count);
	}
	struct operand_function found = {text, 0};
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		struct operand_function one = {text, 0};
		if (operand_threads_has(analysis, i, &one) && one.length > found.length)
			found = one;
	}
	for (uint32_t i = 0; found.length && i < heap->thread_count; i++)
		if (operand_threads_has(analysis, i, &found))
			MEM_PUSH(threads, *count, capacity, i);
	*length = found.length;
	if (!threads && heap->thread_count) {
		*length = text_trimmed(text, strlen(text));
		SCOPED_FREE char *wait = mem_strndup(text, *length);
		threads = operand_waits.threads(analysis, wait, count);
	}
	return threads;
}

bool operand_read_function(const struct analysis *analysis, const char *text, struct operand *o)
{
	size_t length, count;
	SCOPED_FREE uint32_t *threads = operand_threads(analysis, text, &length, &count);
	if (!threads)
		return false;
	if (text[length] == ',' && operand_groups.read(analysis, text, o))
		return true;
	if (count == 1) {
		*o = (struct operand){.kind = OPERAND_THREAD,
		                      .index = *threads,
		                      .root = UINT32_MAX,
		                      .start = text,
		                      .end = text + length};
		return true;
	}
	*o = (struct operand){.kind = OPERAND_ADDRESS,
	                      .address = analysis_heap(analysis)->threads[*threads].record.address,
	                      .root = UINT32_MAX,
	                      .start = text,
	                      .end = text + length,
	                      .set = OPERAND_OF_THREADS};
	return true;
}
