/* Notes and verdicts on what the cursor is on, and their marks beside rows. */
#include "analysis/analysis.h"
#include "base/text.h"
#include "heap/name_part.h"
#include "table/table.h"
#include "ui/state.h"

#include <inttypes.h>
#include <string.h>

/* The subject of a row, as a note names it. */
struct note_subject {
	enum note_kind kind;
	struct buf name;
};

/* Names a stack by its function, and an owner, without what differs in the next dump. */
static void subject_add_entity(const struct rows *rows, size_t row, struct note_subject *subject)
{
	struct entity entity = rows_entity(rows, row);
	int function = table_column(rows->table, "function");
	bool stack = entity.kind == ENTITY_GROUP || entity.kind == ENTITY_THREAD;
	subject->kind = stack ? NOTE_STACK : NOTE_PATH;
	subject->name.without = NAME_COUNT | NAME_ADDRESS | NAME_ID;
	if (stack && function >= 0)
		rows_text(rows, row, function, &subject->name);
	else if (entity.kind == ENTITY_ROOT_NODE)
		entity_add_name(rows->analysis, entity, &subject->name);
}

/* Stores the subject of a row: its path, the stack or owner, its object, or its type. False: it has
   none. */
static bool subject_of_row(const struct view *view, size_t row, struct note_subject *subject)
{
	size_t number;
	const struct rows *rows = view->ops->table_row ? view->ops->table_row(view, row, &number)
	                                               : NULL;
	int column = rows ? table_column(rows->table, "expression") : -1;
	*subject = (struct note_subject){.kind = NOTE_PATH};
	if (row >= view->ops->rows(view))
		return false;
	if (column >= 0 && !rows_column_waits(rows, column))
		rows_text(rows, number, column, &subject->name);
	if (rows && !subject->name.len)
		subject_add_entity(rows, number, subject);
	uint64_t address = view->ops->address ? view->ops->address(view, row) : 0;
	if (!subject->name.len && address) {
		subject->kind = NOTE_OBJECT;
		buf_addf(&subject->name, "0x%" PRIx64, address);
	}
	if (!subject->name.len && view->ops->type) {
		subject->kind = NOTE_TYPE;
		view->ops->type(view, row, &subject->name);
	}
	return subject->name.len > 0;
}

/* Reads the notes anew, as another explorer may have written some. */
static const struct note *notes_of_subject(struct explorer *explorer,
                                           const struct note_subject *subject)
{
	notes_fini(&explorer->notes);
	notes_load(&explorer->notes, explorer->analysis);
	explorer->notes_stages = analysis_stages(explorer->analysis) & (STAGE_NAMED | STAGE_TYPED);
	return notes_find(&explorer->notes, subject->kind, buf_text(&subject->name));
}

static void note_show(struct explorer *explorer, const struct note_subject *subject,
                      const struct note *note)
{
	SCOPED_BUF text = {0}, name = {0};
	if (note)
		note_add(note, &text);
	text_add_safe(&name, buf_text(&subject->name));
	explorer_message(explorer, "%s %s: %s", note_kinds[subject->kind], buf_text(&name),
	                 note ? buf_text(&text) : "there is no note");
}

/* Writes what is said of the row, or shows it if nothing is said. */
static bool note_write(const struct call *call, enum note_verdict verdict, const char *text,
                       bool only_show)
{
	struct explorer *explorer = call->explorer;
	struct note_subject subject = {0};
	bool done = analysis_has(explorer->analysis, STAGE_READ | STAGE_NAMED)
	            || err_set(call->err, "The dump has not been read yet");
	if (done && !subject_of_row(call->view, call->view->cursor, &subject))
		done = err_set(call->err, "There is nothing on this row that a note could be on");
	if (done && !only_show)
		done = notes_write(explorer->analysis, subject.kind, buf_text(&subject.name), verdict, text,
		                   call->err);
	if (done)
		note_show(explorer, &subject, notes_of_subject(explorer, &subject));
	if (done && explorer->notes.told.len)
		explorer_message(explorer, "%s", buf_text(&explorer->notes.told));
	buf_free(&subject.name);
	return done;
}

static bool note_command(const struct call *call)
{
	bool removed = strcmp(call->argument, "-") == 0;
	return note_write(call, VERDICTS, removed ? "" : call->argument, !*call->argument);
}

static bool verdict_command(const struct call *call)
{
	size_t len = strcspn(call->argument, " ");
	const char *why = call->argument + len + strspn(call->argument + len, " ");
	if (!len)
		return note_write(call, VERDICT_NONE, "", true);
	if (len == 1 && *call->argument == '-')
		return note_write(call, VERDICT_NONE, "", false);
	for (enum note_verdict verdict = VERDICT_LEAK; verdict < VERDICTS; verdict++)
		if (strlen(note_verdicts[verdict]) == len
		    && strncmp(note_verdicts[verdict], call->argument, len) == 0)
			return note_write(call, verdict, why, false);
	return err_set(call->err, "A verdict is leak, expected or open, and why: verdict leak never "
	                          "emptied");
}

char note_mark(struct explorer *explorer, const struct view *view, size_t row)
{
	static const char marks[VERDICTS] = {'*', '!', '=', '?'};
	const struct note *note = NULL;
	struct note_subject subject = {0};
	const unsigned stages = analysis_stages(explorer->analysis) & (STAGE_NAMED | STAGE_TYPED);
	if (stages & STAGE_NAMED && explorer->notes_stages != stages) {
		notes_fini(&explorer->notes);
		notes_load(&explorer->notes, explorer->analysis);
		explorer->notes_stages = stages;
	}
	if (explorer->notes.count && !view->ops->report && subject_of_row(view, row, &subject))
		note = notes_find(&explorer->notes, subject.kind, buf_text(&subject.name));
	buf_free(&subject.name);
	return note ? marks[note->verdict] : '\0';
}

const struct command commands_note[] = {
	{"note", "[TEXT]", TAKES_LINE,
     "Notes a text on the row's path, object, type or stack, found again in later dumps of the "
     "program; without a text shows what is noted, - removes it",
     .run = note_command},
	{"verdict", "[leak|expected|open WHY]", TAKES_LINE,
     "Says whether the row is a leak, and why; without an argument shows it, - removes it. Rows "
     "with a verdict are marked with !, = or ?, others with a note with *",
     .run = verdict_command},
	{0},
};
