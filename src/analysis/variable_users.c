#include "analysis/variable_users.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>

static void *variable_users_make(const struct analysis *analysis, enum retain retain,
                                 struct progress *progress)
{
	const struct exe *exe = analysis_names(analysis)->exe;
	struct variable_uses *uses = mem_alloc(sizeof *uses);
	(void)retain, (void)progress;
	if (exe)
		*uses = variable_uses_scan(
			exe_pclntab(exe),
			exe_match_segments(analysis_heap(analysis), analysis_names(analysis)->fit.data_bias));
	return uses;
}

static void variable_users_free(void *made)
{
	variable_uses_fini(made);
	free(made);
}

static bool variable_users_index(void *made, const struct index_io *io)
{
	struct variable_uses *uses = made;
	return INDEX_ARRAY(io, "use", uses->use, uses->count);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, variable_users_kept) = {
	.name = "variable-uses",
	.needs = STAGE_NAMED,
	.make = variable_users_make,
	.free = variable_users_free,
	.size = sizeof(struct variable_uses),
	.index = variable_users_index,
};

bool variable_user_find(const struct analysis *analysis, uint64_t address,
                        struct variable_user *user)
{
	const struct names *names = analysis_names(analysis);
	if (!names || !names->exe)
		return false;
	const struct variable_uses *uses =
		analysis_kept(analysis, &variable_users_kept, RETAIN_ALIVE, NULL);
	uint64_t bias = names->fit.data_bias;
	if (!variable_uses_find(uses, exe_pclntab(names->exe), address - bias, user))
		return false;
	user->address += bias;
	return true;
}
