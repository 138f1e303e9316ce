/* make bench DUMP=file: CPU time and memory of every stage, beside a plain sequential read of the
   same file in the same run. Machines differ and are noisy: the ratios are what to look at. */
#include "analysis/analysis.h"
#include "analysis/find.h"
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

static void print_stage(const char *name, uint64_t cpu, uint64_t wall, uint64_t objects,
                        uint64_t seq)
{
	printf("%-16s %9.1f ms CPU %9.1f ms wall %8.1f ns/object %8.2f x sequential read\n", name,
	       (double)cpu / 1e6, (double)wall / 1e6, (double)cpu / (double)objects,
	       seq ? (double)cpu / (double)seq : 0.0);
}

/* For a text that is nowhere: all of it is looked at. */
static void print_search(const struct heap *heap, uint64_t objects, uint64_t seq)
{
	static const char text[] = "no text of a program";
	struct find_hits hits;
	uint64_t cpu = now(CLOCK_THREAD_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
	find_bytes(heap, text, sizeof text - 1, 1, NULL, &hits);
	cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
	print_stage("deep search", cpu, now(CLOCK_MONOTONIC) - wall, objects, seq);
	find_hits_fini(&hits);
}

/* A table up to its topmost rows, with what nobody before has asked for. */
static void print_table(const char *name, const struct analysis *a, uint64_t objects, uint64_t seq)
{
	uint64_t cpu = now(CLOCK_THREAD_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
	struct rows *rows = rows_open(table_find(name), a, NULL, NULL);
	cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
	print_stage(name, cpu, now(CLOCK_MONOTONIC) - wall, objects, seq);
	rows_close(rows);
}

static void print_memory(const struct analysis *a, uint64_t objects, uint64_t base)
{
	struct heap_memory m = heap_memory(analysis_heap(a));
	const struct {
		const char *name;
		uint64_t bytes;
	} parts[] = {
		{"object table", m.objects},
		{"references", m.edges},
		{"referrers", m.referrers},
		{"roots", m.roots},
		{"records", m.records},
		{"reachability", reach_memory(analysis_reach(a))},
		{"dominators", dominators_memory(analysis_dominators(a, RETAIN_ALIVE))},
		{"owners", dominators_memory(analysis_dominators(a, RETAIN_STRONGEST))},
		{"peak, anonymous", atomic_load(&peak) - base},
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		printf("%-16s %9.1f MB %8.2f bytes/object\n", parts[i].name,
		       (double)parts[i].bytes / 1048576, (double)parts[i].bytes / (double)objects);
}

int main(int argc, char **argv)
{
	struct err err = {0};
	pthread_t watcher;
	uint64_t total_cpu = 0, start[STAGE_COUNT + 1], base = anonymous();
	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: bench DUMP [EXE] (not compressed)\n");
		return 2;
	}
	uint64_t seq = yardstick(argv[1]);
	struct analysis *a = analysis_new(argv[1]);
	analysis_use_executable(a, argv[2]);
	pthread_create(&watcher, NULL, watch_memory, NULL);
	start[0] = now(CLOCK_MONOTONIC);
	for (int s = 0; s < STAGE_COUNT; s++) {
		if (!analysis_run(a, 1U << s, &err)) {
			fprintf(stderr, "bench: %s\n", err.text);
			return 2;
		}
		start[s + 1] = now(CLOCK_MONOTONIC);
	}
	atomic_store(&finished, true);
	pthread_join(watcher, NULL);
	uint64_t objects = heap_object_count(analysis_heap(a)) ? heap_object_count(analysis_heap(a))
	                                                       : 1;
	printf("%s: %zu bytes, %" PRIu64 " objects, %" PRIu64 " references\n", argv[1],
	       analysis_input(a)->size, objects, analysis_heap(a)->edge_count);
	print_stage("sequential read", seq, seq, objects, seq);
	for (int s = 0; s < STAGE_COUNT; s++) {
		enum stage stage = (enum stage)(1U << s);
		print_stage(stage_name(stage), analysis_cpu(a, stage), start[s + 1] - start[s], objects,
		            seq);
		total_cpu += analysis_cpu(a, stage);
	}
	print_stage("all", total_cpu, start[STAGE_COUNT] - start[0], objects, seq);
	print_search(analysis_heap(a), objects, seq);
	print_table("types", a, objects, seq);
	print_table("owners", a, objects, seq);
	print_table("where", a, objects, seq);
	print_memory(a, objects, base);
	analysis_free(a);
	return 0;
}
