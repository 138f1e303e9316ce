/* Changed versions of a file, always the same ones: what `make check` runs. Looking for new ones is
   libFuzzer's work, in `make fuzz`. */
#include "base/buf.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { LONGEST = 10 /* bytes of a varint */, MOST = 4 /* changes at once */, PIECE = 32 };

/* What the last words say when the program ends before its time. */
static struct {
	uint64_t number;
	size_t at;
} current;

static void name_culprit(void)
{
	if (current.number)
		printf("... with 0x%llx at %zu\n", (unsigned long long)current.number, current.at);
}

static size_t varint_length(const char *at, const char *end)
{
	size_t len = 1;
	while (at + len < end && len < LONGEST && (uint8_t)at[len - 1] >= 0x80)
		len++;
	return len;
}

static void add_varint(struct buf *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		buf_add_bytes(out, &(char){(char)(value | 0x80)}, 1);
	buf_add_bytes(out, &(char){(char)value}, 1);
}

/* In as much memory as any of these small files may take. */
void changed_claims(const char *bytes, size_t len, changed_run run)
{
	static const uint64_t claims[] = {UINT64_C(1) << 63, UINT64_C(1) << 40, 1 << 30};
	static const rlim_t memory = (rlim_t)1 << 30;
	SCOPED_BUF changed = {0};
	setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
	atexit(name_culprit);
	for (current.at = 0; current.at < len; current.at++)
		for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
			const char *rest = bytes + current.at + varint_length(bytes + current.at, bytes + len);
			current.number = claims[i];
			buf_clear(&changed);
			buf_add_bytes(&changed, bytes, current.at);
			add_varint(&changed, claims[i]);
			buf_add_bytes(&changed, rest, (size_t)(bytes + len - rest));
			run(changed.data, changed.len);
		}
	current.number = 0;
}

/* xorshift64*: as good on every machine, and the same. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1d;
}

static size_t below(uint64_t *state, size_t limit)
{
	return limit ? (size_t)(next_random(state) >> 11) % limit : 0;
}

/* A piece of the file put in the place of another: none, longer, shorter. */
static void move_piece(struct buf *out, const char *bytes, size_t len, uint64_t *state)
{
	size_t at = below(state, len), gone = below(state, PIECE), from = below(state, len);
	size_t more = below(state, PIECE);
	gone = gone < len - at ? gone : len - at;
	more = more < len - from ? more : len - from;
	buf_add_bytes(out, bytes, at);
	buf_add_bytes(out, bytes + from, more);
	buf_add_bytes(out, bytes + at + gone, len - at - gone);
}

static void change(struct buf *out, const char *bytes, size_t len, uint64_t *state)
{
	static const uint8_t odd[] = {0, 1, 2, 0x0a, 0x11, 0x1b, 0x7f, 0x80, 0xe2, 0xff};
	buf_clear(out);
	if (!len || below(state, 3) == 0) {
		move_piece(out, bytes, len, state);
		return;
	}
	buf_add_bytes(out, bytes, len);
	size_t at = below(state, len);
	out->data[at] = (char)(below(state, 2) ? odd[below(state, sizeof odd)] : below(state, 256));
}

void changed_anyhow(const char *bytes, size_t len, unsigned times, changed_run run)
{
	uint64_t state = 0x9e3779b97f4a7c15 ^ len;
	struct buf now = {0}, next = {0};
	for (unsigned i = 0; i < times; i++) {
		buf_clear(&now);
		buf_add_bytes(&now, bytes, len);
		for (size_t n = 1 + below(&state, MOST); n; n--) {
			change(&next, now.data, now.len, &state);
			struct buf other = now;
			now = next;
			next = other;
		}
		run(now.data, now.len);
	}
	buf_free(&now);
	buf_free(&next);
}
