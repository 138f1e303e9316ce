/* Estimates the sampling rate of the allocation profile, and scales its numbers like
   scaleHeapSample of runtime/pprof/protomem.go. */
#include "heap/profile.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

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
	struct objects_size_row *sizes = objects_sizes(objects, &count);
	if (!profile_is_usual(sampled, profile_expected(sizes, count, USUAL_RATE))) {
		profiles->rate = sampled < FEW ? 0 : profile_solve(sizes, count, sampled);
		profiles->rate_from = PROFILE_RATE_ESTIMATED;
	}
	free(sizes);
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
