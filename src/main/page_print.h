/* Pages (report/page.h) on the standard output. */
#ifndef MAIN_PAGE_PRINT_H
#define MAIN_PAGE_PRINT_H

#include "base/buf.h"
#include "report/page.h"

/* In the form that the page was built for. JSON is one object. CSV is the rows of its table or, of
   a page without, lines "name,value": those of a group have its name and a dot before theirs, and
   of a list of groups there is only how many they are. */
void page_print(const struct page *page, struct buf *out);

#endif
