/* goheapx manual: prints the whole manual page. */
#include "main/manual.h"

#include "main/commands.h"
#include "main/output.h"

enum status run_manual(const struct options *options)
{
	(void)options;
	struct buf out = {0};
	buf_add(&out, manual_head);
	buf_add(&out, manual_processes);
	manual_usage(&out);
	buf_add(&out, manual_types);
	buf_add(&out, manual_output);
	buf_add(&out, manual_paths);
	manual_exports(&out);
	manual_tables(&out);
	buf_add(&out, manual_filters);
	manual_sql(&out);
	manual_questions(&out);
	manual_explorer(&out);
	buf_add(&out, manual_environment);
	buf_add(&out, manual_tail);
	return output_end(&out, STATUS_ANSWERED);
}
