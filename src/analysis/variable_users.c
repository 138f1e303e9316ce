#include "analysis/variable_users.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "go/exe/image.h"
#include "static_owners.h"

#include <stdlib.h>
#include <string.h>

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

/* Finds the variable that points to static data, which has its package for certain where it points
   to this very address. */
static bool variable_user_points(const struct analysis *analysis, uint64_t address,
                                 struct variable_user *user)
{
	const struct names *names = analysis_names(analysis);
	const struct image *image = exe_image(names->exe);
	uint64_t bias = names->fit.data_bias;
	const struct static_owner *owner = static_owners_find(
		analysis_kept(analysis, &static_owners_kept, RETAIN_ALIVE, NULL), image, bias, address);
	const struct image_symbol *variable = owner ? image_variable_at(image, owner->variable) : NULL;
	size_t package = variable ? pclntab_package(variable->name) : 0;
	if (!package)
		return false;
	const char *name = variable->name + package + (variable->name[package] == '.');
	*user = (struct variable_user){
		.package = {variable->name, package},
		.function = {name, strlen(name)},
		.address = owner->address,
		.inferred = owner->address == address,
	};
	return true;
}

bool variable_user_find(const struct analysis *analysis, uint64_t address,
                        struct variable_user *user)
{
	const struct names *names = analysis_names(analysis);
	if (!names || !names->exe)
		return false;
	struct variable_user by_pointer = {0};
	bool pointed = variable_user_points(analysis, address, &by_pointer);
	const struct variable_uses *uses =
		analysis_kept(analysis, &variable_users_kept, RETAIN_ALIVE, NULL);
	uint64_t bias = names->fit.data_bias;
	*user = by_pointer;
	bool used = variable_uses_find(uses, exe_pclntab(names->exe), address - bias, user);
	user->address += used ? bias : 0;
	if (pointed && by_pointer.address >= user->address)
		*user = by_pointer;
	return pointed || used;
}
