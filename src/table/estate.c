#include "table/estate.h"

#include "base/mem.h"
#include "table/cell.h"
#include "table/estate_cell.h"
#include "table/node_kind.h"

#include <stdlib.h>

enum { SLICE = 1000 };                /* rows that a row is opened to; then a row for the rest */
enum { FEW = 3 };                     /* owners of a holding that are shown at once */
enum { LONG = 100000 };               /* nodes that take longer to group than a key may take */
#define IN_NODES SIZE_MAX             /* branch.shown of a rest whose rows are single nodes */

static struct estate *estate_of(const struct rows *rows)
{
	return rows->data;
}

const struct branch *estate_branch(const struct rows *rows, size_t row)
{
	return &estate_of(rows)->branch[row];
}

static void add(struct rows *rows, struct branch branch)
{
	struct estate *e = rows->data;
	e->branch = mem_grow(e->branch, rows->count, &e->capacity, sizeof *e->branch);
	e->branch[rows->count++] = branch;
}

static uint32_t keep(struct estate *e, struct kins kins, uint32_t node, uint32_t holding)
{
	e->stock = mem_grow(e->stock, e->stocks, &e->stock_capacity, sizeof *e->stock);
	e->stock[e->stocks] = (struct stock){kins, node, holding};
	return (uint32_t)e->stocks++;
}

static struct branch node_branch(const struct estate *e, uint32_t node)
{
	const struct dominators *d = e->owners->dominators;
	return (struct branch){
		.kind = BRANCH_NODE, .id = node, .count = 1, .bytes = d->bytes[node],
		.objects = d->objects[node],
	};
}

static struct branch kin_branch(const struct estate *e, uint32_t stock, size_t at)
{
	const struct kins *kins = &e->stock[stock].kins;
	const struct kin *kin = &kins->kin[at];
	const uint32_t *first = kins->node + kin->first;
	if (kin->count == 1)
		return node_branch(e, *first);
	return (struct branch){
		.kind = BRANCH_GROUP, .id = *first, .count = (uint32_t)kin->count, .bytes = kin->bytes,
		.objects = kin->objects, .nodes = {first, kin->count}, .stock = stock,
	};
}

/* The rest of `all` behind those rows that have been added since `first`. */
static void add_rest(struct rows *rows, struct branch rest, size_t first)
{
	const struct branch *branch = estate_of(rows)->branch;
	rest.kind = BRANCH_REST;
	rest.made = false;
	for (size_t row = first; row < rows->count; row++) {
		rest.bytes -= branch[row].bytes;
		rest.objects -= branch[row].objects;
		rest.count -= branch[row].count;
	}
	if (rest.count)
		add(rows, rest);
}

/* The next slice of single nodes, those that retain most first. `all` has them, their sums, and in
   id the last one that was shown unless it is the first slice. */
static void add_nodes(struct rows *rows, struct branch all, bool begin)
{
	const struct estate *e = rows->data;
	uint32_t picked[SLICE];
	size_t first = rows->count;
	size_t count = kin_pick(e->owners->dominators, all.nodes, begin ? NULL : &all.id, picked, SLICE);
	for (size_t i = 0; i < count; i++)
		add(rows, node_branch(e, picked[i]));
	all.shown = IN_NODES;
	all.id = count ? picked[count - 1] : all.id;
	add_rest(rows, all, first);
}

/* The next slice of kins. */
static void add_kins(struct rows *rows, struct branch all, size_t slice)
{
	const struct estate *e = rows->data;
	size_t first = rows->count, count = e->stock[all.stock].kins.count;
	for (; all.shown < count && slice-- > 0; all.shown++)
		add(rows, kin_branch(e, all.stock, all.shown));
	add_rest(rows, all, first);
}

/* Goroutines that are already shown as one row are not shown as one once more. */
static bool is_one_owner(const struct estate *e, const struct branch *branch)
{
	const struct kins *kins = &e->stock[branch->stock].kins;
	return branch->kind == BRANCH_HOLDING && kins->count == 1
	       && node_anchor(e->analysis, kins->node[0]);
}

