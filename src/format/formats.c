/* The table of formats. */
#include "format/format.h"

#include "go/exe/exe.h"

#include <string.h>

enum { MOST_FORMATS = 32 };

const struct format *formats[MOST_FORMATS];

PLUGINS(formats);

static unsigned format_rank(const void *format)
{
	return ((const struct format *)format)->rank;
}

__attribute__((constructor)) static void list_formats(void)
{
	plugins_list(PLUGINS_OF(formats), format_rank, (const void **)formats, MOST_FORMATS);
}

/* Returns a noun for a file of a known but unsupported format, or NULL. */
static const char *format_of_others(const uint8_t *data, size_t size)
{
	static const struct {
		const char *start, *noun;
	} others[] = {
		{"JAVA PROFILE ", "a heap dump in the format of Java (hprof)"},
		{"PERFILE2", "a profile of perf (perf.data)"},
		{"2ELIFREP", "a profile of perf (perf.data)"},
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (size >= strlen(others[i].start)
		    && memcmp(data, others[i].start, strlen(others[i].start)) == 0)
			return others[i].noun;
	/* The first field of a pprof profile is the type of its samples: two string indices. */
	if (size > 6 && memcmp(data, "\x0a\x04\x08", 3) == 0 && data[4] == 0x10)
		return "a pprof profile, which does not say what holds memory";
	return NULL;
}

const struct format *format_find(const struct input *input, struct err *err)
{
	for (int i = 0; formats[i]; i++)
		if (formats[i]->probe(formats[i], input->data, input->size))
			return formats[i];
	const char *noun = format_of_others(input->data, input->size);
	if (noun)
		return err_at(err, 0, "This is %s; goheapx needs a heap dump, a core file or a process",
		              noun),
		       NULL;
	if (exe_is_program(input->data, input->size))
		return err_at(err, 0,
		              "This is an executable or a library: name a dump, a core file or a "
		              "process of it first"),
		       NULL;
	err_at(err, 0,
	       "The file does not begin like a heap dump (\"go1.7 heap dump\"); "
	       "debug.WriteHeapDump writes one");
	return NULL;
}

bool format_known(void *self, const uint8_t *start, size_t size, struct err *err)
{
	(void)self;
	const struct input input = {.data = start, .size = size, .fd = -1};
	return format_find(&input, err) != NULL;
}

static const struct {
	enum format_part part;
	const char *lack;
} lacks[] = {
	{PART_OBJECTS, "objects"},
	{PART_MEMORY, "contents of objects"},
	{PART_GO, "goroutines, and no other records of Go's runtime"},
	{PART_DOMAINS, "app domains"},
	{PART_BREAKDOWN, "sizes by call stack"},
	{PART_ALLOCATORS, "reports of allocators; traces of Chromium have"},
	{PART_PROCESS,
     "spans and no memory beside its objects; core files and snapshots of processes have"},
};

bool format_has(const struct format *format, unsigned parts, struct err *err)
{
	unsigned missing = parts & ~format_parts(format);
	for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
		if (!(missing & lacks[i].part))
			continue;
		err_set(err, "A %s has no %s", format->noun, lacks[i].lack);
		if (err)
			err->absent = true;
		return false;
	}
	return true;
}
