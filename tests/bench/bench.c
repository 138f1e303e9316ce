/* make bench: CPU time and memory of every stage, beside a plain sequential read of the same file
   and a naive walk over its records, in the same run. Machines differ and are noisy: the ratios are
   what to look at. */
#include "analysis/analysis.h"
#include "analysis/find.h"
#include "analysis/index.h"
#include "analysis/kept.h"
#include "base/mem.h"
#include "base/task.h"
#include "format/estimate.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/query/filter.h"
#include "table/table.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The yardstick: a fresh mapping, every word summed by one thread. CPU ns. */
static uint64_t sequential_read(const char *path)
{
	struct stat info;
	uint64_t before = now(CLOCK_THREAD_CPUTIME_ID), sum = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) != 0)
		return 0;
	size_t words = (size_t)info.st_size / sizeof(uint64_t);
	const uint64_t *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return 0;
	for (size_t i = 0; i < words; i++)
		sum += data[i];
	__asm__ volatile("" : : "r"(sum)); /* the sum is wanted */
	munmap((void *)(uintptr_t)data, (size_t)info.st_size);
	return now(CLOCK_THREAD_CPUTIME_ID) - before;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static uint64_t yardstick(const char *path)
{
	uint64_t runs[5];
	sequential_read(path); /* warms the page cache */
	for (size_t i = 0; i < 5; i++)
		runs[i] = sequential_read(path);
	qsort(runs, 5, sizeof *runs, ascending);
	return runs[2];
}

/* Anonymous memory of this process now, in bytes. */
static uint64_t anonymous(void)
{
	char line[256];
	uint64_t kilobytes = 0;
	FILE *status = fopen("/proc/self/status", "re");
	while (status && fgets(line, sizeof line, status))
		if (sscanf(line, "RssAnon: %" SCNu64, &kilobytes) == 1)
			break;
	if (status)
		fclose(status);
	return kilobytes * 1024;
}

static _Atomic uint64_t peak;
static atomic_bool finished;

static void *watch_memory(void *unused)
{
	while (!atomic_load(&finished)) {
		uint64_t used = anonymous();
		if (used > atomic_load(&peak))
			atomic_store(&peak, used);
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
	return unused;
}

/* What was measured, in the order of the table; of a stage also the anonymous memory at its end. */
enum { ROWS_MOST = 40 };
static struct bench_row {
	const char *name;
	uint64_t cpu, wall, memory;
} rows_done[ROWS_MOST];
static size_t row_count;

static void add_row(const char *name, uint64_t cpu, uint64_t wall)
{
	rows_done[row_count++] = (struct bench_row){name, cpu, wall, 0};
}

struct watch {
	uint64_t cpu, wall;
};

static struct watch watch_start(void)
{
	return (struct watch){now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC)};
}

static void watch_stop(struct watch watch, const char *name)
{
	uint64_t cpu = now(CLOCK_PROCESS_CPUTIME_ID) - watch.cpu;
	add_row(name, cpu, now(CLOCK_MONOTONIC) - watch.wall);
}

/* ---- The yardstick of parsing: every object record by itself, its numbers byte by byte, into one
   table */

struct first_object {
	uint64_t offset;
	struct progress progress;
};

static void note_object(void *self, const struct object_record *r)
{
	struct first_object *first = self;
	if (!first->offset)
		first->offset = r->offset;
	first->progress.cancel = true;
}

static void pass_record(void *self, enum record_kind kind, const void *record)
{
	(void)self, (void)kind, (void)record;
}

static void pass_ghost(void *self, const struct object_record *r)
{
	(void)self, (void)r;
}

static void pass_text(void *self, uint64_t offset, const char *text)
{
	(void)self, (void)offset, (void)text;
}

static uint64_t plain_number(const uint8_t **at, const uint8_t *end)
{
	uint64_t number = 0;
	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		uint8_t byte = *(*at)++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return number;
}

struct plain_table {
	uint64_t *address, *offset;
	uint32_t *size;
};

static void walk_plainly(const struct input *input, uint64_t offset, uint64_t objects)
{
	size_t most = objects * sizeof(uint64_t);
	struct plain_table t = {mem_column(most), mem_column(most), mem_column(most)};
	const uint8_t *at = input->data + offset, *end = input->data + input->size;
	for (uint64_t n = 0; n < objects && at < end && *at == 1; n++) {
		t.offset[n] = (uint64_t)(at++ - input->data);
		t.address[n] = plain_number(&at, end);
		uint64_t size = plain_number(&at, end);
		t.size[n] = (uint32_t)size;
		at = size < (uint64_t)(end - at) ? at + size : end;
		while (at < end && plain_number(&at, end))
			plain_number(&at, end);
	}
	mem_column_free(t.address, most);
	mem_column_free(t.offset, most);
	mem_column_free(t.size, most);
}

