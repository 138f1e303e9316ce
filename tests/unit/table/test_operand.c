/* Operands that name objects. Every printed path resolves to its object; randomly changed texts end
   with a result or an error. */
#include "cmocka_all.h"

#include "analysis/paths.h"
#include "table/naming/argument.h"
#include "table/naming/nearest.h"
#include "table/naming/operand.h"
#include "table/naming/step.h"

#include <string.h>

/* With sanitizers a sample is enough: they check memory, which all texts use alike. */
#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 8, TEXTS = 3000 };
#else
enum { EVERY = 1, TEXTS = 20000 };
#endif

static struct analysis *opened(const char *exe)
{
	struct analysis *analysis =
		analysis_new("testdata/go1.24.4-small.dump.xz", &(struct analysis_options){.exe = exe});
	struct err err = {0};
	if (!analysis_run(analysis, STAGE_ALL, &err))
		fail_msg("%s", err.text);
	return analysis;
}

static int open_with_names(void **state)
{
	*state = opened("testdata/go1.24.4-small.exe.xz");
	return 0;
}

static int open_without(void **state)
{
	*state = opened("/nonexistent");
	return 0;
}

static int close_it(void **state)
{
	analysis_free(*state);
	return 0;
}

/* Appends the text of the path to an object. False: it is unreachable. */
static bool path_text(const struct analysis *analysis, uint32_t id, struct buf *text)
{
	struct paths *paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), id);
	const struct path *path = paths_get(paths, 0, NULL);
	buf_clear(text);
	if (path)
		step_add_path(analysis, path, text);
	paths_close(paths);
	return path != NULL;
}

/* Returns the number of texts that end with the object's address, because their steps do not
   identify it. */
static size_t assert_round_trip(const struct analysis *analysis, uint32_t every, size_t *asked)
{
	SCOPED_BUF text = {0};
	size_t marked = 0;
	*asked = 0;
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(analysis)); id += every) {
		struct err err = {0};
		uint32_t found;
		if (!path_text(analysis, id, &text))
			continue;
		if (!argument_object(analysis, buf_text(&text), &found, &err))
			fail_msg("%s: %s", buf_text(&text), err.text);
		if (found != id)
			fail_msg("%s leads to 0x%llx, not to 0x%llx", buf_text(&text),
			         (unsigned long long)heap_address(analysis_heap(analysis), found),
			         (unsigned long long)heap_address(analysis_heap(analysis), id));
		marked += strstr(buf_text(&text), "… 0x") != NULL;
		++*asked;
	}
	return marked;
}

TEST(printed_paths_lead_back)
{
	size_t asked, marked = assert_round_trip(*state, EVERY, &asked);
	assert_in_range(asked, 9000 / EVERY, 10000 / EVERY);
	/* frames of a recursion, finalizers, the nodes of a trie: all others have unique names */
	assert_in_range(marked, 1, 450 / EVERY);
}

TEST_WITH(printed_paths_lead_back_without_names, open_without, close_it)
{
	size_t asked;
	assert_round_trip(*state, 7, &asked);
	assert_in_range(asked, 1000, 1600);
}

/* A small generator: the same texts in every run. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void change(struct buf *text, uint32_t *seed)
{
	static const char letters[] = ".[]()\"+0x9 key…>@=gm\\\xff";
	for (uint32_t n = 1 + next_random(seed) % 3; n > 0 && text->len; n--) {
		size_t at = next_random(seed) % text->len;
		if (next_random(seed) % 4 == 0) {
			text->len = at;
			text->data[at] = '\0';
		} else {
			text->data[at] = letters[next_random(seed) % (sizeof letters - 1)];
		}
	}
}

TEST(changed_texts_are_answered)
{
	const struct analysis *analysis = *state;
	uint32_t seed = 7, count = heap_object_count(analysis_heap(analysis)), id;
	SCOPED_BUF text = {0};
	size_t refused = 0;
	for (int i = 0; i < TEXTS; i++) {
		struct err err = {0};
		if (!path_text(analysis, next_random(&seed) % count, &text))
			continue;
		change(&text, &seed);
		if (argument_object(analysis, buf_text(&text), &id, &err)) {
			assert_true(id < count);
		} else {
			assert_true(err.set && *err.text);
			refused++;
		}
		argument_needs(buf_text(&text));
	}
	assert_in_range(refused, TEXTS / 20, TEXTS);
}

TEST(steps_that_fail_say_what_is_there)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"main.gDeep.Itms", "main.gDeep (main.Deep1) has no such field: it has .Items"},
		{"main.gDeep.Items[7]", "has no such element: it has [0], [1]"},
		{"main.gDeep.Items[0].ByName", "main.gDeep.Items[0] is nil"},
		{"main.gDeep.Items[1].ByName[\"z\"].F", "has no such key: it has [\"k\"]"},
		{"main.gCache[\"session-9999\"]", "has no such key: it has [\"session-0"},
		{"main.gDep", "there is main.gDeep"},
		{"goroutine 99999", "no goroutine 99999"},
		{"main.gDeep.Items x999999999999", "repeated more often than there are objects"},
		{"main.gDeep.Items 17", "\"17\" after the argument"},
		{"0xc000044088.ByNam", "it has .ByName"},
		{"", "is no address, variable, goroutine or path"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = {0};
		uint32_t id;
		assert_false(argument_object(*state, cases[i].text, &id, &err));
		if (!strstr(err.text, cases[i].says))
			fail_msg("%s: \"%s\" has no \"%s\"", cases[i].text, err.text, cases[i].says);
	}
}

TEST(the_nearest_names_come_first)
{
	static const char *const names[] = {".Zebra", ".Node", ".Nodes", ".nodez", ".X", ".Y", ".Z"};
	struct nearest nearest = {.wanted = ".Nodez"};
	SCOPED_BUF text = {0};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		nearest_see(&nearest, names[i]);
	nearest_add(&nearest, &text);
	assert_memory_equal(text.data, ".nodez, .Node, .Nodes, ", 23);
	assert_non_null(strstr(text.data, " and 2 more"));
}

TESTS_WITH(open_with_names, close_it);
