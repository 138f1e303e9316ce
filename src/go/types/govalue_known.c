/* Types of the standard library whose fields are not useful to people: times, locks, atomics, big
   numbers, maps. A formatter that does not find the expected fields returns false, and the fields
   are shown. */
#include "go/runtime/gosync.h"
#include "go/runtime/goweak.h"
#include "govalue_read.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct struct_view struct_of(const struct reading *r)
{
	return (struct struct_view){typing_runtime(r->in->typing), r->id, r->data, r->type->size};
}

static bool add_time(const struct reading *r)
{
	struct struct_view time = struct_of(r);
	uint64_t wall, ext;
	if (!struct_view_number(&time, "wall", &wall) || !struct_view_number(&time, "ext", &ext))
		return false;
	govalue_time_add(wall, (int64_t)ext, r->out);
	return true;
}

static bool add_duration(const struct reading *r)
{
	govalue_duration_add((int64_t)gomemory_number(r->in->heap, r->data, r->type->size), r->out);
	return true;
}

/* Shows the content of atomic.Int64 and similar types, atomic.Pointer, atomic.Value. */
static bool add_atomic(const struct reading *r)
{
	struct struct_view atomic = struct_of(r), value;
	if (!struct_view_field(&atomic, "v", &value))
		return false;
	reading_inner(r, value.type, value.data, value.size);
	return true;
}

static bool add_atomic_bool(const struct reading *r)
{
	struct struct_view atomic = struct_of(r);
	uint64_t value;
	if (!struct_view_number(&atomic, "v", &value))
		return false;
	buf_add(r->out, value ? "true" : "false");
	return true;
}

/* Reads a number that newer versions wrap in structs such as atomic.Uint32. */
static bool find_number(const struct struct_view *from, const char *name, uint64_t *number)
{
	struct struct_view field;
	return struct_view_field(from, name, &field)
	       && (struct_view_number(&field, "v", number) || struct_view_number(from, name, number));
}

static void add_waiting(struct buf *out, uint64_t count)
{
	if (count)
		buf_addf(out, ", %" PRIu64 " wait%s", count, count == 1 ? "s" : "");
}

/* Follows sync/mutex.go: mutexLocked, mutexStarving, mutexWaiterShift. Since Go 1.24 the fields are
   in mu. */
static bool add_mutex(const struct reading *r)
{
	enum { LOCKED = 1, STARVING = 4, WAITERS = 3 };
	struct struct_view mutex = struct_of(r), inner;
	uint64_t state;
	if (struct_view_field(&mutex, "mu", &inner))
		mutex = inner;
	if (!struct_view_number(&mutex, "state", &state))
		return false;
	buf_add(r->out, state & LOCKED ? "locked" : "unlocked");
	add_waiting(r->out, (state & UINT32_MAX) >> WAITERS);
	if (state & STARVING)
		buf_add(r->out, ", starving");
	return true;
}

/* Follows sync/rwmutex.go: a waiting or holding writer subtracts rwmutexMaxReaders. */
static bool add_rwmutex(const struct reading *r)
{
	enum { MOST = 1 << 30 };
	struct struct_view mutex = struct_of(r);
	uint64_t count, left;
	if (!find_number(&mutex, "readerCount", &count) || !find_number(&mutex, "readerWait", &left))
		return false;
	int64_t readers = (int32_t)count;
	bool writer = readers < 0;
	if (writer)
		buf_add(r->out, (int32_t)left > 0 ? "a writer waits for readers" : "locked");
	else if (readers)
		buf_add(r->out, "read-locked");
	else
		buf_add(r->out, "unlocked");
	if (writer && (int32_t)left <= 0)
		add_waiting(r->out, (uint64_t)(readers + MOST));
	else if (readers)
		buf_addf(r->out, ", %" PRId64 " readers", writer ? (int64_t)(int32_t)left : readers);
	return true;
}

static bool add_once(const struct reading *r)
{
	struct struct_view once = struct_of(r);
	uint64_t done;
	if (!find_number(&once, "done", &done))
		return false;
	buf_add(r->out, done ? "done" : "not done");
	return true;
}

/* Follows sync/waitgroup.go since Go 1.20: the upper half is the counter, the lowest 31 bits the
   number of waiters. */
