#include "table/paths/path_tree.h"

#include "base/mem.h"
#include "base/plugin.h"
#include "base/text.h"
#include "table/contents/outside_spans.h"
#include "table/naming/root.h"

#include <stdlib.h>
#include <string.h>

struct path_tree *path_tree_new(const struct analysis *analysis, const uint32_t *objects,
                                size_t count, struct progress *progress)
{
	struct path_tree *path_tree = mem_alloc(sizeof *path_tree);
	struct outside_spans *spans = outside_spans_new(analysis, progress);
	path_tree->analysis = analysis;
	path_tree->step_classes = step_classes_new(analysis);
	struct merge_labels labels = step_classes_labels(path_tree->step_classes);
	step_classes_split(path_tree->step_classes, spans);
	if (spans)
		path_tree->merged_paths =
			merge_paths(analysis_reach(analysis), objects, count, &labels, progress);
	step_classes_split(path_tree->step_classes, NULL);
	outside_spans_free(spans);
	if (path_tree->merged_paths) {
		path_tree->fork = merge_forks(path_tree->merged_paths, analysis_reach(analysis));
		return path_tree;
	}
	path_tree_free(path_tree);
	return NULL;
}

void path_tree_free(void *path_tree)
{
	struct path_tree *self = path_tree;
	if (!self)
		return;
	if (self->fork)
		mem_column_free(self->fork, self->merged_paths->count * sizeof *self->fork);
	merged_paths_free(self->merged_paths);
	step_classes_free(self->step_classes);
	free(self);
}

uint32_t path_tree_root(const struct path_tree *path_tree, const struct analysis *analysis,
                        uint32_t place)
{
	const struct merge_node *node = path_tree->merged_paths->node;
	while (node[place].parent != OBJECT_NONE)
		place = node[place].parent;
	return reach_before(analysis_reach(analysis), node[place].example)
	       - heap_object_count(analysis_heap(analysis));
}

/* ---- Names of places */

enum { BRACKETS_MOST = 8 }; /* closing brackets in a key that is read */

void path_tree_add_step(const struct path_tree *path_tree, uint32_t place, struct buf *out)
{
	uint32_t label = path_tree->merged_paths->node[place].label;
	const char *step = step_classes_step(path_tree->step_classes, label);
	buf_addf(out, "%s%s", *step ? "" : " > ",
	         *step ? step : step_classes_type(path_tree->step_classes, label));
}

void path_tree_add_place(const struct path_tree *path_tree, uint32_t place, struct buf *out)
{
	const struct merge_node *node = path_tree->merged_paths->node;
	SCOPED_FREE uint32_t *chain = mem_alloc((node[place].depth + 1) * sizeof *chain);
	size_t count = 0;
	for (; place != OBJECT_NONE; place = node[place].parent)
		chain[count++] = place;
	while (count)
		path_tree_add_step(path_tree, chain[--count], out);
}

/* A place whose steps a text begins with, and the number of bytes that they take. */
struct path_tree_match {
	uint32_t place;
	size_t length;
	bool keys;     /* the text has a key or an index in place of a [*] */
	bool left_out; /* the text does not have the last step, which has no name */
};

/* Returns the length of "[12]" or `["a]b"]`: of what begins with a bracket, up to a closing one
   behind which the rest follows, after `skipped` others. 0: there is none. */
static size_t path_tree_key(const char *text, size_t skipped)
{
	const char *end = *text == '[' ? strchr(text, ']') : NULL;
	for (; end && skipped; skipped--)
		end = strchr(end + 1, ']');
	return end ? (size_t)(end - text) + 1 : 0;
}

/* Returns how many bytes of a text a step takes, which may have a key where the step has [*], with
   so many brackets, and ` key ["a"]` for "[*] key". 0: the text does not begin with the step. */
static size_t path_tree_takes(const char *text, const char *step, size_t brackets, bool *keys)
{
	static const char any[] = "[*]", any_key[] = "[*]" PATH_KEY, before[] = PATH_KEY " ";
	size_t length = 0;
	while (*step) {
		bool entry = strncmp(step, any, strlen(any)) == 0;
		bool is_key = strncmp(step, any_key, strlen(any_key)) == 0
		              && strncmp(text + length, before, strlen(before)) == 0;
		length += is_key ? strlen(before) : 0;
		size_t key = entry ? path_tree_key(text + length, brackets) : 0;
		if (entry ? !key : text[length] != *step)
			return 0;
		*keys |= key && (key != strlen(any) || memcmp(text + length, any, key) != 0);
		length += key ? key : 1;
		step += is_key ? strlen(any_key) : key ? strlen(any) : 1;
	}
	return length;
}

static const char path_tree_type[] = " type=";

size_t path_tree_length(const char *text)
{
	size_t at = 0;
	for (bool quoted = false; text[at]; at++) {
		if (quoted && text[at] == '\\' && text[at + 1])
			at++;
		else if (text[at] == '"')
			quoted = !quoted;
		else if (!quoted && strncmp(text + at, path_tree_type, strlen(path_tree_type)) == 0)
			break;
	}
	return at;
}

/* Returns true for a place that a text of `length` bytes names, as far as its keys tell. */
static bool path_tree_is_named(const struct path_tree *path_tree, const struct path_tree_match *at,
                               const char *text, size_t length)
{
	SCOPED_BUF exact = {0};
	if (at->length != length || !at->keys)
		return at->length == length;
	path_exact_add_whole(path_tree, at->place, &exact);
	return exact.len == length && memcmp(buf_text(&exact), text, length) == 0;
}

