#include "report/report.h"

#include <stdlib.h>

/* The linker puts what REPORT lists between these. */
extern const struct report *const __start_reports[], *const __stop_reports[];

size_t report_count(void)
{
	return (size_t)(__stop_reports - __start_reports);
}

/* How many stand before it. */
static size_t report_place(const struct report *const *report)
{
	size_t place = 0;
	for (const struct report *const *other = __start_reports; other < __stop_reports; other++)
		place += (*other)->rank < (*report)->rank
		         || ((*other)->rank == (*report)->rank && other < report);
	return place;
}

const struct report *report_at(size_t number)
{
	for (const struct report *const *report = __start_reports; report < __stop_reports; report++)
		if (report_place(report) == number)
			return *report;
	return NULL;
}

unsigned report_stages(const struct report *report, enum form form)
{
	unsigned stages = report->needs;
	for (const struct report_section *section = report->sections; section->add; section++)
		if (section->forms & form)
			stages |= section->needs | section->wants;
	return stages;
}

bool report_has(const struct page *page, const struct report_section *section)
{
	unsigned parts = section->parts;
	return section->forms & page->form && analysis_has(page->analysis, section->needs)
	       && (!parts || (analysis_heap(page->analysis)->format->has & parts) == parts);
}

size_t report_first_alike(const struct report *report, size_t section)
{
	size_t first = 0;
	while (report->sections[first].prepare != report->sections[section].prepare)
		first++;
	return first;
}

void report_close(const struct report *report, struct page *page)
{
	if (report->close)
		report->close(page);
	else
		free(page->own);
	page_fini(page);
}
