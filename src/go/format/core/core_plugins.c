#include "core_plugins.h"

#include "core_library.h"
#include "core_runtime.h"

#include "base/bound.h"
#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MODULES = 1 << 12, PATH_SHOWN = 200, ID_SHOWN = 100, NAMED = 8, PATHS = 5 };

/* One module that the process has loaded. */
struct core_plugin {
	struct core_runtime *rt;
	uint64_t module;     /* address of its record */
	const char *in_core; /* path in the core file */
	struct buf refused;  /* why the first file that was tried is not used */
};

static void core_plugin_add_path(struct buf *out, const char *path)
{
	text_add_escaped(out, path, strlen(path), PATH_SHOWN);
}

/* Returns true if the record of the process says what the file says, all shifted alike. */
static bool core_plugin_fits(const struct core_plugin *plugin, const struct module *module,
                             uint64_t bias)
{
	const struct core_runtime *rt = plugin->rt;
	const struct {
		uint64_t in_file;
		enum core_field field;
	} places[] = {
		{module->text, RT_MODULEDATA_TEXT}, {module->etext, RT_MODULEDATA_ETEXT},
		{module->data, RT_MODULEDATA_DATA}, {module->edata, RT_MODULEDATA_EDATA},
		{module->bss, RT_MODULEDATA_BSS},   {module->ebss, RT_MODULEDATA_EBSS},
	};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i].in_file + bias != rt_field(rt, plugin->module, places[i].field))
			return false;
	return module->address && bias % 4096 == 0;
}

/* Checks that a file is the one that was loaded. Returns false with a sentence, if it is the first,
   in plugin->refused. */
static bool core_plugin_check(struct core_plugin *plugin, const struct exe *exe, uint64_t bias)
{
	struct text has = core_build_id_of(exe),
				wants = core_build_id(&plugin->rt->memory.file, plugin->in_core);
	struct buf *out = plugin->refused.len ? NULL : &plugin->refused;
	const struct image *image = exe_image(exe), *own = exe_image(plugin->rt->memory.exe);
	bool same = !has.len || !wants.len || text_equal(has, wants);
	if (same && image->pointer_size == own->pointer_size && image->big_endian == own->big_endian
	    && core_plugin_fits(plugin, &exe_pclntab(exe)->module, bias))
		return true;
	if (out)
		core_plugin_add_path(out, exe_path(exe));
	if (out && !same) {
		buf_add(out,
		        " is of another build than the file that the process has loaded, of build id ");
		text_add_escaped(out, wants.data, wants.len, ID_SHOWN);
		buf_add(out, ", not ");
		text_add_escaped(out, has.data, has.len, ID_SHOWN);
	} else if (out) {
		buf_add(out, " is not the file that the process has loaded, whose code and variables lie "
		             "elsewhere");
	}
	return false;
}

/* Adds a file to the executable if it is the one. */
static bool core_plugin_try(struct core_plugin *plugin, const char *path)
{
	struct core_runtime *rt = plugin->rt;
	struct core_plugins *plugins = &rt->plugins;
	struct err err = {0};
	struct exe *exe = exe_may_be(path) ? exe_open(path, &rt->options, &err) : NULL;
	uint64_t bias = exe ? plugin->module - exe_pclntab(exe)->module.address : 0;
	if (!exe && *err.text && !plugin->refused.len)
		text_add_escaped(&plugin->refused, err.text, strlen(err.text), SIZE_MAX);
	if (!exe || !core_plugin_check(plugin, exe, bias)) {
		exe_close(exe);
		return false;
	}
	exe_find_debug_of_part(exe);
	plugins->module[plugins->modules++] = (struct format_module){mem_strdup(path), bias};
	exe_add_part(rt->memory.exe, exe, bias - rt->memory.bias);
	return true;
}

/* Lists where the file may be: beside the core file, in the folder of the executable, below the
   root of the process or at its path, and what the process has mapped, if that was replaced. */
