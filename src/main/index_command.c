/* goheapx index: computes all results and writes them to the index. */
#include "analysis/index.h"
#include "analysis/kept.h"

#include "base/text.h"
#include "main/commands.h"
#include "main/print/output.h"

#include <string.h>

static enum status index_print(const struct analysis *analysis, const char *path)
{
	struct err err = {0};
	struct buf out = {0};
	uint64_t bytes = analysis_index_bytes(analysis);
	if (analysis_index_failed(analysis, &err))
		return STATUS_FAILED; /* close_dump prints the reason */
	text_add_escaped(&out, path, strlen(path), SIZE_MAX);
	if (bytes) {
		buf_addf(&out, ": an index of %s for ", text_size(bytes).text);
		text_add_number_of(&out, heap_object_count(analysis_heap(analysis)), "object", "objects");
		buf_add(&out, ".\n");
	} else {
		buf_add(&out, ": a process or a log has no index.\n");
	}
	return output_end(&out, STATUS_ANSWERED);
}

enum status run_index(const struct options *options)
{
	const char *path = options->operands[0];
	struct analysis *analysis =
		open_dump(&(struct opening){.options = options,
	                                .dump = path,
	                                .exe = options->exe ? options->exe : options->operands[1],
	                                .stages = STAGE_ALL,
	                                .keeps = true});
	if (analysis) {
		analysis_make_kept(analysis);
		analysis_keep(analysis);
	}
	return analysis ? close_dump(analysis, options, index_print(analysis, path)) : STATUS_FAILED;
}
