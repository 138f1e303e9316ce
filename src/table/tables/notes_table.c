/* The table of notes and verdicts of the user. */
#include "table/cell.h"

#include "base/mem.h"
#include "heap/heap.h"
#include "table/notes/notes.h"

#include <string.h>

static void notes_table_fill(struct rows *rows)
{
	struct notes *notes = rows->data = mem_alloc(sizeof *notes);
	notes_load(notes, rows->analysis);
	rows->count = notes->count;
	buf_add(&rows->title, "notes and verdicts");
	buf_add(&rows->note, buf_text(&notes->told));
	if (!rows->count && !rows->note.len)
		buf_add(&rows->note, "There are no notes; :note TEXT and :verdict leak WHY write them.");
}

static void notes_table_close(struct rows *rows)
{
	notes_fini(rows->data);
}

static const struct note *notes_table_note(const struct rows *rows, size_t row)
{
	return &((const struct notes *)rows->data)->note[row];
}

static void notes_table_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, note_kinds[notes_table_note(rows, row)->kind]);
}

/* Of a redacted dump keys are none of the reader's, though a person has noted a path with them. */
static void notes_table_subject_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct note *note = notes_table_note(rows, row);
	struct buf *text = cell_begin(value);
	bool hidden = note->kind == NOTE_PATH && analysis_heap(rows->analysis)->params.redacted;
	const char *key = hidden ? strchr(note->subject, '[') : NULL;
	if (!key) {
		buf_add(text, note->subject);
		return;
	}
	buf_add_bytes(text, note->subject, (size_t)(key - note->subject));
	buf_add(text, "[key]");
	/* A key may hold brackets: what is behind the last one is no part of it. */
	const char *end = strrchr(key, ']');
	buf_add(text, end ? end + 1 : "");
}

static void notes_table_verdict_cell(const struct rows *rows, size_t row, struct value *value)
{
	uint8_t verdict = notes_table_note(rows, row)->verdict;
	if (verdict)
		cell_text(value, note_verdicts[verdict]);
}

static void notes_table_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct note *note = notes_table_note(rows, row);
	if (note->kind == NOTE_OBJECT)
		cell_number(value, VALUE_ADDRESS, note->address);
}

static void notes_table_link(const struct rows *rows, size_t row, struct buf *command)
{
	static const char *const commands[NOTE_KINDS] = {"object ", "goto ", "objects type=", NULL};
	const struct note *note = notes_table_note(rows, row);
	if (commands[note->kind])
		buf_addf(command, "%s%s", commands[note->kind], note->subject);
}

static const struct column columns[] = {
	{"kind", "of", "What the note is on: an object, a path, a type or a stack", VALUE_TEXT, 6, 0,
     .cell = notes_table_kind_cell},
	{"subject", "subject", "The address, the path, the type or the function", VALUE_TEXT, 24, 0,
     .cell = notes_table_subject_cell},
	{"verdict", "verdict", "The verdict: leak, expected or open", VALUE_TEXT, 8, 0,
     .cell = notes_table_verdict_cell},
	{"why", "why", "The reason for the verdict", VALUE_TEXT, 20, 1, FIELD(struct note, why)},
	{"note", "note", "The note", VALUE_TEXT, 0, 0, FIELD(struct note, text)},
	{"address", "address", "The address, if it is an object", VALUE_ADDRESS, 14, 4,
     .cell = notes_table_address_cell},
	{"dump", "noted in", "The dump that was open when it was noted", VALUE_TEXT, 16, 3,
     FIELD(struct note, dump)},
	{"time", "when", "When it was noted, in UTC", VALUE_TEXT, 20, 2, FIELD(struct note, time)},
};

DEFINE_PLUGIN(tables, struct table, table_notes) = {
	.rank = 475,
	.name = "notes",
	.help =
		"Notes and verdicts on objects, paths, types and stacks of the dump, from this dump and "
		"others of its program",
	.needs = STAGE_READ | STAGE_NAMED,
	.wants = STAGE_TYPED,
	COLUMNS(columns),
	.fill = notes_table_fill,
	.close = notes_table_close,
	.link = notes_table_link,
	RECORDS(struct notes, note),
};
