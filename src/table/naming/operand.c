/* Parses operands: part of table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "base/text.h"
#include "format/runtime.h"
#include "go/runtime/runtime_variables.h"
#include "heap/heap.h"
#include "table/naming/argument.h"
#include "table/naming/root.h"
#include "table/naming/variable_user.h"
#include "table/paths/path_place.h"

#include <string.h>

static const char ellipsis[] = "…";

/* ---- Numbers */

static bool read_address(const char *text, uint64_t *address, const char **end)
{
	SCOPED_BUF digits = {0};
	bool marked = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	size_t length = (marked ? 2U : 0U) + strspn(text + (marked ? 2 : 0), "0123456789abcdefABCDEF");
	buf_add_bytes(&digits, text, length);
	bool good = operand_ends_here(text + length) && argument_address(buf_text(&digits), address);
	*end = text + length;
	return good;
}

/* ---- Addresses, root nodes and roots */

/* Returns true if the text is an address. */
static bool read_as_address(const struct analysis *analysis, const char *text, struct operand *o)
{
	struct govalue in = datum_memory(analysis);
	if (!read_address(text, &o->address, &o->end))
		return false;
	uint32_t id = expression_goes_on(o->end) ? heap_find(analysis_heap(analysis), o->address)
	                                         : OBJECT_NONE;
	o->kind = OPERAND_ADDRESS;
	if (id == OBJECT_NONE)
		return true;
	o->kind = OPERAND_VALUE;
	o->value.place = datum_of_object(&in, id);
	o->value.whole = true;
	return true;
}

static void operand_fail_group(const struct heap *heap, const char *text, struct err *err)
{
	if (heap_words(heap)->threads)
		err_set(err,
		        "There is no such group of %s as \"%.60s\"; the table " THREADS_WORD
		        " by stack lists them",
		        heap_words(heap)->threads, text);
	else
		err_set(err, "\"%.60s\" names nothing: a %s has no threads", text, heap->format->noun);
	argument_unknown(heap, DAMAGE_THREADS, err);
}

static bool read_as_number(const struct analysis *analysis, const char *text, struct operand *o,
                           bool *good, struct err *err)
{
	uint64_t number;
	*good = false;
	if (operand_read_number(text, "@", &number, &o->end)) {
		o->kind = OPERAND_ROOT_NODE;
		*good = analysis_has(analysis, STAGE_DOMINATED)
		        && number < analysis_root_nodes(analysis)->count;
	} else if (operand_read_number(text, "root=", &number, &o->end)) {
		o->kind = OPERAND_ROOT;
		*good = number < analysis_heap(analysis)->root_count;
	} else if (operand_read_number(text, "group=", &number, &o->end)) {
		o->kind = OPERAND_GROUP;
		*good = number < analysis_groups(analysis)->count;
		o->set = OPERAND_OF_THREADS;
	} else if (*text != '@') {
		return false;
	}
	o->index = *good ? (uint32_t)number : 0;
	if (!*good && o->kind == OPERAND_GROUP)
		operand_fail_group(analysis_heap(analysis), text, err);
	else if (!*good)
		err_set(err, "\"%.60s\" names nothing: start with @0, whose rows lead to the others", text);
	return true;
}

/* ---- Variables */

/* A variable, and how much of a text its name takes. */
struct operand_variable {
	const char *name;
	uint64_t address, size;
	size_t length;
};

/* Keeps a variable if more of the text is its name. The name can end at a step, or at the offset of
   a word. */
static void operand_see_variable(const char *text, struct operand_variable seen,
                                 struct operand_variable *best)
{
	seen.length = text_symbol_length(text, seen.name);
	const char *end = text + seen.length;
	if (seen.length > best->length && (operand_ends_here(end) || strncmp(end, "+0x", 3) == 0))
		*best = seen;
}

/* Finds a variable that names_variable knows: of the symbols, or found without them. */
static bool operand_find_variable(const struct names *names, const char *text,
                                  struct operand_variable *found)
{
	const struct image *image = names && names->exe ? exe_image(names->exe) : NULL;
	const struct runtime_variables *told = names ? names->runtime : NULL;
	*found = (struct operand_variable){0};
	for (size_t i = 0; image && i < image->symbol_count; i++) {
		const struct image_symbol *symbol = &image->symbols[i];
		uint64_t address = symbol->address + names->fit.data_bias;
		if (symbol->variable)
			operand_see_variable(
				text, (struct operand_variable){symbol->name, address, symbol->size, 0}, found);
	}
	for (size_t i = 0; told && i < told->count; i++) {
		const struct runtime_variable *one = &told->item[i];
		if (one->name)
			operand_see_variable(
				text, (struct operand_variable){one->name, one->address, one->size, 0}, found);
	}
	return found->length;
}

