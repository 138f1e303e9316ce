/* The second pane: a history of views with one place, which follows the cursor. */
#include "ui/pane.h"

#include "ui/state.h"

#include <inttypes.h>
#include <string.h>

enum {
	PANE_FROM = 120,      /* columns of a screen with a list and a pane */
	PANE_FROM_PAGE = 160, /* pages need 80 columns themselves */
	PANE_MOST = 79,
};

int pane_left(struct explorer *explorer, int width)
{
	if (explorer->pane.of != explorer_view(explorer))
		return width;
	return width / 2 > PANE_MOST ? width - PANE_MOST - 1 : width / 2;
}

/* Appends the command of the pane: the row's link, or the object of a row that only opens in place.
 */
static void pane_add_link(struct explorer *explorer, struct location *location, struct buf *link)
{
	const struct view *view = explorer_view(explorer);
	if (view->cursor < view->ops->rows(view))
		view->ops->link(view, view->cursor, link);
	if (link_location(link, location))
		return;
	uint64_t address = view->ops->address ? view->ops->address(view, view->cursor) : 0;
	buf_clear(link);
	if (address)
		buf_addf(link, "object 0x%" PRIx64, address);
	link_location(link, location);
}

static void pane_empty(struct explorer *explorer, struct view_stack *stack)
{
	view_stack_fini(stack);
	view_stack_init(stack, explorer, explorer->analysis);
	stack->beside = true;
}

void pane_close(struct explorer *explorer)
{
	pane_empty(explorer, &explorer->pane.shown);
	pane_empty(explorer, &explorer->pane.next);
	buf_free(&explorer->pane.link);
}

/* Shows the next view if it is loaded. */
static void pane_turn(struct explorer *explorer)
{
	struct pane *pane = &explorer->pane;
	if (!pane->next.count || view_stack_waits(&pane->next))
		return;
	pane_empty(explorer, &pane->shown);
	pane->shown = pane->next;
	view_stack_init(&pane->next, explorer, explorer->analysis);
	pane->next.beside = true;
}

void pane_follow(struct explorer *explorer)
{
	struct pane *pane = &explorer->pane;
	struct location location = {0};
	SCOPED_BUF link = {0};
	struct err ignored = {0};
	const struct view *view = explorer_view(explorer);
	int from = view->ops->of_table ? PANE_FROM : PANE_FROM_PAGE;
	if (!pane->off && explorer->width >= from && view->ops->link)
		pane_add_link(explorer, &location, &link);
	else
		pane->of = NULL;
	if (link.len)
		pane->of = view;
	if (pane->of != view)
		pane_close(explorer);
	else if (strcmp(buf_text(&link), buf_text(&pane->link)) != 0) {
		pane_empty(explorer, &pane->next);
		if (!location.ops || !view_stack_open(&pane->next, &location, &ignored))
			pane_empty(explorer, &pane->shown);
		pane_turn(explorer);
		buf_clear(&pane->link);
		buf_add(&pane->link, buf_text(&link));
	}
	location_fini(&location);
}

void pane_refresh(struct explorer *explorer, bool news)
{
	struct pane *pane = &explorer->pane;
	struct err ignored = {0};
	if (pane->next.count && !view_stack_refresh(&pane->next, news, &ignored))
		pane_empty(explorer, &pane->next);
	pane_turn(explorer);
	if (pane->shown.count && !view_stack_refresh(&pane->shown, news, &ignored))
		pane_empty(explorer, &pane->shown);
}

struct view *pane_view(struct explorer *explorer)
{
	const struct pane *pane = &explorer->pane;
	return pane->shown.count ? view_stack_view(&pane->shown) : NULL;
}
