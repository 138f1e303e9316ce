/* The runtime of the program that a dump shows: what its dumps have besides objects, and what
   people who write such programs call the things in it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct goroutine_record;

/* The words for threads in texts that are printed without a dump, such as help and manual. */
#define THREAD_WORD  "goroutine"
#define THREADS_WORD THREAD_WORD "s"

/* What a variable or a field of the runtime itself contains. */
struct runtime_note {
	const char *name, *note;
};

struct runtime {
	/* bits of enum format_part (format/format.h) that come with the runtime */
	unsigned parts;
	struct runtime_words {
		const char *thread, *threads; /* what has a stack of its own: "goroutine"; NULL: nothing */
		/* kinds of roots, for titles; "": such roots do not exist */
		const char *globals, *parked, *running, *own; /* own: of the runtime itself */
	} words;
	/* What follows is NULL where there are no threads. Returns true if the thread waits for
	   something: its reason is that of this wait, not of the last one. */
	bool (*waits)(const struct goroutine_record *thread);
	/* Returns "waiting", "running", "status 17" ..., in buf if needed. */
	const char *(*state)(uint64_t status, char buf[32]);
	/* Both end with {0}; NULL: there are none. */
	const struct runtime_note *variables;
	/* By the beginning of their names, in structs of type `fields_of`, to which the variable
	   `fields_from` leads. */
	const struct runtime_note *fields;
	const char *fields_of, *fields_from;
	/* The types of the objects that threads themselves are made of, with a final NULL; NULL: there
	   are none. */
	const char *const *thread_types;
};

extern const struct runtime runtime_go;