static bool add_waitgroup(const struct reading *r)
{
	struct struct_view group = struct_of(r), field;
	uint64_t state;
	if (!struct_view_field(&group, "state", &field) || !struct_view_number(&field, "v", &state))
		return false;
	buf_addf(r->out, "counter %" PRId32, (int32_t)(state >> 32));
	add_waiting(r->out, state & INT32_MAX);
	return true;
}

/* Appends the decimal digits of a number of 32-bit parts, lowest first; destroys the parts. */
static void add_decimal(uint32_t *part, size_t count, struct buf *out)
{
	enum { BASE = 1000000000, DIGITS = 9 };
	uint32_t group[128];
	size_t groups = 0;
	while (count > 0) {
		uint64_t rest = 0;
		for (size_t i = count; i-- > 0;) {
			rest = rest << 32 | part[i];
			part[i] = (uint32_t)(rest / BASE);
			rest %= BASE;
		}
		group[groups++] = (uint32_t)rest;
		while (count > 0 && part[count - 1] == 0)
			count--;
	}
	for (size_t i = groups; i-- > 0;)
		buf_addf(out, "%0*" PRIu32, i + 1 == groups ? 1 : DIGITS, group[i]);
}

static void add_natural(const struct govalue *in, const uint8_t *data, uint64_t words,
                        struct buf *out)
{
	enum { MOST = 32 }; /* maximum words shown as digits; needs far fewer than 128 groups */
	unsigned width = in->heap->params.layout.pointer_size;
	uint32_t part[2 * MOST];
	size_t count = 0;
	if (words > MOST) {
		buf_addf(out, "a number of %" PRIu64 " bytes", words * width);
		return;
	}
	for (uint64_t i = 0; i < words; i++) {
		uint64_t word = heap_word(in->heap, data + i * width);
		part[count++] = (uint32_t)word;
		if (width == 8)
			part[count++] = (uint32_t)(word >> 32);
	}
	add_decimal(part, count, out);
}

/* Follows math/big: neg bool, abs []Word, lowest first. */
static bool add_big_int(const struct reading *r)
{
	struct struct_view number = struct_of(r), digits;
	unsigned width = reading_width(r);
	uint64_t negative;
	if (!struct_view_number(&number, "neg", &negative)
	    || !struct_view_field(&number, "abs", &digits) || digits.size < 2 * width)
		return false;
	uint64_t words = heap_word(r->in->heap, digits.data + width);
	if (words == 0) {
		buf_add_char(r->out, '0');
		return true;
	}
	uint64_t address = heap_word(r->in->heap, digits.data);
	const uint8_t *data = words <= UINT64_MAX / width ? gomemory_bytes(
							  typing_runtime(r->in->typing), address, words * width)
	                                                  : NULL;
	if (!data)
		return false;
	buf_add(r->out, negative ? "-" : "");
	add_natural(r->in, data, words, r->out);
	return true;
}

/* Shows the object that a weak pointer leads to, or that it was freed. */
static bool add_weak(const struct reading *r)
{
	struct struct_view pointer = struct_of(r);
	uint64_t target;
	enum goweak_state state = goweak_state(&pointer, &target);
	if (state == GOWEAK_LIVE)
		buf_addf(r->out, "weak 0x%" PRIx64, target);
	else
		buf_add(r->out, state == GOWEAK_NIL ? "nil" : state == GOWEAK_DEAD ? "dead" : "");
	return state != GOWEAK_UNKNOWN;
}

/* Counts the entries, which requires a walk; limited, since a row of a list must be fast. */
static bool add_sync_map(const struct reading *r)
{
	enum { LOOKED_AT = 20000 };
	struct gosync map;
	bool known =
		gosync_read(typing_runtime(r->in->typing), r->id, r->data, r->type->size, LOOKED_AT, &map)
		&& (map.count || !map.more);
	if (known)
		buf_addf(r->out, "map, %s%zu %s", map.more ? "at least " : "", map.count,
		         map.count == 1 ? "entry" : "entries");
	gosync_free(&map);
	return known;
}

/* Follows package net: 4 bytes of IPv4, or 16 bytes, possibly with an IPv4 address at the end. */
static bool add_ip(const struct reading *r)
{
	char text[INET6_ADDRSTRLEN];
	uint64_t length = reading_word(r, 1);
	if (length != 4 && length != 16)
		return false;
	const uint8_t *bytes =
		gomemory_bytes(typing_runtime(r->in->typing), reading_word(r, 0), length);
	static const uint8_t mapped[12] = {[10] = 0xff, 0xff};
	bool short_one = length == 4 || (bytes && memcmp(bytes, mapped, sizeof mapped) == 0);
	if (!bytes
	    || !inet_ntop(short_one ? AF_INET : AF_INET6, bytes + (short_one ? length - 4 : 0), text,
	                  sizeof text))
		return false;
	buf_add(r->out, text);
	return true;
}