/* Parses "+0x8" after the start of memory, which names a word in it. */
static bool read_into(const char **at, uint64_t *offset)
{
	if (strncmp(*at, "+0x", 3) != 0)
		return false;
	return read_address(*at + 1, offset, at);
}

static void use_word(const struct analysis *analysis, uint64_t address, struct operand *o)
{
	struct govalue in = datum_memory(analysis);
	o->value.place = datum_at(&in, address, 0, 1);
	o->size = analysis_heap(analysis)->params.layout.pointer_size;
}

static bool read_variable(const struct analysis *analysis, const char *text, struct operand *o)
{
	const struct names *names = analysis_names(analysis);
	struct govalue in = datum_memory(analysis);
	uint64_t offset;
	struct operand_variable found;
	if (!operand_find_variable(names, text, &found))
		return false;
	uint64_t place = found.address - names->fit.data_bias;
	const struct exe_global *global = in.typing ? gotypes_global_at(analysis_types(analysis), place)
	                                            : NULL;
	bool typed = global && global->address == place;
	o->kind = OPERAND_VALUE;
	o->end = text + found.length;
	/* the screen shows it after the name */
	const char *note = root_variable_note(analysis_heap(analysis), found.name);
	if (strncmp(o->end, note, strlen(note)) == 0)
		o->end += strlen(note);
	o->value.place = datum_at(&in, found.address, typed ? global->type : 0, 1);
	o->size = found.size;
	if (read_into(&o->end, &offset))
		use_word(analysis, found.address + offset, o);
	return true;
}

/* "data+0x18c8", "mvcc variable data+0x18c8, used by (*store).setupMetricsReporter" */
static bool read_segment(const struct analysis *analysis, const char *text, struct operand *o)
{
	const struct heap *heap = analysis_heap(analysis);
	SCOPED_BUF name = {0};
	bool found = false;
	text = variable_user_skip_package(text);
	for (uint32_t i = 0; i < heap->segment_count && !found; i++) {
		const struct segment_record *segment = &heap->segments[i];
		uint64_t offset;
		buf_clear(&name);
		root_add_segment(heap, i, &name);
		const char *at = text + name.len;
		found = strncmp(text, buf_text(&name), name.len) == 0 && read_into(&at, &offset)
		        && offset < segment->size;
		if (!found)
			continue;
		o->kind = OPERAND_VALUE;
		o->end = variable_user_skip_function(at);
		use_word(analysis, segment->address + offset, o);
	}
	return found;
}

/* ---- Paths of which parts are left out */

/* Returns the address after an omitted path, as in "… 0xc000012340"; NULL: there is none. */
static const char *operand_left_out(const char *text)
{
	static const char *const marks[] = {ellipsis, "..."};
	text += strspn(text, operand_blanks);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		size_t length = strlen(marks[i]);
		if (strncmp(text, marks[i], length) == 0 && strncmp(text + length, " 0x", 3) == 0)
			return text + length + 1;
	}
	return NULL;
}

/* False without an error: none of these begins the text. */
static bool read_any(const struct analysis *analysis, const char *text, struct operand *o,
                     struct err *err)
{
	bool good = true;
	if (read_as_address(analysis, text, o) || read_segment(analysis, text, o)
	    || read_variable(analysis, text, o))
		return true;
	if (read_as_number(analysis, text, o, &good, err)
	    || operand_read_thread(analysis, text, o, &good, err))
		return good;
	return false;
}

/* Returns the name behind "largest: ", which tables print before one. */
static const char *operand_skip_before(const char *text)
{
	static const char *const before[] = {"largest: ", "held by "};
	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		if (strncmp(text, before[i], strlen(before[i])) == 0)
			return text + strlen(before[i]);
	return text;
}

/* Returns what follows the length of a channel, as in "chan int 0xc000012340 len 0 cap 4". */
static const char *operand_skip_length(const char *text)
{
	static const char *const words[] = {" len ", " cap "};
	const char *end = text;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t digits = strncmp(end, words[i], strlen(words[i])) == 0
		                    ? strspn(end + strlen(words[i]), "0123456789")
		                    : 0;
		if (!digits)
			return text;
		end += strlen(words[i]) + digits;
	}
	return end;
}

