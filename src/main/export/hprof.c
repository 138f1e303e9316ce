/* hprof for VisualVM, Eclipse MAT and other Java tools: types become classes, packages become
   classes with global variables as static fields, threads become threads. Objects are read
   twice: first to find the classes, then to write their values. The contents of byte arrays and
   strings are omitted. */
#include "main/hprof/java.h"
#include "main/hprof/statics.h"

#include "main/export/exporter.h"
#include "main/print/output.h"
#include "table/naming/root.h"
#include "table/naming/thread.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"
#include "heap/root.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 400 };
#define NO_FRAME UINT32_MAX

struct hprof_export {
	const struct analysis *analysis;
	const struct heap *heap;
	struct hprof h;
	struct java java;
	struct hprof_classes classes;
	struct hprof_packages packages;
	uint32_t *depth;  /* by frame: its depth in the stack trace */
	uint64_t *thread; /* by thread: id of its thread object */
	uint32_t frames;  /* frames written so far */
	uint64_t *value;  /* values of an object's fields */
};

/* ---- Threads: a stack trace each. Thread and trace have the thread's index + 1 as number */

static void hprof_write_frame(struct hprof_export *e, struct text function, const char *file,
                              uint64_t line)
{
	struct hprof *h = &e->h;
	SCOPED_BUF name = {0}, source = {0};
	const char *method;
	text_add_symbol(&name, function.data, function.len, NAME_LIMIT);
	text_add_escaped(&source, file, strlen(file), NAME_LIMIT);
	uint32_t package = hprof_package_of(&e->packages, buf_text(&name), &method);
	uint32_t text = hprof_text(h, method), none = hprof_text(h, "");
	uint32_t where = source.len ? hprof_text(h, buf_text(&source)) : 0;
	hprof_record(h, HPROF_FRAME, 4 * h->id_size + 8);
	hprof_id(h, h->out, ++e->frames);
	hprof_id(h, h->out, text);
	hprof_id(h, h->out, none); /* signature */
	hprof_id(h, h->out, where);
	hprof_number(h->out, e->packages.package[package].serial, 4);
	hprof_number(h->out, line <= INT32_MAX ? line : 0, 4);
}

static void hprof_write_traces(struct hprof_export *e)
{
	struct hprof *h = &e->h;
	for (uint32_t i = 0; i < e->heap->thread_count && h->ok; i++) {
		const struct thread *thread = &e->heap->threads[i];
		uint32_t first = e->frames;
		e->thread[i] = hprof_new_id(h);
		for (uint32_t k = 0; k < thread->frames && h->ok; k++) {
			/* The calls inlined into a frame come first, the innermost one before the others. */
			uint32_t frame = thread->first_frame + k;
			struct pclntab_line lines[EXE_LINES];
			size_t count = names_frame(analysis_names(e->analysis), e->heap, frame, lines);
			for (size_t n = 0; n + 1 < count; n++)
				hprof_write_frame(e, (struct text){lines[n].function, strlen(lines[n].function)},
				                  names_file_base(lines[n].file), lines[n].line);
			hprof_write_frame(e, e->heap->frames[frame].record.function,
			                  count ? names_file_base(lines[count - 1].file) : "",
			                  count ? lines[count - 1].line : 0);
			e->depth[thread->first_frame + k] = e->frames - first - 1;
		}
		hprof_record(h, HPROF_TRACE, 12 + (e->frames - first) * h->id_size);
		hprof_number(h->out, i + 1, 4);
		hprof_number(h->out, i + 1, 4);
		hprof_number(h->out, e->frames - first, 4);
		for (uint32_t id = first + 1; id <= e->frames; id++)
			hprof_id(h, h->out, id);
	}
}

static void hprof_write_threads(struct hprof_export *e)
{
	struct hprof *h = &e->h;
	SCOPED_BUF name = {0};
	for (uint32_t i = 0; i < e->heap->thread_count && h->ok; i++) {
		const struct thread *thread = &e->heap->threads[i];
		buf_clear(&name);
		thread_add_name(e->heap, thread, &name);
		buf_add(&name, " [");
		thread_add_reason(e->analysis, thread, &name);
		buf_add_char(&name, ']');
		java_write_thread(&e->java, e->thread[i], buf_text(&name));
		struct buf *out = hprof_sub(h, HPROF_THREAD, h->id_size + 8);
		hprof_id(h, out, e->thread[i]);
		hprof_number(out, i + 1, 4);
		hprof_number(out, i + 1, 4);
	}
}

/* ---- Roots */

