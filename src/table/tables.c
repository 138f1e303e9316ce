/* All tables, in the order of help and manual. */
#include "table/table.h"

enum { MOST_TABLES = 128 };

const struct table *tables[MOST_TABLES];

PLUGINS(tables);

static unsigned table_rank(const void *table)
{
	return ((const struct table *)table)->rank;
}

__attribute__((constructor)) static void list_tables(void)
{
	plugins_list(PLUGINS_OF(tables), table_rank, (const void **)tables, MOST_TABLES);
}

bool tables_add(const struct table *table)
{
	size_t count = 0;
	while (tables[count])
		count++;
	if (count + 1 == MOST_TABLES)
		return false;
	tables[count] = table;
	return true;
}
