/* The overview of the file: its format, its process, and the source of names. */
#include "report/overview.h"

#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* Appends "Process 1234, go1.24.4 amd64, stopped for 94 ms, 40.1 MB copied". */
static void overview_add_process(struct page *page, struct buf *out)
{
	const struct heap *heap = analysis_heap(page->analysis);
	const struct params_record *params = &heap->params;
	const struct input *input = heap->input;
	page_number(page, "pid", (uint64_t)input->pid);
	page_number(page, "pause_ns", input->copy.pause);
	page_number(page, "copied_bytes", input->copy.bytes);
	buf_addf(out, "Process %d, ", (int)input->pid);
	text_add_escaped(out, params->version.data, params->version.len, 60);
	buf_add(out, params->version.len ? " " : "");
	text_add_escaped(out, params->arch.data, params->arch.len, 30);
	buf_addf(out, ", stopped for %s, %s%s", text_duration(input->copy.pause).text,
	         text_size(input->copy.bytes).text, input->copy.forked ? " from a fork" : " copied");
}

/* Adds the outcome of a requested fork. */
void overview_fork(struct page *page)
{
	const struct input *input = analysis_heap(page->analysis)->input;
	if (!input->pid)
		return;
	page_bool(page, "forked", input->copy.forked);
	if (!*input->copy.not_forked && !input->copy.left)
		return;
	SCOPED_BUF text = {0};
	buf_addf(&text, "Not forked: %s.", input->copy.not_forked);
	page_line(page, NULL);
	page_paragraph(page, OVERVIEW_LABEL, STYLE_WARNING,
	               input->copy.left
	                   ? "The fork has ended, but stays as a zombie until the process ends."
	                   : buf_text(&text));
}

/* Adds "Snapshot of process 1234, 2026-11-22 12:20:01 UTC, stopped for 28 ms". */
void overview_snapshot(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	const struct process_note *note = heap->input->pid ? NULL : heap_snapshot(heap);
	SCOPED_BUF text = {0};
	struct tm when;
	char shown[64];
	time_t seconds = note ? (time_t)note->time : 0;
	if (!note)
		return;
	page_number(page, "snapshot_pid", note->pid);
	page_number(page, "snapshot_time", note->time);
	page_number(page, "pause_ns", note->pause);
	page_number(page, "copied_bytes", note->bytes);
	page_bool(page, "forked", note->forked);
	buf_addf(&text, "Snapshot of process %" PRIu64, note->pid);
	if (gmtime_r(&seconds, &when) && strftime(shown, sizeof shown, ", %F %T UTC", &when))
		buf_add(&text, shown);
	buf_addf(&text, ", stopped for %s", text_duration(note->pause).text);
	page_line(page, NULL);
	page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
}

/* Says what the process has that is not read. */
void overview_unread(struct page *page)
{
	const char *unread = heap_unread(analysis_heap(page->analysis));
	SCOPED_BUF text = {0};
	page_string(page, "not_read", unread);
	if (!unread)
		return;
	buf_addf(&text, "%s.", unread);
	page_line(page, NULL);
	page_paragraph(page, OVERVIEW_LABEL, STYLE_WARNING, buf_text(&text));
}

/* Appends " of Go 1.24.4". */
static void overview_add_version(struct text version, struct buf *out)
{
	bool known = version.len > 2 && memcmp(version.data, "go", 2) == 0;
	if (version.len)
		buf_add(out, known ? " of Go " : " of ");
	text_add_escaped(out, version.data + (known ? 2 : 0), version.len - (known ? 2 : 0), 60);
}

/* Appends "heap dump of Go 1.24.4, amd64 64-bit little-endian, 11.0 MB". */
static void overview_add_file(const struct heap *heap, struct buf *out)
{
	const struct params_record *params = &heap->params;
	if (heap->format->executable)
		buf_add(out, "core file");
	else
		buf_add(out, "heap dump");
	overview_add_version(params->version, out);
	buf_add(out, ", ");
	text_add_escaped(out, params->arch.data, params->arch.len, 30);
	buf_addf(out, " %d-bit %s-endian, %s", params->layout.pointer_size * 8,
	         params->layout.big_endian ? "big" : "little", text_size(heap->input->size).text);
}

