#include "copy.h"

#include "page_runs.h"
#include "pieces.h"
#include "staging.h"

#include "base/buf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	FILE_NOTE = 0x46494c45,
	/* struct elf_prstatus: offsets of the thread id and the registers, and the int after them */
	STATUS_ID = 32,
	STATUS_REGISTERS = 112,
	STATUS_AFTER = 8,
};

struct copying {
	pid_t pid;
	struct regions regions;
	struct page_runs runs;     /* of the process that is copied, */
	struct page_runs resident; /* and what its core file says; the same unless that is a fork */
	bool knows_pages;
	const struct buf *threads; /* notes of the threads */
	struct process_copy *copy;
};

static void add_named_note(struct buf *out, const char *name, uint32_t type, const void *bytes,
                           size_t size)
{
	char padded[8] = {0};
	static const char zeros[4];
	size_t len = strlen(name) + 1;
	const Elf64_Nhdr header = {(uint32_t)len, (uint32_t)size, type};
	memcpy(padded, name, len < sizeof padded ? len : sizeof padded);
	buf_add_bytes(out, &header, sizeof header);
	buf_add_bytes(out, padded, sizeof padded);
	buf_add_bytes(out, bytes, size);
	buf_add_bytes(out, zeros, (4 - size % 4) % 4);
}

static void add_note(struct buf *out, uint32_t type, const void *bytes, size_t size)
{
	add_named_note(out, "CORE", type, bytes, size);
}

void copy_add_threads(const struct stopped *stopped, struct buf *out)
{
	for (size_t i = 0; i < stopped->count; i++) {
		const struct stopped_thread *thread = &stopped->thread[i];
		uint8_t status[STATUS_REGISTERS + sizeof thread->registers + STATUS_AFTER] = {0};
		size_t registers = thread->register_count * sizeof *thread->registers;
		uint32_t id = (uint32_t)thread->id;
		memcpy(status + STATUS_ID, &id, sizeof id);
		memcpy(status + STATUS_REGISTERS, thread->registers, registers);
		add_note(out, NT_PRSTATUS, status, STATUS_REGISTERS + registers + STATUS_AFTER);
	}
}

static void add_auxv(const struct copying *c, struct buf *out)
{
	char path[64];
	uint8_t auxv[4096];
	snprintf(path, sizeof path, "/proc/%d/auxv", (int)c->pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, auxv, sizeof auxv) : -1;
	if (fd >= 0)
		close(fd);
	if (got > 0)
		add_note(out, NT_AUXV, auxv, (size_t)got);
}

static void add_number_of(struct buf *out, uint64_t number)
{
	buf_add_bytes(out, &number, sizeof number);
}

static void add_files(const struct copying *c, struct buf *out)
{
	SCOPED_BUF list = {0}, names = {0};
	uint64_t count = 0;
	for (size_t i = 0; i < c->regions.count; i++) {
		const struct region *region = &c->regions.region[i];
		if (!region->path || *region->path != '/')
			continue;
		count++;
		add_number_of(&list, region->start);
		add_number_of(&list, region->end);
		add_number_of(&list, region->file_offset / REGION_PAGE);
		buf_add_bytes(&names, region->path, strlen(region->path) + 1);
	}
	SCOPED_BUF note = {0};
	add_number_of(&note, count);
	add_number_of(&note, REGION_PAGE);
	buf_add_bytes(&note, list.data, list.len);
	buf_add_bytes(&note, names.data, names.len);
	add_note(out, FILE_NOTE, note.data, note.len);
}

static void add_resident(const struct copying *c, struct buf *out)
{
	SCOPED_BUF note = {0};
	const struct page_runs *runs = c->resident.count ? &c->resident : &c->runs;
	for (size_t i = 0; i < runs->count; i++) {
		if (!runs->run[i].resident)
			continue;
		add_number_of(&note, runs->run[i].start);
		add_number_of(&note, runs->run[i].end);
	}
	if (c->knows_pages && note.len < INT32_MAX)
		add_named_note(out, "goheapx", PROCESS_RESIDENT, note.data, note.len);
}

static void add_segment_header(struct buf *out, uint32_t type, uint32_t flags, uint64_t offset,
                               uint64_t address, uint64_t size, uint64_t memory)
{
	const Elf64_Phdr header = {.p_type = type,
	                           .p_flags = flags,
	                           .p_offset = offset,
	                           .p_vaddr = address,
	                           .p_filesz = size,
	                           .p_memsz = memory,
	                           .p_align = type == PT_NOTE ? 4 : REGION_PAGE};
	buf_add_bytes(out, &header, sizeof header);
}

static void add_file_header(struct buf *out, size_t segments)
{
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_CORE,
#ifdef __aarch64__
		.e_machine = EM_AARCH64,
#else
		.e_machine = EM_X86_64,
#endif
		.e_version = EV_CURRENT,
		.e_phoff = sizeof header,
		.e_ehsize = sizeof header,
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = segments < PN_XNUM ? (uint16_t)segments : PN_XNUM,
	};
	/* If the count does not fit into 16 bits, a section header after the file header holds it. */
	Elf64_Shdr more = {.sh_info = (uint32_t)segments};
	bool many = segments >= PN_XNUM;
	if (many) {
		header.e_shoff = sizeof header;
		header.e_phoff += sizeof more;
		header.e_shentsize = sizeof more;
		header.e_shnum = 1;
	}
	buf_add_bytes(out, &header, sizeof header);
	if (many)
		buf_add_bytes(out, &more, sizeof more);
}

/* Assigns file offsets to all regions, including those without content, so that the core file
   describes the whole address space. Appends everything that precedes the contents to `head`. */
