#include "main/ticket/ticket.h"

#include "analysis/input_state.h"
#include "analysis/series.h"
#include "base/mem.h"
#include "format/runtime.h"
#include "go/types/govalue.h"
#include "main/commands.h"
#include "main/options/inputs.h"
#include "main/print/output.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static const struct ticket_kind kinds[] = {
	{.table = "findings",
     .title = "Findings",
     .text = "What is worth a look, the largest first; rows may count the same bytes.",
     .columns = "mark,bytes,share,what,name,recoverable_bytes,why",
     .rows = 40},
	{.table = "where",
     .title = "Where it is",
     .text = "Every reachable byte has one place: below the variable or " THREAD_WORD
             " at which its "
             "shortest path begins. Parts under 0.2 % of the total are left out.",
     .columns = "name,type,count,bytes,share,own_bytes,retained_bytes,example,expression",
     .rows = 2500,
     .least = 500},
	{.table = "growth",
     .title = "Growth",
     .text = "Places that have grown since the earlier dumps.",
     .rows = 30,
     .since = true},
	{.table = "owners",
     .title = "Owners",
     .text = "The owners of the memory, and the parts of each that are at least 1 % of the total.",
     .columns = "name,type,kind,owned_bytes,retained_bytes,share,shared_bytes,count",
     .rows = 40,
     .depth = 3,
     .least = 100},
	{.table = THREADS_WORD "-stack",
     .title = "Goroutines",
     .text = "Goroutines with the same stack are one row.",
     .columns = "count,status,wait_reason,waited,function,source,waits_on,stack_bytes,"
                "retained_bytes,count_delta,bytes_delta",
     .sort = "own_bytes",
     .rows = 30},
	{.table = "lost",
     .title = "Lost " THREADS_WORD,
     .text = "They can never wake up: no " THREAD_WORD
             " that can still run reaches what they wait for.",
     .columns = "id,wait_reason,function,creator,waits_on,stack_bytes,retained_bytes",
     .rows = 30},
	{.table = "types",
     .title = "Types",
     .text = "Objects by type, reachable or not.",
     .columns = "type,count,bytes,share,retained_bytes,largest,count_delta,bytes_delta",
     .sort = "bytes",
     .rows = 30},
	{.table = "collections",
     .title = "Waste in collections",
     .text = "Slices, maps and channels with unused capacity.",
     .columns = "name,type,length,capacity,bytes,waste_bytes",
     .sort = "waste_bytes",
     .rows = 20},
	{.table = "breakdown-heap",
     .title = "Heaps",
     .text = "Heaps by call stack, the largest first.",
     .sort = "size",
     .rows = 50,
     .quiet = true},
	{.table = "pinned",
     .title = "Pinned arrays",
     .text = "Arrays that only a window into them keeps.",
     .rows = 20,
     .quiet = true},
	{.table = "slack",
     .title = "Slack",
     .text = "Room that is in use by nothing.",
     .rows = 20,
     .quiet = true},
	{.table = "notes",
     .title = "Notes",
     .text = "Notes and verdicts of the user.",
     .columns = "kind,subject,verdict,why,note,dump,time",
     .rows = 200,
     .quiet = true},
	{.table = "warnings",
     .title = "Warnings",
     .text = "Problems that were found while the dump was read.",
     .rows = 50,
     .quiet = true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- Access to parts */

size_t ticket_row(const struct ticket_part *part, size_t at)
{
	return part->selection.row ? part->selection.row[at] : at;
}

void ticket_add_cell(const struct ticket_part *part, size_t at, int place, struct buf *out)
{
	rows_text(part->rows, ticket_row(part, at), part->columns.column[place], out);
}

uint64_t ticket_whole(const struct ticket_part *part)
{
	const struct analysis *analysis = part->rows->analysis;
	return analysis_reach(analysis) ? analysis_reach(analysis)->bytes : 0;
}

bool ticket_number(const struct ticket *ticket, const char *name, struct value *value)
{
	const struct page *page = &ticket->programs;
	size_t depth = 0;
	const char *dot = strchr(name, '.');
	bool inside = !dot;
	for (size_t i = 0; i < page->data_count; i++) {
		const struct page_datum *datum = &page->data[i];
		const char *own = datum->name ? ticket->programs.text.data + datum->name : "";
		if (datum->kind == DATUM_OPEN && depth++ == 0 && dot)
			inside = strlen(own) == (size_t)(dot - name) && strncmp(own, name, strlen(own)) == 0;
		else if (datum->kind == DATUM_CLOSE)
			depth--;
		else if (datum->kind == DATUM_VALUE && inside && depth == (dot != NULL)
		         && strcmp(own, dot ? dot + 1 : name) == 0) {
			*value = datum->value;
			return value->kind != VALUE_NONE;
		}
	}
	return false;
}

/* ---- Collecting */

static void ticket_take_columns(struct ticket_part *part)
{
	const struct table *table = part->rows->table;
	const char *at = part->kind->columns;
	SCOPED_BUF name = {0};
	for (int i = 0; !at && i < table->column_count; i++)
		if (!rows_column_hidden(part->rows, i))
			part->columns.column[part->columns.count++] = i;
	while (at && *at) {
		size_t length = strcspn(at, ",");
		buf_clear(&name);
		buf_add_bytes(&name, at, length);
		int column = table_column(table, buf_text(&name));
		if (column >= 0 && !rows_column_hidden(part->rows, column))
			part->columns.column[part->columns.count++] = column;
		at += length + (at[length] == ',');
	}
}

/* Selects the rows of a tree that are large enough, in preorder. */
static void ticket_take_tree(struct ticket_part *part)
{
	struct rows *rows = part->rows;
	struct selection *selection = &part->selection;
	unsigned depth = part->kind->depth ? part->kind->depth : TICKET_DEPTH;
	uint64_t least = ticket_whole(part) / part->kind->least;
	struct selection_walk walk;
	struct selection_next next;
	selection->row = mem_alloc(part->kind->rows * sizeof *selection->row);
	selection->depth = mem_alloc(part->kind->rows * sizeof *selection->depth);
	selection_walk_start(&walk, rows);
	while (selection_walk_next(&walk, &next)) {
		if (selection->count == part->kind->rows || rows_weight(rows, next.row) <= least) {
			part->more += next.depth == 0;
			continue;
		}
		selection->row[selection->count] = next.row;
		selection->depth[selection->count++] = next.depth;
		if (next.depth + 1 < depth)
			selection_walk_below(&walk, next);
	}
	free(walk.at);
}

static void ticket_take_rows(struct ticket_part *part)
{
	const struct options order = {.limit = part->kind->rows, .descending = true};
	const struct options plain = {.limit = part->kind->rows};
	int column = table_column(part->rows->table, part->kind->sort);
	part->selection =
		selection_of_rows(part->rows, NULL, column, column >= 0 ? &order : &plain, false);
	if (part->selection.count > part->kind->rows) {
		part->more = part->selection.count - part->kind->rows;
		part->selection.count = part->kind->rows;
	}
}

static void ticket_gather_part(struct ticket *ticket, const struct ticket_kind *kind)
{
	const struct table *table = table_find(kind->table);
	struct ticket_part *part = &ticket->part[ticket->count];
	struct err err = {0};
	if (!table || (kind->since && !analysis_series(ticket->analysis)))
		return;
	*part = (struct ticket_part){.kind = kind};
	part->rows = rows_open_whole(table, ticket->analysis, NULL, &err);
	if (!part->rows && kind->quiet)
		return;
	if (!part->rows)
		buf_addf(&part->why, "%s.", err.text);
	if (!part->rows && ticket->count
	    && strcmp(buf_text(&part[-1].why), buf_text(&part->why)) == 0) {
		buf_free(&part->why); /* already stated elsewhere */
		return;
	}
	ticket->count++;
	if (!part->rows)
		return;
	ticket_take_columns(part);
	if (table->tree && kind->least)
		ticket_take_tree(part);
	else
		ticket_take_rows(part);
	buf_add(&part->why, buf_text(&part->rows->note));
	if (!part->rows->count && kind->quiet) {
		rows_close(part->rows);
		buf_free(&part->why);
		selection_fini(&part->selection);
		ticket->count--;
	}
}

static const struct report *ticket_overview(void)
{
	const struct report *report;
	for (size_t i = 0; (report = report_at(i)) != NULL; i++)
		if (strcmp(report->name, "overview") == 0)
			return report;
	return NULL;
}

/* False: cancelled. */
static bool ticket_gather(struct ticket *ticket, struct progress *progress)
{
	struct input_state state = input_state_of(ticket->analysis);
	struct err err = {0};
	const char *slash = strrchr(analysis_path(ticket->analysis), '/');
	ticket->file = slash ? slash + 1 : analysis_path(ticket->analysis);
	buf_add(&ticket->state, buf_text(&state.text));
	input_state_fini(&state);
	progress_begin(progress, "writing the report", KINDS);
	report_build(ticket_overview(), &ticket->people, "", &err);
	report_build(ticket_overview(), &ticket->programs, "", &err);
	for (size_t i = 0; i < KINDS && progress_step(progress, i); i++)
		ticket_gather_part(ticket, &kinds[i]);
	return progress_step(progress, KINDS);
}

/* ---- The subcommand */

static const struct {
	const char *end;
	const struct ticket_form *form;
} ends[] = {{"html", &ticket_html},
            {"htm", &ticket_html},
            {"md", &ticket_markdown},
            {"markdown", &ticket_markdown},
            {"json", &ticket_json}};

/* Returns the form with a name. NULL: *err. */
static const struct ticket_form *ticket_form_of(const char *name, struct err *err)
{
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (strcmp(ends[i].end, name) == 0)
			return ends[i].form;
	err_set(err,
	        "A report is html, md or json, not \"%.40s\": the end of its name, or --format in the "
	        "shell, says which",
	        name);
	return NULL;
}

/* Returns the suffix of a file's name, which selects the form; by default HTML. */
static const char *ticket_suffix(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;
	return dot ? dot + 1 : "html";
}

/* False: cancelled. */
static bool ticket_add(const struct analysis *analysis, const struct ticket_form *form,
                       bool redacted, struct progress *progress, struct buf *out)
{
	struct ticket ticket = {
		.analysis = analysis,
		.redacted = redacted,
		.people = {.analysis = analysis, .form = FORM_TEXT, .limit = SIZE_MAX},
		.programs = {.analysis = analysis, .form = FORM_JSON, .limit = SIZE_MAX},
	};
	bool done = ticket_gather(&ticket, progress);
	if (done)
		form->write(&ticket, out);
	for (size_t i = 0; i < ticket.count; i++) {
		selection_fini(&ticket.part[i].selection);
		buf_free(&ticket.part[i].why);
		rows_close(ticket.part[i].rows);
	}
	report_close(ticket_overview(), &ticket.people);
	report_close(ticket_overview(), &ticket.programs);
	buf_free(&ticket.state);
	return done;
}

bool ticket_make(const struct analysis *analysis, const struct file_request *file,
                 struct progress *progress, struct buf *told, struct err *err)
{
	const struct ticket_form *form = ticket_form_of(ticket_suffix(file->path), err);
	SCOPED_BUF out = {0};
	(void)told;
	if (!form || !output_begin_new(file->path, err))
		return false;
	bool done =
		(analysis_has(analysis, STAGE_ALL)
	     || err_set(err, "A report needs results that are still being computed; try again later"))
		&& (ticket_add(analysis, form, false, progress, &out)
	        || err_set(err, "The report was cancelled"))
		&& output_finish(&out, err);
	output_drop();
	return done;
}

static enum status ticket_write(const struct analysis *analysis, const struct ticket_form *form,
                                const struct options *options)
{
	struct buf out = {0};
	struct err err = {0};
	if (!output_begin(options->file, &err))
		return complain(NULL, &err);
	ticket_add(analysis, form, options->redact, NULL, &out);
	return output_end(&out, STATUS_ANSWERED);
}

/* A report is cut where that leaves text or JSON. Returns false with *err for others. */
static bool ticket_bound(const struct ticket_form *form, const struct options *options,
                         struct err *err)
{
	struct options as = *options;
	bool printed = !options->file || strcmp(options->file, "-") == 0;
	if (!options->max_bytes && !options->skip)
		return true;
	if (!printed || form == &ticket_html || (form == &ticket_json && options->skip))
		return err_set(err, options->skip ? "--skip leaves out lines of a report in Markdown that "
		                                    "is printed"
		                                  : "--max-bytes bounds a report in Markdown or JSON that "
		                                    "is printed: --format md or json without -o");
	as.output = form == &ticket_json ? OUTPUT_JSON : OUTPUT_TEXT;
	output_bound(&as, false);
	return true;
}

enum status run_ticket(const struct options *options)
{
	struct err err = {0};
	const char *exe = options->exe ? options->exe : options->operands[1];
	const struct ticket_form *form = ticket_form_of(options->format ? options->format
	                                                : options->output == OUTPUT_JSON
	                                                    ? "json"
	                                                    : ticket_suffix(options->file),
	                                                &err);
	if (!form || !ticket_bound(form, options, &err))
		return complain(NULL, &err);
	struct analysis *analysis = open_dump(&(struct opening){
		.options = options,
		.dump = options->operands[0],
		.exe = exe,
		.stages = STAGE_ALL,
		.since = true,
		.hide_keys = options->redact,
	});
	if (!analysis)
		return STATUS_FAILED;
	analysis_sum_up(analysis);
	return close_dump(analysis, options,
	                  ticket_write(asked_with(analysis, options), form, options));
}
