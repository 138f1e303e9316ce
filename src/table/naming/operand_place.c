/* What is there that is no object: at addresses, by names. Part of table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "base/text.h"
#include "format/runtime.h"
#include "heap/heap.h"
#include "table/naming/argument.h"
#include "table/naming/entity_parts.h"
#include "table/naming/nearest.h"
#include "table/naming/source.h"
#include "table/naming/thread.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <string.h>

enum {
	SHOWN = 200,
	LIKE = 4 /* letters that may differ in a misspelled name */
};

/* ---- Addresses */

static bool place_is_code(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	const struct names *names = analysis_names(analysis);
	struct pclntab_line lines[EXE_LINES];
	const char *name;
	if (!names_function(names, address, &name))
		return false;
	buf_add(out, "in the function ");
	text_add_symbol(out, name, strlen(name), SHOWN);
	size_t count = exe_lines(names->exe, address - names->fit.bias, false, lines);
	if (count && lines[count - 1].line) {
		buf_add_char(out, ' ');
		source_add(&lines[count - 1], out);
	}
	return true;
}

static bool place_is_variable(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	const char *name;
	uint64_t offset;
	if (!names_variable(analysis_names(analysis), address, &name, &offset))
		return false;
	buf_add(out, "in the variable ");
	text_add_symbol(out, name, strlen(name), SHOWN);
	if (offset)
		buf_addf(out, "+0x%" PRIx64, offset);
	return true;
}

static bool place_is_frame(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		const struct frame *frame = &heap->frames[i];
		if (address - frame->record.sp >= frame->record.size || frame->thread == UINT32_MAX)
			continue;
		buf_add(out, "in the frame of ");
		entity_add_function(heap, i, out);
		buf_addf(out, "+0x%" PRIx64 ", ", address - frame->record.sp);
		thread_add_name(heap, &heap->threads[frame->thread], out);
		return true;
	}
	return false;
}

static bool place_is_stack(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		struct thread_stack stack = heap_thread_stack(heap, i);
		bool on_it = stack.exact && address - stack.address < stack.bytes;
		if (!on_it && heap->threads[i].record.address != address)
			continue;
		buf_add(out, on_it ? "on the stack of " : "the descriptor of ");
		thread_add_name(heap, &heap->threads[i], out);
		return true;
	}
	return false;
}

/* A record of the dump with an address of its own. */
static bool place_is_record(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	for (uint32_t i = 0; i < heap->type_count; i++)
		if (heap->types[i].address == address) {
			struct text name = heap->types[i].name;
			buf_add(out, "the descriptor of the type ");
			text_add_escaped(out, name.data, name.len, SHOWN);
			return true;
		}
	for (uint32_t i = 0; i < heap->itab_count; i++)
		if (heap->itabs[i].address == address) {
			buf_add(out, "an itab, the methods that a type has for an interface");
			return true;
		}
	for (uint32_t i = 0; i < heap->profiles.count; i++)
		if (heap->profiles.profile[i].id == address) {
			struct stack_frame site;
			buf_add(out, "a record of the memory profile");
			if (profile_site(&heap->profiles.profile[i], &site)) {
				buf_add(out, ", of ");
				stack_frame_add(&site, out);
			}
			return true;
		}
	return false;
}

/* An address in a record of the dump that leads out of the heap: to code or a descriptor of a type,
   which only the executable names. */
static bool place_is_recorded(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	const char *what = NULL;
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		const struct frame_record *frame = &heap->frames[i].record;
		if (address != frame->pc && address != frame->continue_pc && address != frame->entry_pc)
			continue;
		buf_add(out, "in the function ");
		entity_add_function(heap, i, out);
		return true;
	}
	for (uint32_t i = 0; i < heap->thread_count && !what; i++)
		if (heap->threads[i].record.creator_pc == address)
			what = "code that started a " THREAD_WORD;
	for (uint32_t i = 0; i < heap->finalizer_count && !what; i++) {
		const struct finalizer_record *finalizer = &heap->finalizers[i];
		what = finalizer->entry_pc == address   ? "the code of a finalizer"
		       : finalizer->function == address ? "the function value of a finalizer"
		       : finalizer->argument_type == address || finalizer->object_type == address
		           ? "the descriptor of a type that has a finalizer"
		           : NULL;
	}
	for (uint32_t i = 0; i < heap->defer_count && !what; i++) {
		const struct defer_record *defer = &heap->defers[i];
		what = defer->pc == address         ? "code that deferred a call"
		       : defer->entry_pc == address ? "the code of a deferred call"
		       : defer->function == address ? "the function value of a deferred call"
		                                    : NULL;
	}
	for (uint32_t i = 0; i < heap->panic_count && !what; i++)
		if (heap->panics[i].type == address)
			what = "the descriptor of the type of a panic's value";
	if (what)
		buf_addf(out, "%s; the executable has its name", what);
	return what;
}

