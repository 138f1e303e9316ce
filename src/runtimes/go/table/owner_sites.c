/* The table of allocation sites by owner: what each owner holds, and the calls that allocated it.
 */
#include "table/naming/alloc_site.h"
#include "table/owners/object_owner.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <stdlib.h>
#include <string.h>

/* The samples of one owner and one site. */
struct owner_site {
	char *owner; /* NULL: none, the objects are unreachable */
	char *function, *line;
	uint64_t samples, count, bytes;
};
struct owner_sites {
	struct owner_site *site;
	size_t capacity;
	uint64_t bytes; /* of all */
};

static char *owner_site_text(struct buf *text)
{
	char *copy = text->len ? mem_strdup(buf_text(text)) : NULL;
	buf_free(text);
	return copy;
}

static char *owner_site_cell(const struct heap *heap, uint32_t profile,
                             void (*cell)(struct value *, const struct heap *, uint32_t))
{
	struct buf text = {0};
	cell(&(struct value){.text = &text}, heap, profile);
	return owner_site_text(&text);
}

static struct owner_site owner_site_new(const struct analysis *analysis, uint32_t set,
                                        uint32_t profile)
{
	struct buf owner = {0};
	if (set != UINT32_MAX)
		object_owner_add(analysis, set, &owner);
	return (struct owner_site){
		.owner = owner_site_text(&owner),
		.function = owner_site_cell(analysis_heap(analysis), profile, cell_site_function),
		.line = owner_site_cell(analysis_heap(analysis), profile, cell_site_line),
	};
}

static void owner_site_free(struct owner_site *site)
{
	free(site->owner);
	free(site->function);
	free(site->line);
}

static int owner_site_compare(const char *a, const char *b)
{
	return !a || !b ? (a == NULL) - (b == NULL) : strcmp(a, b);
}

static int owner_site_order(const void *a, const void *b)
{
	const struct owner_site *x = a, *y = b;
	int order = owner_site_compare(x->owner, y->owner);
	order = order ? order : owner_site_compare(x->function, y->function);
	return order ? order : owner_site_compare(x->line, y->line);
}

/* Makes one row of those with equal texts: a site has a profile for each stack and size. */
static void owner_sites_merge(struct rows *rows)
{
	struct owner_sites *self = rows->data;
	size_t kept = 0;
	if (rows->count)
		qsort(self->site, rows->count, sizeof *self->site, owner_site_order);
	for (size_t i = 0; i < rows->count; i++) {
		struct owner_site *from = &self->site[i], *to = &self->site[kept ? kept - 1 : 0];
		if (!kept || owner_site_order(to, from) != 0) {
			self->site[kept++] = *from;
			continue;
		}
		to->samples += from->samples;
		to->count += from->count;
		to->bytes += from->bytes;
		owner_site_free(from);
	}
	rows->count = kept;
}

static void owner_sites_add(struct rows *rows, struct map *known, uint32_t set,
                            const struct sample *sample)
{
	struct owner_sites *self = rows->data;
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	struct profile_amount amount = profiles_of_sample(profiles, sample);
	uint64_t at = rows->count;
	if (map_add(known, (uint64_t)set << 32 | sample->profile, &at))
		MEM_PUSH(self->site, rows->count, self->capacity,
		         owner_site_new(rows->analysis, set, sample->profile));
	self->site[at].samples++;
	self->site[at].count += amount.count;
	self->site[at].bytes += amount.bytes;
	self->bytes += amount.bytes;
}

static bool owner_sites_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	const uint32_t *sets = object_owner_sets(rows->analysis, rows->progress);
	struct map known = {0};
	rows->data = mem_alloc(sizeof(struct owner_sites));
	if (!sets && analysis_has_roots(rows->analysis))
		return err_set(err, "Finding the owners of objects was cancelled");
	for (uint32_t i = 0; i < profiles->sample_count; i++) {
		const struct sample *sample = &profiles->sample[i];
		if (sample->object != OBJECT_NONE)
			owner_sites_add(rows, &known, sets ? sets[sample->object] : UINT32_MAX, sample);
	}
	map_free(&known);
	owner_sites_merge(rows);
	buf_add(&rows->title, "allocation sites by owner, estimated: ");
	profile_rate_add(profiles, &rows->title);
	return true;
}

static void owner_sites_close(struct rows *rows)
{
	struct owner_sites *self = rows->data;
	for (size_t i = 0; i < rows->count; i++)
		owner_site_free(&self->site[i]);
	free(self->site);
}

static void owner_sites_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner_sites *self = rows->data;
	cell_share(value, self->site[row].bytes, self->bytes);
}

static const struct column columns[] = {
	{"owner", "owner",
     "The owner of the objects, as in the table owners; empty if they are unreachable", VALUE_TEXT,
     24, 0, FIELD(struct owner_site, owner)},
	{"function", "allocated in",
     "The innermost function of the stack that is not of package runtime", VALUE_TEXT, 0, 0,
     FIELD(struct owner_site, function)},
	{"line", "line", "File and line of that call", VALUE_TEXT, 24, 3,
     FIELD(struct owner_site, line)},
	{"samples", "samples", "Number of sampled objects", VALUE_COUNT, 8, 2,
     FIELD(struct owner_site, samples)},
	{"estimated_count", "est. objects",
     "Estimate of all objects that these stand for, scaled as pprof does", VALUE_COUNT, 12, 1,
     FIELD(struct owner_site, count)},
	{"estimated_bytes", "est. bytes", "Estimate of their bytes", VALUE_BYTES, 10, 0,
     FIELD(struct owner_site, bytes)},
	{"share", "share", "Share of the estimated bytes", VALUE_SHARE, 7, 1,
     .cell = owner_sites_share_cell},
};

/* A row opens its samples. */
static void owner_sites_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct owner_site *site = rows_record(rows, row);
	const struct {
		const char *name, *text;
	} parts[] = {{"owner", site->owner}, {"function", site->function}, {"line", site->line}};
	buf_add(command, "samples; filter ");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		buf_addf(command, "%s%s = ", i ? " and " : "", parts[i].name);
		if (parts[i].text)
			text_add_quoted(command, "", parts[i].text);
		else
			buf_add(command, "none");
	}
}

DEFINE_PLUGIN(tables, struct table, table_owner_sites) = {
	.rank = 425,
	.name = "owner-sites",
	.from = DAMAGE_SAMPLES,
	.help = "Who allocated what an owner holds: the sampled objects by owner and allocation site, "
			"with an estimate of all objects that they stand for, as go tool pprof makes it",
	.needs = STAGE_OWNED | STAGE_TYPED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = owner_sites_open,
	.none = "The dump has no samples of allocations; the profiler samples one in 512 KiB.",
	RECORDS(struct owner_sites, site),
	.link = owner_sites_link,
	.close = owner_sites_close,
	.sort = "estimated_bytes",
};
