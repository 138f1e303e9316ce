#include "main/options/inputs.h"

#include "analysis/series.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/process.h"
#include "base/text.h"
#include "format/format.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum input_kind { INPUT_OTHER, INPUT_DUMP, INPUT_EXECUTABLE };

static bool is_executable(const uint8_t *start, size_t size)
{
	bool little = size >= sizeof(Elf32_Ehdr) && start[EI_DATA] == ELFDATA2LSB;
	if (size < sizeof(Elf32_Ehdr) || memcmp(start, ELFMAG, SELFMAG) != 0)
		return false;
	unsigned type = little ? start[EI_NIDENT] : start[EI_NIDENT + 1];
	return type == ET_EXEC || type == ET_DYN;
}

/* Classifies a file by its first bytes. It always fails, so that an archive is not decompressed
   further. */
static bool inputs_look(void *self, const uint8_t *start, size_t size, struct err *err)
{
	enum input_kind *seen = self;
	*seen = is_executable(start, size)                          ? INPUT_EXECUTABLE
	        : format_known(NULL, start, size, &(struct err){0}) ? INPUT_DUMP
	                                                            : INPUT_OTHER;
	return err_set(err, "Seen");
}

static enum input_kind inputs_kind(const char *path)
{
	struct input input;
	struct err err = {0};
	enum input_kind seen = INPUT_OTHER;
	const struct input_options looking = {.unpack = {.known = inputs_look, .self = &seen}};
	if (process_named(path, true, NULL))
		return INPUT_DUMP;
	if (!input_open(&input, path, &looking, NULL, &err))
		return seen;
	inputs_look(&seen, input.data, input.size, &err);
	input_close(&input);
	return seen;
}

enum { SNAPSHOTS = 2, BETWEEN_S = 30 }; /* defaults */
static const uint64_t SECOND = UINT64_C(1000000000);

bool inputs_repeat(struct inputs *inputs, const struct options *options)
{
	struct err err = {0};
	size_t count = options->count ? options->count : SNAPSHOTS;
	if (!options->every && !options->count)
		return true;
	if (inputs->count != 1 || !process_named(inputs->dump[0], true, NULL)) {
		err_set(&err, "--every and --count are for one running process");
		return complain(NULL, &err), false;
	}
	inputs->dump = mem_resize(inputs->dump, (count + 1) * sizeof *inputs->dump);
	for (inputs->every = options; inputs->count < count; inputs->count++)
		inputs->dump[inputs->count] = inputs->dump[0];
	return true;
}

void inputs_init(struct inputs *inputs, char *const *operands, const struct options *options)
{
	*inputs = (struct inputs){.exe = options->exe};
	size_t count = 0;
	while (operands[count])
		count++;
	inputs->dump = mem_alloc((count + 1) * sizeof *inputs->dump);
	for (size_t i = 0; i < count; i++) {
		enum input_kind kind = count > 1 ? inputs_kind(operands[i]) : INPUT_DUMP;
		bool last = i + 1 == count && i > 0 && !inputs->exe;
		if (kind == INPUT_EXECUTABLE || (kind == INPUT_OTHER && last))
			inputs->exe = operands[i];
		else
			inputs->dump[inputs->count++] = operands[i];
	}
}

void inputs_fini(struct inputs *inputs)
{
	free(inputs->dump);
}

/* Moves the newest to the front. True: it preceded an older one in the arguments. */
static bool inputs_newest_first(struct analysis **all, size_t count)
{
	size_t newest = 0;
	for (size_t i = 1; i < count; i++)
		if (!series_is_older(all[i], all[newest]))
			newest = i;
	struct analysis *first = all[newest];
	bool moved = newest + 1 < count && series_is_older(all[count - 1], first);
	for (; newest > 0; newest--)
		all[newest] = all[newest - 1];
	all[0] = first;
	return moved;
}

