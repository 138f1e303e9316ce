#include "report/report.h"

#include <stdlib.h>

enum { MOST_REPORTS = 32 };

static const struct report *reports[MOST_REPORTS];

PLUGINS(reports);

static unsigned report_rank(const void *report)
{
	return (unsigned)((const struct report *)report)->rank;
}

__attribute__((constructor)) static void list_reports(void)
{
	plugins_list(PLUGINS_OF(reports), report_rank, (const void **)reports, MOST_REPORTS);
}

size_t report_command_count(void)
{
	size_t count = 0;
	while (reports[count] && reports[count]->subcommand)
		count++;
	return count;
}

const struct report *report_at(size_t number)
{
	return number < MOST_REPORTS ? reports[number] : NULL;
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
	       && (!parts || heap_has(analysis_heap(page->analysis), parts))
	       && (!section->fits || section->fits(page));
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
	if (report->close && page->own)
		report->close(page);
	free(page->own);
	page_fini(page);
}
