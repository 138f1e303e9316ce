/* Overview: the app domains of a log, each with the bytes of its objects. */
#include "ui/overview.h"

#include "base/text.h"

enum { DOMAINS = 4, NAME_LIMIT = 60 }; /* lines; columns */

static void add_domain(struct section *section, const struct heap *heap, size_t i)
{
	struct text text = heap->domains[i].record.name;
	struct buf name = {0}, link = {0};
	text_add_escaped(&name, text.data, text.len, NAME_LIMIT);
	if (!name.len)
		buf_add(&name, "a section without a name");
	buf_addf(&link, "objects section=%zu", i + 1);
	overview_bytes(section, buf_text(&link), heap->domains[i].bytes, objects_bytes(heap->objects),
	               buf_text(&name));
	buf_free(&name);
	buf_free(&link);
}

void overview_domains(struct overview *overview)
{
	const struct heap *heap = analysis_heap(overview->analysis);
	struct section section = {&overview->page, "DOMAINS"};
	for (size_t i = 0; i < heap->domain_count && i < DOMAINS; i++)
		add_domain(&section, heap, i);
	overview_more(&section, "domains", heap->domain_count, DOMAINS, "more app domains …");
}