/* Adds the format of the file, and whether it is complete or damaged. */
void overview_file(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	SCOPED_BUF text = {0};
	if (page->form == FORM_TEXT) {
		page_line(page, NULL);
		text_add_escaped(&text, heap->input->path, strlen(heap->input->path), SIZE_MAX);
		page_put(page, PAGE_LEFT, 0, STYLE_PLAIN, buf_text(&text));
		buf_clear(&text);
	}
	page_string(page, "format", heap->format->name);
	page_bool(page, "complete", heap->complete);
	if (heap_has(heap, PART_GO)) {
		page_escaped(page, "go_version", heap->params.version);
		page_escaped(page, "arch", heap->params.arch);
		page_number(page, "pointer_size", heap->params.layout.pointer_size);
		page_bool(page, "big_endian", heap->params.layout.big_endian);
		if (heap->input->pid)
			overview_add_process(page, &text);
		else
			overview_add_file(heap, &text);
	} else {
		buf_addf(&text, "%s, %s", heap->format->noun, text_size(heap->input->size).text);
	}
	page_bool(page, "redacted", heap->params.redacted);
	if (heap->params.redacted)
		buf_add(&text, ", redacted");
	if (heap->losses && heap->complete)
		buf_add(&text, ", damaged");
	else if (heap->complete && !heap->input->pid)
		buf_add(&text, ", complete");
	page_line(page, NULL);
	page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
}

/* Says that the file is truncated, or that there are warnings. */
void overview_truncated(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	SCOPED_BUF text = {0};
	bool lost = heap->losses || heap_unread(heap);
	text_add_number_of(&text, overview_warnings(heap), lost ? "warning" : "thing is",
	                   lost ? "warnings" : "things are");
	buf_add(&text, lost ? " about the file: results may be incomplete."
	                    : " unusual in the file; nothing is lost.");
	if (!heap->complete || overview_warnings(heap))
		page_line(page, "warnings");
	if (!heap->complete)
		page_paragraph(page, OVERVIEW_LABEL, STYLE_WARNING,
		               "The file is truncated: records are missing at its end.");
	else if (overview_warnings(heap))
		page_paragraph(page, OVERVIEW_LABEL, STYLE_WARNING, buf_text(&text));
}

/* Adds the executable that names come from, or why there is none; on the first page of the screen
   only what is wrong with it. */
void overview_names(struct page *page)
{
	const struct names *names = analysis_names(page->analysis);
	const char *damage = analysis_executable_damage(page->analysis);
	if (heap_has(analysis_heap(page->analysis), PART_GO)) {
		page_string(page, "executable", names->exe ? names->path : NULL);
		page_string(page, "executable_refused",
		            names->refused.len ? buf_text(&names->refused) : NULL);
		page_string(page, "executable_damage", damage);
		const struct input *debug = names->exe ? exe_debug_input(names->exe) : NULL;
		const char *unused = names->exe ? exe_debug_refused(names->exe) : "";
		page_string(page, "debug_file", debug ? debug->path : NULL);
		page_string(page, "debug_file_refused", *unused ? unused : NULL);
	}
	const struct overview *own = page->own;
	SCOPED_BUF text = {0};
	bool wrong = !names->exe || names->refused.len;
	if (names->useless)
		return;
	if (wrong || page->form != FORM_SCREEN || own->is_accounts) {
		names_explain(names, &text);
		page_line(page, NULL);
		page_paragraph(page, OVERVIEW_LABEL, names->refused.len ? STYLE_WARNING : STYLE_FAINT,
		               buf_text(&text));
	}
	if (damage) {
		page_line(page, NULL);
		page_paragraph(page, OVERVIEW_LABEL, STYLE_WARNING, damage);
	}
}

/* Says whether C code is linked in: the executable then has crosscall2, a function of package
   runtime/cgo that calls Go from C. */
void overview_cgo(struct page *page)
{
	static const struct text through = {"crosscall2", 10};
	const struct names *names = analysis_names(page->analysis);
	uint64_t entry;
	bool cgo = names->exe && exe_entry(names->exe, through, &entry);
	page_bool(page, "cgo", cgo);
	if (!cgo)
		return;
	page_line(page, NULL);
	page_paragraph(page, OVERVIEW_LABEL, STYLE_FAINT,
	               heap_has(analysis_heap(page->analysis), PART_PROCESS)
	                   ? "It uses cgo: pointers in C memory are not followed."
	                   : "It uses cgo: C memory is not scanned, nor counted.");
}