static void core_plugin_paths(const struct core_plugin *plugin, const char *core_path,
                              char *paths[PATHS])
{
	static const char deleted[] = " (deleted)";
	const struct core_file *file = &plugin->rt->memory.file;
	const char *exe = exe_path(plugin->rt->memory.exe), *slash = strrchr(exe, '/');
	SCOPED_FREE char *name = mem_strdup(plugin->in_core);
	SCOPED_BUF folder = {0}, mapped = {0};
	size_t len = strlen(name), cut = sizeof deleted - 1;
	if (len > cut && strcmp(name + len - cut, deleted) == 0)
		name[len - cut] = '\0';
	core_library_paths(file, core_path, name, paths);
	const char *base = strrchr(name, '/');
	buf_add_bytes(&folder, exe, slash ? (size_t)(slash - exe) + 1 : 0);
	buf_add(&folder, base ? base + 1 : name);
	for (size_t i = 0; i < file->mappings && file->own.pid && !mapped.len; i++)
		if (strcmp(file->mapping[i].path, plugin->in_core) == 0)
			buf_addf(&mapped, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)file->own.pid,
			         file->mapping[i].start, file->mapping[i].end);
	paths[CORE_LIBRARY_PATHS] = mem_strdup(buf_text(&folder));
	paths[CORE_LIBRARY_PATHS + 1] = mem_strdup(buf_text(&mapped));
}

static bool core_plugin_open(struct core_plugin *plugin, const char *core_path)
{
	char *paths[PATHS];
	bool found = false;
	core_plugin_paths(plugin, core_path, paths);
	for (size_t i = 0; i < PATHS; i++) {
		found = found || (*paths[i] && core_plugin_try(plugin, paths[i]));
		free(paths[i]);
	}
	return found;
}

static void core_plugin_tell(struct core_plugins *plugins, const struct core_plugin *plugin,
                             bool found)
{
	struct buf *out = found ? &plugins->read : &plugins->missing;
	if (plugins->count <= NAMED)
		buf_add(out, out->len ? found ? ", " : ". " : "");
	if (plugins->count > NAMED)
		return;
	if (plugin->refused.len && !found) {
		buf_addf(out, "%s. So it is not used, and of ", buf_text(&plugin->refused));
		core_plugin_add_path(out, plugin->in_core);
		buf_add(out, " nothing has a name");
		return;
	}
	core_plugin_add_path(out, plugin->in_core);
	if (!found)
		buf_add(out, " is not here, so nothing of it has a name: beside the file, or in the folder "
		             "of the executable, it is found");
}

void core_plugins_find(struct core_runtime *rt, const char *core_path)
{
	struct core_plugins *plugins = &rt->plugins;
	uint64_t module = rt->module ? rt_field(rt, rt->module, RT_MODULEDATA_NEXT) : 0;
	SCOPED_MAP seen = {0};
	uint64_t known = 1;
	plugins->module = mem_alloc(CORE_PLUGINS_MOST * sizeof *plugins->module);
	for (; module && map_add(&seen, module, &known) && plugins->count < MOST_MODULES;
	     module = rt_field(rt, module, RT_MODULEDATA_NEXT)) {
		struct core_plugin plugin = {
			.rt = rt, .module = module, .in_core = core_file_path(&rt->memory.file, module)};
		if (!plugin.in_core)
			continue;
		plugins->count++;
		bool found = plugins->count <= CORE_PLUGINS_MOST && core_plugin_open(&plugin, core_path);
		core_plugin_tell(plugins, &plugin, found);
		buf_free(&plugin.refused);
	}
}

void core_plugins_fini(struct core_plugins *plugins)
{
	for (size_t i = 0; i < plugins->modules; i++)
		free((char *)(uintptr_t)plugins->module[i].path);
	free(plugins->module);
	buf_free(&plugins->read);
	buf_free(&plugins->missing);
}
