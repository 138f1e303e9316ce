#include "analysis/redact_input.h"

#include "go/types/redact.h"
#include "heap/heap.h"
#include "heap/stack_words.h"

#include <string.h>

/* Finds the types of the objects, if there is an executable. Returns false if cancelled. */
static bool redact_type(struct redact_source *s, struct progress *progress)
{
	const struct exe *exe = s->names->exe;
	if (!exe)
		return true;
	const struct typing_options options = {s->names->fit.bias, s->names->fit.data_bias, false};
	s->types = gotypes_new(exe_image(exe), exe_pclntab(exe)->module.address);
	gotypes_use_functions(s->types, exe_pclntab(exe));
	s->typing = typing_new(s->heap, s->types, options, progress);
	if (!s->typing)
		return false;
	s->locals = locals_new(s->types, s->names->fit.bias);
	s->statics = statics_new(s->typing, s->types, exe);
	return true;
}

static void redact_free(struct redact_source *s)
{
	statics_free(s->statics);
	locals_free(s->locals);
	typing_free(s->typing);
	if (s->types)
		gotypes_free(s->types);
	names_close(s->names);
}

/* A heap dump says that it is redacted by a record in front of its end. After damage nothing is
   sure: the output ends there. */
static void redact_end(const struct heap *heap, struct redaction *redaction)
{
	static const struct text name = {RECORD_REDACTED, sizeof RECORD_REDACTED - 1};
	const struct record_index *index = &heap->index;
	for (uint32_t i = 0; i < heap->warning_count; i++)
		if (!heap->warnings[i].harmless && heap->warnings[i].offset < redaction->end)
			redaction->end = heap->warnings[i].offset;
	bool ends = index->count && index->entry[index->count - 1].kind == RECORD_END;
	redaction->mark_at = ends ? index->entry[index->count - 1].offset : redaction->end;
	if (redaction->mark_at > redaction->end)
		redaction->mark_at = redaction->end;
	else if (ends)
		redaction->end = redaction->mark_at + 1; /* what follows the end record is no record */
	if (heap->params.redacted)
		return; /* it says so already */
	/* Every number of the record has one byte. */
	buf_add_char(&redaction->mark, (char)heap->format->otherroot);
	buf_add_char(&redaction->mark, (char)name.len);
	buf_add_bytes(&redaction->mark, name.data, name.len);
	buf_add_char(&redaction->mark, 0);
}

static bool redact_read(struct redact_source *s, struct heap *heap, const char *exe,
                        struct redaction *redaction, struct progress *progress, struct err *err)
{
	s->heap = heap;
	if (!heap_has(heap, PART_MEMORY | PART_GO))
		return err_set(err,
		               "A %s cannot be redacted: only heap dumps and core files of Go programs are",
		               heap->format->noun);
	s->names = names_open(heap, exe);
	heap_use_program(heap, s->names->exe, s->names->fit.bias);
	if (!heap_link(heap, progress, err) || !redact_type(s, progress)
	    || !redact_heap(s, redaction, progress))
		return err_set(err, "Cancelled while the file was redacted");
	if (heap->format->redact)
		heap->format->redact(heap->reader, redaction);
	else
		redact_end(heap, redaction);
	return true;
}

bool redact_input(struct input *input, const char *exe, struct redaction *redaction,
                  struct progress *progress, struct err *err)
{
	struct redact_source source = {0};
	redaction_init(redaction, input->data, input->size);
	input->redaction = redaction;
	struct heap *heap = heap_read(input, progress, err);
	bool done = heap && redact_read(&source, heap, exe, redaction, progress, err);
	redact_free(&source);
	if (heap)
		heap_free(heap);
	input->redaction = NULL;
	return done && input_redact(input, redaction, err);
}
