/* What a user has written about objects, paths, types and stacks: notes, and verdicts on suspected
   leaks. They are lines of the file notes in the user's state folder, which only grows: each line
   says what holds from then on. Every line names the program by its executable and by a fingerprint
   of its build, so that notes are found again in later dumps. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis;
struct err;

enum note_kind { NOTE_OBJECT, NOTE_PATH, NOTE_TYPE, NOTE_STACK, NOTE_KINDS };
extern const char *const note_kinds[NOTE_KINDS]; /* "object", "path", "type", "stack" */
enum note_verdict { VERDICT_NONE, VERDICT_LEAK, VERDICT_EXPECTED, VERDICT_OPEN, VERDICTS };
extern const char *const note_verdicts[VERDICTS]; /* "", "leak", "expected", "open" */

/* All strings are printable and owned. */
struct note {
	uint8_t kind, verdict;
	char *subject;     /* "0xc000012340", "main.cache.items", "main.Session" */
	char *text, *why;  /* of the note and of the verdict; NULL: none */
	char *about;       /* of an object its size and type; "" otherwise */
	char *dump, *time; /* name of the dump, and the time of the last change */
	uint64_t address;  /* of an object, otherwise 0 */
	bool same_dump;
};
struct notes {
	struct note *note; /* the oldest first */
	size_t count, capacity;
	struct buf told; /* sentences about what could not be read; empty: nothing */
};

/* Reads the notes that belong to a dump. After STAGE_READ; names of executables count after
   STAGE_NAMED. An object's notes belong to it if the dump has an object of that size and, if both
   are known, of that type at the address. */
void notes_load(struct notes *notes, const struct analysis *analysis);
void notes_fini(struct notes *notes);
/* Returns the notes on a subject; NULL: none. */
const struct note *notes_find(const struct notes *notes, enum note_kind kind, const char *subject);
/* Appends all that is noted: "leak: never emptied; ask Bo (old.dump)". */
void note_add(const struct note *note, struct buf *out);

/* Appends a line to the file: a verdict with its reason, or with `verdict` VERDICTS a note. An
   empty note removes the one before, VERDICT_NONE the verdict. False: *err, and nothing is written.
 */
bool notes_write(const struct analysis *analysis, enum note_kind kind, const char *subject,
                 enum note_verdict verdict, const char *text, struct err *err);