/* Adds the older dumps to all[0]; takes ownership of them, also of those left out. */
static bool inputs_join(struct analysis **all, size_t count, unsigned stages, bool strict,
                        bool tell_order)
{
	struct err err = {0};
	for (size_t i = 1; i < count; i++) {
		struct analysis *older = all[i];
		all[i] = NULL;
		err = (struct err){0};
		if (series_add(all[0], older, &err)) {
			since_tell_limits(all[0], older);
			if (strict && series_is_same(all[0], older)) {
				SCOPED_BUF text = {0};
				const char *path = analysis_path(all[0]);
				buf_add(&text, "It was written at the same time as ");
				text_add_escaped(&text, path, strlen(path), SIZE_MAX);
				err_tell_text(buf_text(&text), analysis_path(older));
			}
			continue;
		}
		complain(NULL, &err);
		if (!strict)
			series_leave_out(all[0], err.text);
		analysis_free(older);
		if (strict)
			return false;
	}
	if (tell_order) /* after all are known to be of one process */
		err_tell_text("It is the newest dump, although it was not named last; it is compared with "
		              "the earlier ones",
		              analysis_path(all[0]));
	return analysis_run(all[0], stages, &err) || (complain(analysis_about(all[0]), &err), false);
}

/* Waits for a time in ns between two snapshots, even if the process ends meanwhile. On a terminal
   it says how long. */
static void inputs_wait(size_t taken, size_t snapshots, uint64_t wait)
{
	bool tells = isatty(STDERR_FILENO);
	while (wait) {
		uint64_t step = wait % SECOND ? wait % SECOND : SECOND;
		if (tells)
			fprintf(stderr, "\r\033[KSnapshot %zu of %zu is taken; the next one in %" PRIu64 " s",
			        taken, snapshots, (wait + SECOND - 1) / SECOND);
		struct timespec left = {(time_t)(step / SECOND), (long)(step % SECOND)};
		while (nanosleep(&left, &left) != 0 && errno == EINTR)
			;
		wait -= step;
	}
	if (tells)
		fputs("\r\033[K", stderr);
}

/* Returns true if all further snapshots of a process would fail, too. */
static bool inputs_ended(const struct inputs *inputs)
{
	pid_t pid = process_named(inputs->dump[0], true, NULL);
	return !pid || !process_lives(pid);
}

/* Opens all. Of the snapshots of --every those that fail are left out, such as of a moment in which
   the process becomes another program, as long as it lives. Returns how many there are. */
static size_t inputs_open_all(const struct inputs *inputs, const struct opening *opening,
                              struct analysis **all)
{
	struct opening each = *opening;
	struct options agreed = *opening->options;
	size_t count = 0;
	agreed.yes = true;
	for (size_t i = 0; i < inputs->count; i++) {
		if (i && inputs->every) {
			each.options = &agreed; /* ask only once */
			inputs_wait(i, inputs->count,
			            inputs->every->every ? inputs->every->every : BETWEEN_S * SECOND);
		}
		each.dump = inputs->dump[i];
		all[count] = open_dump(&each);
		if (all[count])
			count++;
		else if (!count || !inputs->every || inputs_ended(inputs))
			break;
	}
	return count;
}

static void inputs_tell_missing(const struct inputs *inputs, struct analysis *newest, size_t count)
{
	SCOPED_BUF text = {0};
	buf_addf(&text, "%zu of %zu snapshots could not be taken%s", inputs->count - count,
	         inputs->count, inputs_ended(inputs) ? ", as the process has ended" : "");
	series_leave_out(newest, buf_text(&text));
}

struct analysis *inputs_open(const struct inputs *inputs, const struct options *options,
                             unsigned stages, bool strict)
{
	struct opening opening = {
		.options = options, .dump = inputs->dump[0], .exe = inputs->exe, .stages = stages};
	if (inputs->count == 1 && !options->since.len)
		return open_dump(&opening);
	opening.stages = STAGE_READ;
	struct analysis **all = mem_alloc((inputs->count + 1) * sizeof *all), *newest = NULL;
	size_t count = inputs_open_all(inputs, &opening, all);
	bool missing = inputs->every && count < inputs->count; /* those that were taken are shown */
	if (count && (count == inputs->count || missing)) {
		bool moved = inputs_newest_first(all, count);
		if (open_since(all[0], &opening)
		    && inputs_join(all, count, stages, strict, strict && moved)) {
			newest = all[0];
			all[0] = NULL;
			if (missing)
				inputs_tell_missing(inputs, newest, count);
		}
	}
	for (size_t i = 0; i < count; i++)
		analysis_free(all[i]);
	free(all);
	return newest;
}
