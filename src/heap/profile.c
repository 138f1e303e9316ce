/* Samples are sorted by object and by profile. */
#include "heap/profile.h"

#include "base/bound.h"
#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 400 };

void profiles_fini(struct profiles *profiles)
{
	free(profiles->by_object);
	free(profiles->by_profile);
	free(profiles->first);
}

/* A profile and its id, for sorting; among equal ids the first profile counts. */
struct key {
	uint64_t id;
	uint32_t index;
};

ORDER_BY_TWO(by_id, struct key, id, index);

static void profile_resolve(struct profiles *profiles, const struct objects *objects)
{
	SCOPED_FREE struct key *keys = mem_alloc((profiles->count + 1ULL) * sizeof *keys);
	for (uint32_t i = 0; i < profiles->count; i++)
		keys[i] = (struct key){profiles->profile[i].id, i};
	qsort(keys, profiles->count, sizeof *keys, by_id);
	for (uint32_t i = 0; i < profiles->sample_count; i++) {
		struct sample *sample = &profiles->sample[i];
		size_t at =
			lower_bound(keys, profiles->count, BOUND_BY(struct key, id), sample->record.profile);
		bool found = at < profiles->count && keys[at].id == sample->record.profile;
		sample->profile = found ? keys[at].index : PROFILE_NONE;
		sample->object = objects_find(objects, sample->record.object);
	}
}

/* Sort key of a sample; the index keeps file order. */
struct rank {
	uint32_t major, minor, index;
};

