/* Overview: who owns the memory, and where it piles up. */
#include "ui/overview.h"

#include "base/text.h"
#include "table/node.h"
#include "table/node_kind.h"

#include <inttypes.h>
#include <string.h>

enum { OWNERS = 6, PILES = 3, /* lines */ MOST = 50, MUCH = 20 /* percent */ };

/* By the setting that is in force; NULL: not known yet. */
static const struct rows *owners_rows(struct overview *overview)
{
	const struct analysis *analysis = overview->analysis;
	if (overview->owners && overview->retain != analysis_retain(analysis)) {
		rows_close(overview->owners);
		overview->owners = NULL;
	}
	if (!overview->owners && analysis_owners_made(analysis))
		overview->owners = rows_open(table_find("owners"), analysis, NULL, NULL);
	overview->retain = analysis_retain(analysis);
	return overview->owners && overview->owners->count ? overview->owners : NULL;
}

/* The state of things in a sentence: one big owner, several together, or nobody in particular. */
void overview_sentence(struct overview *overview)
{
	const struct rows *owners = owners_rows(overview);
	if (!owners)
		return;
	struct value share = rows_number(owners, 0, "share");
	uint64_t percent = share.whole ? share.number * 100 / share.whole : 0;
	struct buf text = {0}, cell = {0};
	bool co_holders = strcmp(overview_cell(owners, 0, "kind", &cell), "joint") == 0;
	const char *begin = percent >= MOST   ? "Most of what is reachable goes with "
	                    : percent >= MUCH ? "The biggest part goes with "
	                                      : "No owner holds much; the biggest is ";
	buf_addf(&text, "%s%s", begin, overview_cell(owners, 0, "name", &cell));
	buf_addf(&text, ": %s", overview_cell(owners, 0, "retained_bytes", &cell));
	buf_addf(&text, ", %s.", overview_cell(owners, 0, "share", &cell));
	if (co_holders)
		buf_add(&text, " It goes only when all of these holders go.");
	page_line(&overview->page, "owners");
	page_paragraph(&overview->page, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
	buf_free(&cell);
}

void overview_owners(struct overview *overview)
{
	struct section section = {&overview->page, "OWNERS"};
	const struct rows *owners = owners_rows(overview);
	struct buf link = {0}, name = {0};
	for (size_t i = 0; owners && i < owners->count && i < OWNERS; i++) {
		struct value share = rows_number(owners, i, "share");
		buf_clear(&link);
		rows_link(owners, i, &link);
		struct page *page = overview_line(&section, link.len ? buf_text(&link) : "owners");
		page_size(page, OVERVIEW_NUMBER, rows_number(owners, i, "retained_bytes").number);
		page_share(page, OVERVIEW_SHARE, share.number, share.whole);
		page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK,
		         overview_cell(owners, i, "name", &name));
	}
	if (owners)
		overview_more(&section, "owners", owners->count, OWNERS, "more owners …");
	buf_free(&link);
	buf_free(&name);
}

static void add_pile(struct section *section, const struct analysis *analysis,
                     const struct suspect *suspect)
{
	const struct dominators *dominators = analysis_dominators(analysis, RETAIN_ALIVE);
	struct buf link = {0}, text = {0};
	buf_add(&link, "dominated ");
	node_add_argument(analysis, suspect->accumulation_point, &link);
	node_add_label(analysis, suspect->accumulation_point, &text);
	if (suspect->parts > 1) {
		buf_add(&text, ", in ");
		text_add_count(&text, suspect->parts);
		buf_add(&text, " parts");
	}
	struct page *page = overview_line(section, buf_text(&link));
	page_size(page, OVERVIEW_NUMBER, dominators->bytes[suspect->accumulation_point]);
	page_share(page, OVERVIEW_SHARE, dominators->bytes[suspect->accumulation_point],
	           dominators->bytes[dominators->root]);
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, buf_text(&text));
	buf_free(&link);
	buf_free(&text);
}

/* Only what lies below its owner: the owners themselves are shown already. */
void overview_piles(struct overview *overview)
{
	struct section section = {&overview->page, "PILES UP"};
	const struct suspects *suspects = analysis_suspects(overview->analysis);
	size_t shown = 0;
	for (size_t i = 0; suspects && i < suspects->count && shown < PILES; i++)
		if (suspects->suspect[i].steps) {
			add_pile(&section, overview->analysis, &suspects->suspect[i]);
			shown++;
		}
}
