/* The lines of the file of notes: src/table/notes. */
#pragma once

#include "table/notes/notes.h"

enum note_field {
	FIELD_TIME,
	FIELD_PROGRAM, /* name of the executable; empty: unknown */
	FIELD_BUILD,   /* fingerprint */
	FIELD_DUMP,    /* name of the file */
	FIELD_KIND,
	FIELD_SUBJECT,
	FIELD_ABOUT,
	FIELD_WHAT, /* "note", "leak", "expected", "open" or "none" */
	FIELD_SAID,
	NOTE_FIELDS
};
enum { NOTES_MOST = 4 << 20, NOTE_MOST = 4000 /* bytes of a text */ };

extern const char notes_header[]; /* the first line of the file */

/* Appends the path of the file. False: there is no home directory. */
bool notes_path(struct buf *path);
/* Fill the fields that describe a dump and an object of it. */
void notes_describe(const struct analysis *analysis, struct buf field[NOTE_FIELDS]);
void notes_about(const struct analysis *analysis, const char *subject, struct buf *out);
