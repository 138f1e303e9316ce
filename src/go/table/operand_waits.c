/* Threads by what is printed of their waits: "sync.Mutex main.mu 0x5f3a20, locked, 3 wait", "timer
   in 60 min", "select", as operands. */
#include "go/table/waits.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/string_set.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/operand_parts.h"
#include "table/naming/thread.h"

#include <stdlib.h>
#include <string.h>

/* 1 + the numbers of texts, 0: none, by thread and by group. */
struct wait_texts {
	struct string_set texts;
	uint32_t *of_thread, *of_group;
};

static void wait_texts_free(void *made)
{
	struct wait_texts *self = made;
	string_set_free(&self->texts);
	free(self->of_thread);
	free(self->of_group);
	free(self);
}

static uint32_t wait_texts_number(struct wait_texts *self, const struct buf *text)
{
	return text->len ? string_set_number(&self->texts, text->data, NULL) + 1 : 0;
}

static void *wait_texts_make(const struct analysis *analysis, enum retain retain,
                             struct progress *progress)
{
	const struct groups *groups = analysis_groups(analysis);
	uint32_t threads = analysis_heap(analysis)->thread_count;
	struct wait_texts *self = mem_alloc(sizeof *self);
	SCOPED_BUF text = {0};
	(void)retain, (void)progress;
	*self = (struct wait_texts){.of_thread = mem_alloc((threads + 1ULL) * sizeof(uint32_t)),
	                            .of_group = mem_alloc((groups->count + 1ULL) * sizeof(uint32_t))};
	for (uint32_t i = 0; i < threads; i++) {
		buf_clear(&text);
		waits_add(analysis, i, &text);
		self->of_thread[i] = wait_texts_number(self, &text);
	}
	for (uint32_t i = 0; i < groups->count; i++) {
		buf_clear(&text);
		waits_add_common(analysis, groups_members(groups, i), &text);
		self->of_group[i] = wait_texts_number(self, &text);
	}
	return self;
}

/* Not registered: few ask for it. */
static const struct kept_kind wait_texts_kept = {
	.needs = STAGE_TYPED | STAGE_REACHED | STAGE_LINKED,
	.make = wait_texts_make,
	.free = wait_texts_free,
};

static bool operand_waits_has_reason(const struct analysis *analysis, uint32_t thread,
                                     const char *text, struct buf *reason)
{
	buf_clear(reason);
	thread_add_reason(analysis, &analysis_heap(analysis)->threads[thread], reason);
	return strcmp(buf_text(reason), text) == 0;
}

static uint32_t *operand_waits_threads(const struct analysis *analysis, const char *text,
                                       size_t *count)
{
	const struct groups *groups = analysis_groups(analysis);
	const struct wait_texts *known = NULL;
	SCOPED_BUF reason = {0};
	uint32_t *threads = NULL;
	size_t capacity = 0;
	/* A description has blanks: for other texts none is computed. */
	if (strchr(text, ' ') && analysis_has(analysis, wait_texts_kept.needs))
		known = analysis_kept(analysis, &wait_texts_kept, RETAIN_ALIVE, NULL);
	uint32_t found = known ? string_set_find(&known->texts, text) : 0;
	*count = 0;
	for (uint32_t i = 0; i < analysis_heap(analysis)->thread_count; i++) {
		uint32_t group = found ? groups->of[i] : UINT32_MAX;
		bool waits = found
		             && (known->of_thread[i] == found
		                 || (group < groups->count && known->of_group[group] == found));
		if (waits || (!found && operand_waits_has_reason(analysis, i, text, &reason)))
			MEM_PUSH(threads, *count, capacity, i);
	}
	return threads;
}

const struct operand_waits operand_waits = {operand_waits_threads};