static bool place_is_mapped(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	for (uint32_t i = 0; i < heap->segment_count; i++)
		if (address - heap->segments[i].address < heap->segments[i].size) {
			buf_addf(out, "in the %s segment, the memory of global variables",
			         heap->segments[i].bss ? "bss" : "data");
			return true;
		}
	for (uint32_t i = 0; i < heap->mapping_count; i++) {
		const struct mapping_record *mapping = &heap->mappings[i];
		if (address - mapping->address >= mapping->bytes)
			continue;
		buf_add(out, mapping->path.len ? "in a mapping of " : "in a mapping of no file");
		text_add_escaped(out, mapping->path.data, mapping->path.len, SHOWN);
		return true;
	}
	const struct names *names = analysis_names(analysis);
	const struct image *image = names && names->exe ? exe_image(names->exe) : NULL;
	for (size_t i = 0; image && i < image->segment_count; i++)
		if (address - names->fit.bias - image->segments[i].address < image->segments[i].size) {
			buf_addf(out, "in the %s of the program",
			         image->segments[i].writable ? "data" : "code or read-only data");
			return true;
		}
	if (heap->params.heap_start
	    && address - heap->params.heap_start < heap->params.heap_end - heap->params.heap_start) {
		buf_add(out, "in the arena of the heap, where no object is");
		return true;
	}
	return false;
}

void operand_add_place(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	static bool (*const kinds[])(const struct analysis *, uint64_t, struct buf *) = {
		place_is_code,  place_is_variable, place_is_frame,  place_is_record,
		place_is_stack, place_is_recorded, place_is_mapped,
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i](analysis, address, out))
			return;
}

/* ---- Names of functions and types */

/* Returns true for a function of the program: of the executable, or of a recorded stack. */
static bool operand_is_function(const struct analysis *analysis, const char *text)
{
	const struct names *names = analysis_names(analysis);
	uint64_t entry;
	return (names && names->exe && exe_entry(names->exe, (struct text){text, strlen(text)}, &entry))
	       || operand_is_on_stack(analysis, text);
}

/* Counts the threads that a function started. */
static uint32_t operand_started(const struct analysis *analysis, const char *function)
{
	const struct heap *heap = analysis_heap(analysis);
	SCOPED_BUF creator = {0};
	uint32_t count = 0;
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		buf_clear(&creator);
		thread_add_creator(analysis, &heap->threads[i], &creator);
		count += strcmp(buf_text(&creator), function) == 0;
	}
	return count;
}

bool operand_add_nothing(const struct analysis *analysis, const char *text, struct buf *out)
{
	uint32_t started = operand_started(analysis, text);
	if (started || operand_is_function(analysis, text)) {
		text_add_escaped(out, text, strlen(text), SHOWN);
		buf_add(out, " is a function that no " THREAD_WORD " is in");
		if (started)
			buf_addf(out, "; it started %s, which the table " THREADS_WORD " lists",
			         text_number_of(started, THREAD_WORD, THREADS_WORD).text);
		return true;
	}
	if (!analysis_typing(analysis) || !typed_named(analysis, text))
		return false;
	text_add_escaped(out, text, strlen(text), SHOWN);
	buf_add(out, " is a type of the program that no object is known to have as a whole");
	return true;
}

/* ---- Unknown names */

void operand_add_nameless(const struct analysis *analysis, struct buf *out)
{
	const struct names *names = analysis_names(analysis);
	const struct image *image = names && names->exe ? exe_image(names->exe) : NULL;
	if (heap_has(analysis_heap(analysis), PART_GO) && (!image || image->stripped))
		buf_addf(out, "; %s, which names variables",
		         image ? "the executable has no symbol table"
		               : "the program's executable is not there");
}

bool operand_fail_unknown(const struct analysis *analysis, const char *text, struct err *err)
{
	const struct names *names = analysis_names(analysis);
	const struct image *image = names && names->exe ? exe_image(names->exe) : NULL;
	SCOPED_BUF wanted = {0}, visible = {0};
	if (analysis_has(analysis, STAGE_TYPED) && operand_add_nothing(analysis, text, &visible)) {
		err_set(err, "%.380s", buf_text(&visible));
		return argument_absent(analysis_heap(analysis), DAMAGE_THREADS, err);
	}
	buf_add_bytes(&wanted, text, strcspn(text, "[( "));
	struct nearest nearest = {.wanted = buf_text(&wanted)};
	for (size_t i = 0; image && *nearest.wanted && i < image->symbol_count; i++) {
		size_t length = strlen(image->symbols[i].name);
		if (!image->symbols[i].variable || length + LIKE < wanted.len || length > wanted.len + LIKE)
			continue;
		buf_clear(&visible);
		text_add_symbol(&visible, image->symbols[i].name, length, 100);
		nearest_see(&nearest, buf_text(&visible));
	}
	buf_clear(&visible);
	nearest_keep(&nearest, LIKE);
	if (nearest.count)
		buf_addf(&visible, "; there is ");
	nearest_add(&nearest, &visible);
	operand_add_nameless(analysis, &visible);
	err_set(err,
	        "\"%.60s\" is no address, variable, " THREAD_WORD " or path: 0xc000012340, "
	        "main.cache, " THREAD_WORD " 17, main.cache[\"k\"].Next%.180s",
	        text, buf_text(&visible));
	return argument_unknown(analysis_heap(analysis), DAMAGE_ROOTS, err);
}