static void add_members(struct rows *rows, struct branch branch)
{
	const struct kins *kins = &estate_of(rows)->stock[branch.stock].kins;
	if (is_one_owner(rows->data, &branch)) {
		branch.nodes = (struct ids){kins->node, branch.count};
		add_nodes(rows, branch, true);
	} else {
		branch.shown = 0;
		add_kins(rows, branch, SLICE);
	}
}

/* Owners from one on, the most telling first. */
static void add_owners(struct rows *rows, uint32_t holding, size_t from, size_t end)
{
	const struct owners *owners = estate_of(rows)->owners;
	uint32_t owner[OWNERS_MOST];
	estate_order_owners(rows->analysis, owners, owners_of_holding(owners, holding), owner);
	for (size_t i = from; i < end; i++)
		add(rows, (struct branch){.kind = BRANCH_OWNER, .id = owner[i]});
}

/* Who holds it, a few at first: what they hold is of more interest. */
static void add_holders(struct rows *rows, uint32_t holding)
{
	size_t count = owners_of_holding(estate_of(rows)->owners, holding).count;
	if (count < 2)
		return;
	size_t end = count > FEW + 1 ? FEW : count;
	add(rows, (struct branch){.kind = BRANCH_TOGETHER, .id = holding});
	add_owners(rows, holding, 0, end);
	if (end < count)
		add(rows, (struct branch){
			.kind = BRANCH_OTHERS, .id = holding, .count = (uint32_t)(count - end),
		});
}

static void below_holding(struct rows *rows, struct branch branch)
{
	add_holders(rows, branch.id);
	add_members(rows, branch);
}

static struct kins take_prepared(struct estate *e, size_t row)
{
	struct kins kins = e->prepared;
	if (e->prepared_row != row + 1)
		return (struct kins){0};
	e->prepared = (struct kins){0};
	e->prepared_row = 0;
	return kins;
}

static void below_node(struct rows *rows, struct branch branch, size_t row)
{
	struct estate *e = rows->data;
	const struct owners *owners = e->owners;
	struct kins kins = take_prepared(e, row);
	if (!kins.node)
		kins_init(&kins, e->analysis, owners->dominators, heirs_of(&owners->heirs, branch.id), NULL);
	branch.stock = keep(e, kins, branch.id, OBJECT_NONE);
	branch.bytes -= dominators_self(owners->dominators, branch.id);
	branch.objects -= node_anchor(e->analysis, branch.id) ? 0 : 1;
	branch.count = (uint32_t)heirs_of(&owners->heirs, branch.id).count;
	add_members(rows, branch);
}

static void make_below(struct rows *rows, size_t row)
{
	struct branch branch = *estate_branch(rows, row);
	size_t first = rows->count;
	if (branch.kind == BRANCH_HOLDING)
		below_holding(rows, branch);
	else if (branch.kind == BRANCH_NODE)
		below_node(rows, branch, row);
	else if (branch.kind == BRANCH_GROUP)
		add_nodes(rows, branch, true);
	else if (branch.kind == BRANCH_OTHERS)
		add_owners(rows, branch.id, FEW, FEW + branch.count);
	else if (branch.shown == IN_NODES)
		add_nodes(rows, branch, false);
	else
		add_kins(rows, branch, SLICE);
	struct branch *made = &estate_of(rows)->branch[row];
	made->made = true;
	made->first_below = first;
	made->below = rows->count - first;
}

static size_t count_heirs(const struct rows *rows, const struct branch *branch)
{
	return branch->kind == BRANCH_NODE
		? heirs_of(&estate_of(rows)->owners->heirs, branch->id).count : 0;
}

static bool estate_has_below(const struct rows *rows, size_t row)
{
	const struct branch *branch = estate_branch(rows, row);
	if (branch->kind == BRANCH_NODE)
		return count_heirs(rows, branch) > 0;
	return branch->kind != BRANCH_OWNER && branch->kind != BRANCH_TOGETHER;
}

static bool estate_is_rest(const struct rows *rows, size_t row)
{
	return estate_branch(rows, row)->kind == BRANCH_REST;
}

static size_t estate_below(struct rows *rows, size_t row, size_t *first)
{
	if (!estate_branch(rows, row)->made)
		make_below(rows, row);
	*first = estate_branch(rows, row)->first_below;
	return estate_branch(rows, row)->below;
}

