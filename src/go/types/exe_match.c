#include "go/types/exe_match.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "format/record.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_PERCENT = 99, LEAST_WORDS_PERCENT = 50 };

/* A function on the stacks: number of its frames, and its shift relative to the file. */
struct function {
	struct text name;
	uint64_t entry, frames, shift;
	/* the file has a function of that name; if it has several, the entry may belong to another */
	bool known;
};
struct functions {
	struct function *list;
	size_t count, capacity;
};

static struct functions exe_match_collect(const struct exe *exe, const struct heap *heap)
{
	struct functions all = {0};
	SCOPED_MAP seen = {0};
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		const struct frame_record *frame = &heap->frames[i].record;
		uint64_t entry, at = all.count;
		if (!frame->function.len || !frame->entry_pc)
			continue;
		if (map_add(&seen, frame->entry_pc, &at)) {
			struct function function = {.name = frame->function, .entry = frame->entry_pc};
			function.known = exe_entry(exe, function.name, &entry);
			function.shift = function.known ? function.entry - entry : 0;
			MEM_PUSH(all.list, all.count, all.capacity, function);
		}
		all.list[at].frames++;
	}
	return all;
}

/* Returns the shift of most frames. */
static uint64_t majority(const struct functions *all)
{
	SCOPED_MAP votes = {0};
	uint64_t best = 0, most = 0;
	for (size_t i = 0; i < all->count; i++) {
		uint64_t count = 0;
		if (!all->list[i].known)
			continue;
		map_get(&votes, all->list[i].shift, &count);
		count += all->list[i].frames;
		map_put(&votes, all->list[i].shift, count);
		if (count > most) {
			most = count;
			best = all->list[i].shift;
		}
	}
	return best;
}

/* Returns true if a function of that name begins at this entry. Wrappers occur twice by name, and
   two functions may share an entry, so entries are compared. */
static bool begins_there(const struct exe *exe, const struct function *function, uint64_t bias)
{
	const char *name;
	uint64_t entry;
	return exe_function(exe, function->entry - bias, &name, &entry)
	       && entry == function->entry - bias
	       && text_equal(function->name, (struct text){name, strlen(name)});
}

/* Returns true for functions of plugins and libraries, which say nothing about the file. They have
   copies of the runtime's functions, too. */
static bool is_elsewhere(const struct exe *exe, const struct function *function, uint64_t bias)
{
	const struct module *module = &exe_pclntab(exe)->module;
	const char *name;
	uint64_t entry = function->entry - bias, start;
	return module->text && entry - module->text >= module->etext - module->text
	       && !exe_function(exe, entry, &name, &start);
}

static void check_frames(struct exe_match *fit, const struct exe *exe, const struct heap *heap,
                         const struct format_executable *read)
{
	struct functions all = exe_match_collect(exe, heap);
	fit->bias = read->proven ? read->bias : majority(&all);
	for (size_t i = 0; i < all.count; i++) {
		const struct function *function = &all.list[i];
		if (is_elsewhere(exe, function, fit->bias)) {
			fit->frames_elsewhere += function->known ? function->frames : 0;
			continue;
		}
		fit->frames += function->frames;
		if (begins_there(exe, function, fit->bias))
			fit->frames_right += function->frames;
	}
	free(all.list);
}

/* Compares sizes of types: a descriptor begins with the size. Descriptors created at run time are
   outside of the file. */
static void check_types(struct exe_match *fit, const struct exe *exe, const struct heap *heap)
{
	const struct image *image = exe_image(exe);
	for (uint32_t i = 0; i < heap->type_count; i++) {
		const struct type_record *type = &heap->types[i];
		uint64_t size;
		if (heap_find(heap, type->address) != OBJECT_NONE)
			continue;
		if (!image_number(image, type->address - fit->bias, image->pointer_size, &size)) {
			fit->types_elsewhere++;
			continue;
		}
		fit->types++;
		fit->types_right += size == type->size;
	}
}

static void check_words(struct exe_match *fit, const struct exe *exe, const struct heap *heap,
                        const struct segment_record *data)
{
	const struct image *image = exe_image(exe);
	unsigned width = image->pointer_size;
	for (uint64_t at = 0; at + width <= data->size; at += width) {
		uint64_t value, word = heap_word(heap, data->data + at);
		if (!word && heap->params.redacted)
			continue; /* whatever was there */
		fit->words++;
		fit->words_right +=
			image_pointer(image, data->address - fit->data_bias + at, &value)
			&& (value == word || value + fit->bias == word || value + fit->data_bias == word);
	}
}

