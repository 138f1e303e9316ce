/* The table of the process's memory: a tree whose topmost rows, one for each use, add up to all
   mapped memory, and the parts below a row to that row. */
#include "go/table/memory_count.h"
#include "go/table/memory_parts.h"
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/typed.h"

#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { PARTS_MOST = 64, LONG = 1 << 18 }; /* rows below a row; objects before it takes long */

struct memory_node {
	struct memory_row row;
	char *name, *meaning, *link; /* of a part; NULL: of a use */
	bool guess;                  /* its name is a type that its objects may not have */
	bool made;                   /* its parts are rows */
	size_t first, below;
};

struct memory_tree {
	struct memory_node *node;
	size_t capacity;
	uint64_t total, reserved;
	struct memory_list prepared; /* for row prepared_row - 1; 0: for none */
	size_t prepared_row;
};

/* ---- From parts to rows */

static char *memory_take_text(struct buf *text)
{
	char *copy = mem_strdup(buf_text(text));
	buf_free(text);
	return copy;
}

/* Adds the row of a part of row `above`; takes its name. */
static struct memory_node *memory_add_node(struct rows *rows, size_t above,
                                           const struct memory_part *part)
{
	struct memory_tree *tree = rows->data;
	const struct memory_row *whole = &tree->node[above].row;
	const struct memory_kind *kind = &memory_kinds[whole->words.parts];
	struct buf meaning = {0};
	if (part->count)
		text_add_number_of(&meaning, part->count, kind->noun, kind->nouns);
	struct memory_node node = {
		.row = {.bytes = part->bytes,
	            .resident = part->resident,
	            .knows_resident = whole->knows_resident},
		.name = part->name,
		.meaning = memory_take_text(&meaning),
		.guess = typed_are_guessed(part->guessed, part->count),
	};
	node.row.words = (struct memory_words){.name = node.name, .meaning = node.meaning};
	MEM_PUSH(tree->node, rows->count, tree->capacity, node);
	return &tree->node[rows->count - 1];
}

static void memory_add_part(struct rows *rows, size_t above, const struct memory_list *list,
                            struct memory_part *part)
{
	struct memory_words whole = ((struct memory_tree *)rows->data)->node[above].row.words;
	const struct memory_kind *kind = &memory_kinds[whole.parts];
	struct memory_node *node = memory_add_node(rows, above, part);
	struct buf link = {0};
	part->name = NULL;
	if (whole.parts == MEMORY_BY_OWNER && !memory_is_reachable(list, part->id)) {
		node->row.words.parts = MEMORY_BY_TYPE;
		return;
	}
	if (whole.parts == MEMORY_BY_TYPE && part->samples)
		node->row.words.parts = MEMORY_BY_SITE;
	if (kind->add_link)
		kind->add_link(list, part->id, &link);
	else
		buf_add(&link, kind->link ? kind->link : whole.link);
	if (kind->link)
		text_add_quoted(&link, "", node->name);
	node->link = memory_take_text(&link);
}

/* Makes rows of the parts of a row: the largest ones, the sum of the others, and what the row has
   beyond these. */
static void memory_make_parts(struct rows *rows, size_t above, struct memory_list *list)
{
	const struct memory_row *whole = &((struct memory_tree *)rows->data)->node[above].row;
	struct memory_part rest, more = {0};
	struct buf name = {0};
	size_t shown = 0;
	if (!memory_list_settle(list, whole, &rest))
		return;
	for (; shown < list->count && shown < PARTS_MOST && list->part[shown].name; shown++)
		memory_add_part(rows, above, list, &list->part[shown]);
	for (size_t i = shown; i < list->count; i++)
		memory_part_add(&more, &list->part[i]);
	if (shown < list->count) {
		buf_addf(&name, "%s more", text_count(list->count - shown).text);
		more.name = memory_take_text(&name);
		memory_add_node(rows, above, &more);
	}
	if (rest.bytes || rest.resident) {
		rest.name = mem_strdup("other");
		memory_add_node(rows, above, &rest);
	}
}

/* ---- The tree */

static const struct memory_node *memory_node(const struct rows *rows, size_t row)
{
	return &((const struct memory_tree *)rows->data)->node[row];
}

static bool memory_has_below(const struct rows *rows, size_t row)
{
	const struct memory_node *node = memory_node(rows, row);
	if (node->made || node->row.words.parts == MEMORY_WHOLE)
		return node->below > 0;
	return analysis_has(rows->analysis, memory_kinds[node->row.words.parts].stages);
}

static size_t memory_below(struct rows *rows, size_t row, size_t *first)
{
	struct memory_tree *tree = rows->data;
	if (!tree->node[row].made) {
		struct memory_list list = tree->prepared;
		size_t count = rows->count;
		bool filled = tree->prepared_row == row + 1
		              || memory_list_fill(&list, rows->analysis, &tree->node[row].row, NULL);
		if (tree->prepared_row == row + 1)
			tree->prepared = (struct memory_list){0};
		if (filled)
			memory_make_parts(rows, row, &list);
		memory_list_fini(&list);
		tree->node[row].made = true;
		tree->node[row].first = count;
		tree->node[row].below = rows->count - count;
	}
	*first = tree->node[row].first;
	return tree->node[row].below;
}

static bool memory_takes_long(const struct rows *rows, size_t row)
{
	const struct memory_node *node = memory_node(rows, row);
	enum memory_parts parts = node->row.words.parts;
	bool of_objects = parts >= MEMORY_BY_OWNER && parts <= MEMORY_BY_CLASS;
	return !node->made && of_objects && heap_object_count(analysis_heap(rows->analysis)) > LONG;
}

