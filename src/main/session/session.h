/* Sessions: a process reads dumps once, and answers each question in a fork of itself (copy on
   write), as servers fork to save. A question is a command line. It may crash, take too long or be
   killed: the session goes on. What a session has read is never changed, so its memory is that of
   its dumps, however many questions come. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct analysis;
struct analysis_options;
struct session; /* as its owner sees it */

/* What a session reads. A process is never read: it goes on, so each question copies it anew. */
struct session_input {
	const char *const *dump; /* paths */
	size_t count;
	const char *exe; /* of all of them; NULL: none is named */
	bool hidden;     /* they are redacted, as by --hide */
	bool cached;     /* what takes long comes from the cache, and goes there */
	bool quoted;     /* answers become strings of messages to an agent (output_is_quoted), and what
	                    was not found is an error */
};

/* Starts a session, which reads what of `input` are regular files; it copies the strings. Returns
   at once: the first question waits. NULL: *err. The caller has no other threads. */
struct session *session_new(const struct session_input *input, struct err *err);
/* Ends a session, and the question that runs. NULL does nothing. */
void session_free(struct session *session);
/* Returns true if the session's process lives, as far as session_hear knows. */
bool session_lives(const struct session *session);
/* Returns true if its files are those that were there when it began, executables beside its dumps
   and files that it has mapped among them. False: *err names one. */
bool session_is_same(const struct session *session, struct err *err);
/* Returns the bytes of memory that it alone has. */
uint64_t session_memory(const struct session *session);

/* Descriptors of a question, which their owner closes after session_ask; -1: /dev/null. */
struct session_io {
	int in, out, errors; /* its standard input, standard output and standard error */
	int opened; /* gets the dumps that it opens (session_take), each as its path, executable or
	               "", and "hidden" or "", with a NUL behind each */
};
/* Runs a command line of `count` words, the program's name first. No other question runs. False:
 *err, and the session has ended. */
bool session_ask(struct session *session, int count, char **words, const struct session_io *io,
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

/* ---- Within the process of a session: src/main/process/session_process.c */

/* Reads the dumps, and answers what comes from a socket, until its other end is closed, or the
   process `owner` has ended. */
__attribute__((noreturn)) void session_run(const struct session_input *input, pid_t owner,
                                           int socket);
/* Returns true if this process answers a question of a session. */
bool session_is_asked(void);

/* What the session says, by two messages for each question. */
struct session_message {
	pid_t question; /* its process */
	bool ended;
	int status; /* if it has ended */
};
/* A question comes as one byte with these descriptors: its words, each with a NUL behind it, then
   those of struct session_io. */
enum { SESSION_WORDS, SESSION_IN, SESSION_OUT, SESSION_ERRORS, SESSION_OPENED, SESSION_FDS };

/* Reads the dumps, with all that questions may need: src/main/session/session_dumps.c. The strings
 * stay. */
void session_read_all(const struct session_input *input);
/* Writes which dump a question opens to a descriptor from now on. */
void session_tell_opened(int fd);
/* Returns a dump that the session of this process has read so, once, for the caller to free; NULL:
   there is none. To be called for each dump that a question opens. */
struct analysis *session_take(const char *path, const struct analysis_options *options);

/* ---- The files of a session: src/main/session/session_files.c */

/* Appends a line for each file that the input is read from, with what tells if it has changed:
   dumps, the executable, what lies beside them and is found without being named. */
void session_add_files(const struct session_input *input, struct buf *out);
/* Appends the paths of the files that a process has mapped, a line each. */
void session_add_mapped(pid_t process, struct buf *out);
/* Appends such a line for each path of `paths`. */
void session_add_states(const char *paths, struct buf *out);
/* Returns true if both have the same lines. False: *err names a file that has changed. */
bool session_files_same(const char *then, const char *now, struct err *err);
