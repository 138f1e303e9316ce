#include "table/estate_cell.h"

#include "base/text.h"
#include "table/cell.h"
#include "table/columns.h"
#include "table/node_kind.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { NEARLY_ALL = 20 }; /* what is but a 20th of a holding its row does not mention */

static const struct owners *owners_of(const struct rows *rows)
{
	return ((const struct estate *)rows->data)->owners;
}

static uint32_t node_of_owner(const struct rows *rows, const struct owner *owner)
{
	return anchors_node(rows->analysis->anchors, owner->anchor);
}

/* "250 × main.Session"; of a single one, its name. */
static void add_several(const struct analysis *analysis, uint64_t count, uint32_t node,
                        struct buf *out)
{
	if (count == 1) {
		node_add_label(analysis, node, out);
		return;
	}
	text_add_count(out, count);
	buf_add(out, " × ");
	node_add_kind(analysis, node, out);
}

void estate_add_owner(const struct analysis *analysis, const struct owner *owner, struct buf *out)
{
	add_several(analysis, owner->anchors, anchors_node(analysis->anchors, owner->anchor), out);
}

void estate_add_owners(const struct analysis *analysis, const struct owners *owners, struct ids set,
                       struct buf *out)
{
	if (set.count == 0) {
		buf_addf(out, "more than %d owners", OWNERS_MOST);
		return;
	}
	uint32_t telling[OWNERS_MOST];
	estate_order_owners(analysis, owners, set, telling);
	estate_add_owner(analysis, &owners->owner[telling[0]], out);
	if (set.count == 1)
		return;
	buf_add(out, " and ");
	if (set.count == 2)
		estate_add_owner(analysis, &owners->owner[telling[1]], out);
	else
		buf_addf(out, "%zu more", set.count - 1);
}

/* Packages by their last names, as in a program: "raft.Log" for "github.com/hashicorp/raft.Log". */
static void shorten(struct buf *out, size_t from)
{
	size_t kept = from, word = from;
	for (size_t i = from; i < out->len; i++) {
		unsigned char c = (unsigned char)out->data[i];
		if (c == '/')
			kept = word;
		else
			out->data[kept++] = (char)c;
		if (c != '/' && !isalnum(c) && !strchr("._-~", c))
			word = kept;
	}
	out->len = kept;
	out->data[kept] = 0;
}

static void add_holding(const struct rows *rows, const struct branch *branch, struct buf *out)
{
	const struct kins *kins = estate_kins(rows, branch);
	struct ids set = owners_of_holding(owners_of(rows), branch->id);
	if (set.count == 1) {
		estate_add_owners(rows->analysis, owners_of(rows), set, out);
		return;
	}
	add_several(rows->analysis, kins->kin[0].count, kins->node[kins->kin[0].first], out);
	bool nearly_all = branch->bytes - kins->kin[0].bytes < branch->bytes / NEARLY_ALL;
	if (kins->count > 1 && !nearly_all) {
		buf_add(out, " and ");
		text_add_count(out, branch->count - kins->kin[0].count);
		buf_add(out, " more");
	}
	buf_add(out, " held by ");
	estate_add_owners(rows->analysis, owners_of(rows), set, out);
}

static void add_together(const struct rows *rows, const struct branch *branch, struct buf *out)
{
	size_t count = owners_of_holding(owners_of(rows), branch->id).count;
	struct owned together = owners_together(owners_of(rows), branch->id);
	if (count == 2)
		buf_add(out, "goes only with both of these: then ");
	else
		buf_addf(out, "goes only with all %zu of these: then ", count);
	text_add_size(out, together.bytes);
	buf_add(out, " go in all");
}

static void add_holder(const struct rows *rows, const struct branch *branch, struct buf *out)
{
	const struct owner *owner = &owners_of(rows)->owner[branch->id];
	buf_add(out, "held by ");
	estate_add_owner(rows->analysis, owner, out);
	buf_add(out, ", alone holding ");
	text_add_size(out, owners_of(rows)->holding[owner->holding].bytes);
}

static void add_others(const struct rows *rows, const struct branch *branch, struct buf *out)
{
	(void)rows;
	buf_addf(out, "held by %" PRIu32 " more", branch->count);
}

static void add_node(const struct rows *rows, const struct branch *branch, struct buf *out)
{
	node_add_label(rows->analysis, branch->id, out);
}

static void add_group(const struct rows *rows, const struct branch *branch, struct buf *out)
{
	add_several(rows->analysis, branch->count, branch->id, out);
}

static void add_rest(const struct rows *rows, const struct branch *branch, struct buf *out)
{
	(void)rows;
	text_add_count(out, branch->count);
	buf_add(out, " more");
}

