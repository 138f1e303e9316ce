/* Reads the file of notes. What its lines hold may be anything: nothing is shown as it is. */
#include "table/notes/notes_file.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/user_file.h"
#include "table/naming/argument.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char notes_header[] = "goheapx notes 1";
const char *const note_kinds[NOTE_KINDS] = {"object", "path", "type", "stack"};
const char *const note_verdicts[VERDICTS] = {"", "leak", "expected", "open"};

static bool note_is_word(const char *word, const char *const words[], size_t count, uint8_t *number)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(words[i], word) == 0)
			return *number = (uint8_t)i, true;
	return false;
}

static struct note *notes_at(const struct notes *notes, uint8_t kind, const char *subject)
{
	for (size_t i = 0; i < notes->count; i++)
		if (notes->note[i].kind == kind && strcmp(notes->note[i].subject, subject) == 0)
			return &notes->note[i];
	return NULL;
}

const struct note *notes_find(const struct notes *notes, enum note_kind kind, const char *subject)
{
	SCOPED_BUF escaped = {0};
	if (notes->count)
		text_add_escaped(&escaped, subject, strlen(subject), NOTE_MOST);
	return escaped.len ? notes_at(notes, (uint8_t)kind, buf_text(&escaped)) : NULL;
}

static void note_set(char **text, const char *now)
{
	free(*text);
	*text = now && *now ? mem_strdup(now) : NULL;
}

static void note_free(struct note *note)
{
	char *texts[] = {note->subject, note->text, note->why, note->about, note->dump, note->time};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		free(texts[i]);
}

/* Returns false if the object that was noted is not the one at that address. */
static bool note_fits(const struct analysis *analysis, const char *subject, const char *about)
{
	SCOPED_BUF here = {0};
	notes_about(analysis, subject, &here);
	size_t size = strcspn(about, " ");
	const char *type = about[size] ? about + size + 1 : "";
	return here.len > size && strncmp(here.data, about, size + 1) == 0
	       && (!*type || !here.data[size + 1] || strcmp(type, here.data + size + 1) == 0);
}

/* Applies a line of this dump or of another one of its program. False: it is malformed. */
static bool notes_take(struct notes *notes, const struct analysis *analysis,
                       const struct buf own[NOTE_FIELDS], char *const field[NOTE_FIELDS])
{
	static const char *const whats[] = {"none", "leak", "expected", "open", "note"};
	uint8_t kind, what;
	if (!note_is_word(field[FIELD_KIND], note_kinds, NOTE_KINDS, &kind) || !*field[FIELD_SUBJECT]
	    || !note_is_word(field[FIELD_WHAT], whats, VERDICTS + 1, &what))
		return false;
	bool build = strcmp(field[FIELD_BUILD], buf_text(&own[FIELD_BUILD])) == 0;
	bool program = *field[FIELD_PROGRAM]
	               && strcmp(field[FIELD_PROGRAM], buf_text(&own[FIELD_PROGRAM])) == 0;
	if (!build && (!program || kind == NOTE_OBJECT))
		return true;
	if (kind == NOTE_OBJECT && !note_fits(analysis, field[FIELD_SUBJECT], field[FIELD_ABOUT]))
		return true;
	struct note *note = notes_at(notes, kind, field[FIELD_SUBJECT]);
	if (!note) {
		notes->note = mem_grow(notes->note, notes->count, &notes->capacity, sizeof *notes->note);
		note = &notes->note[notes->count++];
		*note = (struct note){.kind = kind, .subject = mem_strdup(field[FIELD_SUBJECT])};
		if (kind == NOTE_OBJECT)
			argument_address(note->subject, &note->address);
	}
	note_set(what == VERDICTS ? &note->text : &note->why, field[FIELD_SAID]);
	if (what < VERDICTS)
		note->verdict = what;
	note_set(&note->about, field[FIELD_ABOUT]);
	note_set(&note->dump, field[FIELD_DUMP]);
	note_set(&note->time, field[FIELD_TIME]);
	note->same_dump = build && strcmp(field[FIELD_DUMP], buf_text(&own[FIELD_DUMP])) == 0;
	return true;
}

