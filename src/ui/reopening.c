#include "ui/reopening.h"

#include "analysis/analysis.h"
#include "analysis/series.h"

#include <string.h>

bool reopening_take(struct reopening *reopening, const char *word, const char *argument,
                    struct err *err)
{
	static const char *const words[] = {
		[REOPENING_SAME] = "reopen",
		[REOPENING_SNAPSHOT] = "snapshot",
		[REOPENING_SINCE] = "since",
		[REOPENING_OTHER] = "open",
	};
	for (enum reopening_kind kind = REOPENING_SAME; kind <= REOPENING_OTHER; kind++) {
		if (strcmp(word, words[kind]) != 0)
			continue;
		if (!*argument && kind >= REOPENING_SINCE)
			return err_set(err, "Name the file: %s FILE", word);
		reopening->kind = kind;
		buf_clear(&reopening->name);
		buf_add(&reopening->name, argument);
		return true;
	}
	return false;
}

struct analysis *reopening_next(const struct reopening *reopening, const struct analysis *analysis)
{
	const char *name = buf_text(&reopening->name);
	if (reopening->kind == REOPENING_OTHER)
		return analysis_other(analysis, name);
	return analysis_again(analysis, reopening->kind == REOPENING_SINCE ? "" : name);
}

struct analysis *reopening_earlier(const struct reopening *reopening,
                                   const struct analysis *analysis)
{
	return reopening->kind == REOPENING_SINCE ? analysis_other(analysis, buf_text(&reopening->name))
	                                          : NULL;
}

bool reopening_follow(const struct reopening *reopening, struct analysis *next,
                      struct analysis *old, struct analysis *earlier, struct analysis **gone,
                      struct err *err)
{
	bool keep = reopening->kind == REOPENING_SNAPSHOT && old;
	*gone = keep ? NULL : old;
	if (reopening->kind == REOPENING_OTHER)
		return true;
	if (earlier && series_is_older(next, earlier))
		return err_set(err, "It is a later dump than this one: \":open FILE\" shows it, and then "
		                    "\":since FILE\" compares it with this one");
	return (!earlier || series_add(next, earlier, err))
	       && (!old || series_follow(next, old, keep, err));
}
