/* What the reader of Go's dumps remembers of a file, and the walk over its records. */
#ifndef FORMAT_GO_READER_H
#define FORMAT_GO_READER_H

#include "base/cursor.h"
#include "format/go_layout.h"
#include "format/go_rules.h"

struct go_type { /* Go 1.3: what its objects need */
	uint64_t size;
	const uint8_t *list, *end; /* of fields */
};

struct go_reader {
	const struct go_layout *layout;
	const uint8_t *data;
	size_t size;
	struct params_record params;
	struct go_rules rules;
	struct old_fields old;
	struct map types; /* address -> index in `type` */
	struct go_type *type;
	size_t type_count, type_capacity;
	uint8_t **lists; /* of fields, ours: those of the early layout are converted */
	size_t list_count, list_capacity;
	struct go_long_lists *long_lists; /* private: src/format/go_reader.c */
};

/* A walk over the records of a file. */
struct go_walk {
	struct go_reader *reader;
	const struct sink *sink;
	struct cursor c;
	struct ghost_filter ghosts;
	bool has_params, ended;
	bool trial;    /* nothing is remembered */
	size_t good;   /* bytes of records that could be read, but for the first one */
	uint64_t work; /* bytes of lists and stacks gone through, read or not */
	/* Address in a type record whose name is impossible; 0: the record was good */
	uint64_t broken_type;
	bool impossible_name; /* of the type record read last */
	const char *strange;  /* what no intact record has, in the one that was read; NULL: nothing */
	struct object_record object; /* the last one; without data: there is none */
	uint64_t depth; /* of the next stack frame: they are counted from 0 in each goroutine */
	/* Within a record: the memory or the number of things that was read last. */
	const uint8_t *data;
	uint64_t size;
	/* Takes a record for later, which is then not told. NULL: all are told at once. */
	bool (*keep)(struct go_walk *walk, enum record_kind kind, const void *record);
	void *keeper;
};

struct go_reader *go_reader_new(const struct go_layout *layout, const uint8_t *data, size_t size);
void go_reader_free(struct go_reader *reader);
/* Takes up the parameters record, with what the version says about objects. */
void go_reader_set_params(struct go_reader *reader, const struct params_record *params);
/* Go 1.3: objects that come later need their types. */
void go_reader_add_type(struct go_reader *reader, const struct type_record *type);
/* go_fields_stop of src/format/go_object.h, for objects that are read in any order: a long list is
   gone through once. Any thread may ask. */
const uint8_t *go_reader_fields_stop(const struct go_reader *reader, const uint8_t *at,
                                     const uint8_t *end);
/* A copy of a list of fields with a 0 after it, which lives as long as the reader. */
uint8_t *go_reader_keep_list(struct go_reader *reader, const uint8_t *list, size_t size);

/* struct format's read, for all layouts. */
struct reader *go_read(const struct format *format, const struct input *input,
                       const struct sink *sink, struct progress *progress, struct err *err);
/* Its estimate, object, next and close. */
bool go_estimate(const struct format *format, const struct input *input, unsigned milliseconds,
                 struct estimate *estimate);
bool go_object_read(const struct reader *reader, uint64_t offset, struct object_record *record);
bool go_object_next(const struct reader *reader, struct object_record *record);
void go_close(struct reader *reader);

/* Of how many bytes a walk in this layout can make records, over what is damaged. */
size_t go_walk_length(const struct go_layout *layout, const uint8_t *data, size_t size);

/* Reads the record at the cursor and tells it. False: it is none, cut or damaged, or it was the end
   record (then walk->ended); *name is its kind, NULL when there is no such kind. */
bool go_record_read(struct go_walk *walk, const char **name);

/* Of objects like the one read last, up to so many that follow it: how many were read and told. */
uint64_t go_objects_read(struct go_walk *walk, uint64_t most);

/* Looks for the next place from `from` on and before `end` where records go on: a row of plausible
   ones. False: there is none, or looking further would cost too much. *budget is in bytes looked
   at, and used up. */
bool go_resync(const struct go_walk *walk, size_t from, size_t end, uint64_t *budget,
               size_t *found);
/* After a broken type record of Go 1.5: the itab record that made the runtime write it. */
bool go_resync_type(const struct go_walk *walk, size_t from, uint64_t *budget, size_t *found);

#endif