static void lay_out_file(struct copying *c, struct buf *head)
{
	const struct process_note own = {0}; /* filled in at the end by copy_write */
	SCOPED_BUF notes = {0};
	size_t segments = 1 + c->regions.count; /* one segment holds the notes */
	buf_add_bytes(&notes, c->threads->data, c->threads->len);
	add_auxv(c, &notes);
	add_files(c, &notes);
	add_resident(c, &notes);
	add_named_note(&notes, "goheapx", PROCESS_NOTE, &own, sizeof own);
	add_file_header(head, segments);
	uint64_t offset = head->len + segments * sizeof(Elf64_Phdr);
	c->copy->note = offset + notes.len - sizeof own;
	add_segment_header(head, PT_NOTE, 0, offset, 0, notes.len, 0);
	offset = (offset + notes.len + REGION_PAGE - 1) / REGION_PAGE * REGION_PAGE;
	for (size_t i = 0; i < c->regions.count; i++) {
		struct region *region = &c->regions.region[i];
		region->offset = offset;
		offset += region->size;
		add_segment_header(head, PT_LOAD,
		                   (region->readable ? PF_R : 0u) | (region->writable ? PF_W : 0u)
		                       | (region->executable ? PF_X : 0u),
		                   region->offset, region->start, region->size,
		                   region->end - region->start);
	}
	c->copy->length = offset;
	buf_add_bytes(head, notes.data, notes.len);
}

/* Adds what the process has changed in a region, and of an image also the rest. */
static void add_region_pieces(const struct copying *c, const struct region *region, size_t *next,
                              struct pieces *pieces, struct unchanged *unchanged)
{
	const struct page_run *run;
	uint64_t at = region->start, end = region->start + region->size;
	while ((run = page_runs_next(&c->runs, region, next)) && run->start < end) {
		if (run->of_file)
			continue;
		if (region->image && at < run->start)
			unchanged_add(unchanged, region, at, run->start - at,
			              region->offset + (at - region->start));
		at = run->end < end ? run->end : end;
		pieces_add(pieces, run->start, at - run->start,
		           region->offset + (run->start - region->start));
	}
	if (region->image && at < end)
		unchanged_add(unchanged, region, at, end - at, region->offset + (at - region->start));
}

static void add_all_pieces(const struct copying *c, struct pieces *pieces,
                           struct unchanged *unchanged)
{
	size_t next = 0;
	for (size_t i = 0; i < c->regions.count; i++) {
		const struct region *region = &c->regions.region[i];
		if (region->size && !c->knows_pages)
			pieces_add(pieces, region->start, region->size, region->offset);
		else if (region->size)
			add_region_pieces(c, region, &next, pieces, unchanged);
	}
}

static bool put_head(const struct buf *head, struct staging *staging, struct err *err)
{
	size_t pages = (head->len + REGION_PAGE - 1) / REGION_PAGE;
	uint8_t *room = staging_take(staging, pages * REGION_PAGE); /* so that pages stay aligned */
	if (room)
		memcpy(room, head->data, head->len);
	return staging_put(staging, room ? room : (const void *)head->data, head->len, 0, err);
}

static bool copy_regions(struct copying *c, struct staging *staging, struct unchanged *unchanged,
                         struct progress *progress, struct err *err)
{
	SCOPED_BUF head = {0};
	struct pieces pieces = {
		.pid = c->pid, .staging = staging, .copy = c->copy, .progress = progress, .err = err};
	lay_out_file(c, &head);
	add_all_pieces(c, &pieces, unchanged);
	progress_begin(progress, "copying the memory of the process", pieces.bytes);
	staging_grow(staging, pieces.bytes + head.len);
	bool done = put_head(&head, staging, err) && pieces_copy(&pieces);
	pieces_free(&pieces);
	return done;
}

/* Finds out which pages are copied, and which were resident: of a fork, which has no pages of files
   in its page tables, its parent tells. */
static void find_pages(struct copying *c)
{
	int pagemap = pagemap_open(c->pid);
	c->knows_pages = page_runs_read(&c->runs, &c->regions, pagemap, pagemap);
	if (c->pid != c->copy->pid && c->knows_pages) {
		int files = pagemap_open(c->copy->pid);
		page_runs_read(&c->resident, &c->regions, pagemap, files);
		if (files >= 0)
			close(files);
	}
	if (pagemap >= 0)
		close(pagemap);
	page_runs_choose(&c->regions, c->knows_pages ? &c->runs : NULL);
}

bool copy_memory(pid_t pid, const struct buf *threads, struct staging *staging,
                 struct unchanged *unchanged, struct process_copy *copy, struct progress *progress,
                 struct err *err)
{
	struct copying c = {.pid = pid, .threads = threads, .copy = copy};
	bool done = regions_read(&c.regions, pid, err);
	if (done) {
		find_pages(&c);
		done = copy_regions(&c, staging, unchanged, progress, err);
	}
	page_runs_free(&c.runs);
	page_runs_free(&c.resident);
	regions_free(&c.regions);
	return done;
}

bool copy_write(struct staging *staging, const struct process_copy *copy, struct progress *progress,
                struct err *err)
{
	const struct process_note own = {(uint64_t)copy->pid, (uint64_t)time(NULL), copy->pause,
	                                 copy->bytes, copy->forked};
	return staging_write(staging, progress, err)
	       && (ftruncate(staging->fd, (off_t)copy->length) == 0
	           || err_set(err, "The memory of the process cannot be written: %s", strerror(errno)))
	       && staging_put(staging, &own, sizeof own, copy->note, err);
}
