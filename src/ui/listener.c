/* The socket of the explorer. A peer that sends nothing, half a line, or that never reads, holds
   one of a few places until another one comes. */
#include "ui/listener.h"

#include "analysis/series.h"
#include "base/clock.h"
#include "base/local_socket.h"
#include "base/mem.h"
#include "go/exe/exe.h"
#include "go/types/names.h"
#include "ui/restore.h"
#include "ui/state.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	PEERS = 4,
	ACCEPTED_MOST = 16,     /* connections at a time */
	MESSAGE_MOST = 1 << 16, /* bytes */
};

static const uint64_t PEER_TIME = UINT64_C(1000000000); /* ns that a place is kept for a peer */

struct peer {
	int fd;         /* 0: none */
	uint64_t since; /* ns */
	struct buf line;
};

struct listener {
	int fd, news; /* the socket, and what watches it, the peers and `wake` */
	struct buf path;
	struct peer peers[PEERS];
};

static bool listener_watch(const struct listener *listener, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};
	return epoll_ctl(listener->news, EPOLL_CTL_ADD, fd, &event) == 0;
}

struct listener *listener_open(int wake, struct err *err)
{
	struct listener *listener = mem_alloc(sizeof *listener);
	*listener = (struct listener){.news = epoll_create1(EPOLL_CLOEXEC)};
	listener->fd = local_socket_listen(&listener->path, err);
	if (listener->fd >= 0)
		restore_remove(buf_text(&listener->path));
	if (listener->fd >= 0 && listener->news >= 0 && listener_watch(listener, listener->fd)
	    && listener_watch(listener, wake))
		return listener;
	err_set(err, "The socket cannot be watched: %s", strerror(errno));
	listener_close(listener);
	return NULL;
}

const char *listener_path(const struct listener *listener)
{
	return buf_text(&listener->path);
}

int listener_fd(const struct listener *listener)
{
	return listener->news;
}

static void listener_drop(struct peer *peer)
{
	if (peer->fd)
		close(peer->fd);
	buf_free(&peer->line);
	*peer = (struct peer){0};
}

void listener_close(struct listener *listener)
{
	if (!listener)
		return;
	for (int i = 0; i < PEERS; i++)
		listener_drop(&listener->peers[i]);
	if (listener->fd >= 0) {
		unlink(buf_text(&listener->path));
		restore_remove("");
		close(listener->fd);
	}
	if (listener->news >= 0)
		close(listener->news);
	buf_free(&listener->path);
	free(listener);
}

/* Sends an answer, and frees it. What the peer has no room for is lost. */
static void listener_answer(int fd, json_t *answer)
{
	SCOPED_BUF line = {0};
	char *text = json_dumps(answer, JSON_COMPACT);
	buf_addf(&line, "%s\n", text ? text : "{\"ok\":false}");
	ssize_t sent = send(fd, buf_text(&line), line.len, MSG_DONTWAIT | MSG_NOSIGNAL);
	(void)sent;
	free(text);
	json_decref(answer);
}

static json_t *listener_refusal(const char *sentence)
{
	return json_pack("{s:b, s:s}", "ok", 0, "error", sentence);
}

/* Takes a new peer, in place of one that has had its time. */
static void listener_admit(struct listener *listener, int fd)
{
	struct peer *oldest = listener->peers;
	for (struct peer *peer = listener->peers; peer < listener->peers + PEERS; peer++)
		if (peer->since < oldest->since)
			oldest = peer;
	if (oldest->fd && clock_now() - oldest->since < PEER_TIME) {
		json_t *refusal = listener_refusal("Too many others are connected");
		json_object_set_new(refusal, "busy", json_true());
		listener_answer(fd, refusal);
		close(fd);
		return;
	}
	listener_drop(oldest);
	*oldest = (struct peer){.fd = fd, .since = clock_now()};
	if (!listener_watch(listener, fd))
		listener_drop(oldest);
}

/* Sets the text of a key, unless it is no UTF-8. */
static void listener_set(json_t *answer, const char *key, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	SCOPED_BUF own = {0};
	/* A file without a name belongs to this process. */
	if (path && !real && strncmp(path, "/proc/self/", 11) == 0)
		buf_addf(&own, "/proc/%d/%s", (int)getpid(), path + 11);
	const char *named = own.len ? buf_text(&own) : real ? real : path;
	if (named)
		json_object_set_new(answer, key, json_string(named));
	free(real);
}

/* Adds the files that the explorer has open. */
static void listener_add_files(const struct analysis *analysis, json_t *answer)
{
	json_t *since = json_array();
	const struct series *series = analysis_series(analysis);
	const struct names *names = analysis_has(analysis, STAGE_NAMED) ? analysis_names(analysis)
	                                                                : NULL;
	listener_set(answer, "dump", analysis_path(analysis));
	listener_set(answer, "exe", names && names->exe ? exe_path(names->exe) : NULL);
	for (size_t i = 0; series && i < series->count; i++) {
		char *real = realpath(analysis_path(series_older(analysis, i)), NULL);
		json_array_append_new(since, real ? json_string(real) : NULL);
		free(real);
	}
	json_object_set_new(answer, "since", since);
}

/* Does what a message asks for. */
static json_t *listener_take(struct explorer *explorer, const struct buf *line, bool occupied)
{
	struct err err = {0};
	json_t *message = json_loadb(buf_text(line), line->len, 0, NULL), *answer;
	const char *command = json_string_value(json_object_get(message, "command"));
	const char *reason = json_string_value(json_object_get(message, "reason"));
	if (!json_is_object(message)
	    || (command && !agent_show(explorer, command, reason ? reason : "", occupied, &err)))
		answer = listener_refusal(err.set ? err.text : "A message is an object of JSON");
	else
		answer = json_pack("{s:b, s:b}", "ok", 1, "shown", command && !occupied);
	json_decref(message);
	explorer->notes_stages = 0; /* it may have written some */
	listener_add_files(explorer->analysis, answer);
	return answer;
}

/* Returns true if nobody waits for the answer any more. */
static bool listener_is_gone(int fd)
{
	char byte;
	return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Reads what a peer has sent; answers a whole line, and ends the connection. True: it did. */
static bool listener_read(struct peer *peer, struct explorer *explorer, bool occupied)
{
	char bytes[4096];
	ssize_t got;
	while ((got = recv(peer->fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
		const char *end = memchr(bytes, '\n', (size_t)got);
		buf_add_bytes(&peer->line, bytes, end ? (size_t)(end - bytes) : (size_t)got);
		if (peer->line.len > MESSAGE_MOST)
			listener_answer(peer->fd, listener_refusal("The message is too long"));
		else if (end && !listener_is_gone(peer->fd))
			listener_answer(peer->fd, listener_take(explorer, &peer->line, occupied));
		if (peer->line.len > MESSAGE_MOST || end) {
			listener_drop(peer);
			return true;
		}
	}
	if (got == 0 || (errno != EAGAIN && errno != EINTR))
		listener_drop(peer);
	return false;
}

bool listener_serve(struct listener *listener, struct explorer *explorer, bool occupied)
{
	bool any = false;
	for (int i = 0, fd; i < ACCEPTED_MOST && (fd = local_socket_accept(listener->fd)) >= 0; i++)
		listener_admit(listener, fd);
	for (int i = 0; i < PEERS; i++)
		if (listener->peers[i].fd)
			any |= listener_read(&listener->peers[i], explorer, occupied);
	return any;
}
