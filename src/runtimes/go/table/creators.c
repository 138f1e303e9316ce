/* The tables of goroutines by creator and by wait reason, with the memory of each class. */
#include "runtimes/go/table/goroutine_sums.h"
#include "table/naming/thread.h"

#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

static const struct table table_creators;

struct class {
	char *name;
	uint32_t count;
	uint64_t waited;
	bool has_waited;
};
struct classes {
	struct goroutine_sums sums; /* must be first: runtimes/go/table/goroutine_sums.h */
	struct class *class;
	uint32_t count;
};

struct named {
	char *name;
	uint32_t thread;
};

static int creators_by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : x->thread < y->thread ? -1 : x->thread > y->thread;
}

static struct named *name_all(const struct analysis *analysis, thread_name *add)
{
	const struct heap *heap = analysis_heap(analysis);
	struct named *named = mem_alloc(heap->thread_count * sizeof *named);
	SCOPED_BUF name = {0};
	for (uint32_t g = 0; g < heap->thread_count; g++) {
		buf_clear(&name);
		add(analysis, &heap->threads[g], &name);
		named[g] = (struct named){mem_strdup(buf_text(&name)), g};
	}
	qsort(named, heap->thread_count, sizeof *named, creators_by_name);
	return named;
}

static void creators_count(const struct heap *heap, struct class *class, uint32_t thread)
{
	uint64_t waited;
	class->count++;
	if (!thread_waited(heap, &heap->threads[thread], &waited))
		return;
	class->has_waited = true;
	class->waited = waited > class->waited ? waited : class->waited;
}

/* Makes a class of each run of equal names in the sorted array. */
static void make_classes(struct classes *classes, const struct heap *heap, struct named *named,
                         uint32_t *class_of)
{
	classes->class = mem_alloc(heap->thread_count * sizeof *classes->class);
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		struct class *last = &classes->class[classes->count - (classes->count > 0)];
		if (classes->count && strcmp(last->name, named[i].name) == 0)
			free(named[i].name);
		else
			classes->class[classes->count++].name = named[i].name;
		class_of[named[i].thread] = classes->count - 1;
		creators_count(heap, &classes->class[classes->count - 1], named[i].thread);
	}
}

static void open_classes(struct rows *rows, thread_name *add)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct classes *classes = rows->data = mem_alloc(sizeof *classes);
	uint32_t *class_of = mem_alloc(heap->thread_count * sizeof *class_of);
	struct named *named = name_all(rows->analysis, add);
	make_classes(classes, heap, named, class_of);
	goroutine_sums_init(&classes->sums, rows, class_of, classes->count);
	free(named);
	free(class_of);
	rows->count = classes->count;
	if (!rows->count)
		buf_add(&rows->note, "The dump holds no goroutines.");
}

static void creators_fill(struct rows *rows)
{
	buf_add(&rows->title, "goroutines, by the function that started them");
	open_classes(rows, thread_add_creator);
}

static void reasons_fill(struct rows *rows)
{
	buf_add(&rows->title, "goroutines, by what they wait for");
	open_classes(rows, thread_add_reason);
}

static void classes_close(struct rows *rows)
{
	struct classes *classes = rows->data;
	for (uint32_t i = 0; i < classes->count; i++)
		free(classes->class[i].name);
	goroutine_sums_fini(&classes->sums);
	free(classes->class);
}

static const void *class_record(const struct rows *rows, size_t row)
{
	return &((const struct classes *)rows->data)->class[row];
}

static const struct column columns[] = {
	{"name", "goroutines",
     "The function with their go statement, or their wait reason, or their state if they do not "
     "wait",
     VALUE_TEXT, 0, 0, FIELD(struct class, name)},
	{"count", "count", "Number of goroutines", VALUE_COUNT, 7, 0, FIELD(struct class, count)},
	{SUMS_OWN_BYTES, .width = 9},
	{SUMS_STACK_BYTES, .width = 8, .rank = 2},
	{"retained_bytes", "retained", "Bytes that all of these goroutines together retain",
     VALUE_BYTES, 9, 1, .cell = sums_sum_cell, FIELD(struct owner_sum, bytes)},
	{"share", "share", "Share of all reachable bytes", VALUE_SHARE, 6, 1, .cell = sums_share_cell},
	{"shared_bytes", "shared", "Bytes that they share with other owners, up to 64 of them",
     VALUE_BYTES, 9, 0, .cell = sums_sum_cell, FIELD(struct owner_sum, shared)},
	{SUMS_BYTE_SECONDS, .width = 12, .rank = 1},
	{THREADS_WAITED, .width = 8, FIELD_IF(struct class, waited, has_waited)},
};

static void classes_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct classes *classes = rows->data;
	const char *word = rows->table == &table_creators ? "creator=" : "reason=";
	buf_add(command, "goroutines ");
	text_add_quoted(command, word, classes->class[row].name);
}

DEFINE_PLUGIN(tables, struct table, table_creators) = {
	.rank = 230,
	.name = "creators",
	.from = DAMAGE_THREADS,
	.help = "Goroutines by the function that started them, with what they retain",
	.needs = STAGE_DOMINATED,
	COLUMNS(columns),
	.fill = creators_fill,
	.record = class_record,
	.link = classes_link,
	.close = classes_close,
	.sort = "own_bytes",
};

DEFINE_PLUGIN(tables, struct table, table_reasons) = {
	.rank = 240,
	.name = "reasons",
	.from = DAMAGE_THREADS,
	.help = "Goroutines by what they wait for, with what they retain",
	.needs = STAGE_DOMINATED,
	COLUMNS(columns),
	.fill = reasons_fill,
	.record = class_record,
	.link = classes_link,
	.close = classes_close,
	.sort = "own_bytes",
};
