#include "analysis/heirs.h"

#include "base/mem.h"

enum { STEP = 1 << 16 };

static size_t row_size(const struct heirs *heirs)
{
	return (heirs->nodes + 2ULL) * sizeof *heirs->row;
}

/* row[n + 2] counts the heirs of n; after the sums, row[n + 1] is where the next one of them goes.
 */
static void count(struct heirs *heirs, const uint32_t *idom)
{
	for (uint32_t n = 0; n < heirs->nodes; n++)
		if (idom[n] != OBJECT_NONE)
			heirs->row[idom[n] + 2]++;
	for (uint32_t n = 1; n < heirs->nodes + 2; n++)
		heirs->row[n] += heirs->row[n - 1];
}

static bool place(struct heirs *heirs, const uint32_t *idom, struct progress *progress)
{
	for (uint32_t n = 0; n < heirs->nodes; n++) {
		if (n % STEP == 0 && !progress_step(progress, n))
			return false;
		if (idom[n] != OBJECT_NONE)
			heirs->node[heirs->row[idom[n] + 1]++] = n;
	}
	return true;
}

bool heirs_init(struct heirs *heirs, const struct dominators *dominators, struct progress *progress)
{
	*heirs = (struct heirs){.nodes = dominators->nodes};
	heirs->row = mem_column(row_size(heirs));
	heirs->node = mem_column(heirs->nodes * sizeof *heirs->node);
	progress_begin(progress, "putting the tree in order", heirs->nodes);
	count(heirs, dominators->idom);
	if (place(heirs, dominators->idom, progress))
		return true;
	heirs_fini(heirs);
	return false;
}

void heirs_fini(struct heirs *heirs)
{
	if (!heirs->row)
		return;
	mem_column_free(heirs->row, row_size(heirs));
	mem_column_free(heirs->node, heirs->nodes * sizeof *heirs->node);
	*heirs = (struct heirs){0};
}