static void owners_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	static void (*const add[])(const struct rows *, const struct branch *, struct buf *) = {
		[BRANCH_HOLDING] = add_holding, [BRANCH_TOGETHER] = add_together,
		[BRANCH_OWNER] = add_holder,    [BRANCH_NODE] = add_node,
		[BRANCH_GROUP] = add_group,     [BRANCH_REST] = add_rest,
		[BRANCH_OTHERS] = add_others,
	};
	const struct branch *branch = estate_branch(rows, row);
	struct buf *out = cell_begin(value);
	size_t before = out->len;
	add[branch->kind](rows, branch, out);
	if (branch->kind != BRANCH_NODE || !node_anchor(rows->analysis, branch->id))
		shorten(out, before);
	cell_end(value);
}

/* The node that stands for what a row names; OBJECT_NONE: none. */
static uint32_t example(const struct rows *rows, const struct branch *branch)
{
	const struct kins *kins = estate_kins(rows, branch);
	switch ((enum branch_kind)branch->kind) {
	case BRANCH_HOLDING:
		return kins->node[kins->kin[0].first];
	case BRANCH_OWNER:
		return node_of_owner(rows, &owners_of(rows)->owner[branch->id]);
	case BRANCH_NODE:
	case BRANCH_GROUP:
		return branch->id;
	default:
		return OBJECT_NONE;
	}
}

/* Of a group, what its objects have in common. */
static void owners_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct branch *branch = estate_branch(rows, row);
	uint32_t node = example(rows, branch);
	bool one = branch->kind == BRANCH_NODE || branch->kind == BRANCH_OWNER;
	if (node == OBJECT_NONE)
		return;
	struct buf *out = cell_begin(value);
	if (one || node_anchor(rows->analysis, node))
		node_add_type(rows->analysis, node, out);
	else if (analysis_typing(rows->analysis))
		node_add_kind(rows->analysis, node, out);
	cell_end(value);
}

static void owners_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct branch *branch = estate_branch(rows, row);
	uint32_t node = example(rows, branch);
	const struct anchor *anchor = node == OBJECT_NONE ? NULL : node_anchor(rows->analysis, node);
	bool joint = branch->kind == BRANCH_HOLDING
	             && owners_of_holding(owners_of(rows), branch->id).count != 1;
	if (joint)
		cell_text(value, "joint");
	else if (anchor)
		cell_text(value, anchor_kind_names[anchor->kind]);
	else if (node != OBJECT_NONE)
		cell_text(value, branch->kind == BRANCH_NODE ? "object" : "group");
}

/* The owner that a row is; NULL: none. */
static const struct owner *owner_of(const struct rows *rows, const struct branch *branch)
{
	const struct owners *owners = owners_of(rows);
	const struct anchors *anchors = rows->analysis->anchors;
	struct ids set;
	uint32_t anchor;
	switch ((enum branch_kind)branch->kind) {
	case BRANCH_OWNER:
		return &owners->owner[branch->id];
	case BRANCH_HOLDING:
		set = owners_of_holding(owners, branch->id);
		return set.count == 1 ? &owners->owner[*set.id] : NULL;
	case BRANCH_NODE:
		anchor = anchors_of_node(anchors, branch->id);
		if (anchor == UINT32_MAX || owners->of_anchor[anchor] == UINT32_MAX)
			return NULL;
		/* One goroutine of several is a part only. */
		return owners->owner[owners->of_anchor[anchor]].anchors == 1
			? &owners->owner[owners->of_anchor[anchor]] : NULL;
	default:
		return NULL;
	}
}

/* Rows that say who holds something are no part of it. */
static bool is_part(const struct branch *branch)
{
	return branch->kind != BRANCH_OWNER && branch->kind != BRANCH_OTHERS
	       && branch->kind != BRANCH_TOGETHER;
}

static void owners_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct branch *branch = estate_branch(rows, row);
	if (is_part(branch))
		cell_number(value, VALUE_BYTES, branch->bytes);
}

static void owners_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct branch *branch = estate_branch(rows, row);
	const struct dominators *d = owners_of(rows)->dominators;
	if (is_part(branch))
		cell_share(value, branch->bytes, d->bytes[d->root]);
}

static void owners_objects_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct branch *branch = estate_branch(rows, row);
	if (is_part(branch))
		cell_number(value, VALUE_COUNT, branch->objects);
}

static void owners_count_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct branch *branch = estate_branch(rows, row);
	if (is_part(branch))
		cell_number(value, VALUE_COUNT, branch->count);
}

static void owners_shared_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner *owner = owner_of(rows, estate_branch(rows, row));
	if (owner)
		cell_number(value, VALUE_BYTES, owner->shared);
}

static void owners_together_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct branch *branch = estate_branch(rows, row);
	if (branch->kind == BRANCH_HOLDING
	    && owners_of_holding(owners_of(rows), branch->id).count > 1)
		cell_number(value, VALUE_BYTES, owners_together(owners_of(rows), branch->id).bytes);
}

/* The object that a row is about: of a joint holding the biggest, where that is the only one of its
   kind. OBJECT_NONE: none. */
