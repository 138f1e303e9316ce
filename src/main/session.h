/* Sessions: a process reads dumps once, and answers each question in a fork of itself (copy on
   write), as servers fork to save. A question is a command line. It may crash, take too long or be
   killed: the session goes on. What a session has read is never changed, so its memory is that of
   its dumps, however many questions come. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct analysis;
struct session; /* as its owner sees it */

/* What a session reads. A process is never read: it goes on, so each question copies it anew. */
struct session_input {
	const char *const *dump; /* paths */
	size_t count;
	const char *exe; /* of all of them; NULL: none is named */
	bool hidden;     /* they are redacted, as by --hide */
};

/* Starts a session, which reads what of `input` are regular files; it copies the strings. Returns
   at once: the first question waits. NULL: *err. The caller has no other threads. */
struct session *session_new(const struct session_input *input, struct err *err);
/* Ends a session, and the question that runs. NULL does nothing. */
void session_free(struct session *session);
/* Returns true if the session's process lives, as far as session_hear knows. */
bool session_lives(const struct session *session);
/* Returns true if its files are those that were there when it began. False: *err names one. */
bool session_is_same(const struct session *session, struct err *err);

/* Runs a command line of `count` words, the program's name first, with output[0] and output[1] as
   its standard output and standard error, which the caller closes afterwards. No other question
   runs. False: *err. */
bool session_ask(struct session *session, int count, char **words, const int output[2],
                 struct err *err);
/* Returns the descriptor that can be read when session_hear has something. */
int session_fd(const struct session *session);
/* Reads what the session says of its question, and waits for that. True: the question has ended,
   with *status as of waitpid(); if the session itself did, *status is the session's. */
bool session_hear(struct session *session, int *status);
/* Returns true while the session reads the dumps, before the question that was asked runs. */
bool session_is_reading(const struct session *session);
/* Kills the question that runs, and waits for its end. The session ends while it still reads the
   dumps, and if it does not answer soon, being stopped itself. Returns the status, as session_hear.
 */
int session_stop(struct session *session);

/* ---- Within the process of a session: src/main/session_process.c */

/* Reads the dumps, and answers what comes from a socket, until its other end is closed. */
__attribute__((noreturn)) void session_run(const struct session_input *input, int socket);

/* What the session says, by two messages for each question. */
struct session_message {
	pid_t question; /* its process */
	bool ended;
	int status; /* if it has ended */
};
/* A question comes as one byte with these descriptors: its words, each with a NUL behind it, then
   its standard output and standard error. */
enum { SESSION_WORDS, SESSION_OUT, SESSION_ERRORS, SESSION_FDS };

/* Reads the dumps, with all that questions may need: src/main/session_dumps.c. The strings stay. */
void session_read_all(const struct session_input *input);
/* Returns a dump that the session of this process has read so, once, for the caller to free; NULL:
   there is none. */
struct analysis *session_take(const char *path, const char *exe);
