/* A format that tells records before those which they belong to gets a message. */
#include "base/input.h"
#include "cmocka_all.h"
#include "format/format.h"
#include "heap/dump_heap.h"
#include "heap/heap.h"

#include <string.h>

static uint8_t content[] = "a file of a test: order of calls";
static const struct input input = {.data = content, .size = sizeof content, .fd = -1};

/* What the format tells, by letter. */
static const char *calls;

static void order_tell(const struct sink *sink, char call)
{
	static const uint64_t slots[] = {0x2000};
	const struct object_record object = {
		.offset = 7, .end = 9, .slot = 0x1000, .data = content, .size = 8, .stored = 8};
	const struct params_record params = {
		.pointer_size = 8, .layout = {.pointer_size = 8}, .heap_start = 0, .heap_end = 0x10000};
	const struct domain_record domain = {0};
	if (call == 'd')
		sink->domain(sink->self, &domain);
	else if (call == 'e')
		sink->domain_end(sink->self, 7);
	else if (call == 'l')
		sink->log(sink->self, &(struct log_object_record){.offset = 7, .id = 1, .size = 8});
	else if (call == 'r')
		sink->log_root(sink->self, &(struct log_root_record){.offset = 7, .id = 1});
	else if (call == 't')
		sink->record(sink->self, RECORD_TYPE, &(struct type_record){.offset = 7});
	else if (call == 'f')
		sink->record(sink->self, RECORD_FRAME, &(struct frame_record){.offset = 7});
	else if (call == 'p')
		sink->record(sink->self, RECORD_PARAMS, &params);
	else if (call == 'o')
		sink->object(sink->self, &object);
	else if (call == 'w')
		sink->row(sink->self, &object, slots, 1, 2);
	else if (call == 'g')
		sink->ghost(sink->self, &object);
}

static struct reader *order_read(const struct format *format, const struct input *file,
                                 const struct sink *sink, struct progress *progress,
                                 struct err *err)
{
	(void)format, (void)progress, (void)err;
	for (const char *call = calls; *call; call++)
		order_tell(sink, *call);
	sink->end(sink->self, file->size);
	return (struct reader *)(uintptr_t)content;
}

static bool order_probe(const struct format *format, const uint8_t *data, size_t size)
{
	return size == sizeof content && memcmp(data, content, size) == 0
	       && (format->object != NULL) == (strpbrk(calls, "pogw") != NULL);
}

static void order_references(const struct reader *reader, uint64_t offset, uint32_t handle,
                             struct listed_references *references)
{
	(void)reader, (void)offset, (void)handle, (void)references;
}

static bool order_object(const struct reader *reader, uint64_t offset, struct object_record *record)
{
	(void)reader, (void)offset, (void)record;
	return false;
}

static void order_close(struct reader *reader)
{
	(void)reader;
}

static const struct runtime order_runtime;
static const struct listed_root_kind order_kinds[LOG_KINDS + 1];

static const struct format order_listed = {
	.rank = 1,
	.name = "listed",
	.noun = "test",
	.runtime = &order_runtime,
	.root_kinds = order_kinds,
	.probe = order_probe,
	.read = order_read,
	.references = order_references,
	.close = order_close,
};
PLUGIN(formats, order_listed);

static const struct format order_addressed = {
	.rank = 2,
	.name = "addressed",
	.noun = "test",
	.runtime = &order_runtime,
	.probe = order_probe,
	.read = order_read,
	.object = order_object,
	.close = order_close,
};
PLUGIN(formats, order_addressed);

static void is_refused(const char *told, const char *message)
{
	struct err err = {0};
	calls = told;
	assert_null(heap_read(&input, NULL, &err));
	assert_string_equal(err.text, message);
	assert_int_equal(err.offset, 7);
}

static void is_accepted(const char *told, uint32_t objects)
{
	struct err err = {0};
	calls = told;
	SCOPED_HEAP heap = heap_read(&input, NULL, &err);
	assert_string_equal(err.text, "");
	assert_non_null(heap);
	assert_int_equal(heap_object_count(heap), objects);
}

TEST(what_belongs_to_a_domain_comes_after_it)
{
	is_refused("l", "The reader of listed tells a listed object before its domain");
	is_refused("r", "The reader of listed tells a root before its domain");
	is_refused("t", "The reader of listed tells a type before its domain");
	is_refused("e", "The reader of listed tells the end of a domain before its begin");
	is_refused("ltd", "The reader of listed tells a listed object before its domain");
	is_refused("df", "The reader of listed tells a record that no list of objects has");
	is_accepted("dtlre", 1);
	is_accepted("", 0);
}

TEST(objects_come_after_the_parameters)
{
	is_refused("o",
	           "The reader of addressed tells an object before the parameters, which tell how wide "
	           "a pointer is");
	is_refused("gp",
	           "The reader of addressed tells an object before the parameters, which tell how wide "
	           "a pointer is");
	is_refused("pw", "The reader of addressed tells a row of objects before the first one");
	is_accepted("po", 1);
	is_accepted("pow", 2);
}
