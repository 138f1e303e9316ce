/* The explorer that a person has open: it names the dump, and shows what the agent looks at. Each
   message has a connection of its own, so that a server that ends, or an explorer, leaves nothing.
 */
#include "main/mcp/mcp.h"

#include "base/local_socket.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	ANSWER_SECONDS = 2,
	ANSWER_MOST = 1 << 20, /* bytes */
	BUSY_TRIES = 8,
	COMMAND_MOST = 2000, /* bytes, as in ui/agent.c */
	REASON_MOST = 1000,
	SOCKETS_MOST = 256, /* that are looked at */
};
static const struct timespec busy_wait = {.tv_nsec = 250000000};

/* The command of the explorer that shows what a tool answers, and the tool's argument. */
static const struct {
	const char *tool, *command, *argument;
} mcp_attach_commands[] = {
	{"findings", "findings", NULL}, {"list", "", "table"},
	{"show", "goto", "address"},    {"path", "path", "address"},
	{"why", "why", "address"},      {"retained_set", "retained-set", "of"},
};
enum { COMMANDS = sizeof mcp_attach_commands / sizeof *mcp_attach_commands };

bool mcp_attach_shows(const char *tool)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(mcp_attach_commands[i].tool, tool) == 0)
			return true;
	return false;
}

static void mcp_attach_add(struct buf *command, const char *before, const json_t *value)
{
	if (json_is_string(value))
		buf_addf(command, "%s%s", before, json_string_value(value));
	else if (json_is_integer(value))
		buf_addf(command, "%s%lld", before, (long long)json_integer_value(value));
}

/* Appends the command that shows what a call asks for; nothing if none does. */
static void mcp_attach_command(const char *tool, const json_t *arguments, struct buf *command)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		const char *first = mcp_attach_commands[i].command, *name = mcp_attach_commands[i].argument;
		if (strcmp(mcp_attach_commands[i].tool, tool) != 0)
			continue;
		buf_add(command, first);
		if (name)
			mcp_attach_add(command, *first ? " " : "", json_object_get(arguments, name));
	}
	if (strcmp(tool, "list") == 0)
		mcp_attach_add(command, " ", json_object_get(arguments, "argument"));
	if (command->len && json_object_get(arguments, "where"))
		mcp_attach_add(command, "; filter ", json_object_get(arguments, "where"));
}

/* ---- Messages */

/* Sends a line and reads the answer, which the caller decrefs. NULL: *err, or the explorer is
   silent, as it is while the person has stopped it or uses a shell. */
static json_t *mcp_attach_send(const char *path, const char *line, bool *silent, struct err *err)
{
	char bytes[4096];
	SCOPED_BUF answer = {0};
	ssize_t got;
	int fd = local_socket_connect(path, ANSWER_SECONDS, err);
	*silent = fd < 0 && errno == EAGAIN;
	if (fd < 0)
		return NULL;
	/* Also after a failure: an explorer that is busy answers at once, and reads nothing. */
	(void)!send(fd, line, strlen(line), MSG_NOSIGNAL);
	while ((got = recv(fd, bytes, sizeof bytes, 0)) > 0 && answer.len < ANSWER_MOST) {
		buf_add_bytes(&answer, bytes, (size_t)got);
		if (bytes[got - 1] == '\n')
			break;
	}
	*silent = got < 0 && errno == EAGAIN;
	close(fd);
	json_t *message = answer.len ? json_loadb(answer.data, answer.len, 0, NULL) : NULL;
	if (!message)
		err_set(err, "The explorer at %.200s has ended", path);
	return message;
}

/* Asks the explorer to run a command; "": only what it has open. NULL: *err, or it is silent. */
static json_t *mcp_attach_ask(const char *path, const char *command, const char *reason,
                              bool *silent, struct err *err)
{
	SCOPED_BUF line = {0};
	json_t *answer = NULL,
		   *message = json_pack("{s:s*, s:s*}", "command", *command ? command : NULL, "reason",
	                            reason && *reason ? reason : NULL);
	char *text = json_dumps(message, JSON_COMPACT);
	buf_addf(&line, "%s\n", text ? text : "{}");
	for (int i = 0; i < BUSY_TRIES; i++) {
		json_decref(answer);
		answer = mcp_attach_send(path, buf_text(&line), silent, err);
		if (!json_is_true(json_object_get(answer, "busy")))
			break;
		nanosleep(&busy_wait, NULL);
	}
	free(text);
	json_decref(message);
	return answer;
}

/* ---- Which explorer */

struct mcp_socket {
	char *path;
	struct timespec made;
};

