/* goheapx mcp: a server of the Model Context Protocol over the standard input and output, one JSON
   message a line, for agents. A session (main/session/session.h) reads the dump once; each call of
   a tool is a question of it, one after the other: none can take the server with it, and any can be
   cancelled. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "main/options/options.h"
#include "main/session/session.h"

#include <jansson.h>

/* ---- Tools: src/main/mcp/mcp_tools.c; the words of a call: src/main/mcp/mcp_words.c */

enum { MCP_WORDS = 64 }; /* of a command line, at most */

/* The dump that the tools answer about: the one that `open` was given. */
struct mcp_subject {
	json_t *dump, *exe, *since; /* strings, and an array of them; NULL: none */
	bool texts;                 /* of the heap are shown */
	bool cached;                /* as in struct session_input */
	bool processes;             /* may be opened, too */
	bool attached;              /* to an explorer, which has opened them */
	const char *explorer;       /* its socket or process id; NULL: the newest that answers */
	char *socket;               /* its socket; NULL: none has answered yet */
};

/* A command line: owned strings. */
struct mcp_words {
	char *word[MCP_WORDS + 1]; /* NULL at the end */
	int count;
};

/* Returns the result of tools/list, which the caller decrefs. */
json_t *mcp_tools(bool attached);
/* Makes the command line of a call, which mcp_words_fini frees; `open` changes the subject. False:
 *err, and the words are to be freed all the same. */
bool mcp_tool_words(const char *tool, const json_t *arguments, struct mcp_subject *subject,
                    struct mcp_words *words, struct err *err);
void mcp_words_fini(struct mcp_words *words);

/* ---- The explorer of a person who watches: src/main/mcp/mcp_attach.c */

/* Lets the explorer read notes anew after a call. */
void mcp_attach_end(const struct mcp_subject *subject);
/* Returns true if the explorer can show what a tool is asked for. */
bool mcp_attach_shows(const char *tool);
/* Makes what the explorer has open the subject, and shows in the explorer what a call is about.
 *screen becomes what the person sees, a new string, or NULL. False: *err, there is no explorer. */
bool mcp_attach_begin(struct mcp_subject *subject, const char *tool, const json_t *arguments,
                      json_t **screen, struct err *err);

/* ---- The call that runs: src/main/mcp/mcp_call.c */

struct mcp_call {
	struct session *session; /* that answers it; NULL: none runs */
	bool ended;              /* with `status`, as of waitpid() */
	int status;
	int fd[2];          /* its standard output and standard error; -1: ended */
	struct buf text[2]; /* what came from them */
	json_t *id, *token; /* of the request; token NULL: it wants no progress */
	int ticks;          /* how often it was waited for */
	uint64_t begun;     /* ns, as of clock_now() */
	bool late;          /* it was ended after too many seconds, */
	bool unread;        /* in which the dump was not read */
};

/* Starts a call. It takes over the words, and keeps references to `id` and `token`. False: *err. */
bool mcp_call_start(struct mcp_call *call, struct session *session, struct mcp_words *words,
                    json_t *id, json_t *token, struct err *err);
/* Reads what a descriptor of the call has. */
void mcp_call_read(struct mcp_call *call, int which);
/* Returns true if a call has ended, and all of its answer is read. */
bool mcp_call_has_ended(const struct mcp_call *call);
/* Returns the result of tools/call, which says if it may have texts of the heap, of a call that has
   ended. `seconds`: as of mcp_call_check. */
json_t *mcp_call_end(struct mcp_call *call, uint64_t seconds, bool texts);
/* Forgets a call, whose answer nobody wants. */
void mcp_call_forget(struct mcp_call *call);
/* Ends a call that has run for so many seconds; mcp_call_end says so. */
void mcp_call_check(struct mcp_call *call, uint64_t seconds);
