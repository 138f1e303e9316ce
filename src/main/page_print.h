/* Pages (report/page.h) on the standard output. */
#ifndef MAIN_PAGE_PRINT_H
#define MAIN_PAGE_PRINT_H

#include "main/json.h"
#include "report/page.h"

/* In the form that the page was built for. JSON is one object. CSV is the rows of its table or, of
   a page without, lines "name,value": those of a group have its name and a dot before theirs, and
   of a list of groups there is only how many they are. */
void page_print(const struct page *page, struct buf *out);
/* A line that is no row of a table, as text. */
void page_print_line(const struct page *page, const struct page_line *line, struct buf *out);
/* The values of a page, as one object. */
void page_print_values(const struct page *page, struct json *json);

#endif
