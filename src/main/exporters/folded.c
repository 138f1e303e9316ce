/* Folded stacks, the input of flame graphs: the tree of the table where. */
#include "main/exporter.h"
#include "main/output.h"
#include "main/stacks.h"

#include <inttypes.h>

/* Appends the names of a node. ; separates names, so it is replaced in them. */
static void folded_add(const struct stacks *stacks, uint32_t node, bool first, struct buf *out)
{
	struct buf names = {0};
	stacks_add_names(stacks, node, &names);
	buf_add(out, first ? "" : ";");
	for (size_t i = 0; i + 1 < names.len; i++)
		buf_add_char(out, names.data[i] == ';' ? ',' : names.data[i] == '\n' ? ';' : names.data[i]);
	buf_free(&names);
}

static bool folded_write(const struct analysis *analysis, const struct export_request *request,
                         struct buf *out, struct err *err)
{
	struct stacks stacks;
	uint32_t nodes[STACK_MOST];
	(void)request;
	bool ok = stacks_by_paths(&stacks, analysis, err);
	for (size_t i = 0; ok && i < stacks.merged->count; i++) {
		size_t count = stacks_walk(&stacks, i, nodes);
		if (!count || !stacks.sum[i].bytes)
			continue;
		for (size_t k = count; k-- > 0;)
			folded_add(&stacks, nodes[k], k + 1 == count, out);
		buf_addf(out, " %" PRIu64 "\n", stacks.sum[i].bytes);
		ok = output_some(out);
	}
	if (ok && stacks.unreachable.bytes)
		buf_addf(out, "not reachable %" PRIu64 "\n", stacks.unreachable.bytes);
	stacks_fini(&stacks);
	return ok;
}

static const struct exporter exporter_folded = {
	.rank = 30,
	.name = "folded",
	.help = "the table where as folded stacks, for flamegraph.pl, inferno and speedscope",
	.about = "A line is a path from a root, joined by semicolons, and the bytes of the objects "
			 "there; the sum is that of all objects. "
			 "In names, a comma stands for a semicolon. Paths end after 256 steps.",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.parts = PART_OBJECTS,
	.write = folded_write,
};
PLUGIN(exporters, exporter_folded);
