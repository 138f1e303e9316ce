/* The overview of a large file until it is read completely: an estimate of its contents. */
#include "report/overview.h"

#include "base/text.h"
#include "format/estimate.h"

enum { SIZES = 5 };

void overview_estimate(struct page *page)
{
	const struct estimate *estimate = analysis_estimate(page->analysis);
	struct section section = {page, "SAMPLES"};
	SCOPED_BUF text = {0};
	if (!estimate || analysis_has(page->analysis, STAGE_READ))
		return;
	estimate_add_sentence(estimate, &text);
	buf_add(&text, ".");
	page_line(page, NULL);
	page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
	for (size_t i = 0; i < estimate->size_count && i < SIZES; i++) {
		const struct estimate_size *size = &estimate->sizes[i];
		buf_clear(&text);
		buf_add(&text, size->size == ESTIMATE_LARGE ? "objects of more than 8 KB" : "objects of ");
		if (size->size != ESTIMATE_LARGE)
			text_add_size(&text, size->size);
		overview_line(&section, NULL);
		page_size(page, OVERVIEW_NUMBER, (uint64_t)size->bytes);
		page_share(page, OVERVIEW_SHARE, (uint64_t)size->bytes, (uint64_t)estimate->bytes.number);
		page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_PLAIN, buf_text(&text));
	}
}