static bool estate_takes_long(const struct rows *rows, size_t row)
{
	const struct branch *branch = estate_branch(rows, row);
	return !branch->made && count_heirs(rows, branch) > LONG;
}

static bool estate_prepare(const struct rows *rows, size_t row, struct progress *progress)
{
	struct estate *e = rows->data;
	const struct owners *owners = e->owners;
	struct ids heirs = heirs_of(&owners->heirs, estate_branch(rows, row)->id);
	kins_fini(&e->prepared);
	e->prepared_row = 0;
	if (!kins_init(&e->prepared, e->analysis, owners->dominators, heirs, progress))
		return false;
	e->prepared_row = row + 1;
	return true;
}

const struct table_tree estate_tree = {
	.has_below = estate_has_below,
	.below = estate_below,
	.is_rest = estate_is_rest,
	.takes_long = estate_takes_long,
	.prepare = estate_prepare,
	.weight = "retained_bytes",
};

const struct kins *estate_kins(const struct rows *rows, const struct branch *branch)
{
	return branch->stock ? &estate_of(rows)->stock[branch->stock].kins : NULL;
}

const struct stock *estate_stock(const struct rows *rows, const struct branch *branch)
{
	return &estate_of(rows)->stock[branch->stock];
}

/* A holding that is one node is shown as that. */
static bool add_holding(struct rows *rows, uint32_t at)
{
	struct estate *e = rows->data;
	const struct owners *owners = e->owners;
	const struct holding *holding = &owners->holding[at];
	struct ids nodes = {owners->top + holding->first, holding->nodes};
	struct kins kins;
	if (holding->nodes == 1 && owners_of_holding(owners, at).count == 1) {
		add(rows, node_branch(e, *nodes.id));
		return true;
	}
	if (!kins_init(&kins, e->analysis, owners->dominators, nodes, rows->progress))
		return false;
	add(rows, (struct branch){
		.kind = BRANCH_HOLDING, .id = at, .count = holding->nodes, .bytes = holding->bytes,
		.objects = holding->objects, .stock = keep(e, kins, OBJECT_NONE, at),
	});
	return true;
}

static bool open(struct rows *rows, struct err *err)
{
	struct estate *e = rows->data = mem_alloc(sizeof *e);
	e->analysis = rows->analysis;
	keep(e, (struct kins){0}, OBJECT_NONE, OBJECT_NONE);
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	e->owners = analysis_owners(rows->analysis, rows->progress);
	return e->owners || err_set(err, "Cancelled");
}

bool estate_open_owners(struct rows *rows, struct err *err)
{
	if (!open(rows, err))
		return false;
	for (uint32_t h = 0; h < estate_of(rows)->owners->holdings; h++)
		if (!add_holding(rows, h))
			return err_set(err, "Cancelled");
	return true;
}

/* `node`: what holds all of them, OBJECT_NONE: nothing that has a row. */
static bool add_all(struct rows *rows, struct ids heirs, uint32_t node, struct err *err)
{
	const struct owners *owners = estate_of(rows)->owners;
	struct kins kins;
	if (!kins_init(&kins, rows->analysis, owners->dominators, heirs, rows->progress))
		return err_set(err, "Cancelled");
	struct branch all = {
		.stock = keep(rows->data, kins, node, OBJECT_NONE), .count = (uint32_t)heirs.count,
	};
	for (size_t i = 0; i < kins.count; i++) {
		all.bytes += kins.kin[i].bytes;
		all.objects += kins.kin[i].objects;
	}
	add_kins(rows, all, SIZE_MAX);
	return true;
}

bool estate_open_node(struct rows *rows, uint32_t node, struct err *err)
{
	return open(rows, err)
	       && add_all(rows, heirs_of(&estate_of(rows)->owners->heirs, node), node, err);
}

bool estate_open_nodes(struct rows *rows, struct ids nodes, struct err *err)
{
	return open(rows, err) && add_all(rows, nodes, OBJECT_NONE, err);
}

void estate_close(struct rows *rows)
{
	struct estate *e = rows->data;
	if (!e)
		return;
	for (size_t i = 0; i < e->stocks; i++)
		kins_fini(&e->stock[i].kins);
	kins_fini(&e->prepared);
	free(e->stock);
	free(e->branch);
	free(e);
}