static bool memory_prepare(const struct rows *rows, size_t row, struct progress *progress)
{
	struct memory_tree *tree = rows->data;
	memory_list_fini(&tree->prepared);
	tree->prepared_row = 0;
	if (!memory_list_fill(&tree->prepared, rows->analysis, &tree->node[row].row, progress))
		return false;
	tree->prepared_row = row + 1;
	return true;
}

static const struct table_tree memory_tree = {
	.has_below = memory_has_below,
	.below = memory_below,
	.takes_long = memory_takes_long,
	.prepare = memory_prepare,
	.needs = STAGE_OWNED | STAGE_TYPED,
	.weight = "share",
};

/* ---- The table */

/* Adds the row of a use. Memory of an allocator that is not read is in other mappings, or in what
   the kernel has joined them with. */
static void memory_add_use(struct rows *rows, const struct memory_row *use)
{
	struct memory_tree *tree = rows->data;
	struct memory_node node = {.row = *use};
	struct buf meaning = {0};
	if (use->words.name == memory_row_of(MAPPING_OTHER).words.name
	    || use->words.name == memory_row_of(MAPPING_RUNTIME).words.name) {
		buf_add(&meaning, use->words.meaning);
		memory_add_allocator(analysis_heap(rows->analysis), "; maybe also of ", &meaning);
		node.row.words.meaning = node.meaning = memory_take_text(&meaning);
	}
	MEM_PUSH(tree->node, rows->count, tree->capacity, node);
}

static void memory_fill(struct rows *rows)
{
	struct memory_tree *tree = rows->data = mem_alloc(sizeof *tree);
	struct memory_uses uses;
	memory_uses_count(analysis_heap(rows->analysis), &uses);
	tree->total = uses.total;
	tree->reserved = uses.reserved;
	for (size_t i = 0; i < uses.count; i++)
		memory_add_use(rows, &uses.row[i]);
	buf_addf(&rows->title, "memory by use, %s mapped", text_size(uses.total).text);
	if (uses.knows_resident) {
		buf_addf(&rows->title, ", %s resident", text_size(uses.resident).text);
	} else {
		buf_add(&rows->title, "; resident: not recorded");
		buf_add(&rows->note,
		        heap_snapshot(analysis_heap(rows->analysis))
		            ? "The snapshot does not record which pages were resident."
		            : "Which pages were resident is not recorded in a core file that "
		              "the kernel or a debugger wrote; in a snapshot by goheapx it is.");
	}
	const char *allocator = memory_allocator(analysis_heap(rows->analysis));
	if (allocator)
		buf_addf(&rows->title, "; %s is not read", allocator);
}

static void memory_close(struct rows *rows)
{
	struct memory_tree *tree = rows->data;
	for (size_t i = 0; i < rows->count; i++) {
		free(tree->node[i].name);
		free(tree->node[i].meaning);
		free(tree->node[i].link);
	}
	memory_list_fini(&tree->prepared);
	free(tree->node);
}

static void memory_use_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct memory_node *node = memory_node(rows, row);
	cell_text(value, node->row.words.name);
	value->guess = node->guess;
}

static void memory_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct memory_tree *tree = rows->data;
	if (!tree->node[row].row.reserved)
		cell_share(value, tree->node[row].row.bytes, tree->total - tree->reserved);
}

static const struct column columns[] = {
	{"use", "use", "Use of the memory; below a use its parts", VALUE_TEXT, 0, 0,
     .cell = memory_use_cell},
	{"bytes", "bytes",
     "Bytes of address space; all topmost rows add up to what is mapped, and the parts of a row to "
     "the row",
     VALUE_BYTES, 9, 0, FIELD(struct memory_row, bytes)},
	{"share", "share", "Share of the memory that is mapped and not only reserved, in percent",
     VALUE_SHARE, 7, 1, .cell = memory_share_cell},
	{"resident_bytes", "resident",
     "Bytes of it that are resident, for snapshots and processes; the row rest of the runtime "
     "stands for all parts of the runtime, whose addresses are not known. All topmost rows add up "
     "to the resident memory",
     VALUE_BYTES, 9, 0, FIELD_IF(struct memory_row, resident, knows_resident),
     .absent = rows_lack_residence},
	{"meaning", "meaning",
     "Description of its contents; of a part the number of objects, samples, slots, " THREADS_WORD
     " or mappings",
     VALUE_TEXT, 30, 2, FIELD(struct memory_row, words.meaning)},
};

/* A row with parts opens in place, unless its parts are estimated. */
static void memory_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct memory_node *node = memory_node(rows, row);
	if (memory_has_below(rows, row) && !node->link)
		return;
	if (!node->name)
		buf_add(command, node->row.words.link);
	else if (node->link)
		buf_add(command, node->link);
}

DEFINE_PLUGIN(tables, struct table, table_memory) = {
	.rank = 96,
	.name = "memory",
	.help = "The memory of a core file or a process by what it is used for: objects, free slots, "
			"stacks, free spans, the runtime, the executable; below objects their owners, below "
			"unreachable ones their types and, where allocations were sampled, their sites, below "
			"free slots their sizes, below "
			"stacks their " THREADS_WORD ", below others the mappings (--depth 4)",
	.needs = STAGE_READ,
	.parts = PART_PROCESS,
	COLUMNS(columns),
	.fill = memory_fill,
	RECORDS(struct memory_tree, node),
	.link = memory_link,
	.close = memory_close,
	.tree = &memory_tree,
};
