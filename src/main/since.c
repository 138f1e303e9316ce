#include "main/inputs.h"

#include "analysis/series.h"

#include <string.h>

void since_tell_kind(const struct analysis *newer, const struct analysis *older)
{
	const char *why = series_differs_in_kind(newer, older);
	if (why)
		err_tell_text(why, analysis_path(older));
}

void since_tell_limits(const struct analysis *newer, const struct analysis *older)
{
	since_tell_kind(newer, older);
	struct err lacks = {0};
	if (!series_knows_reach(older, &lacks))
		err_tell(&lacks, NULL);
}

static bool since_add(struct analysis *analysis, const char *path, const char *exe, unsigned stages)
{
	struct err err = {0};
	struct analysis *older = open_dump(path, exe, stages);
	if (!older)
		return false;
	if (series_add(analysis, older, &err)) {
		since_tell_limits(analysis, older);
		return true;
	}
	complain(NULL, &err);
	analysis_free(older);
	return false;
}

bool open_since(struct analysis *analysis, const struct options *options, const char *exe,
                unsigned stages)
{
	const char *lines = buf_text(&options->since);
	bool added = true;
	while (added && *lines) {
		SCOPED_BUF path = {0};
		size_t length = strcspn(lines, "\n");
		buf_add_bytes(&path, lines, length);
		added = since_add(analysis, buf_text(&path), exe, stages);
		lines += length + 1;
	}
	return added;
}
