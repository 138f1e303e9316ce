/* The bounds of goheapx watch: when one is reached, when it can be reached again, and how soon to
   look. */
#include "main/process/watch.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t SECOND = UINT64_C(1000000000), WINDOW = UINT64_C(60000000000);
/* The longest time between two readings: one takes less than 0.5 ms. */
static const uint64_t LONGEST = UINT64_C(250000000);

struct watch_kind {
	/* Both in bytes: where the bound is, and what is compared with it. */
	uint64_t (*level)(const struct watch_bound *bound, const struct watch_reading *reading);
	uint64_t (*now)(const struct watch_reading *reading);
	unsigned again; /* percent of the bound, below which it can be reached again */
	void (*add)(const struct watch_reading *reading, struct buf *out);
};

/* ---- Kinds */

static uint64_t level_of_size(const struct watch_bound *bound, const struct watch_reading *reading)
{
	(void)reading;
	return bound->value;
}

static uint64_t level_of_share(const struct watch_bound *bound, const struct watch_reading *reading)
{
	return (uint64_t)((double)reading->usage.limit * (double)bound->value / 10000);
}

static uint64_t resident_now(const struct watch_reading *reading)
{
	return reading->usage.resident;
}

static uint64_t used_now(const struct watch_reading *reading)
{
	return reading->usage.used;
}

static uint64_t growth_now(const struct watch_reading *reading)
{
	return reading->growth;
}

static void usage_add_rss(const struct watch_reading *reading, struct buf *out)
{
	buf_addf(out, "%s are resident", text_size(reading->usage.resident).text);
}

static void usage_add_used(const struct watch_reading *reading, struct buf *out)
{
	buf_addf(out, "%s of %s are used", text_size(reading->usage.used).text,
	         text_size(reading->usage.limit).text);
}

static void usage_add_growth(const struct watch_reading *reading, struct buf *out)
{
	buf_addf(out, "%s were added within a minute and ", text_size(reading->growth).text);
	usage_add_rss(reading, out);
}

static const struct watch_kind of_size = {level_of_size, resident_now, 90, usage_add_rss};
static const struct watch_kind of_share = {level_of_share, used_now, 90, usage_add_used};
static const struct watch_kind of_rate = {level_of_size, growth_now, 50, usage_add_growth};

void watch_bound_add_usage(const struct watch_bound *bound, const struct watch_reading *reading,
                           struct buf *out)
{
	bound->kind->add(reading, out);
}

/* ---- The command line */

static bool parse_share(const char *text, uint64_t *value)
{
	char *end;
	double percent = strtod(text, &end);
	*value = percent > 0 && percent <= 100 ? (uint64_t)(percent * 100) : 0;
	return strcmp(end, "%") == 0 && *value;
}

static bool watch_bounds_has_room(const struct watch_bounds *bounds, struct err *err)
{
	return bounds->count < WATCH_BOUNDS_MOST
	       || err_set(err, "Give at most %d bounds with --at and --rate", WATCH_BOUNDS_MOST);
}

static bool watch_bounds_add(struct watch_bounds *bounds, const char *text, size_t length,
                             struct err *err)
{
	struct watch_bound *bound = &bounds->bound[bounds->count];
	if (!watch_bounds_has_room(bounds, err))
		return false;
	*bound = (struct watch_bound){.kind = &of_size};
	if (length < sizeof bound->text) {
		memcpy(bound->text, text, length);
		if (parse_share(bound->text, &bound->value))
			bound->kind = &of_share;
		else if (!text_parse_number(bound->text, &bound->value))
			bound->value = 0;
	}
	bounds->count += bound->value > 0;
	return bound->value
	       || err_set(err, "--at needs a size or a percentage, such as 400MB or 85%%, not \"%.*s\"",
	                  length < 60 ? (int)length : 60, text);
}

static bool watch_bounds_add_rate(struct watch_bounds *bounds, const char *text, struct err *err)
{
	struct watch_bound bound = {.kind = &of_rate};
	struct buf size = {0};
	const char *slash = strchr(text, '/');
	buf_add_bytes(&size, text, slash ? (size_t)(slash - text) : 0);
	bool right = slash && strcmp(slash, "/min") == 0 && strlen(text) < sizeof bound.text
	             && text_parse_number(buf_text(&size), &bound.value) && bound.value;
	buf_free(&size);
	if (!right)
		return err_set(err, "--rate needs a size a minute, such as 50MB/min, not \"%.60s\"", text);
	if (!watch_bounds_has_room(bounds, err))
		return false;
	strcpy(bound.text, text);
	bounds->bound[bounds->count++] = bound;
	return true;
}

bool watch_bounds_parse(struct watch_bounds *bounds, const char *at, const char *rate,
                        struct err *err)
{
	for (size_t length; *at; at += length + 1) {
		length = strcspn(at, "\n");
		if (!watch_bounds_add(bounds, at, length, err))
			return false;
	}
	if (rate && !watch_bounds_add_rate(bounds, rate, err))
		return false;
	return bounds->count
	       || err_set(err, "Say when a snapshot is to be taken: --at 85%%, --at 400MB or "
	                       "--rate 50MB/min");
}

