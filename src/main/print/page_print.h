/* Output of pages (report/page.h). */
#pragma once

#include "main/print/json.h"
#include "report/page.h"

/* Appends the page in the form that it was built for. JSON is one object. CSV consists of the rows
   of its table or, without one, of lines "name,value": values in groups have a dotted name, and a
   list of groups becomes its length. */
void page_print(const struct page *page, struct buf *out);
/* Appends a line that is no row of a table, as text. */
void page_print_line(const struct page *page, const struct page_line *line, struct buf *out);
/* Writes the values of a page as one object. */
void page_print_values(const struct page *page, struct json *json);