/* Of what is written as a row of objects. */
static void bench_walk(const struct analysis *a)
{
	struct first_object first = {0};
	const struct sink sink = {.self = &first,
	                          .record = pass_record,
	                          .object = note_object,
	                          .ghost = pass_ghost,
	                          .warning = pass_text,
	                          .notice = pass_text};
	const struct heap *heap = analysis_heap(a);
	struct reader *reader =
		heap->format->read(heap->format, heap->input, &sink, &first.progress, NULL);
	if (reader && first.offset) {
		struct watch watch = watch_start();
		walk_plainly(heap->input, first.offset, heap_object_count(heap));
		watch_stop(watch, "naive walk");
	}
	if (reader)
		heap->format->close(reader);
}

/* ---- What is asked afterwards */

static void bench_estimate(const struct analysis *a)
{
	const struct heap *heap = analysis_heap(a);
	struct estimate estimate;
	struct watch watch = watch_start();
	if (heap->format->estimate
	    && heap->format->estimate(heap->format, heap->input, ESTIMATE_FOREVER, &estimate))
		watch_stop(watch, "estimate");
}

/* For a text that is nowhere: all of it is looked at. */
static void bench_find(const struct heap *heap)
{
	static const char text[] = "no text of a program";
	struct find_hits hits;
	struct watch watch = watch_start();
	find_bytes(heap, text, sizeof text - 1, 1, NULL, &hits);
	watch_stop(watch, "deep search");
	find_hits_fini(&hits);
}

/* A table up to its topmost rows, with what nobody before has asked for. */
static void bench_table(const char *name, const char *title, const struct analysis *a)
{
	struct watch watch = watch_start();
	struct rows *rows = rows_open(table_find(name), a, NULL, NULL);
	watch_stop(watch, title);
	rows_close(rows);
}

static void bench_list(const struct analysis *a)
{
	static const struct {
		const char *column, *title;
	} sorts[] = {
		{"type", "sort by type"},
		{"size", "sort by size"},
		{"retained_bytes", "sort by retained"},
		{"address", "sort by address"},
	};
	struct rows *rows = rows_open(table_find("objects"), a, NULL, NULL);
	for (size_t i = 0; rows && i < sizeof sorts / sizeof *sorts; i++) {
		int column = table_column(rows->table, sorts[i].column);
		struct watch watch = watch_start();
		free(rows_sorted(rows, column, true, NULL));
		watch_stop(watch, sorts[i].title);
	}
	struct row_search search = {0};
	struct watch watch = watch_start();
	row_search_begin(&search, "no text of a program");
	for (size_t i = 0; rows && i < rows->count; i++)
		row_search_matches(&search, rows, i);
	watch_stop(watch, "search the list");
	row_search_fini(&search);
	rows_close(rows);
}

/* What `goheapx index` adds to the first screen, and what the next opening takes with that index.
 */
static void bench_index(struct analysis *a, struct err *err)
{
	struct watch watch = watch_start();
	analysis_make_kept(a);
	analysis_keep(a);
	watch_stop(watch, "index");
	watch = watch_start();
	struct analysis *again = analysis_again(a, "");
	if (analysis_run(again, STAGE_ALL, err)) {
		rows_close(rows_open(table_find("findings"), again, NULL, NULL));
		watch_stop(watch, "first screen, with the index");
	}
	analysis_free(again);
}

/* ---- */

struct totals {
	uint64_t bytes, objects, references, seq, base;
};

static void print_memory(const char *name, uint64_t bytes, double objects)
{
	printf("%-28s %9.1f MB %8.2f bytes/object\n", name, (double)bytes / 1048576,
	       (double)bytes / objects);
}

