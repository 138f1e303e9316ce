/* Estimates the content of a Go dump by stratified sampling: the file is divided into equal parts,
   and in each part the records that start in a window at a random place are counted. If no record
   is found in a window, none starts there. */
#include "format/estimate.h"
#include "go/format/dump/go_object.h"

#include "base/clock.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

enum {
	WINDOW = 8192,
	AHEAD = WINDOW,       /* distance before a window from which its records are searched */
	REACH = 1 << 22,      /* how far a row of records may extend beyond a window */
	BUDGET = 1 << 20,     /* of searching for a record */
	LEAST_SAMPLES = 64,   /* minimum for a useful variance */
	LEAST_OBJECTS = 1000, /* minimum for a useful variance */
	LEAST_PAIRS = 16,     /* pairs needed to recognize a list of fields */
	SIZES = 1024,         /* number of distinct sizes counted */
};

struct window {
	uint64_t at, objects;
	uint64_t bytes, unknown; /* bytes of objects; those in objects of unknown size */
	bool dark;               /* no record was found: its bytes count as part of an object */
	bool after;              /* it has records of a kind that follows all objects */
};

struct sampling {
	struct go_reader *reader;
	struct window *window;
	size_t count;
	uint64_t seed;
	/* The current window. */
	struct window *now;
	uint64_t end;
	/* Hash table: object size -> bytes of objects of that size. */
	struct estimate_size size[SIZES];
	size_t sizes;
};

static uint64_t sampling_random(struct sampling *s)
{
	s->seed ^= s->seed << 13;
	s->seed ^= s->seed >> 7;
	s->seed ^= s->seed << 17;
	return s->seed;
}

/* Adds bytes of objects of a size. Sizes above a window count together, since most windows do not
   contain the header of such an object. */
static void sampling_add_size(struct sampling *s, uint64_t size, uint64_t bytes)
{
	if (size > WINDOW)
		size = ESTIMATE_LARGE;
	size_t i = (size_t)(size * UINT64_C(0x9e3779b97f4a7c15) >> 54);
	if (s->sizes > SIZES / 2)
		return;
	while (s->size[i].size && s->size[i].size != size)
		i = (i + 1) % SIZES;
	s->sizes += !s->size[i].size;
	s->size[i].size = size;
	s->size[i].bytes += (double)bytes;
}

/* Returns how many bytes of [from, from + size) are in the window. */
static uint64_t sampling_within(const struct sampling *s, uint64_t from, uint64_t size)
{
	uint64_t first = from > s->now->at ? from : s->now->at;
	uint64_t end = from + size < s->end ? from + size : s->end;
	return first < end ? end - first : 0;
}

static void sampling_see_object(void *self, const struct object_record *r)
{
	struct sampling *s = self;
	uint64_t data = (uint64_t)(r->data - s->reader->data);
	uint64_t bytes = sampling_within(s, data, r->stored);
	s->now->objects += r->offset >= s->now->at && r->offset < s->end;
	s->now->bytes += bytes;
	sampling_add_size(s, r->size, bytes);
}

static void sampling_see_record(void *self, enum record_kind kind, const void *record)
{
	struct sampling *s = self;
	(void)record;
	s->now->after |= kind == RECORD_GOROUTINE || kind == RECORD_FRAME || kind == RECORD_OS_THREAD
	                 || kind == RECORD_DATA || kind == RECORD_BSS || kind == RECORD_PROFILE;
}

/* Returns true if the list of pointers of a large object is at `from`: pairs of 1 and an ascending
   offset. */
static bool sampling_is_list(const struct sampling *s, uint64_t from)
{
	size_t size = s->reader->size;
	for (uint64_t start = from; start < from + 12 && start < size; start++) {
		struct cursor c = cursor_make(s->reader->data, size, start);
		uint64_t last = 0;
		int pairs = 0;
		while (pairs < LEAST_PAIRS && cursor_uvarint(&c) == 1) {
			uint64_t offset = cursor_uvarint(&c);
			if (!cursor_ok(&c) || offset <= last || offset % 4)
				break;
			last = offset;
			pairs++;
		}
		if (pairs == LEAST_PAIRS)
			return true;
	}
	return false;
}

/* Reads records up to the end of the window, and skips damaged ones. */
static void sampling_walk(struct sampling *s, struct go_walk *w, uint64_t *budget)
{
	const char *name;
	size_t at = (size_t)cursor_offset(&w->c);
	while (at < s->end) {
		bool read = go_record_read(w, &name);
		if (!read && (w->ended || !go_resync(w, at + 1, s->end, budget, &at)))
			return;
		if (!read)
			w->c = cursor_make(s->reader->data, s->reader->size, at);
		at = (size_t)cursor_offset(&w->c);
	}
}

/* Returns how many of the bytes before the first record are contents of an object; its list of
   pointers follows them. */
static uint64_t sampling_contents(const struct sampling *s, uint64_t from, uint64_t bytes)
{
	enum { STEP = 256 };
	for (uint64_t done = 0; done < bytes; done += STEP)
		if (sampling_is_list(s, from + done))
			return done;
	return bytes;
}