static uint32_t object_of(const struct rows *rows, const struct branch *branch)
{
	const struct kins *kins = estate_kins(rows, branch);
	uint32_t node = OBJECT_NONE;
	if (branch->kind == BRANCH_NODE)
		node = branch->id;
	else if (branch->kind == BRANCH_HOLDING && kins->kin[0].count == 1)
		node = kins->node[kins->kin[0].first];
	return node == OBJECT_NONE || node_anchor(rows->analysis, node) ? OBJECT_NONE : node;
}

uint32_t estate_object(const struct rows *rows, size_t row)
{
	return object_of(rows, estate_branch(rows, row));
}

const struct column estate_columns[ESTATE_COLUMNS] = {
	{"retained_bytes", "retained", "Bytes that go when all that the row names goes", VALUE_BYTES, 9,
	 0, .cell = owners_retained_cell},
	{"share", "share", "These, of the bytes of all that is reachable", VALUE_SHARE, 6, 0,
	 .cell = owners_share_cell},
	{"retained_objects", "objects", "Objects that go with it", VALUE_COUNT, 9, 2,
	 .cell = owners_objects_cell},
	{"shared_bytes", "shared",
	 "Bytes that an owner holds jointly with others: they go only when all of these go. What more "
	 "than 64 owners hold is not counted",
	 VALUE_BYTES, 9, 2, .cell = owners_shared_cell},
	{"together_bytes", "together",
	 "Of what several owners hold: bytes that go when all of these go, with what each and some of "
	 "them hold",
	 VALUE_BYTES, 9, 2, .cell = owners_together_cell},
	{"name", "what",
	 "The owner, the object, or how many objects of which type; behind \"held by\" those that hold it "
	 "jointly",
	 VALUE_TEXT, 0, 0, .cell = owners_name_cell},
	{"type", "type",
	 "Type of the objects, of most bytes where there are several, or of the variable", VALUE_TEXT, 24,
	 3, .cell = owners_type_cell},
	{"kind", "kind",
	 "joint, group or object, or the kind of owner: global, goroutine, frame, slot, finalizer, "
	 "defer, panic, other or pool",
	 VALUE_TEXT, 9, 4, .cell = owners_kind_cell},
	{"count", "count", "How many of them the row stands for", VALUE_COUNT, 7, 4,
	 .cell = owners_count_cell},
	{"address", "address", "Of an object: where it is", VALUE_ADDRESS, 14, 4,
	 .cell = object_address_cell},
};

const struct column top_columns[TOP_COLUMNS] = {
	{"name", "owner",
	 "The variable, the goroutines, or what several owners hold jointly; the table owners has what is "
	 "below each",
	 VALUE_TEXT, 0, 0, .cell = owners_name_cell},
	{"type", "type", "Type of the variable, or of the objects that take most of it", VALUE_TEXT, 24,
	 2, .cell = owners_type_cell},
	{"retained_bytes", "retained", "Bytes that go when all that the row names goes", VALUE_BYTES, 9,
	 0, .cell = owners_retained_cell},
	{"share", "share", "These, of the bytes of all that is reachable", VALUE_SHARE, 6, 0,
	 .cell = owners_share_cell},
	{"retained_objects", "objects", "Objects that go with it", VALUE_COUNT, 9, 1,
	 .cell = owners_objects_cell},
	{"kind", "kind", "joint, or the kind of owner, such as global or goroutine", VALUE_TEXT, 9, 3,
	 .cell = owners_kind_cell},
};

static void link_group(const struct rows *rows, const struct branch *branch, struct buf *command)
{
	const struct stock *stock = estate_stock(rows, branch);
	buf_add(command, "owned ");
	if (stock->node == OBJECT_NONE)
		buf_addf(command, "holding=%" PRIu32, stock->holding);
	else
		node_add_argument(rows->analysis, stock->node, command);
	buf_addf(command, " like=0x%" PRIx64, heap_address(rows->analysis->heap, branch->id));
}

void estate_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct branch *branch = estate_branch(rows, row);
	uint32_t node = example(rows, branch);
	const struct owner *owner = owner_of(rows, branch);
	if (node == OBJECT_NONE)
		return;
	if (branch->kind == BRANCH_NODE || (owner && owner->anchors == 1))
		node_link(rows->analysis, node, command);
	else if (owner || node_anchor(rows->analysis, node))
		node_link_kind(rows->analysis, node, command);
	else if (branch->kind == BRANCH_GROUP)
		link_group(rows, branch, command);
	else if (object_of(rows, branch) != OBJECT_NONE)
		link_object(rows->analysis->heap, object_of(rows, branch), command);
	else
		buf_addf(command, "owned holding=%" PRIu32, branch->id);
}

enum row_style estate_style(const struct rows *rows, size_t row)
{
	return is_part(estate_branch(rows, row)) ? ROW_PLAIN : ROW_FAINT;
}

