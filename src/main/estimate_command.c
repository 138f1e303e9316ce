/* goheapx estimate: estimates the contents of a dump from samples. */
#include "format/estimate.h"
#include "format/format.h"
#include "main/commands.h"
#include "main/print/json.h"
#include "main/print/output.h"

static void estimate_add_json(const struct estimate *estimate, struct buf *out)
{
	const struct {
		const char *key;
		double number;
	} numbers[] = {
		{"objects", estimate->objects.number},
		{"objects_error", estimate->objects.error},
		{"object_bytes", estimate->bytes.number},
		{"object_bytes_error", estimate->bytes.error},
	};
	struct json json = {.out = out};
	json_open(&json, '{');
	json_number(json_key(&json, "samples"), estimate->samples);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		json_number(json_key(&json, numbers[i].key), (uint64_t)numbers[i].number);
	json_open(json_key(&json, "sizes"), '[');
	for (size_t i = 0; i < estimate->size_count; i++) {
		json_open(&json, '{');
		json_key(&json, "size");
		if (estimate->sizes[i].size == ESTIMATE_LARGE)
			json_none(&json);
		else
			json_number(&json, estimate->sizes[i].size);
		json_number(json_key(&json, "bytes"), (uint64_t)estimate->sizes[i].bytes);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	buf_add_char(out, '\n');
}

static enum status estimate_print(const struct options *options, const struct input *input,
                                  struct err *err)
{
	const struct format *format = format_find(input, err);
	struct estimate estimate;
	struct buf out = {0};
	if (!format)
		return complain(options->operands[0], err);
	if (!format->estimate || !format->estimate(format, input, ESTIMATE_FOREVER, &estimate)) {
		err_set(err, "The dump is too small for samples, or its format allows none");
		err->absent = true;
		return output_none(options->output, "null", err);
	}
	if (options->output == OUTPUT_JSON) {
		estimate_add_json(&estimate, &out);
	} else {
		estimate_add_sentence(&estimate, &out);
		buf_add(&out, ".\n");
	}
	return output_end(&out, STATUS_ANSWERED);
}

enum status run_estimate(const struct options *options)
{
	struct input input = {.fd = -1};
	struct err err = {0};
	enum status status = STATUS_FAILED;
	const struct input_options opening = input_options_for(&options->input, format_known);
	if (input_open(&input, options->operands[0], &opening, NULL, &err))
		status = estimate_print(options, &input, &err);
	else
		complain(NULL, &err);
	input_close(&input);
	return status;
}