/* Returns what follows an operand, without what tables print behind the name of an owner. */
static const char *operand_skip_behind(const char *end)
{
	static const char *const behind[] = {", shared with ", " held by ", " by ", ", held by ",
	                                     ", which alone owns "};
	end = operand_skip_length(end);
	for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
		if (strncmp(end, behind[i], strlen(behind[i])) == 0)
			return strchr(end, 0);
	return end + strspn(end, operand_blanks);
}

/* Applies the steps that follow the operand. */
static bool read_steps(const struct analysis *analysis, struct operand *o, struct err *err)
{
	const char *steps = o->end;
	if (o->kind != OPERAND_VALUE || !expression_goes_on(steps))
		return true;
	if (!analysis_has(analysis, STAGE_TYPED))
		return err_set(err, "The fields are not known yet: wait for the types");
	o->size = 0;
	o->root = UINT32_MAX;
	return expression_read(analysis, &o->value, &o->end, err);
}

/* Finds the address at the end of a path that cannot be parsed, and applies the steps behind it. */
static bool read_end_of_path(const struct analysis *analysis, const char *text, struct operand *o,
                             struct err *err)
{
	for (; *text; text++) {
		const char *address = *text == *ellipsis || *text == '.' ? operand_left_out(text) : NULL;
		if (address && read_as_address(analysis, address, o))
			return read_steps(analysis, o, err);
	}
	return false;
}

/* Takes the address at the end of a path of which some steps behind the operand are left out. */
static void operand_go_on_later(const struct analysis *analysis, struct operand *operand)
{
	static const char before[] = "(before [";
	const char *rest = operand->end + strspn(operand->end, operand_blanks);
	if (strncmp(rest, before, strlen(before)) == 0 && strstr(rest, "]) "))
		rest = strstr(rest, "]) ") + strlen("]) ");
	struct operand later = *operand;
	struct err none = {0};
	if (strncmp(rest, ellipsis, strlen(ellipsis)) == 0
	    && read_end_of_path(analysis, rest, &later, &none))
		*operand = later;
}

bool operand_read(const struct analysis *analysis, const char **text, struct operand *operand,
                  struct err *err)
{
	struct err own = {0};
	const char *start = operand_skip_before(*text + strspn(*text, operand_blanks));
	*operand = (struct operand){.start = start, .end = start, .root = UINT32_MAX};
	operand->value.start = start;
	if (!analysis_heap(analysis))
		return err_set(err, "\"%.60s\" cannot be looked up yet: wait until the dump is read",
		               start);
	bool good = read_any(analysis, start, operand, &own) && read_steps(analysis, operand, &own);
	const char *address = good ? operand_left_out(operand->end) : NULL;
	if (address && read_as_address(analysis, address, operand))
		good = read_steps(analysis, operand, &own);
	else if (good)
		operand_go_on_later(analysis, operand);
	else if (!good)
		good = read_end_of_path(analysis, start, operand, &own)
		       || (analysis_has(analysis, STAGE_TYPED) /* names are being written until then */
		           && (operand_read_label(analysis, start, operand)
		               || operand_read_function(analysis, start, operand)
		               || (operand_read_printed(analysis, start, operand, &own)
		                   && read_steps(analysis, operand, &own))
		               || operand_read_node(analysis, start, operand)));
	struct operand waits; /* "sync.Cond 0xc000012340, main.cond" */
	if (good && err && strncmp(operand->end, ", ", 2) == 0
	    && operand_read_function(analysis, start, &waits) && !*waits.end)
		*operand = waits;
	/* "main.serve req" is longer than the function */
	bool function = operand->set || operand->kind == OPERAND_THREAD;
	if (!good || operand_leaves(operand->end) || (function && *operand->end)) {
		struct err none = {0};
		bool several = operand_read_set(analysis, start, operand, err ? &none : NULL);
		if (!good && !several && path_place_may_be(start) && none.set)
			own = none;
		good |= several;
	}
	if (!good && err && !own.set)
		operand_fail_unknown(analysis, start, &own);
	if (!good && err && !err->set)
		*err = own;
	*text = operand_skip_behind(operand->end);
	return good;
}

bool operand_is_plain(const char *text)
{
	while (*text) {
		uint64_t ignored;
		const char *end = text;
		size_t word = strcspn(text, operand_blanks);
		bool number = read_address(text, &ignored, &end) && !expression_goes_on(end);
		bool setting = memchr(text, '=', word) || *text == '@'
		               || strncmp(text, THREAD_WORD " ", strlen(THREAD_WORD " ")) == 0;
		if (!number && !setting)
			return false;
		text = number ? end : text + word;
		text += strspn(text, " \t>");
	}
	return true;
}
