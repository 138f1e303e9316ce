/* Pieces of a line of a page, which leave a gap where one is longer than its column. */
#include "cmocka_all.h"

#include "report/page.h"

TEST(pieces_never_touch)
{
	static const struct {
		struct page_piece piece;
		int x, columns, start;
	} cases[] = {
		{{.place = PAGE_LEFT, .column = 10}, 0, 4, 10},
		{{.place = PAGE_LEFT}, 0, 4, 0},
		{{.place = PAGE_LEFT, .column = 10}, 9, 4, 10},
		{{.place = PAGE_LEFT, .column = 10}, 10, 4, 12},
		{{.place = PAGE_REST, .column = 10}, 30, 4, 32},
		{{.place = PAGE_RIGHT, .column = 10}, 0, 4, 6},
		{{.place = PAGE_RIGHT, .column = 10}, 5, 4, 6},
		{{.place = PAGE_RIGHT, .column = 10}, 6, 4, 8},
		{{.place = PAGE_NEXT, .column = 10}, 30, 4, 30},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(page_piece_start(&cases[i].piece, cases[i].x, cases[i].columns),
		                 cases[i].start);
}
