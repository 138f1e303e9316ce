/* A core file, with the executable that wrote it. Bytes that begin as ELF are the file. Others are
   changes to a real one, of which a small part of the heap is left: the first byte says which part
   of it, then come a place in that part (4 bytes), how many bytes to change there, and up to 5
   bytes that are repeated to be those. */
#include "fuzz.h"

#include "base/mem.h"
#include "go/format/core/core_runtime.h"
#include "heap/heap.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REAL "testdata/core/go1.26-park-stripped-quiet"

enum { EDIT = 10, VALUE = 5, SPANS = 40, THREADS = 12, PAGE = 4096, CUT = 1 << 20 };

struct part {
	size_t start, size;
};
static struct {
	char exe[64];
	uint8_t *data;
	size_t size;
	struct part part[5];
} real;

/* Where an executable of its content is opened: it is not on any disk. */
static void unpack_exe(void)
{
	struct input exe;
	struct err err = {0};
	int fd = memfd_create("exe", MFD_CLOEXEC);
	fuzz_check(input_open(&exe, REAL ".exe.xz", NULL, NULL, &err));
	fuzz_check(fd >= 0 && write(fd, exe.data, exe.size) == (ssize_t)exe.size);
	input_close(&exe);
	snprintf(real.exe, sizeof real.exe, "/proc/self/fd/%d", fd);
}

/* Pages that are all zero are not kept, and as few spans and goroutines as make a heap. */
static void add_segment(struct buf *headers, struct buf *content,
                        const struct core_segment *segment, const uint8_t *data)
{
	static const uint8_t zero[PAGE];
	Elf64_Phdr header = {.p_type = PT_LOAD};
	for (uint64_t at = 0; at < segment->size; at += PAGE) {
		uint64_t size = segment->size - at < PAGE ? segment->size - at : PAGE;
		const uint8_t *page = data + segment->offset + at;
		if (memcmp(page, zero, size) == 0)
			continue;
		if (header.p_vaddr + header.p_filesz != segment->address + at) {
			if (header.p_filesz)
				buf_add_bytes(headers, (const char *)&header, sizeof header);
			header.p_vaddr = segment->address + at;
			header.p_offset = content->len;
			header.p_filesz = 0;
		}
		header.p_filesz += size;
		buf_add_bytes(content, (const char *)page, size);
	}
	if (header.p_filesz)
		buf_add_bytes(headers, (const char *)&header, sizeof header);
}

/* Puts a number into the memory of the process. */
static void put_word(const struct core_runtime *rt, uint8_t *data, uint64_t address, uint64_t word)
{
	memcpy(data + memory_offset(&rt->memory, address), &word, sizeof word);
}

/* The file again: its header, program headers, notes, and what of its memory is not zero. */
static void compact(const struct core_file *file, const uint8_t *data)
{
	struct buf headers = {0}, content = {0};
	Elf64_Ehdr header;
	memcpy(&header, data, sizeof header);
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr note;
		memcpy(&note, data + header.e_phoff + i * sizeof note, sizeof note);
		if (note.p_type != PT_NOTE)
			continue;
		buf_add_bytes(&content, (const char *)data + note.p_offset, note.p_filesz);
		note.p_offset = 0;
		buf_add_bytes(&headers, (const char *)&note, sizeof note);
	}
	real.part[1].start = content.len;
	for (size_t i = 0; i < file->segments; i++)
		add_segment(&headers, &content, &file->segment[i], data);
	size_t front = sizeof header + headers.len;
	header.e_phoff = sizeof header;
	header.e_phnum = (Elf64_Half)(headers.len / sizeof(Elf64_Phdr));
	for (size_t at = 0; at < headers.len; at += sizeof(Elf64_Phdr)) {
		Elf64_Phdr *one = (Elf64_Phdr *)(void *)(headers.data + at);
		one->p_offset += front;
	}
	real.size = front + content.len;
	real.data = mem_alloc(real.size);
	memcpy(real.data, &header, sizeof header);
	memcpy(real.data + sizeof header, headers.data, headers.len);
	memcpy(real.data + front, content.data, content.len);
	real.part[0] = (struct part){0, front + real.part[1].start};
	buf_free(&headers);
	buf_free(&content);
}

