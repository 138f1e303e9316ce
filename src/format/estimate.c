#include "format/estimate.h"

#include "base/text.h"

/* Rounds to three digits: more would suggest precision. */
static uint64_t estimate_rounded(double number)
{
	uint64_t unit = 1, whole = (uint64_t)number;
	while (whole / unit >= 1000)
		unit *= 10;
	return (whole + unit / 2) / unit * unit;
}

static void estimate_add_error(const struct estimated *estimated, struct buf *out)
{
	double percent = estimated->number > 0 ? estimated->error * 100 / estimated->number : 0;
	if (percent < 1)
		buf_addf(out, " (+-%.1f%%)", percent > 0.1 ? percent : 0.1);
	else
		buf_addf(out, " (+-%.0f%%)", percent);
}

void estimate_add_sentence(const struct estimate *estimate, struct buf *out)
{
	buf_addf(out, "About %s objects", text_count(estimate_rounded(estimate->objects.number)).text);
	estimate_add_error(&estimate->objects, out);
	buf_addf(out, ", %s", text_size(estimate_rounded(estimate->bytes.number)).text);
	estimate_add_error(&estimate->bytes, out);
	buf_addf(out, ", from %u samples", estimate->samples);
}