static void print_text(const struct totals *t)
{
	double objects = (double)t->objects;
	printf("%" PRIu64 " bytes, %" PRIu64 " objects, %" PRIu64 " references\n", t->bytes, t->objects,
	       t->references);
	for (size_t i = 0; i < row_count; i++)
		printf("%-28s %9.1f ms CPU %9.1f ms wall %8.1f ns/object %8.2f x sequential read\n",
		       rows_done[i].name, (double)rows_done[i].cpu / 1e6, (double)rows_done[i].wall / 1e6,
		       (double)rows_done[i].cpu / objects,
		       t->seq ? (double)rows_done[i].cpu / (double)t->seq : 0.0);
	for (size_t i = 0; i < row_count; i++)
		if (rows_done[i].memory)
			print_memory(rows_done[i].name, rows_done[i].memory - t->base, objects);
	print_memory("peak, anonymous", atomic_load(&peak) - t->base, objects);
}

static void print_json(const struct totals *t)
{
	printf("{\"bytes\":%" PRIu64 ",\"objects\":%" PRIu64 ",\"references\":%" PRIu64 ",\"cpu_ns\":{",
	       t->bytes, t->objects, t->references);
	for (size_t i = 0; i < row_count; i++)
		printf("%s\"%s\":%" PRIu64, i ? "," : "", rows_done[i].name, rows_done[i].cpu);
	printf("},\"memory_bytes\":{");
	for (size_t i = 0; i < row_count; i++)
		if (rows_done[i].memory)
			printf("\"%s\":%" PRIu64 ",", rows_done[i].name, rows_done[i].memory - t->base);
	printf("\"peak, anonymous\":%" PRIu64 "}}\n", atomic_load(&peak) - t->base);
}

/* All stages, one after the other. */
static bool bench_stages(struct analysis *a, struct err *err)
{
	struct watch whole = watch_start();
	analysis_expect(a, STAGE_ALL);
	uint64_t retained_cpu = 0, retained_wall = 0;
	for (int s = 0; s < STAGE_COUNT; s++) {
		enum stage stage = (enum stage)(1U << s);
		struct watch watch = watch_start();
		if (!analysis_run(a, stage, err))
			return false;
		uint64_t cpu = analysis_cpu(a, stage), before = task_cpu();
		if (stage == STAGE_REVERSED) /* as for the explorer */
			heap_reverse(analysis_heap(a), NULL);
		cpu += task_cpu() - before;
		uint64_t wall = now(CLOCK_MONOTONIC) - watch.wall;
		add_row(stage_name(stage), cpu, wall);
		rows_done[row_count - 1].memory = anonymous();
		bool retained = stages_with(STAGE_RETAINED) & stage;
		retained_cpu += retained ? cpu : 0;
		retained_wall += retained ? wall : 0;
	}
	add_row("retained sizes", retained_cpu, retained_wall); /* of those stages that they take */
	struct watch sums = watch_start();
	analysis_sum_up(a);
	watch_stop(sums, "sums of owners");
	watch_stop(whole, "all");
	return true;
}

int main(int argc, char **argv)
{
	struct err err = {0};
	mem_begin();
	struct totals totals = {.base = anonymous()};
	pthread_t watcher;
	bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
	char **names = argv + 1 + json;
	if (!names[0] || (names[1] && names[2])) {
		fprintf(stderr, "usage: bench [--json] DUMP [EXE] (not compressed)\n");
		return 2;
	}
	totals.seq = yardstick(names[0]);
	add_row("sequential read", totals.seq, totals.seq);
	char folder[] = "/tmp/goheapx-bench-XXXXXX", index[sizeof folder + sizeof "/index"];
	if (!mkdtemp(folder)) {
		perror("bench: /tmp");
		return 2;
	}
	snprintf(index, sizeof index, "%s/index", folder);
	struct analysis *a = analysis_new(
		names[0],
		&(struct analysis_options){.exe = names[1], .index = INDEX_FILE, .index_file = index});
	pthread_create(&watcher, NULL, watch_memory, NULL);
	bool done = bench_stages(a, &err);
	atomic_store(&finished, true);
	pthread_join(watcher, NULL);
	if (!done) {
		fprintf(stderr, "bench: %s\n", err.text);
		return 2;
	}
	totals.objects = heap_object_count(analysis_heap(a)) ? heap_object_count(analysis_heap(a)) : 1;
	totals.references = analysis_heap(a)->edge_count;
	totals.bytes = analysis_input(a)->size;
	bench_walk(a);
	bench_estimate(a);
	bench_find(analysis_heap(a));
	bench_table("findings", "first screen", a);
	bench_table("types", "table of types", a);
	bench_table("owners", "table of owners", a);
	bench_table("where", "table of where", a);
	bench_list(a);
	bench_index(a, &err);
	unlink(index);
	rmdir(folder);
	(json ? print_json : print_text)(&totals);
	analysis_free(a);
	return 0;
}