static int mcp_attach_order(const void *a, const void *b)
{
	const struct timespec *x = &((const struct mcp_socket *)a)->made;
	const struct timespec *y = &((const struct mcp_socket *)b)->made;
	if (x->tv_sec != y->tv_sec)
		return (x->tv_sec < y->tv_sec) - (x->tv_sec > y->tv_sec);
	return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

/* Stores the sockets of a folder, the newest first. Returns their number. */
static size_t mcp_attach_list(const char *folder, struct mcp_socket *sockets)
{
	size_t count = 0;
	DIR *open = opendir(folder);
	for (struct dirent *entry; open && count < SOCKETS_MOST && (entry = readdir(open));) {
		struct stat info;
		SCOPED_BUF path = {0};
		buf_addf(&path, "%s/%s", folder, entry->d_name);
		if (local_socket_process(entry->d_name) && lstat(buf_text(&path), &info) == 0
		    && S_ISSOCK(info.st_mode) && info.st_uid == geteuid())
			sockets[count++] = (struct mcp_socket){mem_strdup(buf_text(&path)), info.st_mtim};
	}
	if (open)
		closedir(open);
	qsort(sockets, count, sizeof *sockets, mcp_attach_order);
	return count;
}

/* Returns the newest socket that answers; NULL: none does. */
static char *mcp_attach_newest(const char *folder)
{
	struct mcp_socket sockets[SOCKETS_MOST];
	size_t count = mcp_attach_list(folder, sockets);
	char *found = NULL;
	for (size_t i = 0; i < count; i++) {
		bool silent;
		json_t *answer =
			found ? NULL : mcp_attach_ask(sockets[i].path, "", NULL, &silent, &(struct err){0});
		if (answer)
			found = sockets[i].path;
		else
			free(sockets[i].path);
		json_decref(answer);
	}
	return found;
}

/* Sets the socket of the explorer. False: *err. */
static bool mcp_attach_choose(struct mcp_subject *subject, struct err *err)
{
	const char *named = subject->explorer;
	SCOPED_BUF path = {0};
	bool process = named && named[strspn(named, "0123456789")] == '\0';
	if (process) {
		if (local_socket_path((pid_t)strtol(named, NULL, 10), &path, err))
			subject->socket = mem_strdup(buf_text(&path));
	} else if (named) {
		subject->socket = mem_strdup(named);
	} else if (local_socket_folder(&path, err)) {
		subject->socket = mcp_attach_newest(buf_text(&path));
		if (!subject->socket)
			err_set(err, "No explorer of yours listens: open one by goheapx DUMP --listen");
	}
	return subject->socket;
}

/* ---- Calls */

/* Makes what the explorer has open the subject. False: *err. */
static bool mcp_attach_take(struct mcp_subject *subject, const json_t *answer, struct err *err)
{
	struct stat info;
	json_t *dump = json_object_get(answer, "dump");
	const char *path = json_string_value(dump);
	if (!path)
		return err_set(err, "The explorer does not say which dump it has open");
	if (!subject->processes && (stat(path, &info) != 0 || !S_ISREG(info.st_mode)))
		return err_set(err,
		               "The explorer shows the process %.100s, which each call would stop for a "
		               "copy: start goheapx mcp with --allow-processes",
		               path);
	json_decref(subject->dump);
	json_decref(subject->exe);
	json_decref(subject->since);
	subject->dump = json_incref(dump);
	subject->exe = json_incref(json_object_get(answer, "exe"));
	subject->since = json_incref(json_object_get(answer, "since"));
	return true;
}

/* The explorer shows texts of the heap, and so may its errors. */
static json_t *mcp_attach_screen(const json_t *answer, bool silent, bool texts)
{
	const char *error = json_string_value(json_object_get(answer, "error"));
	if (silent)
		return json_string("The explorer does not answer now: the person does not see this");
	if (error)
		return json_string(texts ? error : "The explorer cannot show this");
	return json_string(json_is_true(json_object_get(answer, "shown"))
	                       ? "The person sees this"
	                       : "The person uses the explorer, and can show this by a key");
}

/* Appends what of a reason the explorer can take: its bottom line shows less. */
static void mcp_attach_cut(const char *reason, struct buf *out)
{
	size_t len = reason ? strlen(reason) : 0;
	if (len > REASON_MOST)
		for (len = REASON_MOST; len && ((unsigned char)reason[len] & 0xc0) == 0x80;)
			len--; /* not within a character */
	buf_add_bytes(out, reason ? reason : "", len);
}

bool mcp_attach_begin(struct mcp_subject *subject, const char *tool, const json_t *arguments,
                      json_t **screen, struct err *err)
{
	SCOPED_BUF command = {0}, reason = {0};
	bool silent = false;
	if (strcmp(tool, "open") == 0)
		return err_set(err, "The person has opened the dump: ask about it, without open");
	if (!subject->socket && !mcp_attach_choose(subject, err))
		return false;
	mcp_attach_command(tool, arguments, &command);
	mcp_attach_cut(json_string_value(json_object_get(arguments, "reason")), &reason);
	bool shown = command.len && command.len <= COMMAND_MOST;
	json_t *answer = mcp_attach_ask(subject->socket, shown ? buf_text(&command) : "",
	                                buf_text(&reason), &silent, err);
	bool known = answer ? mcp_attach_take(subject, answer, err) : silent && subject->dump;
	if (known && shown)
		*screen = mcp_attach_screen(answer, silent, subject->texts);
	else if (known && command.len)
		*screen = json_string("This is too long for the explorer: the person does not see it");
	if (known) {
		*err = (struct err){0};
	} else if (!answer && !silent) { /* another explorer has another dump: not without a word */
		free(subject->socket);
		subject->socket = NULL;
	}
	json_decref(answer);
	return known;
}

void mcp_attach_end(const struct mcp_subject *subject)
{
	bool silent;
	json_decref(mcp_attach_ask(subject->socket, "", NULL, &silent, &(struct err){0}));
}
