/* goheapx redact: writes a copy of a dump or core file without its texts, keys and numbers. */
#include "main/ticket/redact_command.h"

#include "analysis/analysis.h"
#include "analysis/redact_input.h"
#include "base/text.h"
#include "format/format.h"
#include "main/commands.h"
#include "main/print/filled_file.h"
#include "main/print/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

static bool is_zero(const uint8_t *data, size_t size)
{
	return !*data && memcmp(data, data + 1, size - 1) == 0;
}

/* Writes bytes; blocks of zeros become holes. */
static bool redact_put(int fd, const uint8_t *data, uint64_t size)
{
	while (size) {
		size_t block = size < BLOCK ? size : BLOCK;
		ssize_t wrote = (ssize_t)block;
		if (is_zero(data, block)) {
			if (lseek(fd, wrote, SEEK_CUR) < 0)
				return false;
		} else {
			wrote = write(fd, data, block);
		}
		if (wrote < 0 && errno != EINTR)
			return false;
		data += wrote > 0 ? wrote : 0;
		size -= wrote > 0 ? (uint64_t)wrote : 0;
	}
	return true;
}

bool redact_write(const struct input *input, const struct redaction *r, int fd, struct err *err)
{
	const struct buf *head = &r->head, *mark = &r->mark;
	uint64_t length = r->end + mark->len;
	bool done = redact_put(fd, (const uint8_t *)buf_text(head), head->len)
	            && redact_put(fd, input->data + head->len, r->mark_at - head->len)
	            && redact_put(fd, (const uint8_t *)buf_text(mark), mark->len)
	            && redact_put(fd, input->data + r->mark_at, r->end - r->mark_at)
	            && ftruncate(fd, (off_t)length) == 0;
	return done || err_set(err, "The redacted copy cannot be written: %s", strerror(errno));
}

bool redact_process(pid_t pid, int fd, const struct process_options *options,
                    struct process_copy *copy, struct progress *progress, struct err *err)
{
	struct input input;
	struct redaction redaction = {0};
	char path[64];
	const struct input_options opening = {
		.unpack.known = format_known, .process = *options, .in_memory = true};
	snprintf(path, sizeof path, "/proc/%d", (int)pid);
	if (!input_open(&input, path, &opening, progress, err))
		return false;
	*copy = input.copy;
	bool done = redact_input(&input, NULL, &redaction, progress, err)
	            && redact_write(&input, &redaction, fd, err);
	redaction_fini(&redaction);
	input_close(&input);
	return done;
}

struct redact_file {
	struct input input;
	struct redaction redaction;
};

static bool redact_fill(void *self, int fd, struct err *err)
{
	const struct redact_file *file = self;
	return redact_write(&file->input, &file->redaction, fd, err);
}

/* Appends "123 bytes are zero that were not", and what is left out or was missing. */
static void redact_tell(const struct redact_file *file, struct buf *text)
{
	const struct redaction *r = &file->redaction;
	buf_addf(text, "%s zero that were not", text_number_of(r->zeroed, "byte is", "bytes are").text);
	uint64_t left = file->input.size - r->end;
	if (left) {
		buf_addf(text, "; %s left out, as nobody can tell what is in them",
		         text_number_of(left, "byte after damage is", "bytes after damage are").text);
	}
	if (r->missing) {
		buf_addf(text, "; %s missing before",
		         text_number_of(r->missing, "byte was", "bytes were").text);
	}
}

static enum status tell_redacted(const struct filled_file *output, const struct redact_file *file)
{
	const struct redaction *r = &file->redaction;
	SCOPED_BUF text = {0};
	text_add_escaped(&text, output->path, strlen(output->path), SIZE_MAX);
	buf_addf(&text, ": %s, redacted: ",
	         text_size(output->packed ? output->packed : r->end + r->mark.len).text);
	redact_tell(file, &text);
	if (filled_file_is_printed(output->path)) {
		err_tell_text(buf_text(&text), NULL);
		return STATUS_ANSWERED;
	}
	buf_add(&text, ".\n");
	return output_end(&text, STATUS_ANSWERED);
}

/* Returns false with *err if the options do not fit, or the process may not be stopped. */
static bool redact_fits(const struct options *options, struct filled_file *output, struct err *err)
{
	if (!options->file)
		return err_set(err, "Name the file to write with -o");
	if (options->gzip && options->zstd)
		return err_set(err, "The copy is compressed by --gzip or by --zstd, not by both");
	*output = (struct filled_file){
		.path = options->file,
		.pack = options->gzip   ? PACK_GZIP
	            : options->zstd ? PACK_ZSTD
	                            : PACK_NOT,
	};
	if (filled_file_is_terminal(output->path))
		return err_set(err, "A redacted copy is not text: name a file with -o");
	return process_allowed(options->operands[0], options, err);
}

/* Redacts the input that is open and writes it. False: *err, with *input_failed. */
static bool redact_into(struct redact_file *file, const char *exe, struct filled_file *output,
                        struct progress *progress, bool *input_failed, struct err *err)
{
	output->fill = redact_fill;
	output->self = file;
	*input_failed = !redact_input(&file->input, exe, &file->redaction, progress, err);
	return !*input_failed && filled_file_write(output, err);
}

/* Returns how a file is compressed, as the end of its name says. */
/* Returns false with *err if the dump of the explorer cannot be redacted into a file. */
static bool redact_may_make(const struct analysis *analysis, const char *path, struct err *err)
{
	if (!analysis_has(analysis, STAGE_NAMED))
		return err_set(err, "The dump is not read yet");
	if (analysis_input(analysis)->pid)
		return err_set(err, "A process is redacted while its memory is copied: goheapx snapshot "
		                    "--redact in the shell");
	return output_is_new(path, err);
}

bool redact_make(const struct analysis *analysis, const struct file_request *request,
                 struct progress *progress, struct buf *told, struct err *err)
{
	struct redact_file file = {.input = {.fd = -1}};
	struct filled_file output = {.path = request->path, .pack = pack_of(request->path)};
	bool input_failed;
	if (!redact_may_make(analysis, request->path, err)
	    || !input_open(&file.input, analysis_path(analysis), &analysis_input(analysis)->options,
	                   progress, err))
		return false;
	const struct names *names = analysis_names(analysis);
	const char *exe = names->exe ? names->path : NULL;
	bool done = redact_into(&file, exe, &output, progress, &input_failed, err);
	if (done)
		redact_tell(&file, told);
	redaction_fini(&file.redaction);
	input_close(&file.input);
	return done;
}

enum status run_redact(const struct options *options)
{
	struct err err = {0};
	struct redact_file file = {.input = {.fd = -1}};
	struct filled_file output;
	const char *path = options->operands[0];
	const char *exe = options->exe ? options->exe : options->operands[1];
	if (!redact_fits(options, &output, &err))
		return complain(NULL, &err);
	struct input_options opening = input_options_for(&options->input, format_known);
	opening.in_memory = true;
	if (!input_open(&file.input, path, &opening, NULL, &err))
		return complain(path, &err);
	if (exe)
		file.input.executable = exe;
	bool input_failed;
	bool done = redact_into(&file, exe, &output, NULL, &input_failed, &err);
	enum status status = done ? tell_redacted(&output, &file)
	                          : complain(input_failed ? path : NULL, &err);
	redaction_fini(&file.redaction);
	input_close(&file.input);
	return status;
}
