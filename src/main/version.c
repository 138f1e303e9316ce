/* goheapx version. */
#include "main/commands.h"
#include "main/output.h"

const char goheapx_version[] = "0.1.0";

enum status run_version(const struct options *options)
{
	(void)options;
	struct buf out = {0};
	buf_addf(&out, "goheapx %s\n", goheapx_version);
	return output_end(&out, STATUS_ANSWERED);
}