static void check_segments(struct exe_match *fit, const struct exe *exe, const struct heap *heap)
{
	struct exe_segments in_file = exe_segments(exe);
	const struct segment_record *data = NULL, *bss = NULL;
	fit->data_bias = fit->bias;
	for (uint32_t i = heap->segment_count; i-- > 0;) /* the first module is the program's */
		*(heap->segments[i].bss ? &bss : &data) = &heap->segments[i];
	fit->segments_known = data && bss && in_file.data;
	if (!fit->segments_known)
		return;
	fit->segments_right = data->size == in_file.edata - in_file.data
	                      && bss->size == in_file.ebss - in_file.bss
	                      && bss->address - data->address == in_file.bss - in_file.data;
	if (fit->segments_right)
		fit->data_bias = data->address - in_file.data;
	check_words(fit, exe, heap, data);
}

/* Returns the release within a version: "go1.22.12" of "go1.22.12 X:boringcrypto" or "go1.22.12
   (Red Hat 1.22.12-2.el9_5)", "go1.28-1f2e3d" of "devel go1.28-1f2e3d Thu Jun 4". The rest depends
   on the toolchain, and differs between a dump and its executable. Returns the whole version if it
   has no such word. */
static struct text release_of(struct text version)
{
	static const char mark[] = "go1";
	const char *at = version.len ? memmem(version.data, version.len, mark, sizeof mark - 1) : NULL;
	if (!at)
		return version;
	size_t room = version.len - (size_t)(at - version.data);
	const char *end = memchr(at, ' ', room);
	return (struct text){at, end ? (size_t)(end - at) : room};
}

static void check_version(struct exe_match *fit, const struct exe *exe, const struct heap *heap)
{
	struct text in_dump = heap->params.version;
	const char *in_file = exe_version(exe);
	/* Before Go 1.17 the dump has the enabled experiments here instead. */
	fit->version_known = in_dump.len > 2 && memcmp(in_dump.data, "go", 2) == 0 && *in_file;
	fit->version_right =
		fit->version_known
		&& text_equal(release_of(in_dump), release_of((struct text){in_file, strlen(in_file)}));
}

static bool enough(uint64_t right, uint64_t all, unsigned percent)
{
	return right * 100 >= all * percent;
}

/* Plugins have types and functions of their own, which say nothing about the file if all the rest
   is its own; else it lacks them. */
static void exe_match_count_elsewhere(struct exe_match *fit)
{
	fit->types += fit->types_elsewhere;
	fit->frames += fit->frames_elsewhere;
	fit->types_elsewhere = fit->frames_elsewhere = 0;
}

struct exe_match exe_match_check(const struct exe *exe, const struct heap *heap,
                                 const struct format_executable *read)
{
	struct exe_match fit = {0};
	const struct image *image = exe_image(exe);
	const struct layout *layout = &heap->params.layout;
	fit.same_machine = image->pointer_size == layout->pointer_size
	                   && image->big_endian == layout->big_endian;
	if (!fit.same_machine)
		return fit;
	check_frames(&fit, exe, heap, read);
	check_types(&fit, exe, heap);
	check_segments(&fit, exe, heap);
	check_version(&fit, exe, heap);
	if (!fit.segments_right || !fit.frames || fit.frames_right != fit.frames)
		exe_match_count_elsewhere(&fit);
	if (read->proven) {
		fit.accepted = true;
		return fit;
	}
	bool comparable = fit.frames || fit.types || fit.segments_right;
	fit.accepted = comparable && enough(fit.frames_right, fit.frames, LEAST_PERCENT)
	               && enough(fit.types_right, fit.types, LEAST_PERCENT)
	               && enough(fit.words_right, fit.words, LEAST_WORDS_PERCENT)
	               && fit.segments_known == fit.segments_right
	               && fit.version_known == fit.version_right;
	return fit;
}

struct exe_segments exe_match_segments(const struct heap *heap, uint64_t data_bias)
{
	struct exe_segments found = {0};
	for (uint32_t i = heap->segment_count; i-- > 0;) { /* the first module is the program's */
		const struct segment_record *segment = &heap->segments[i];
		uint64_t address = segment->address - data_bias;
		*(segment->bss ? &found.bss : &found.data) = address;
		*(segment->bss ? &found.ebss : &found.edata) = address + segment->size;
	}
	return found;
}

static void exe_match_add_share(struct buf *out, uint64_t right, uint64_t all, const char *what)
{
	buf_addf(out, "%s of %s %s", text_count(right).text, text_count(all).text, what);
}

void exe_match_explain(const struct exe_match *fit, struct buf *out)
{
	if (!fit->same_machine) {
		buf_add(out, "it is for another kind of machine");
		return;
	}
	exe_match_add_share(out, fit->frames_right, fit->frames,
	                    "frames begin where it has their functions, ");
	exe_match_add_share(out, fit->types_right, fit->types, "types are in it, ");
	exe_match_add_share(out, fit->words_right, fit->words, "words of data are equal");
	if (fit->segments_known)
		buf_addf(out, ", data and bss %s", fit->segments_right ? "fit" : "do not fit");
	if (fit->version_known)
		buf_addf(out, ", the Go versions %s", fit->version_right ? "are the same" : "differ");
}
