/* State of the reader of Go dumps for a file, and the walk over its records. */
#pragma once

#include "base/cursor.h"
#include "go/format/dump/go_layout.h"
#include "go/format/dump/go_rules.h"

struct go_type { /* Go 1.3: data of a type needed to decode objects */
	uint64_t size;
	const uint8_t *list, *end; /* list of fields */
};

struct go_reader {
	const struct go_layout *layout;
	const uint8_t *data;
	size_t size;
	struct params_record params;
	struct go_rules rules;
	struct old_fields old;
	struct map types; /* address -> index into `type` */
	struct go_type *type;
	size_t type_count, type_capacity;
	uint8_t **lists; /* owned field lists: converted ones of the early layout */
	size_t list_count, list_capacity;
	struct go_long_lists *long_lists; /* private: src/go/format/dump/go_reader.c */
	struct redaction *redaction;      /* NULL, or see struct input: impossible names go */
};

/* State of a walk over the records of a file. */
struct go_walk {
	struct go_reader *reader;
	const struct sink *sink;
	struct cursor c;
	struct ghost_filter ghosts;
	bool has_params, ended;
	bool trial;    /* dry run: nothing is stored */
	size_t good;   /* bytes of valid records, without the first one */
	uint64_t work; /* bytes of lists and stacks scanned, valid or not */
	/* address in a type record whose name is impossible; 0: the record is valid */
	uint64_t broken_type;
	bool impossible_name; /* of the last type record */
	uint64_t name_at;     /* offset of its bytes */
	/* an irregularity in the last record, which no intact file has; NULL: none */
	const char *strange;
	struct object_record object; /* the last object; data is NULL if there is none */
	uint64_t depth;              /* depth of the next stack frame, from 0 in each goroutine */
	/* Within a record: the memory read last, or its size; the address read last. */
	const uint8_t *data;
	uint64_t size, address;
	/* Takes a record to report it later; returns true if it did. NULL: all records are reported at
	   once. */
	bool (*keep)(struct go_walk *walk, enum record_kind kind, const void *record);
	void *keeper;
};

struct go_reader *go_reader_new(const struct go_layout *layout, const uint8_t *data, size_t size);
void go_reader_free(struct go_reader *reader);
/* Applies the parameters record, and the rules of its version. */
void go_reader_set_params(struct go_reader *reader, const struct params_record *params);
/* Stores a type of Go 1.3, which later objects need. */
void go_reader_add_type(struct go_reader *reader, const struct type_record *type);
/* Like go_fields_stop of src/go/format/dump/go_object.h, for random access: scans each long list
   only once. Thread-safe. */
const uint8_t *go_reader_fields_stop(const struct go_reader *reader, const uint8_t *at,
                                     const uint8_t *end);
/* Returns a copy of a list of fields with a final 0, valid as long as the reader. */
uint8_t *go_reader_keep_list(struct go_reader *reader, const uint8_t *list, size_t size);

/* `read` of struct format, for all layouts. */
struct reader *go_read(const struct format *format, const struct input *input,
                       const struct sink *sink, struct progress *progress, struct err *err);
/* estimate, object, next and close of struct format. */
bool go_estimate(const struct format *format, const struct input *input, unsigned milliseconds,
                 struct estimate *estimate);
bool go_object_read(const struct reader *reader, uint64_t offset, struct object_record *record);
bool go_object_next(const struct reader *reader, struct object_record *record);
void go_close(struct reader *reader);

/* Returns how many bytes a walk with this layout can read as records, skipping damage. */
size_t go_walk_length(const struct go_layout *layout, const uint8_t *data, size_t size);

/* Reads the record at the cursor and reports it. Returns false if it is invalid, truncated or
   damaged, or if it was the end record (then walk->ended). *name is its kind, or NULL for an
   unknown one. */
bool go_record_read(struct go_walk *walk, const char **name);

/* Reads and reports up to `most` objects that resemble the last one and follow it. Returns their
   number. */
uint64_t go_objects_read(struct go_walk *walk, uint64_t most);

/* Finds the next place in [from, end) where a row of plausible records begins. Returns false if
   there is none or the budget is exhausted. *budget is in bytes examined, and is reduced. */
bool go_resync(const struct go_walk *walk, size_t from, size_t end, uint64_t *budget,
               size_t *found);
/* After a malformed type record of Go 1.5: finds the itab record because of which the runtime wrote
   it. */
bool go_resync_type(const struct go_walk *walk, size_t from, uint64_t *budget, size_t *found);
