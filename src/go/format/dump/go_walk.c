/* Walks over all records of a file, and skips damaged ones. */
#include "go/format/dump/go_object.h"

#include "base/redaction.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { STEP = 4096 };

typedef void tell_fn(void *self, uint64_t offset, const char *text);

__attribute__((format(printf, 4, 5))) static void go_walk_warn(const struct go_walk *w,
                                                               tell_fn *tell, uint64_t offset,
                                                               const char *format, ...)
{
	char text[256];
	va_list arguments;
	if (!tell)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	tell(w->sink->self, offset, text);
}

static void go_on_at(struct go_walk *w, size_t offset)
{
	w->c = cursor_make(w->reader->data, w->reader->size, offset);
	w->broken_type = 0;
}

/* Handles an unreadable record at `offset`. Returns true if reading can continue after it. */
static bool recover(struct go_walk *w, size_t offset, const char *name, uint64_t *budget)
{
	size_t found;
	bool type = w->broken_type != 0 && go_resync_type(w, offset, budget, &found);
	if (type || go_resync(w, offset + 1, w->reader->size, budget, &found)) {
		/* The name is a piece of the process's memory; the record ends with a flag. */
		if (type && w->reader->redaction && found > w->name_at + 1)
			redaction_add_zone(w->reader->redaction, w->name_at, found - 1 - w->name_at);
		if (type)
			go_walk_warn(w, w->sink->notice, offset,
			             "The name of this type is impossible, a fault of Go 1.5: %zu bytes were "
			             "skipped, and nothing but that name is missing",
			             found - offset);
		else
			go_walk_warn(w, w->sink->warning, offset,
			             "The %s record here is damaged: %zu bytes were skipped; what only they "
			             "pointed to seems unreachable",
			             name ? name : "next", found - offset);
		go_on_at(w, found);
		return true;
	}
	go_walk_warn(w, w->sink->warning, offset,
	             "The %s record here is cut or damaged: reading stopped, %zu bytes before the end "
	             "of the file",
	             name ? name : "next", w->reader->size - offset);
	return false;
}

/* Warns about bytes after the end record. A file system may leave zeros there; other bytes may have
   been records. */
static void warn_of_rest(const struct go_walk *w, size_t offset, size_t left)
{
	const uint8_t *rest = w->reader->data + offset;
	if (*rest == 0 && memcmp(rest, rest + 1, left - 1) == 0)
		go_walk_warn(w, w->sink->notice, offset,
		             left == 1 ? "%zu zero follows the end record: it is not read"
		                       : "%zu zeros follow the end record: they are not read",
		             left);
	else
		go_walk_warn(w, w->sink->warning, offset,
		             left == 1 ? "%zu byte follows the end record: it is not read"
		                       : "%zu bytes follow the end record: they are not read",
		             left);
}

/* Handles the end record at `offset`. Returns true if records follow, so that it is damage, and
   reading continues. */
static bool is_no_end(struct go_walk *w, size_t offset, uint64_t *budget)
{
	size_t left = cursor_left(&w->c), found;
	if (left && go_resync(w, offset + 1, w->reader->size, budget, &found)) {
		go_walk_warn(w, w->sink->warning, offset,
		             "An end record stands in the middle of the dump: %zu bytes of damage were "
		             "skipped; what only they pointed to seems unreachable",
		             found - offset);
		go_on_at(w, found);
		w->ended = false;
		return true;
	}
	if (left)
		warn_of_rest(w, offset + 1, left);
	if (w->sink->end)
		w->sink->end(w->sink->self, offset);
	return false;
}

/* Reads one record. Returns false if reading cannot continue. */
static bool go_walk_step(struct go_walk *w, uint64_t *budget)
{
	const char *name;
	size_t offset = (size_t)cursor_offset(&w->c);
	if (cursor_left(&w->c) == 0) {
		go_walk_warn(w, w->sink->warning, offset,
		             "The file ends here without its end record: the dump is incomplete");
		return false;
	}
	w->strange = NULL;
	if (go_record_read(w, &name)) {
		if (w->strange)
			go_walk_warn(w, w->sink->warning, offset,
			             "The %s record here is damaged: %s. It is read all the "
			             "same",
			             name, w->strange);
		w->good += (size_t)cursor_offset(&w->c) - offset;
		return true;
	}
	return w->ended ? is_no_end(w, offset, budget) : recover(w, offset, name, budget);
}

/* Returns the total budget of resynchronization, in bytes. */
static uint64_t budget_of(size_t size)
{
	return 4 * (uint64_t)size + (1 << 20);
}

struct reader *go_read(const struct format *format, const struct input *input,
                       const struct sink *sink, struct progress *progress, struct err *err)
{
	struct go_reader *reader = go_reader_new(format->variant, input->data, input->size);
	struct go_walk w = {
		.reader = reader, .sink = sink, .c = cursor_make(input->data, input->size, GO_HEADER_LINE)};
	uint64_t budget = budget_of(input->size);
	const char *name;
	reader->redaction = input->redaction;
	progress_begin(progress, "reading the dump", input->size);
	if (!go_record_read(&w, &name) || !w.has_params) {
		err_at(err, GO_HEADER_LINE, "The dump does not begin with a valid parameters record");
		go_reader_free(reader);
		return NULL;
	}
	for (uint64_t n = 1; go_walk_step(&w, &budget); n++) {
		if (n % STEP == 0 && !progress_step(progress, cursor_offset(&w.c)))
			break;
		if (sink->skip) {
			uint64_t offset = cursor_offset(&w.c), end = w.sink->skip(w.sink->self, offset);
			if (end > offset && end < w.reader->size)
				go_on_at(&w, (size_t)end);
		} else
			n += go_objects_read(&w, STEP - 1 - n % STEP);
	}
	return (struct reader *)reader;
}

size_t go_walk_length(const struct go_layout *layout, const uint8_t *data, size_t size)
{
	static const struct sink deaf = {0};
	struct go_reader *reader = go_reader_new(layout, data, size);
	struct go_walk w = {
		.reader = reader, .sink = &deaf, .c = cursor_make(data, size, GO_HEADER_LINE)};
	uint64_t budget = budget_of(size);
	const char *name;
	if (go_record_read(&w, &name) && w.has_params)
		while (go_walk_step(&w, &budget))
			;
	go_reader_free(reader);
	return w.good;
}
