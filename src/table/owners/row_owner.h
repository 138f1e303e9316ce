/* The owner of rows that stand for several objects, as columns: the owner of the largest part of
   their bytes, and the share of that part. Computed when a column is first asked for, by one pass
   over the objects; the table says which objects belong to a row (`members`). */
#pragma once

#include "table/columns.h"

column_cell row_owner_share_cell;
extern const struct coding row_owner_coding;

#define ROW_OWNER                                                                       \
	.name = "owner", .title = "owner", .kind = VALUE_TEXT, .coding = &row_owner_coding, \
	.stages = STAGE_OWNED | STAGE_TYPED, .on_request = true,                            \
	.help = "The owner of the largest part of these bytes, as in the table "            \
			"owners; none where no object is reachable"
#define ROW_OWNER_SHARE                                                                    \
	.name = "owner_share", .title = "its share", .kind = VALUE_SHARE,                      \
	.cell = row_owner_share_cell, .stages = STAGE_OWNED | STAGE_TYPED, .on_request = true, \
	.help = "The part of these bytes that this owner owns"