static const struct known {
	const char *name; /* full; ends in [ if type arguments follow */
	enum gokind kind;
	bool (*add)(const struct reading *r);
} known[] = {
	{"internal/concurrent.HashTrieMap[", GO_STRUCT, add_sync_map},
	{"internal/sync.HashTrieMap[", GO_STRUCT, add_sync_map},
	{"internal/weak.Pointer[", GO_STRUCT, add_weak},
	{"math/big.Int", GO_STRUCT, add_big_int},
	{"net.IP", GO_SLICE, add_ip},
	{"sync.Map", GO_STRUCT, add_sync_map},
	{"sync.Mutex", GO_STRUCT, add_mutex},
	{"sync.Once", GO_STRUCT, add_once},
	{"sync.RWMutex", GO_STRUCT, add_rwmutex},
	{"sync.WaitGroup", GO_STRUCT, add_waitgroup},
	{"sync/atomic.Bool", GO_STRUCT, add_atomic_bool},
	{"sync/atomic.Int32", GO_STRUCT, add_atomic},
	{"sync/atomic.Int64", GO_STRUCT, add_atomic},
	{"sync/atomic.Pointer[", GO_STRUCT, add_atomic},
	{"sync/atomic.Uint32", GO_STRUCT, add_atomic},
	{"sync/atomic.Uint64", GO_STRUCT, add_atomic},
	{"sync/atomic.Uintptr", GO_STRUCT, add_atomic},
	{"time.Duration", GO_INT64, add_duration},
	{"time.Time", GO_STRUCT, add_time},
	{"weak.Pointer[", GO_STRUCT, add_weak},
};

static const struct known *govalue_known_find(const char *name)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (goruntime_is_named(name, known[i].name))
			return &known[i];
	return NULL;
}

bool govalue_is_known(const char *name)
{
	/* The first letter excludes most names. */
	return strchr("imnstw", *name) && govalue_known_find(name);
}

bool reading_known(const struct reading *r)
{
	size_t before = r->out->len;
	const struct known *type = govalue_is_known(r->type->name) ? govalue_known_find(r->type->name)
	                                                           : NULL;
	return type && type->kind == r->type->kind && type->add(r) && r->out->len > before;
}

/* ---- Errors */

/* Error messages: the text that the Error method would return, reconstructed from fields. */

/* Fields with the message, in errors of the standard library and most others. */
static const char *const messages[] = {"s", "msg", "message", "Msg", "Message"};
/* Fields of "open /etc/hosts: no such file": io/fs.PathError, os.SyscallError, net.OpError,
   net/url.Error. */
static const char *const parts[] = {"Op", "Path", "URL", "Syscall", "Func", "Net", "Num"};

static bool govalue_error_is_text(const struct struct_view *field)
{
	return gotype_get(field->in->types, field->type)->kind == GO_STRING;
}

static bool add_message(const struct reading *r, const struct struct_view *error)
{
	struct struct_view field;
	for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
		if (!struct_view_field(error, messages[i], &field) || !govalue_error_is_text(&field))
			continue;
		buf_add_char(r->out, ' ');
		reading_inner(r, field.type, field.data, field.size);
		return true;
	}
	return false;
}

static bool govalue_error_add_parts(const struct reading *r, const struct struct_view *error)
{
	struct struct_view field, cause;
	if (!struct_view_field(error, "Err", &cause))
		return false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!struct_view_field(error, parts[i], &field) || !govalue_error_is_text(&field))
			continue;
		buf_add_char(r->out, ' ');
		reading_inner(r, field.type, field.data, field.size);
	}
	buf_add(r->out, ": ");
	reading_inner(r, cause.type, cause.data, cause.size);
	return true;
}

bool reading_error(const struct reading *r, gotype_id id, uint64_t address)
{
	const struct gotype *type = gotype_get(typing_types(r->in->typing), id);
	struct struct_view error;
	return type->kind == GO_STRUCT && strstr(type->name, "rror")
	       && struct_view_at(typing_runtime(r->in->typing), id, address, &error)
	       && (add_message(r, &error) || govalue_error_add_parts(r, &error));
}