/* Cuts a line at its tabs, in place. False: it has another number of fields. */
static bool note_split(char *line, char *field[NOTE_FIELDS])
{
	int count = 0;
	for (char *at = line; at && count < NOTE_FIELDS; count++) {
		field[count] = at;
		at = strchr(at, '\t');
		if (at && count + 1 == NOTE_FIELDS)
			return false;
		if (at)
			*at++ = '\0';
	}
	return count == NOTE_FIELDS;
}

/* Takes all lines; returns how many are malformed. */
static size_t notes_take_all(struct notes *notes, const struct analysis *analysis, char *line)
{
	struct buf own[NOTE_FIELDS] = {0}, safe = {0};
	size_t damaged = 0;
	notes_describe(analysis, own);
	for (char *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		bool whole = *end == '\n';
		*end = '\0';
		end += whole;
		char *field[NOTE_FIELDS];
		buf_clear(&safe);
		for (char *at = line; *at; at += strcspn(at, "\t")) { /* keeps tabs, nothing else */
			for (; *at == '\t'; at++)
				buf_add_char(&safe, '\t');
			size_t len = strcspn(at, "\t");
			char after = at[len];
			at[len] = '\0';
			text_add_safe(&safe, at);
			at[len] = after;
		}
		if (safe.len && (!note_split(safe.data, field) || !notes_take(notes, analysis, own, field)))
			damaged++;
	}
	for (size_t i = 0; i < NOTE_FIELDS; i++)
		buf_free(&own[i]);
	buf_free(&safe);
	return damaged;
}

void notes_load(struct notes *notes, const struct analysis *analysis)
{
	SCOPED_BUF path = {0}, text = {0};
	struct err err = {0};
	*notes = (struct notes){0};
	bool known = notes_path(&path),
		 read = known && user_file_read(path.data, NOTES_MOST, &text, &err);
	size_t header = strlen(notes_header), size = text.len;
	if (known && !read && errno != ENOENT) {
		buf_addf(&notes->told, "%s.", err.text);
	} else if (size
	           && (strncmp(text.data, notes_header, header) != 0 || text.data[header] != '\n')) {
		text_add_escaped(&notes->told, path.data, path.len, 200);
		buf_add(&notes->told, " was written by another version of goheapx: it is left as it is.");
	} else if (size) {
		for (size_t i = 0; i < size; i++)
			if (!text.data[i]) /* what is no text makes its line malformed, but ends none */
				text.data[i] = '\r';
		size_t damaged = notes_take_all(notes, analysis, text.data + header + 1);
		if (damaged) {
			buf_addf(&notes->told, "%s of ", text_number_of(damaged, "line", "lines").text);
			text_add_escaped(&notes->told, path.data, path.len, 200);
			buf_add(&notes->told, damaged == 1 ? " is" : " are");
			buf_add(&notes->told, " malformed and left out.");
		}
	}
	size_t kept = 0; /* what was removed again is none */
	for (size_t i = 0; i < notes->count; i++)
		if (notes->note[i].text || notes->note[i].verdict)
			notes->note[kept++] = notes->note[i];
		else
			note_free(&notes->note[i]);
	notes->count = kept;
}

void notes_fini(struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		note_free(&notes->note[i]);
	free(notes->note);
	buf_free(&notes->told);
	*notes = (struct notes){0};
}

void note_add(const struct note *note, struct buf *out)
{
	buf_add(out, note_verdicts[note->verdict]);
	if (note->verdict && note->why)
		buf_addf(out, ": %s", note->why);
	if (note->text)
		buf_addf(out, "%s%s", note->verdict ? "; " : "", note->text);
	if (!note->same_dump && note->dump)
		buf_addf(out, " (noted in %s)", note->dump);
}
