#include "analysis/index.h"

#include "analysis/kept.h"
#include "analysis/stages.h"
#include "base/cache.h"
#include "base/index_io.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "heap/heap_index.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* Processor time of what is saved in the cache; in an index that is there already; and there on
   request, where nothing is new but results that each run computes from others. */
enum { INDEX_WORTH_MS = 1000, INDEX_WORTH_MORE_MS = 200, INDEX_WORTH_AGAIN_MS = 10 };
enum { KEY_WINDOWS = 256, KEY_WINDOW = 4096 };

/* ---- Keys: file identity, and a sample of the contents */

static struct index_key index_key_of_stat(struct index_key key, const struct stat *info)
{
	const uint64_t words[] = {
		(uint64_t)info->st_size,
		(uint64_t)info->st_ino,
		(uint64_t)info->st_mtim.tv_sec,
		(uint64_t)info->st_mtim.tv_nsec,
		(uint64_t)info->st_ctim.tv_sec,
		(uint64_t)info->st_ctim.tv_nsec, /* cannot be set by programs */
	};
	return index_key_add(key, words, sizeof words);
}

/* Adds the size and a sample of the contents. */
static struct index_key index_key_of_contents(struct index_key key, const struct input *input)
{
	key = index_key_add(key, &input->size, sizeof input->size);
	if (input->size <= KEY_WINDOWS * KEY_WINDOW)
		return index_key_add(key, input->data, input->size);
	uint64_t apart = (input->size - KEY_WINDOW) / (KEY_WINDOWS - 1);
	for (uint64_t i = 0; i < KEY_WINDOWS; i++) {
		key = index_key_add(key, input->data + apart * i, KEY_WINDOW);
		input_forget(input, apart * i, apart * (i + 1)); /* the system maps pages around it */
	}
	return key;
}

/* Returns a key of the executable in use and its load address: the same wherever it was found,
   since each build has its id near the start of the file. */
static struct index_key index_key_of_names(const struct dump *dump)
{
	struct index_key key = {0};
	uint64_t bias[] = {dump->names->fit.bias, dump->names->fit.data_bias, dump->names->exe != NULL};
	key = index_key_add(key, bias, sizeof bias);
	if (!dump->names->exe)
		return key;
	const struct input *debug = exe_debug_input(dump->names->exe);
	key = index_key_of_contents(key, exe_input(dump->names->exe));
	if (debug)
		key = index_key_of_contents(key, debug);
	const struct exe *part = exe_part(dump->names->exe, 0);
	for (size_t i = 0; part; part = exe_part(dump->names->exe, ++i))
		key = index_key_of_contents(key, exe_input(part));
	return key;
}

/* Returns the key of the file: of the dump, and of goheapx itself, because another build may have
   other results. If the index of the dump is of another executable, the one in use has its own. */
static struct index_key index_key_of(const struct dump *dump)
{
	struct index_key key = {0}, names;
	struct stat program = {0};
	stat("/proc/self/exe", &program);
	key = index_key_of_stat(key, &program);
	key = index_key_of_contents(index_key_of_stat(key, &dump->input.opened), &dump->input);
	if (!dump->index_of_other)
		return key;
	names = index_key_of_names(dump);
	return index_key_add(key, &names, sizeof names);
}

/* ---- Opening */

static bool index_path(const struct analysis_options *options, struct index_key key, bool make,
                       struct buf *path, struct err *err)
{
	if (options->index != INDEX_FILE)
		return cache_path(path, key, make, err);
	buf_add(path, options->index_file);
	return true;
}

void index_of_dump_open(struct dump *dump)
{
	struct index_secret secret;
	SCOPED_BUF path = {0};
	struct err err = {0};
	struct stat info;
	if (dump->options.index == INDEX_OFF || dump->options.hide_keys || dump->input.pid
	    || dump->input.redacted || !S_ISREG(dump->input.opened.st_mode))
		return;
	if (dump->options.index == INDEX_FILE && !index_may_replace(dump->options.index_file)) {
		err_set(&dump->index_err, "%.200s is not an index; it is left unchanged",
		        dump->options.index_file);
		return;
	}
	dump->indexed = true;
	if (!cache_secret(&secret, false, &err))
		return; /* without it no index was written, and the key is not needed */
	struct index_key key = index_key_of(dump);
	if (index_path(&dump->options, key, false, &path, &err) && lstat(buf_text(&path), &info) == 0)
		dump->index = index_open(buf_text(&path), key, &secret, &dump->index_err);
	if (dump->index) {
		dump->index_bytes = (uint64_t)info.st_size;
		utimensat(AT_FDCWD, buf_text(&path), NULL, 0); /* the cache evicts the oldest first */
	}
}

