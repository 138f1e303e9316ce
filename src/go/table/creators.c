/* The tables of goroutines by creator and by wait reason, with the memory of each class. */
#include "go/table/goroutine_sums.h"
#include "table/growth/delta.h"
#include "table/query/row_classes.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/runtime.h"

static const struct table table_creators;

static void creators_fill(struct rows *rows)
{
	rows->data = mem_alloc(sizeof(struct goroutine_sums));
	goroutine_sums_init(rows->data, rows, rows->classes->of_row, (uint32_t)rows->count);
}

static void creators_close(struct rows *rows)
{
	goroutine_sums_fini(rows->data);
}

static void creators_link(const struct rows *rows, size_t row, struct buf *command)
{
	SCOPED_BUF name = {0};
	rows_text(rows, row, 0, &name);
	buf_add(command, "goroutines ");
	text_add_quoted(command,
	                rows->table == &table_creators ? "creator=" : "reason=", buf_text(&name));
}

#define CLASS_NAME                                                                               \
	"name", "goroutines",                                                                        \
		"The function with their go statement, or their wait reason, or their state if they do " \
		"not wait",                                                                              \
		VALUE_TEXT, 0, 0
#define CLASS_COUNT "count", "count", "Number of goroutines", VALUE_COUNT, 7, 0, ROWS_COUNT
#define CLASS_RETAIN \
	"retained_bytes", "retained", "Bytes that all of these goroutines together retain", VALUE_BYTES
#define CLASS_PART "share", "share", "Share of all reachable bytes", VALUE_SHARE
#define CLASS_SHARED                                                                       \
	"shared_bytes", "shared", "Bytes that they share with other owners, up to 64 of them", \
		VALUE_BYTES
#define CLASS_GROWTH              \
	"bytes_delta", "more stacks", \
		"Change in the bytes of their stacks since the oldest earlier dump", VALUE_BYTES
#define CLASS_COLUMNS                                                                              \
	{CLASS_COUNT}, {SUMS_OWN_BYTES, .width = 9}, {SUMS_STACK_BYTES, .width = 8, .rank = 2},        \
		{CLASS_RETAIN, .width = 9, .rank = 1, .cell = sums_sum_cell,                               \
	     FIELD(struct owner_sum, bytes)},                                                          \
		{CLASS_PART, .width = 6, .rank = 1, .cell = sums_share_cell},                              \
		{CLASS_SHARED, .width = 9, .cell = sums_sum_cell, FIELD(struct owner_sum, shared)},        \
		{SUMS_BYTE_SECONDS, .width = 12, .rank = 1}, {THREADS_WAITED, .width = 8, MOST("waited")}, \
		{COUNT_DELTA_OF("count"), .width = 7, .rank = 1},                                          \
	{                                                                                              \
		CLASS_GROWTH, .width = 11, .rank = 2, DELTA("stack_bytes")                                 \
	}

static const struct column creator_columns[] = {{CLASS_NAME, KEY("creator")}, CLASS_COLUMNS};
static const struct column reason_columns[] = {{CLASS_NAME, KEY("reason")}, CLASS_COLUMNS};

#define GOROUTINE_CLASSES                                                                    \
	.from = DAMAGE_THREADS, .needs = STAGE_DOMINATED, .fill = creators_fill,                 \
	.link = creators_link, .close = creators_close, .none = "The dump holds no goroutines.", \
	.sort = "own_bytes"

DEFINE_PLUGIN(tables, struct table, table_creators) = {
	.rank = 230,
	.name = "goroutines-creator",
	.form_of = "goroutines",
	.former = "creators",
	.help = "Goroutines by the function that started them, with what they retain",
	.classes_of = "goroutines",
	CLASSES,
	COLUMNS(creator_columns),
	.title = "goroutines, by the function that started them",
	GOROUTINE_CLASSES,
};

DEFINE_PLUGIN(tables, struct table, table_reasons) = {
	.rank = 240,
	.name = "goroutines-reason",
	.form_of = "goroutines",
	.former = "reasons",
	.help = "Goroutines by what they wait for, with what they retain",
	.classes_of = "goroutines",
	CLASSES,
	COLUMNS(reason_columns),
	.title = "goroutines, by what they wait for",
	GOROUTINE_CLASSES,
};
