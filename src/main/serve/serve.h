/* goheapx serve: answers command lines that come as lines of JSON. Sessions
   (main/session/session.h) keep what they have read. */
#pragma once

#include "main/session/session.h"

/* What was asked about, and the sessions that keep it. */
struct serve_sessions {
	bool cached;           /* as in struct session_input */
	struct session *blank; /* has read nothing; NULL: not begun */
	/* Files that questions have named, and what was opened then: the last used first. */
	struct serve_known {
		struct buf names, opened;
	} * known;
	size_t known_count;
	/* What was opened, by whom it is kept: the last used first. */
	struct serve_kept {
		struct buf opened;
		struct session *session; /* NULL: it cannot be kept */
	} * kept;
	size_t kept_count;
};

/* Returns the session for a question of `count` words, the program's name first. It has read the
   dumps if a question has opened them before. NULL: *err. */
struct session *serve_session(struct serve_sessions *sessions, int count, char *const *words,
                              struct err *err);
/* Notes what a question has opened, as session_io says. */
void serve_note(struct serve_sessions *sessions, int count, char *const *words,
                const struct buf *opened);
/* Ends the session that was used last, whose process has ended; no other begins for its dumps. */
void serve_give_up(struct serve_sessions *sessions);
/* Ends sessions, the one that was used last never, until they have less than a quarter of the
   memory that is left. */
void serve_bound(struct serve_sessions *sessions);
void serve_sessions_fini(struct serve_sessions *sessions);
