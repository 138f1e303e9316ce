/* Dump formats. A format is one file behind one struct; it tells what it reads, in file order, to a
   sink, and knows nothing of what the sink makes of it. */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "base/err.h"
#include "base/input.h"
#include "base/progress.h"
#include "format/record.h"

/* One function a record; NULL where the receiver does not care. Records are valid during the call
   only, what they borrow as long as the input. */
struct sink {
	void *self;
	void (*params)(void *self, const struct params_record *);
	void (*object)(void *self, const struct object_record *);
	void (*ghost)(void *self, const struct object_record *); /* a slot that is no object (Go >= 1.22) */
	void (*type)(void *self, const struct type_record *);
	void (*itab)(void *self, const struct itab_record *);
	void (*goroutine)(void *self, const struct goroutine_record *);
	void (*frame)(void *self, const struct frame_record *);
	void (*finalizer)(void *self, const struct finalizer_record *);
	void (*thread)(void *self, const struct thread_record *);
	void (*segment)(void *self, const struct segment_record *);
	void (*otherroot)(void *self, const struct otherroot_record *);
	void (*foundroot)(void *self, const struct foundroot_record *);
	void (*defer)(void *self, const struct defer_record *);
	void (*panic)(void *self, const struct panic_record *);
	void (*memstats)(void *self, const struct memstats_record *);
	void (*profile)(void *self, const struct profile_record *);
	void (*sample)(void *self, const struct sample_record *);
	void (*end)(void *self, uint64_t offset); /* the record that says the dump is complete */
	/* Something is wrong with the file; reading goes on, or stops if it cannot. */
	void (*warning)(void *self, uint64_t offset, const char *text);
};

/* What a format remembers of an input, to decode its objects again. */
struct reader;

struct format {
	const char *name, *help;
	const void *variant; /* of the functions' own: what tells apart formats that share them */
	/* Is a file with this content of this format? Quick, but for old versions that only trying can
	   tell apart. */
	bool (*probe)(const struct format *, const uint8_t *data, size_t size);
	/* Reads the whole input and gives a reader that lives as long as the input. NULL: nothing of it
	   can be used, *err says why. A file that ends early is read, with a warning and without `end`;
	   so is one whose reading was cancelled. */
	struct reader *(*read)(const struct format *, const struct input *, const struct sink *,
	                       struct progress *, struct err *);
	/* Decodes the object record at an offset that read() told, again. */
	bool (*object)(const struct reader *, uint64_t offset, struct object_record *);
	void (*close)(struct reader *);
};

extern const struct format *const formats[]; /* NULL at the end, most telling probe first */

/* The format of an input by its content; NULL and *err when it is none. */
const struct format *format_find(const struct input *input, struct err *err);

#endif