void index_of_dump_check(struct dump *dump)
{
	const struct index_io io = {.file = dump->index};
	struct index_key key, now;
	if (!dump->index)
		return;
	now = index_key_of_names(dump);
	if (INDEX_VALUES(&io, "names/key", INDEX_VALUE(key)) && memcmp(&key, &now, sizeof key) == 0)
		return;
	index_close(dump->index);
	dump->index = NULL;
	dump->index_bytes = 0;
	err_set(&dump->index_err, "It is of another executable");
	if (dump->options.index == INDEX_FILE || dump->index_of_other)
		return;
	dump->index_of_other = true;
	index_of_dump_open(dump);
	index_of_dump_check(dump);
}

/* ---- Writing */

static bool index_is_worth(const struct dump *dump)
{
	unsigned computed = atomic_load(&dump->computed);
	uint64_t cpu = 0;
	for (int i = 0; i < STAGE_COUNT; i++)
		cpu += computed >> i & 1 ? dump->cpu[i] : 0;
	cpu += kept_cpu(dump->kept);
	uint64_t worth = dump->options.index != INDEX_CACHE
	                     ? (dump->index && !computed ? INDEX_WORTH_AGAIN_MS : 0)
	                 : dump->index ? INDEX_WORTH_MORE_MS
	                               : INDEX_WORTH_MS;
	return cpu && cpu / 1000000 >= worth;
}

/* An index in a named file needs the secret, too: kept beside the file, it would come along with a
   file of another user. */
static bool index_secret(struct index_secret *secret, struct err *err)
{
	struct err why = {0};
	return cache_secret(secret, true, &why)
	       || err_set(err,
	                  "An index needs a secret in the cache, which tells it from files of others. "
	                  "%.180s. Set XDG_CACHE_HOME to a folder that only you may write to",
	                  why.text);
}

static void index_write_all(struct dump *dump, struct index_writer *writer,
                            const struct index_secret *secret)
{
	struct index_key key = index_key_of(dump);
	SCOPED_BUF path = {0};
	struct err *err = &dump->index_err;
	uint64_t bytes = index_writer_bytes(writer);
	if (dump->options.index != INDEX_FILE && !cache_make_room(bytes))
		err_set(err, "There is no room for the index in the cache");
	else if (index_path(&dump->options, key, true, &path, err)
	         && index_write(writer, buf_text(&path), key, secret, err))
		dump->index_bytes = bytes;
}

bool index_of_dump_is_asked_for(const struct dump *dump)
{
	return dump->indexed && dump->options.index != INDEX_CACHE;
}

bool index_of_dump_may_be_kept(struct dump *dump)
{
	SCOPED_BUF folder = {0};
	struct err err = {0};
	dump->indexed = dump->indexed
	                && (dump->options.index == INDEX_FILE || cache_folder(&folder, true, &err));
	return dump->indexed;
}

bool analysis_has_to_keep(struct analysis *analysis)
{
	const struct dump *dump = analysis->dump;
	return dump->indexed && dump->names && !analysis_failed(analysis, NULL) && !dump->heap->log
	       && index_is_worth(dump) && !input_changed(&dump->input)
	       && !input_loss(&dump->input, &(uint64_t){0});
}

void analysis_keep(struct analysis *analysis)
{
	struct dump *dump = analysis->dump;
	unsigned stages = analysis_stages(analysis);
	struct index_secret secret;
	if (!analysis_has_to_keep(analysis))
		return;
	dump->index_err = (struct err){0};
	dump->indexed = index_secret(&secret, &dump->index_err);
	if (!dump->indexed) /* nothing is made for an index that cannot be written */
		return;
	struct index_writer *writer = mem_alloc(sizeof *writer);
	const struct index_io io = {.writer = writer};
	struct index_key names = index_key_of_names(dump);
	index_put(writer, "about", dump->path, strlen(dump->path));
	INDEX_VALUES(&io, "names/key", INDEX_VALUE(names));
	heap_read_index(dump->heap, &io);
	for (int i = 0; i < STAGE_COUNT; i++)
		if (stages >> i & 1)
			stage_save(dump, (enum stage)(1U << i), &io);
	kept_save(dump->kept, &io);
	index_keep(dump->index, writer);
	index_write_all(dump, writer, &secret);
	index_writer_fini(writer);
	free(writer);
	atomic_store(&dump->computed, 0);
}

/* ---- Status */

bool analysis_index_failed(const struct analysis *analysis, struct err *err)
{
	enum index_use use = analysis->dump->options.index;
	bool told = use == INDEX_FILE || use == INDEX_ALWAYS;
	if (told && analysis->dump->index_err.set)
		*err = analysis->dump->index_err;
	return told && analysis->dump->index_err.set;
}

uint64_t analysis_index_bytes(const struct analysis *analysis)
{
	return analysis->dump->index_bytes;
}

void index_about(const char *path, struct index_key key, struct buf *dump)
{
	struct index_secret secret;
	struct err err = {0};
	struct index_file *file =
		cache_secret(&secret, false, &err) ? index_open(path, key, &secret, &err) : NULL;
	uint64_t size;
	const char *about = index_get(file, "about", &size);
	if (about)
		text_add_escaped(dump, about, size, SIZE_MAX);
	index_close(file);
}
