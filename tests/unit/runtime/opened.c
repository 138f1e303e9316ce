#include "runtime/opened.h"

#include "heap/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *read_truth(const char *name)
{
	char path[256];
	struct err err = {0};
	struct input input;
	snprintf(path, sizeof path, "testdata/%s.truth.json.xz", name);
	if (!input_open(&input, path, NULL, NULL, &err))
		fail_msg("%s", err.text);
	json_t *truth = json_loadb((const char *)input.data, input.size, 0, NULL);
	assert_non_null(truth);
	input_close(&input);
	return truth;
}

void opened_dump(struct opened *o, const char *name)
{
	char path[256];
	struct err err = {0};
	*o = (struct opened){.truth = read_truth(name)};
	snprintf(path, sizeof path, "testdata/%s.dump.xz", name);
	if (!input_open(&o->input, path, NULL, NULL, &err)
	    || !(o->heap = heap_read(&o->input, NULL, &err)) || !heap_link(o->heap, NULL, &err))
		fail_msg("%s", err.text);
	assert_true(regions_init(&o->regions, o->heap, NULL));
}

void opened_types(struct opened *o, const char *name, bool stripped)
{
	char path[256];
	opened_dump(o, name);
	assert_true(corpus_path(path, sizeof path, name, ".exe"));
	types_of_open(&o->of, path, stripped);
	goruntime_init(&o->rt, o->heap, o->of.types, 0, 0);
	goruntime_settle(&o->rt);
}

void opened_close(struct opened *o)
{
	if (o->rt.types) {
		goruntime_fini(&o->rt);
		types_of_close(&o->of);
	}
	json_decref(o->truth);
	regions_fini(&o->regions);
	heap_free(o->heap);
	input_close(&o->input);
}

uint64_t opened_address(const json_t *text)
{
	assert_true(json_is_string(text));
	return strtoull(json_string_value(text), NULL, 16);
}

uint64_t opened_word(const struct opened *o, uint64_t address)
{
	struct gomemory_piece piece;
	assert_true(gomemory_piece(o->heap, address, &piece));
	const uint8_t *word = gomemory_in_piece(&piece, address, o->heap->params.layout.pointer_size);
	assert_non_null(word);
	return heap_word(o->heap, word);
}

uint64_t opened_global(const struct opened *o, const char *name)
{
	const json_t *global = json_object_get(json_object_get(o->truth, "Globals"), name);
	return opened_word(o, opened_address(json_object_get(global, "addr")));
}

struct probe opened_probe(const struct opened *o, uint64_t address)
{
	struct probe probe;
	assert_true(probe_find(&o->regions, address, &probe));
	return probe;
}