static int by_rank(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	if (x->major != y->major)
		return x->major < y->major ? -1 : 1;
	if (x->minor != y->minor)
		return x->minor < y->minor ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static uint32_t *sorted(const struct profiles *profiles, bool by_object)
{
	uint32_t count = profiles->sample_count;
	uint32_t *order = mem_alloc((count + 1ULL) * sizeof *order);
	SCOPED_FREE struct rank *ranks = mem_alloc((count + 1ULL) * sizeof *ranks);
	for (uint32_t i = 0; i < count; i++) {
		const struct sample *sample = &profiles->sample[i];
		ranks[i] = by_object ? (struct rank){sample->object, sample->profile, i}
		                     : (struct rank){sample->profile, sample->object, i};
	}
	qsort(ranks, count, sizeof *ranks, by_rank);
	for (uint32_t i = 0; i < count; i++)
		order[i] = ranks[i].index;
	return order;
}

void profiles_build(struct profiles *profiles, const struct objects *objects)
{
	profile_resolve(profiles, objects);
	profiles->by_object = sorted(profiles, true);
	profiles->by_profile = sorted(profiles, false);
	profiles->first = mem_alloc((profiles->count + 1ULL) * sizeof *profiles->first);
	uint32_t at = 0;
	for (uint32_t p = 0; p <= profiles->count; p++) {
		while (at < profiles->sample_count
		       && profiles->sample[profiles->by_profile[at]].profile < p)
			at++;
		profiles->first[p] = at;
	}
}

static uint64_t object_of_sample(const void *of, size_t at)
{
	const struct profiles *profiles = of;
	return profiles->sample[profiles->by_object[at]].object;
}

const struct sample *profiles_of_object(const struct profiles *profiles, uint32_t object)
{
	size_t at = lower_bound_of(profiles, 0, profiles->sample_count, object_of_sample, object);
	if (at == profiles->sample_count)
		return NULL;
	const struct sample *sample = &profiles->sample[profiles->by_object[at]];
	return sample->object == object ? sample : NULL;
}

uint32_t profiles_find(const struct profiles *profiles, uint64_t id)
{
	for (uint32_t i = 0; i < profiles->count; i++)
		if (profiles->profile[i].id == id)
			return i;
	return PROFILE_NONE;
}

struct stack_walk stack_walk(const struct profile_record *record)
{
	return (struct stack_walk){cursor_make(record->stack, (size_t)record->stack_size, 0),
	                           record->frames};
}

bool stack_walk_next(struct stack_walk *walk, struct stack_frame *frame)
{
	if (walk->left == 0)
		return false;
	walk->left--;
	frame->function = cursor_text(&walk->c);
	frame->file = cursor_text(&walk->c);
	frame->line = cursor_uvarint(&walk->c);
	return cursor_ok(&walk->c);
}

static bool profile_ends_with(struct text text, const char *end)
{
	size_t len = strlen(end);
	return text.len >= len && memcmp(text.data + text.len - len, end, len) == 0;
}

static bool profile_begins_with(struct text text, const char *prefix)
{
	size_t len = strlen(prefix);
	return text.len >= len && memcmp(text.data, prefix, len) == 0;
}

/* Up to Go 1.4 most of the runtime is in C, whose functions have no package: x.c, x.goc. */
bool stack_frame_is_runtime(const struct stack_frame *frame)
{
	return profile_begins_with(frame->function, "runtime.")
	       || profile_begins_with(frame->function, "internal/runtime/")
	       || profile_ends_with(frame->file, ".c") || profile_ends_with(frame->file, ".goc");
}

struct stack_walk stack_walk_outside(const struct profile_record *record)
{
	struct stack_frame frame;
	struct stack_walk walk = stack_walk(record), from = walk;
	for (; stack_walk_next(&walk, &frame); from = walk)
		if (!stack_frame_is_runtime(&frame))
			return from;
	return stack_walk(record);
}

bool profile_site(const struct profile_record *record, struct stack_frame *frame)
{
	struct stack_walk walk = stack_walk_outside(record);
	return stack_walk_next(&walk, frame);
}

void stack_frame_add(const struct stack_frame *frame, struct buf *out)
{
	struct text file = frame->file;
	text_add_symbol(out, frame->function.data, frame->function.len, NAME_LIMIT);
	for (size_t i = 0; i < frame->file.len; i++)
		if (frame->file.data[i] == '/')
			file = (struct text){frame->file.data + i + 1, frame->file.len - i - 1};
	if (!file.len)
		return;
	buf_add_char(out, ' ');
	text_add_escaped(out, file.data, file.len, NAME_LIMIT);
	buf_addf(out, ":%" PRIu64, frame->line);
}

/* ---- The sampling rate */

/* Estimates the sampling rate of the allocation profile, and scales its numbers like
   scaleHeapSample of runtime/pprof/protomem.go. */

enum {
	USUAL_RATE = 512 * 1024,
	LEAST_RATE = 16,   /* below the minimum size of objects: everything is sampled */
	MOST_RATE = 40,    /* as a power of 2 */
	STEPS = 60,        /* of the bisection */
	DEVIATIONS = 6,    /* tolerated deviation from the expectation, in standard deviations */
	FEW = 8,           /* with fewer samples, the runtime has disabled sampling at startup */
	USUALLY_WITHIN = 2 /* factor for objects sampled at another rate, or as parts of tiny blocks */
};

/* Returns the probability that an allocation of a size is sampled. */
static double profile_share(double size, double rate)
{
	return rate <= 1 ? 1 : 1 - exp(-size / rate);
}

/* ---- Estimate from objects */

static double profile_expected(const struct objects_size_row *sizes, size_t count, double rate)
{
	double samples = 0;
	for (size_t i = 0; i < count; i++)
		samples += (double)sizes[i].count * profile_share((double)sizes[i].size, rate);
	return samples;
}

static double profile_sampled_objects(const struct profiles *profiles)
{
	uint32_t count = 0, last = OBJECT_NONE;
	for (uint32_t i = 0; i < profiles->sample_count; i++) {
		uint32_t object = profiles->sample[profiles->by_object[i]].object;
		count += object != OBJECT_NONE && object != last;
		last = object;
	}
	return count;
}

/* Returns the rate for which the expected number of sampled objects equals `sampled`. */
static uint64_t profile_solve(const struct objects_size_row *sizes, size_t count, double sampled)
{
	double low = 0, high = MOST_RATE; /* powers of 2 */
	for (int step = 0; step < STEPS; step++) {
		double middle = (low + high) / 2;
		if (profile_expected(sizes, count, exp2(middle)) > sampled)
			low = middle;
		else
			high = middle;
	}
	uint64_t rate = (uint64_t)exp2(high);
	return rate < LEAST_RATE ? 1 : rate;
}

static bool profile_is_usual(double sampled, double expected)
{
	return fabs(sampled - expected) <= DEVIATIONS * sqrt(expected) + 1
	       || (sampled * USUALLY_WITHIN >= expected && sampled <= expected * USUALLY_WITHIN);
}

void profiles_find_rate(struct profiles *profiles, const struct params_record *params,
                        const struct objects *objects, bool complete)
{
	size_t count;
	profiles->rate = params->has_profile_rate ? params->profile_rate : USUAL_RATE;
	profiles->rate_from = params->has_profile_rate ? PROFILE_RATE_READ : PROFILE_RATE_DEFAULT;
	double sampled = profile_sampled_objects(profiles);
	if (params->has_profile_rate || !complete || sampled < 1)
		return;
	SCOPED_FREE struct objects_size_row *sizes = objects_sizes(objects, &count);
	if (!profile_is_usual(sampled, profile_expected(sizes, count, USUAL_RATE))) {
		profiles->rate = sampled < FEW ? 0 : profile_solve(sizes, count, sampled);
		profiles->rate_from = PROFILE_RATE_ESTIMATED;
	}
}

/* ---- Scaled numbers */

static uint64_t profile_whole(double number)
{
	return number < 0x1p64 ? (uint64_t)number : UINT64_MAX;
}

struct profile_amount profile_scaled(const struct profiles *profiles,
                                     const struct profile_record *record, uint64_t count)
{
	if (!count || !record->size)
		return (struct profile_amount){0};
	if (profiles->rate <= 1)
		return (struct profile_amount){
			count, record->size > UINT64_MAX / count ? UINT64_MAX : record->size * count};
	double scale = 1 / profile_share((double)record->size, (double)profiles->rate);
	double bytes = (double)record->size * (double)count;
	return (struct profile_amount){profile_whole((double)count * scale),
	                               profile_whole(bytes * scale)};
}

struct profile_amount profile_part(const struct profiles *profiles,
                                   const struct profile_record *record, uint64_t before,
                                   uint64_t count)
{
	struct profile_amount less = profile_scaled(profiles, record, before);
	struct profile_amount all = profile_scaled(profiles, record, before + count);
	return (struct profile_amount){all.count - less.count, all.bytes - less.bytes};
}

struct profile_key {
	const struct profiles *profiles;
	uint32_t object, index;
};

/* Returns 1 if a sample among those of its profile comes after the one that is looked for, or is
   it. */
static uint64_t profile_is_from(const void *of, size_t at)
{
	const struct profile_key *key = of;
	uint32_t index = key->profiles->by_profile[at];
	uint32_t object = key->profiles->sample[index].object;
	return object > key->object || (object == key->object && index >= key->index);
}

struct profile_amount profiles_of_sample(const struct profiles *profiles,
                                         const struct sample *sample)
{
	if (sample->profile == PROFILE_NONE)
		return (struct profile_amount){0};
	const uint32_t *first = &profiles->first[sample->profile];
	struct profile_key key = {profiles, sample->object, (uint32_t)(sample - profiles->sample)};
	size_t at = lower_bound_of(&key, first[0], first[1], profile_is_from, 1);
	return profile_part(profiles, &profiles->profile[sample->profile], at - first[0], 1);
}

uint64_t profile_live(const struct profile_record *record)
{
	return record->allocs > record->frees ? record->allocs - record->frees : 0;
}

void profile_rate_add(const struct profiles *profiles, struct buf *out)
{
	static const char *const from[] = {
		[PROFILE_RATE_DEFAULT] = "Go's default",
		[PROFILE_RATE_READ] = "read from the process",
		[PROFILE_RATE_ESTIMATED] = "estimated",
	};
	buf_add(out, profiles->rate > 1 ? "scaled by MemProfileRate " : "not scaled: MemProfileRate ");
	text_add_count(out, profiles->rate);
	buf_addf(out, " (%s)", from[profiles->rate_from]);
}