/* Writes a root of a thread: in a frame, or -1 for none of its frames. */
static void hprof_write_local(struct hprof_export *e, enum hprof_sub tag, const struct root *root,
                              const struct thread *thread, uint32_t frame)
{
	struct buf *out = hprof_sub(&e->h, tag, e->h.id_size + 8);
	hprof_id(&e->h, out, hprof_object_id(&e->h, heap_address(e->heap, root->target)));
	hprof_number(out, (uint64_t)(thread - e->heap->threads) + 1, 4);
	hprof_number(out, frame, 4);
}

static void hprof_write_root(struct hprof_export *e, const struct root *root)
{
	const struct heap *heap = e->heap;
	const struct thread *thread = NULL;
	switch ((enum root_kind)root->kind) {
	case ROOT_DATA:
	case ROOT_BSS:
		return; /* written as static fields */
	case ROOT_FRAME:
		thread = frame_thread(heap, root->holder);
		break;
	case ROOT_DEFER:
		thread = thread_before(heap, heap->defers[root->holder].behind);
		break;
	case ROOT_PANIC:
		thread = thread_before(heap, heap->panics[root->holder].behind);
		break;
	case ROOT_OTHER:
	case ROOT_CLEANUP:
	case ROOT_WEAK_HANDLE:
	case ROOT_UNKNOWN:
		hprof_id(&e->h, hprof_sub(&e->h, HPROF_UNKNOWN, e->h.id_size),
		         hprof_object_id(&e->h, heap_address(e->heap, root->target)));
		return;
	default:
		break;
	}
	if (!thread) {
		struct buf *out = hprof_sub(&e->h, HPROF_JNI_GLOBAL, 2 * (size_t)e->h.id_size);
		hprof_id(&e->h, out, hprof_object_id(&e->h, heap_address(heap, root->target)));
		hprof_id(&e->h, out, 0);
	} else if (root->kind == ROOT_FRAME)
		hprof_write_local(e, HPROF_JAVA_FRAME, root, thread, e->depth[root->holder]);
	else
		hprof_write_local(e, HPROF_JNI_LOCAL, root, thread, NO_FRAME);
}

/* ---- Objects */

/* Returns a number of the dump, sign-extended; 0 if its bytes are not in the file. */
static uint64_t hprof_value(const struct heap *heap, const struct object_record *record,
                            const struct hprof_field *field)
{
	static const unsigned char sizes[GO_KINDS] = {
		[GO_BOOL] = 1,   [GO_INT8] = 1,    [GO_INT16] = 2,  [GO_INT32] = 4,
		[GO_INT64] = 8,  [GO_UINT8] = 1,   [GO_UINT16] = 2, [GO_UINT32] = 4,
		[GO_UINT64] = 8, [GO_FLOAT32] = 4, [GO_FLOAT64] = 8};
	const struct layout *layout = &heap->params.layout;
	unsigned size = sizes[field->kind] ? sizes[field->kind] : layout->pointer_size;
	uint64_t at = (uint64_t)field->offset + record->header, value = 0;
	bool is_signed = field->kind >= GO_INT && field->kind <= GO_INT64;
	if (at + size > record->stored)
		return 0;
	for (unsigned i = 0; i < size; i++)
		value = value << 8 | record->data[at + (layout->big_endian ? i : size - 1 - i)];
	return is_signed ? (uint64_t)((int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size)) : value;
}

/* Finds the values of an object: pointers to objects (0 for other pointers), and numbers. */
static void hprof_find_values(struct hprof_export *e, uint32_t object,
                              const struct object_record *record,
                              const struct hprof_object_class *class)
{
	struct pointer_walk walk;
	struct pointer pointer;
	size_t guess = 0;
	for (size_t i = 0; i < class->fields; i++)
		e->value[i] = class->field[i].kind ? hprof_value(e->heap, record, &class->field[i]) : 0;
	hprof_pointers(&e->classes, object, record, &walk);
	for (uint64_t n = 0; pointer_walk_next(&walk, &pointer); n++) {
		uint64_t word = hprof_pointer_offset(&e->h, &pointer, n) / e->h.word;
		if (pointer.target == OBJECT_NONE)
			continue;
		size_t field = hprof_class_pointer(class, word * e->h.word, guess);
		if (field == SIZE_MAX)
			continue;
		e->value[field] = hprof_object_id(&e->h, heap_address(e->heap, pointer.target));
		guess = field + 1;
	}
}