/* The places that the beginning of a text names. */
struct path_tree_matches {
	const struct path_tree *path_tree;
	const char *text;
	size_t length; /* of the text without a type behind it */
	struct path_tree_match *match;
	size_t count, capacity;
};

/* Adds the matches of a place below one that matches. */
static void path_tree_add_matches(struct path_tree_matches *m, struct path_tree_match above,
                                  uint32_t place)
{
	SCOPED_BUF step = {0};
	path_tree_add_step(m->path_tree, place, &step);
	uint32_t label = m->path_tree->merged_paths->node[place].label;
	if (above.length < m->length && !*step_classes_step(m->path_tree->step_classes, label))
		MEM_PUSH(m->match, m->count, m->capacity,
		         (struct path_tree_match){place, above.length, above.keys, true});
	size_t most = strstr(buf_text(&step), "[*]") ? BRACKETS_MOST : 1;
	for (size_t brackets = 0; brackets < most; brackets++) {
		struct path_tree_match at = {place, above.length, above.keys, false};
		size_t takes = path_tree_takes(m->text + above.length, buf_text(&step), brackets, &at.keys);
		at.length += takes;
		if (takes && at.length <= m->length)
			MEM_PUSH(m->match, m->count, m->capacity, at);
	}
}

/* Copies a text without the note that the screen shows behind the name of a variable. */
static char *path_tree_without_note(const struct path_tree *path_tree, const char *text)
{
	SCOPED_BUF out = {0};
	buf_add_bytes(&out, text, strcspn(text, " ["));
	const char *rest = text + out.len;
	const char *note = root_variable_note(analysis_heap(path_tree->analysis), buf_text(&out));
	buf_add(&out, rest + (strncmp(rest, note, strlen(note)) == 0 ? strlen(note) : 0));
	return mem_strdup(buf_text(&out));
}

/* Puts the whole name of a place where a text has the handle of one. */
static char *path_tree_without_handle(const struct path_tree *path_tree, char *text)
{
	size_t length = path_tree_length(text);
	SCOPED_BUF whole = {0}, bounded = {0};
	for (uint32_t i = 0; text_handle(text) && i < path_tree->merged_paths->count; i++) {
		buf_clear(&whole);
		path_exact_add_whole(path_tree, i, &whole);
		if (whole.len <= TEXT_BOUND)
			continue;
		buf_clear(&bounded);
		buf_add(&bounded, buf_text(&whole));
		text_bound(&bounded, 0);
		if (bounded.len != length || memcmp(text, buf_text(&bounded), length) != 0)
			continue;
		buf_add(&whole, text + length);
		free(text);
		return mem_strdup(buf_text(&whole));
	}
	return text;
}

bool *path_tree_find_places(const struct path_tree *path_tree, const char *named_by, bool partly,
                            size_t *count)
{
	const struct merged_paths *paths = path_tree->merged_paths;
	SCOPED_FREE char *text =
		path_tree_without_handle(path_tree, path_tree_without_note(path_tree, named_by));
	struct path_tree_matches m = {path_tree, text, path_tree_length(text), NULL, 0, 0};
	const char *of_type = text[m.length] ? text + m.length + strlen(path_tree_type) : NULL;
	bool *found = NULL;
	*count = 0;
	for (uint32_t i = 0; i < paths->topmost; i++)
		path_tree_add_matches(&m, (struct path_tree_match){OBJECT_NONE, 0, false, false}, i);
	for (size_t next = 0; next < m.count; next++) {
		struct path_tree_match at = m.match[next];
		const struct merge_node *node = &paths->node[at.place];
		bool named = partly ? at.length == m.length
		                    : path_tree_is_named(path_tree, &at, text, m.length);
		if (named && !at.left_out && (!found || !found[at.place])
		    && (!of_type
		        || strcmp(of_type, step_classes_type(path_tree->step_classes, node->label)) == 0)) {
			if (!found)
				found = mem_alloc(paths->count * sizeof *found);
			found[at.place] = true;
			++*count;
		}
		for (uint32_t i = 0; at.length < m.length && i < node->below; i++)
			path_tree_add_matches(&m, at, node->first + i);
	}
	free(m.match);
	return found;
}

/* ---- Of a kind of cached results */

void *path_tree_empty(const struct analysis *analysis, enum retain retain)
{
	struct path_tree *path_tree = mem_alloc(sizeof *path_tree);
	(void)retain;
	path_tree->analysis = analysis;
	path_tree->step_classes = step_classes_new(analysis);
	path_tree->merged_paths = mem_alloc(sizeof *path_tree->merged_paths);
	path_tree->merged_paths->objects = heap_object_count(analysis_heap(analysis));
	return path_tree;
}

bool path_tree_index(void *path_tree, const struct index_io *io)
{
	struct path_tree *self = path_tree;
	return !self->merged_paths
	       || (merged_paths_index(self->merged_paths, io)
	           && INDEX_COLUMN(io, "fork", self->fork, self->merged_paths->count)
	           && step_classes_index(self->step_classes, io));
}

/* ---- The whole heap */

static void *whole_make(const struct analysis *analysis, enum retain retain,
                        struct progress *progress)
{
	(void)retain;
	if (!analysis_has_roots(analysis))
		return NULL;
	return path_tree_new(analysis, NULL, heap_object_count(analysis_heap(analysis)), progress);
}

const struct kept_kind path_tree_whole = {
	.name = "where",
	.needs = STAGE_TYPED | STAGE_OWNED | STAGE_REVERSED,
	.make = whole_make,
	.free = path_tree_free,
	.empty = path_tree_empty,
	.index = path_tree_index,
};
PLUGIN(kept_kinds, path_tree_whole);
