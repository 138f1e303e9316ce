#include "analysis/input_state.h"

#include "base/text.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <string.h>

static void add_changed(const struct input *input, const char *what, struct buf *out)
{
	if (input && input_changed(input))
		buf_addf(out,
		         "%sThe %s was written to after it was opened: results may mix its old and new "
		         "contents",
		         out->len ? ". " : "", what);
}

bool input_state_changed(const struct analysis *analysis, struct buf *out)
{
	const struct names *names = analysis_names(analysis);
	size_t before = out->len;
	add_changed(analysis_input(analysis), "file", out);
	if (names && names->exe) {
		add_changed(exe_input(names->exe), "executable", out);
		add_changed(exe_debug_input(names->exe), "debug file", out);
		const struct exe *part = exe_part(names->exe, 0);
		for (size_t i = 0; part; part = exe_part(names->exe, ++i))
			add_changed(exe_input(part), "file of a plugin", out);
	}
	return out->len > before;
}

/* The functions that append a message, or nothing if there is no problem. */
static void tell_changed(const struct analysis *analysis, struct buf *out)
{
	input_state_changed(analysis, out);
}

static void tell_cut(const struct analysis *analysis, struct buf *out)
{
	if (!analysis_heap(analysis)->complete)
		buf_addf(out,
		         "The file is truncated at byte %s: the record that ends it is missing, and what "
		         "stood before that",
		         text_count(analysis_input(analysis)->size).text);
}

static void tell_archive(const struct analysis *analysis, struct buf *out)
{
	const char *damage = analysis_input(analysis)->damage;
	if (damage)
		text_add_escaped(out, damage, strlen(damage), SIZE_MAX);
}

/* Truncation and archive damage have messages of their own above, but count as losses, too. */
static void tell_losses(const struct analysis *analysis, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	uint64_t told = (uint64_t)!heap->complete + (analysis_input(analysis)->damage != NULL);
	if (heap->losses <= told)
		return;
	text_add_number_of(out, heap->losses - told, told ? "more thing is" : "thing is",
	                   told ? "more things are" : "things are");
	buf_add(out, " wrong with the file, and results may be incomplete");
}

static void tell_executable(const struct analysis *analysis, struct buf *out)
{
	const char *damage = analysis_executable_damage(analysis);
	if (damage)
		buf_add(out, damage);
}

static void tell_unread(const struct analysis *analysis, struct buf *out)
{
	const char *unread = heap_unread(analysis_heap(analysis));
	buf_add(out, unread ? unread : "");
}

static void tell_oddities(const struct analysis *analysis, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	uint64_t odd = heap->warning_count + heap->warnings_dropped - heap->losses;
	odd -= heap_unread(heap) != NULL; /* told above */
	if (!odd)
		return;
	text_add_number_of(out, odd, "thing is", "things are");
	buf_add(out, " unusual in the file; nothing is lost");
}

static void tell_redacted_file(const struct analysis *analysis, struct buf *out)
{
	if (analysis_heap(analysis)->params.redacted)
		buf_add(
			out,
			"It is redacted: texts, keys and numbers of the program are zero, whatever they were");
}

static const struct {
	const char *mark; /* NULL: none */
	enum { PART_LOSS, PART_ODD, PART_AS_MEANT } kind;
	void (*tell)(const struct analysis *analysis, struct buf *out);
} parts[] = {
	{"changed", PART_LOSS, tell_changed},
	{"damaged", PART_LOSS, tell_archive},
	{"cut", PART_LOSS, tell_cut},
	{"damaged", PART_LOSS, tell_losses},
	{"damaged", PART_LOSS, tell_executable},
	{"one runtime of several", PART_ODD, tell_unread},
	{NULL, PART_ODD, tell_oddities},
	{"redacted", PART_AS_MEANT, tell_redacted_file},
};

struct input_state input_state_of(const struct analysis *analysis)
{
	struct input_state state = {.whole = true, .clean = true};
	SCOPED_BUF part = {0};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		buf_clear(&part);
		parts[i].tell(analysis, &part);
		if (!part.len)
			continue;
		buf_addf(&state.text, "%s%s", state.text.len ? ". " : "", buf_text(&part));
		if (!state.mark)
			state.mark = parts[i].mark;
		state.whole &= parts[i].kind != PART_LOSS;
		state.clean &= parts[i].kind == PART_AS_MEANT;
	}
	if (analysis_heap(analysis)->warning_count)
		buf_add(&state.text, "; goheapx list warnings shows details");
	return state;
}

void input_state_fini(struct input_state *state)
{
	buf_free(&state->text);
}

bool input_is_whole(const struct analysis *analysis)
{
	struct input_state state = input_state_of(analysis);
	input_state_fini(&state);
	return state.whole;
}
