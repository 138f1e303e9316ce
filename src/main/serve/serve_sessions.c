/* Which session answers a question. Nobody parses it for that: the first question that names a file
   is answered by the blank session and says what it has opened. From the second on a session has
   read that. A question that opens something else, or otherwise, reads it itself (session_take), so
   what is chosen here changes no answer. */
#include "main/serve/serve.h"

#include "base/mem.h"
#include "base/memory_left.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	KNOWN_MOST = 512, /* sets of files that are remembered */
	KEPT_MOST = 8,    /* sessions */
	DUMPS_MOST = 64,  /* of a session */
	MEMORY_PART = 4,  /* of what is left, for all of them */
};

/* Returns the session that has read nothing. NULL: *err. */
static struct session *serve_blank(struct serve_sessions *sessions, struct err *err)
{
	if (sessions->blank && session_lives(sessions->blank))
		return sessions->blank;
	session_free(sessions->blank);
	sessions->blank = session_new(&(struct session_input){.count = 0}, err);
	return sessions->blank;
}

/* Appends the words that name files, and those that may say how they are read. */
static void serve_add_names(int count, char *const *words, struct buf *out)
{
	struct stat info;
	for (int i = 1; i < count; i++) {
		const char *value = strncmp(words[i], "--", 2) == 0 ? strchr(words[i], '=') : NULL;
		if (strncmp(words[i], "--h", 3) == 0
		    || (stat(value ? value + 1 : words[i], &info) == 0 && S_ISREG(info.st_mode)))
			buf_add_bytes(out, words[i], strlen(words[i]) + 1);
	}
}

static bool serve_equal(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0);
}

/* Moves an element of an array to its front. */
static void serve_to_front(void *array, size_t size, size_t index)
{
	char element[sizeof(struct serve_known)];
	memcpy(element, (char *)array + index * size, size);
	memmove((char *)array + size, array, index * size);
	memcpy(array, element, size);
}

/* Returns what questions with these names have opened; NULL: none was there. */
static struct serve_known *serve_known_find(struct serve_sessions *sessions,
                                            const struct buf *names)
{
	for (size_t i = 0; i < sessions->known_count; i++)
		if (serve_equal(&sessions->known[i].names, names)) {
			serve_to_front(sessions->known, sizeof *sessions->known, i);
			return sessions->known;
		}
	return NULL;
}

void serve_note(struct serve_sessions *sessions, int count, char *const *words,
                const struct buf *opened)
{
	struct buf names = {0};
	serve_add_names(count, words, &names);
	if (!names.len || !opened->len || serve_known_find(sessions, &names)) {
		buf_free(&names);
		return;
	}
	if (!sessions->known)
		sessions->known = mem_alloc(KNOWN_MOST * sizeof *sessions->known);
	if (sessions->known_count == KNOWN_MOST) {
		struct serve_known *last = &sessions->known[--sessions->known_count];
		buf_free(&last->names);
		buf_free(&last->opened);
	}
	struct serve_known *added = &sessions->known[sessions->known_count];
	*added = (struct serve_known){.names = names};
	buf_add_bytes(&added->opened, opened->data, opened->len);
	serve_to_front(sessions->known, sizeof *sessions->known, sessions->known_count++);
}

/* Begins a session about what was opened. NULL: it cannot be kept. */
static struct session *serve_begin(const struct buf *opened, bool cached)
{
	const char *dump[DUMPS_MOST], *at = opened->data, *end = at + opened->len;
	struct session_input input = {.dump = dump, .cached = cached};
	struct stat info;
	while (at < end) {
		const char *path = at, *exe = path + strlen(path) + 1, *hidden = exe + strlen(exe) + 1;
		bool first = !input.count, named = false;
		for (size_t i = 0; i < input.count; i++)
			named |= strcmp(dump[i], path) == 0;
		if (first) {
			input.exe = *exe ? exe : NULL;
			input.hidden = *hidden;
		}
		if (input.count == DUMPS_MOST || strncmp(path, "/proc/", 6) == 0 || stat(path, &info) != 0
		    || !S_ISREG(info.st_mode) || strcmp(exe, input.exe ? input.exe : "") != 0
		    || input.hidden != (bool)*hidden)
			return NULL;
		if (!named)
			dump[input.count++] = path;
		at = hidden + strlen(hidden) + 1;
	}
	return session_new(&input, &(struct err){0});
}

static void serve_kept_end(struct serve_sessions *sessions, size_t index)
{
	session_free(sessions->kept[index].session);
	buf_free(&sessions->kept[index].opened);
	memmove(&sessions->kept[index], &sessions->kept[index + 1],
	        (--sessions->kept_count - index) * sizeof *sessions->kept);
}

/* Returns the session that keeps what was opened, as it is now; NULL: there can be none. */
static struct session *serve_keep(struct serve_sessions *sessions, const struct buf *opened)
{
	size_t found = 0;
	while (found < sessions->kept_count && !serve_equal(&sessions->kept[found].opened, opened))
		found++;
	if (found < sessions->kept_count && sessions->kept[found].session
	    && !(session_lives(sessions->kept[found].session)
	         && session_is_same(sessions->kept[found].session, &(struct err){0}))) {
		serve_kept_end(sessions, found);
		found = sessions->kept_count;
	}
	if (found == sessions->kept_count) {
		if (!sessions->kept)
			sessions->kept = mem_alloc(KEPT_MOST * sizeof *sessions->kept);
		if (sessions->kept_count == KEPT_MOST)
			serve_kept_end(sessions, KEPT_MOST - 1);
		found = sessions->kept_count++;
		sessions->kept[found] =
			(struct serve_kept){.session = serve_begin(opened, sessions->cached)};
		buf_add_bytes(&sessions->kept[found].opened, opened->data, opened->len);
	}
	serve_to_front(sessions->kept, sizeof *sessions->kept, found);
	return sessions->kept->session;
}

struct session *serve_session(struct serve_sessions *sessions, int count, char *const *words,
                              struct err *err)
{
	SCOPED_BUF names = {0};
	serve_add_names(count, words, &names);
	const struct serve_known *known = serve_known_find(sessions, &names);
	struct session *session = known ? serve_keep(sessions, &known->opened) : NULL;
	return session ? session : serve_blank(sessions, err);
}

void serve_give_up(struct serve_sessions *sessions)
{
	session_free(sessions->kept->session);
	sessions->kept->session = NULL;
}

void serve_bound(struct serve_sessions *sessions)
{
	uint64_t kept = 0, left = memory_left();
	for (size_t i = 0; i < sessions->kept_count; i++)
		if (sessions->kept[i].session)
			kept += session_memory(sessions->kept[i].session);
	while (sessions->kept_count > 1 && left != UINT64_MAX && kept > (left + kept) / MEMORY_PART) {
		const struct session *last = sessions->kept[sessions->kept_count - 1].session;
		uint64_t has = last ? session_memory(last) : 0;
		serve_kept_end(sessions, sessions->kept_count - 1);
		kept -= has < kept ? has : kept;
		left += has;
	}
}

void serve_sessions_fini(struct serve_sessions *sessions)
{
	while (sessions->kept_count)
		serve_kept_end(sessions, sessions->kept_count - 1);
	while (sessions->known_count) {
		struct serve_known *last = &sessions->known[--sessions->known_count];
		buf_free(&last->names);
		buf_free(&last->opened);
	}
	session_free(sessions->blank);
	free(sessions->known);
	free(sessions->kept);
}