static void sampling_look(struct sampling *s, struct window *window, size_t size)
{
	const struct sink sink = {
		.self = s, .object = sampling_see_object, .record = sampling_see_record};
	struct go_walk w = {.reader = s->reader, .sink = &sink, .has_params = true, .trial = true};
	uint64_t from = window->at > GO_HEADER_LINE + AHEAD ? window->at - AHEAD : GO_HEADER_LINE;
	uint64_t budget = BUDGET;
	size_t at;
	s->now = window;
	s->end = window->at + WINDOW;
	s->reader->size = size - s->end < REACH ? size : s->end + REACH;
	bool found = go_resync(&w, from, s->end, &budget, &at);
	uint64_t before = !found ? WINDOW : at > window->at ? at - window->at : 0;
	window->bytes = window->unknown = sampling_contents(s, window->at, before);
	window->dark = !found;
	if (found) {
		w.c = cursor_make(s->reader->data, s->reader->size, at);
		sampling_walk(s, &w, &budget);
	}
	s->reader->size = size;
}

/* Clears windows without records after the last object. */
static void sampling_end_objects(struct sampling *s)
{
	uint64_t last = 0, after = UINT64_MAX;
	for (size_t i = 0; i < s->count; i++)
		if (s->window[i].objects && s->window[i].at > last)
			last = s->window[i].at;
	for (size_t i = 0; i < s->count; i++)
		if (s->window[i].after && s->window[i].at >= last && s->window[i].at < after)
			after = s->window[i].at;
	for (size_t i = 0; i < s->count; i++)
		if (s->window[i].dark && s->window[i].at > after)
			s->window[i].bytes = s->window[i].unknown = 0;
	for (size_t i = 0; i < s->count; i++)
		sampling_add_size(s, ESTIMATE_LARGE, s->window[i].unknown);
}

/* Estimates a total from the mean per window, with a 95 % confidence interval; with this many
   samples Student's distribution is close to the normal one. */
static struct estimated sampling_sum(const struct sampling *s, double windows, bool objects)
{
	const double deviations = 1.96;
	double sum = 0, squares = 0, count = (double)s->count;
	for (size_t i = 0; i < s->count; i++) {
		double seen = (double)(objects ? s->window[i].objects : s->window[i].bytes);
		sum += seen;
		squares += seen * seen;
	}
	double variance = (squares - sum * sum / count) / (count - 1);
	double error = sqrt((variance > 0 ? variance : 0) / count);
	return (struct estimated){sum / count * windows, deviations * error * windows};
}

static int estimate_by_bytes(const void *a, const void *b)
{
	const struct estimate_size *x = a, *y = b;
	if (x->bytes > y->bytes || x->bytes < y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return x->size < y->size ? -1 : x->size > y->size;
}

static bool sampling_tell(struct sampling *s, double windows, struct estimate *out)
{
	uint64_t objects = 0;
	for (size_t i = 0; i < s->count; i++)
		objects += s->window[i].objects;
	if (s->count < LEAST_SAMPLES || objects < LEAST_OBJECTS)
		return false;
	sampling_end_objects(s);
	*out = (struct estimate){
		.samples = (uint32_t)s->count,
		.objects = sampling_sum(s, windows, true),
		.bytes = sampling_sum(s, windows, false),
	};
	qsort(s->size, SIZES, sizeof *s->size, estimate_by_bytes);
	for (; out->size_count < ESTIMATE_SIZES && s->size[out->size_count].size; out->size_count++) {
		out->sizes[out->size_count] = s->size[out->size_count];
		out->sizes[out->size_count].bytes *= windows / (double)s->count;
	}
	return true;
}

/* Visits the windows in several passes over the file, so that the sample is representative at any
   time. */
static void sampling_look_all(struct sampling *s, uint32_t samples, unsigned milliseconds,
                              size_t size)
{
	enum { PASSES = 8 };
	uint64_t until = milliseconds ? clock_now() + milliseconds * UINT64_C(1000000) : UINT64_MAX;
	uint64_t part = (size - WINDOW) / samples;
	for (uint32_t pass = 0; pass < PASSES; pass++)
		for (uint32_t i = pass; i < samples; i += PASSES) {
			struct window *window = &s->window[s->count];
			if (clock_now() > until)
				return;
			*window = (struct window){.at = i * part + sampling_random(s) % part};
			sampling_look(s, window, size);
			s->count++;
		}
}

bool go_estimate(const struct format *format, const struct input *input, unsigned milliseconds,
                 struct estimate *estimate)
{
	uint32_t samples = ESTIMATE_SAMPLES;
	static const struct sink deaf = {0};
	struct go_reader *reader = go_reader_new(format->variant, input->data, input->size);
	struct go_walk w = {.reader = reader,
	                    .sink = &deaf,
	                    .c = cursor_make(input->data, input->size, GO_HEADER_LINE)};
	struct sampling *s = mem_alloc(sizeof *s);
	const char *name;
	bool told = false;
	if (samples > input->size / (2 * WINDOW))
		samples = (uint32_t)(input->size / (2 * WINDOW));
	if (samples >= LEAST_SAMPLES && go_record_read(&w, &name) && w.has_params) {
		s->reader = reader;
		/* a fixed seed: each run gives the same result */
		s->seed = input->size * UINT64_C(0x9e3779b97f4a7c15) | 1;
		s->window = mem_alloc(samples * sizeof *s->window);
		sampling_look_all(s, samples, milliseconds, input->size);
		told = sampling_tell(s, (double)input->size / WINDOW, estimate);
	}
	free(s->window);
	free(s);
	go_reader_free(reader);
	return told;
}