/* ---- Readings */

void watch_bounds_restart(struct watch_bounds *bounds)
{
	bounds->first = bounds->samples = 0;
	for (size_t i = 0; i < bounds->count; i++) {
		bounds->bound[i].above = false;
		bounds->bound[i].seen = 0;
	}
}

/* Keeps about a sample a second of the last minute. */
static uint64_t watch_bounds_growth(struct watch_bounds *bounds,
                                    const struct watch_reading *reading)
{
	size_t last = (bounds->first + bounds->samples + WATCH_SAMPLES - 1) % WATCH_SAMPLES;
	while (bounds->samples > 1 && reading->time - bounds->sample_time[bounds->first] > WINDOW) {
		bounds->first = (bounds->first + 1) % WATCH_SAMPLES;
		bounds->samples--;
	}
	if (!bounds->samples
	    || (bounds->samples < WATCH_SAMPLES
	        && reading->time - bounds->sample_time[last] >= SECOND)) {
		last = (bounds->first + bounds->samples++) % WATCH_SAMPLES;
		bounds->sample_time[last] = reading->time;
		bounds->sample[last] = reading->usage.resident;
	}
	uint64_t before = bounds->sample[bounds->first];
	return reading->usage.resident > before ? reading->usage.resident - before : 0;
}

static bool watch_bound_is_open(const struct watch_bounds *bounds, const struct watch_bound *bound)
{
	return !bound->above && !(bounds->once && bound->times);
}

size_t watch_bounds_reached(struct watch_bounds *bounds, struct watch_reading *reading,
                            struct watch_bound **reached)
{
	size_t count = 0;
	reading->growth = watch_bounds_growth(bounds, reading);
	for (size_t i = 0; i < bounds->count; i++) {
		struct watch_bound *bound = &bounds->bound[i];
		uint64_t level = bound->kind->level(bound, reading), now = bound->kind->now(reading);
		if (now < level / 100 * bound->kind->again)
			bound->above = false;
		if (!watch_bound_is_open(bounds, bound) || now < level || reading->time < bound->next)
			continue;
		size_t at = count++;
		for (; at && reached[at - 1]->kind->level(reached[at - 1], reading) > level; at--)
			reached[at] = reached[at - 1];
		reached[at] = bound;
	}
	return count;
}

/* A bound that is reached again and again, as by a program that is restarted at it, is taken after
   1, 4, 9 ... seconds, and at last every ten minutes. */
void watch_bound_tried(struct watch_bound *bound, bool taken, uint64_t time)
{
	enum { SLOWEST = 24 };
	uint64_t times = ++bound->times < SLOWEST ? bound->times : SLOWEST;
	bound->above = true;
	bound->taken |= taken;
	bound->missed = !bound->taken;
	bound->next = time + times * times * SECOND;
}

/* Returns the ns until a bound may be reached, halved, at the speed since the last reading. */
static uint64_t watch_bound_wait(const struct watch_bound *bound,
                                 const struct watch_reading *reading, uint64_t level, uint64_t now)
{
	const uint64_t near = SECOND / 10, nearest = SECOND / 20;
	uint64_t left = level - now;
	uint64_t soon = left < level / 100 ? nearest : left < level / 20 ? near : LONGEST;
	if (!bound->seen) /* how fast it grows is not known yet */
		return nearest;
	if (now <= bound->last)
		return soon;
	double speed = (double)(now - bound->last) / (double)(reading->time - bound->seen);
	double reach = (double)left / speed / 2;
	return reach < (double)soon ? (uint64_t)reach : soon;
}

uint64_t watch_bounds_wait(struct watch_bounds *bounds, const struct watch_reading *reading)
{
	const uint64_t least = SECOND / 100;
	uint64_t wait = LONGEST;
	for (size_t i = 0; i < bounds->count; i++) {
		struct watch_bound *bound = &bounds->bound[i];
		uint64_t level = bound->kind->level(bound, reading), now = bound->kind->now(reading);
		if (watch_bound_is_open(bounds, bound) && now < level) {
			uint64_t soon = watch_bound_wait(bound, reading, level, now);
			wait = soon < wait ? soon : wait;
		}
		bound->last = now;
		bound->seen = reading->time;
	}
	return wait > least ? wait : least;
}

bool watch_bounds_missed(const struct watch_bounds *bounds)
{
	for (size_t i = 0; i < bounds->count; i++)
		if (bounds->bound[i].missed)
			return true;
	return false;
}

bool watch_bounds_all(const struct watch_bounds *bounds, bool missed)
{
	for (size_t i = 0; i < bounds->count; i++)
		if (!bounds->bound[i].taken && !(missed && bounds->bound[i].missed))
			return false;
	return true;
}