static struct part part_around(const struct core_file *file, uint64_t address)
{
	const struct core_segment *segment = core_file_segment(file, address);
	fuzz_check(segment);
	uint64_t into = address - segment->address, left = segment->size - into;
	return (struct part){segment->offset + into, left < CUT ? left : CUT};
}

static void find_parts(void)
{
	struct core_runtime rt;
	struct core_file file;
	struct err err = {0};
	fuzz_check(core_file_init(&file, real.data, real.size, &err)
	           && core_runtime_init(&rt, &file, &(struct input){.path = "fuzz"}, real.exe, &err));
	uint64_t spans = memory_word(&rt.memory, rt_place(&rt, rt.mheap, RT_MHEAP_ALLSPANS));
	uint64_t span = memory_word(&rt.memory, spans);
	uint64_t thread = memory_word(&rt.memory, memory_word(&rt.memory, rt.allgs));
	real.part[1] = part_around(&rt.memory.file, rt_field(&rt, rt.module, RT_MODULEDATA_DATA));
	real.part[2] = part_around(&rt.memory.file, span);
	real.part[3] = part_around(&rt.memory.file, thread);
	real.part[4] = (struct part){0, real.size};
	core_runtime_fini(&rt);
}

static void use(uint8_t *data, size_t size, bool is_whole)
{
	struct err err = {0};
	struct input input = {
		.path = "fuzz", .data = data, .size = size, .fd = -1, .executable = real.exe};
	struct heap *heap = heap_read(&input, NULL, &err);
	fuzz_check(heap || err.set);
	fuzz_check(!is_whole || (heap && heap_object_count(heap) > 100 && heap->thread_count > 5));
	if (heap)
		fuzz_heap(heap);
	else
		fuzz_check_visible(err.text);
	heap_free(heap);
}

static void load(void)
{
	struct input input;
	struct core_runtime rt;
	struct core_file file;
	struct err err = {0};
	unpack_exe();
	fuzz_check(input_open(&input, REAL ".core.xz", NULL, NULL, &err));
	uint8_t *data = memcpy(mem_column(input.size), input.data, input.size);
	size_t size = input.size;
	input_close(&input);
	fuzz_check(core_file_init(&file, data, size, &err)
	           && core_runtime_init(&rt, &file, &(struct input){.path = "fuzz"}, real.exe, &err));
	put_word(&rt, data, rt_place(&rt, rt.mheap, RT_MHEAP_ALLSPANS) + 8, SPANS);
	put_word(&rt, data, rt.allgs + 8, THREADS);
	compact(&rt.memory.file, data);
	core_runtime_fini(&rt);
	mem_column_free(data, size);
	find_parts();
	use(real.data, real.size, true);
}

static uint8_t *changed(const uint8_t *edits, size_t size)
{
	uint8_t *copy = memcpy(mem_alloc(real.size), real.data, real.size);
	struct part part = real.part[edits[0] % (sizeof real.part / sizeof *real.part)];
	for (size_t at = 1; at + EDIT <= size; at += EDIT) {
		uint32_t place;
		memcpy(&place, edits + at, sizeof place);
		for (uint32_t i = 0; i < edits[at + 4] % 9U; i++)
			copy[part.start + (place + i) % part.size] = edits[at + 5 + i % VALUE];
	}
	return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (!real.data)
		load();
	bool whole = data[0] == 0x7f;
	uint8_t *file = whole ? memcpy(mem_alloc(size), data, size) : changed(data, size);
	use(file, whole ? size : real.size, false);
	free(file);
	return 0;
}