static void hprof_write_object(struct hprof_export *e, uint32_t object,
                               const struct object_record *record)
{
	struct hprof *h = &e->h;
	const struct hprof_object_class *class = hprof_classes_of(&e->classes, object, record->size);
	uint64_t id = hprof_object_id(h, record->slot + record->header);
	hprof_find_values(e, object, record, class);
	struct buf *out = hprof_instance(h, id, class->id[0], class->bytes);
	for (size_t i = 0; i < class->fields; i++)
		hprof_number(out, e->value[i], hprof_width(h, class->field[i].type));
}

static bool hprof_write_run(struct hprof_export *e, const struct objects_run_view *run,
                            struct err *err)
{
	struct object_record record;
	uint64_t at = run->offset;
	for (uint32_t id = run->first; id < run->first + run->count && e->h.ok; id++) {
		if (!export_next_object(e->heap, run, id, &at, &record))
			return err_set(err, "The dump was changed while it was read");
		hprof_write_object(e, id, &record);
	}
	return true;
}

static bool hprof_write_objects(struct hprof_export *e, struct err *err)
{
	const struct objects *objects = e->heap->objects;
	struct objects_run_view run;
	size_t most = 0;
	for (size_t i = 0; i < e->classes.count; i++)
		most = e->classes.class[i].fields > most ? e->classes.class[i].fields : most;
	e->value = mem_alloc(most * sizeof *e->value);
	for (size_t r = 0; r < objects_run_count(objects) && e->h.ok; r++) {
		objects_run(objects, r, &run);
		if (!hprof_write_run(e, &run, err))
			return false;
	}
	return true;
}

/* ---- File */

static bool hprof_write_heap(struct hprof_export *e, struct err *err)
{
	const struct params_record *params = &e->heap->params;
	SCOPED_BUF version = {0}, arch = {0};
	text_add_escaped(&version, params->version.data, params->version.len, NAME_LIMIT);
	text_add_escaped(&arch, params->arch.data, params->arch.len, NAME_LIMIT);
	java_write(&e->java, (const char *const[]){"go.version", buf_text(&version), "GOARCH",
	                                           buf_text(&arch), NULL});
	hprof_packages_write(&e->packages, e->java.id[JAVA_OBJECT]);
	hprof_classes_write(&e->classes, e->java.id[JAVA_OBJECT]);
	hprof_write_threads(e);
	for (uint32_t i = 0; i < e->heap->root_count && e->h.ok; i++) {
		if (root_retains(&e->heap->roots[i]))
			hprof_write_root(e, &e->heap->roots[i]);
		e->h.ok = output_some(e->h.out);
	}
	return hprof_write_objects(e, err);
}

static bool hprof_write(const struct analysis *analysis, const struct export_request *request,
                        struct buf *out, struct err *err)
{
	const struct heap *heap = analysis_heap(analysis);
	struct hprof_export e = {.analysis = analysis, .heap = heap};
	e.classes = (struct hprof_classes){.h = &e.h, .analysis = analysis};
	e.packages = (struct hprof_packages){.h = &e.h, .classes = &e.classes};
	e.depth = mem_alloc(heap->frame_count * sizeof *e.depth);
	e.thread = mem_alloc(heap->thread_count * sizeof *e.thread);
	hprof_begin(&e.h, heap, out, export_time(heap) / 1000000);
	java_begin(&e.java, &e.h, &e.classes);
	bool ok = hprof_classes_find(&e.classes, err);
	if (ok) {
		hprof_packages_find(&e.packages, analysis);
		hprof_write_traces(&e);
		ok = hprof_write_heap(&e, err);
	}
	hprof_end(&e.h);
	ok = ok && e.h.ok;
	if (e.classes.cut)
		buf_addf(request->told,
		         "Of %" PRIu64 " objects only the first 2 GB are written: the format knows no "
		         "more\n",
		         e.classes.cut);
	free(e.depth);
	free(e.thread);
	free(e.value);
	hprof_packages_free(&e.packages);
	hprof_classes_free(&e.classes);
	hprof_free(&e.h);
	return ok;
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_hprof) = {
	.rank = 20,
	.name = "hprof",
	.help =
		"objects, classes, threads and roots for VisualVM, Eclipse MAT and other tools for Java",
	.about = "A type is a class, or one class for each size of its objects. A package is a class, "
			 "too: its global variables are static fields. Goroutines are threads with their "
			 "frames and the references in these; deferred calls and panics are local JNI "
			 "references of a thread, finalizers are global ones. Sizes are those of the dump, up "
			 "to 2 GB per object. Unreachable objects are written without their references, since "
			 "tools would count these as keeping objects alive. The contents of strings and bytes "
			 "are left out. Objects of the classes java.* and strings for the names of threads "
			 "are added, since tools require them.",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.parts = PART_OBJECTS,
	.binary = true,
	.write = hprof_write,
};
