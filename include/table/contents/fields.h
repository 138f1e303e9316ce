/* The table of fields, for code that shows a part of it. */
#pragma once

#include "table/contents/contents.h"
#include "table/table.h"

/* Returns the contents that the rows show; owned by the rows. */
const struct contents *fields_contents(const struct rows *rows);
