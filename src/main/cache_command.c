/* goheapx cache: lists or removes the cached indexes. */
#include "analysis/index.h"

#include "base/cache.h"
#include "base/text.h"
#include "main/commands.h"
#include "main/print/output.h"

#include <string.h>
#include <time.h>

static void cache_add_total(struct buf *out, const struct cache_list *list, const char *what)
{
	text_add_number_of(out, list->count, "index", "indices");
	buf_addf(out, "%s, %s", what, text_size(list->bytes).text);
}

static enum status cache_print(void)
{
	struct cache_list list = cache_list();
	struct buf out = {0};
	for (size_t i = list.count; i-- > 0;) { /* most recently used first */
		struct tm when;
		char used[32] = "";
		time_t seconds = (time_t)list.index[i].used;
		size_t start = out.len;
		if (localtime_r(&seconds, &when))
			strftime(used, sizeof used, "%Y-%m-%d %H:%M", &when);
		text_add_size(&out, list.index[i].bytes);
		while (out.len - start < 10)
			buf_add(&out, " ");
		buf_addf(&out, "  %s  ", used);
		index_about(list.index[i].path, list.index[i].key, &out);
		buf_add(&out, "\n");
	}
	cache_add_total(&out, &list, "");
	buf_addf(&out, " of at most %d GB\n", CACHE_GIB);
	cache_list_free(&list);
	return output_end(&out, STATUS_ANSWERED);
}

static enum status cache_remove(void)
{
	struct cache_list list;
	struct err err = {0};
	struct buf out = {0};
	if (!cache_clear(&list, &err)) {
		cache_list_free(&list);
		return complain(NULL, &err);
	}
	cache_add_total(&out, &list, " removed");
	buf_add(&out, "\n");
	cache_list_free(&list);
	return output_end(&out, STATUS_ANSWERED);
}

enum status run_cache(const struct options *options)
{
	struct err err = {0};
	const char *what = options->operands[0];
	if (strcmp(what, "list") == 0)
		return cache_print();
	if (strcmp(what, "clear") == 0)
		return cache_remove();
	err_set(&err, "The cache is listed or cleared: goheapx cache list, goheapx cache clear");
	return complain(NULL, &err);
}
