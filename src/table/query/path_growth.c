#include "table/query/path_growth.h"

#include "analysis/series.h"
#include "table/cell.h"
#include "table/contents/object_set.h"
#include "table/naming/operand.h"
#include "table/paths/what_if_part.h"

bool path_operand(const struct analysis *analysis, const char *path, struct operand *operand,
                  struct err *err)
{
	const char *text = path;
	return operand_read(analysis, &text, operand, err)
	       && (!*text || err_set(err, "\"%.60s\" is no path: %.40s is left over", path, text));
}

bool path_retained(const struct analysis *analysis, const char *path, uint64_t *bytes,
                   struct err *err)
{
	struct operand operand;
	struct entity entity;
	SCOPED_BUF set = {0};
	size_t count;
	struct freed freed;
	if (!*path)
		return *bytes = analysis_reach(analysis)->bytes, true;
	if (object_set_begins(path))
		buf_add(&set, path);
	else if (!path_operand(analysis, path, &operand, err))
		return false;
	else if (operand.set)
		operand_add_set(&operand, &set);
	if (set.len)
		return object_set_frees(analysis, buf_text(&set), NULL, &count, &freed, err)
		       && (*bytes = freed.bytes, true);
	return what_if_part_read(analysis, &path, &entity, err)
	       && what_if_part_frees(analysis, entity, NULL, &freed) && (*bytes = freed.bytes, true);
}

bool path_growth(const struct analysis *analysis, const char *path, uint64_t *bytes, bool *negative,
                 struct err *err)
{
	const struct series *series = analysis_series(analysis);
	uint64_t was = 0, now;
	struct err nowhere = {0};
	if (!series)
		return err_set(err, "growth() compares with an earlier dump: goheapx check OLD NEW");
	if (*path && !series_knows_objects(analysis))
		return err_set(err, "growth() of two GC logs takes no path: the numbers of objects mean "
		                    "nothing in another log");
	if (!reach_must_be_known(analysis, err) || !path_retained(analysis, path, &now, err))
		return false;
	if (!series_knows_reach(series_older(analysis, 0), err))
		return false;
	path_retained(series_older(analysis, 0), path, &was, &nowhere);
	*negative = now < was;
	*bytes = now < was ? was - now : now - was;
	return true;
}
