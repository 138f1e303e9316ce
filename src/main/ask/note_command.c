/* goheapx note and verdict: they write down what is found out about an object or a path, as the
   commands of the explorer do. */
#include "analysis/analysis.h"
#include "main/commands.h"
#include "main/print/output.h"
#include "table/naming/argument.h"
#include "table/notes/notes.h"

#include <inttypes.h>
#include <string.h>

/* Stores the subject that an operand names: an object by its address, or else a path by its words.
   False: *err, the dump has no such object. */
static bool note_command_subject(const struct analysis *analysis, const char *on,
                                 enum note_kind *kind, struct buf *name, struct err *err)
{
	uint32_t object;
	if (!argument_object(analysis, on, &object, err))
		return false;
	*kind = strncmp(on, "0x", 2) == 0 && !strpbrk(on, ".[") ? NOTE_OBJECT : NOTE_PATH;
	if (*kind == NOTE_OBJECT)
		buf_addf(name, "0x%" PRIx64, heap_address(analysis_heap(analysis), object));
	else
		buf_add(name, on);
	return true;
}

static void note_command_add(const struct analysis *analysis, enum note_kind kind, const char *name,
                             struct buf *out)
{
	struct notes notes = {0};
	notes_load(&notes, analysis);
	const struct note *note = notes_find(&notes, kind, name);
	buf_addf(out, "%s ", note_kinds[kind]);
	buf_add(out, note ? note->subject : name);
	buf_add(out, ": ");
	if (note)
		note_add(note, out);
	else
		buf_add(out, "there is no note");
	buf_add_char(out, '\n');
	notes_fini(&notes);
}

/* Writes a verdict with its reason, or with VERDICTS a note. */
static enum status note_command_write(const struct options *options, enum note_verdict verdict,
                                      const char *text)
{
	const char *on = options->operands[1];
	enum note_kind kind;
	struct buf name = {0}, out = {0};
	struct err err = {0};
	struct analysis *analysis =
		open_dump(&(struct opening){.options = options,
	                                .dump = options->operands[0],
	                                .stages = STAGE_NAMED | STAGE_TYPED | argument_needs(on)});
	if (!analysis)
		return STATUS_FAILED;
	bool done = note_command_subject(analysis, on, &kind, &name, &err)
	            && notes_write(analysis, kind, buf_text(&name), verdict, text, &err);
	if (done)
		note_command_add(analysis, kind, buf_text(&name), &out);
	enum status status = done ? output_end(&out, STATUS_ANSWERED) : complain(NULL, &err);
	buf_free(&name);
	return close_dump(analysis, options, status);
}

enum status run_note(const struct options *options)
{
	return note_command_write(options, VERDICTS, options->operands[2]);
}

enum status run_verdict(const struct options *options)
{
	const char *word = options->operands[2], *why = options->operands[3];
	struct err err = {0};
	enum note_verdict verdict = VERDICT_NONE;
	while (verdict < VERDICTS && strcmp(note_verdicts[verdict], word) != 0)
		verdict++;
	if (strcmp(word, "none") == 0)
		verdict = VERDICT_NONE;
	else if (!*word || verdict == VERDICTS) {
		err_set(&err, "A verdict is leak, expected, open or none, not \"%.60s\"", word);
		return complain(NULL, &err);
	}
	return note_command_write(options, verdict, why ? why : "");
}
