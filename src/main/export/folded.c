/* Folded stacks, the input of flame graphs: the tree of the table where. */
#include "format/format.h"
#include "heap/objects.h"
#include "main/export/exporter.h"
#include "main/export/stacks.h"
#include "main/print/output.h"

#include <inttypes.h>

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
		for (size_t k = count; k-- > 0;) {
			/* ; separates names, so it is replaced in them. */
			SCOPED_BUF names = {0};
			stacks_add_names(&stacks, nodes[k], &names);
			buf_add(out, k + 1 == count ? "" : ";");
			for (size_t n = 0; n + 1 < names.len; n++) {
				char c = names.data[n];
				buf_add_char(out, c == ';' ? ',' : c == '\n' ? ';' : c);
			}
		}
		buf_addf(out, " %" PRIu64 "\n", stacks.sum[i].bytes);
		ok = output_some(out);
	}
	if (ok && stacks.unreachable.bytes)
		buf_addf(out, "not reachable %" PRIu64 "\n", stacks.unreachable.bytes);
	stacks_fini(&stacks);
	return ok;
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_folded) = {
	.rank = 30,
	.name = "folded",
	.help = "the table where as folded stacks, for flamegraph.pl, inferno and speedscope",
	.about = "A line is a path from a root, joined by semicolons, and the bytes of the objects "
			 "there; the lines add up to all objects. In names, a semicolon is written as a "
			 "comma. Paths end after 256 steps.",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.parts = PART_OBJECTS,
	.write = folded_write,
};
