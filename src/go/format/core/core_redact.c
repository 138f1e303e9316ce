#include "core_redact.h"

#include "base/bound.h"
#include "base/hash.h"
#include "base/map.h"
#include "go/exe/exe.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

enum { FILE_NOTE = 0x46494c45, PAGE = 4096 };
#define GDB_TDESC 0xff000000U

struct core_redacting {
	const struct core_runtime *rt;
	const struct core_file *file;
	const char *program; /* the name of the program's file, or NULL */
	struct map code;     /* hashes of the names of files of code */
};

/* ---- Memory */

/* Returns the mapped range that contains an address, or NULL. */
static const struct core_range *core_redact_range(const struct core_file *file, uint64_t address)
{
	size_t after =
		upper_bound(file->range, file->ranges, BOUND_BY(struct core_range, start), address);
	const struct core_range *range = after ? &file->range[after - 1] : NULL;
	return range && address - range->start < range->bytes ? range : NULL;
}

/* Returns true for an address in memory that the core file stores, or that is mapped otherwise. */
static bool core_redact_knows(const struct core_file *file, uint64_t address)
{
	const struct core_range *range = core_redact_range(file, address);
	return range && range->flags;
}

/* Returns true for such an address, or one in a mapped file: core files of gdb lack the memory of
   code. */
static bool core_redact_is_mapped(const struct core_file *file, uint64_t address)
{
	for (size_t i = 0; i < file->mappings; i++)
		if (address >= file->mapping[i].start && address < file->mapping[i].end)
			return true;
	return core_redact_knows(file, address);
}

/* Keeps constants of the program: bytes that are as in the executable, and addresses that the
   loader has put there. Variables are no constants, even if they have not changed. */
static void keep_constants(const struct core_runtime *rt, struct redaction *redaction)
{
	const struct image *image = exe_image(rt->memory.exe);
	struct core_run variables = core_module_variables(rt, rt->module);
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *part = &image->segments[i];
		for (uint64_t at = 0; at + 8 <= part->size; at += 8) {
			uint64_t address = part->address + rt->memory.bias + at, word;
			const uint8_t *here = core_file_at(&rt->memory.file, address, 8);
			if (!here || (address >= variables.start && address < variables.end))
				continue;
			memcpy(&word, here, 8);
			if ((!part->writable && memcmp(here, part->data + at, 8) == 0)
			    || image_bytes(image, word - rt->memory.bias, 1)
			    || core_redact_knows(&rt->memory.file, word))
				redaction_keep(redaction, here, 8);
		}
	}
}

/* ---- Notes */

/* Returns the name of the program's file, or NULL. */
static const char *core_redact_program(const struct core_file *file)
{
	for (size_t i = 0; i < file->mappings; i++)
		if (file->entry >= file->mapping[i].start && file->entry < file->mapping[i].end)
			return file->mapping[i].path;
	return NULL;
}

/* Adds the files of code: some of their memory may be executed, or it begins as such a file does. A
   file of data may have any name. */
static void core_redact_find_code(struct core_redacting *r)
{
	const struct core_file *file = r->file;
	for (size_t i = 0; i < file->mappings; i++) {
		const struct core_mapping *mapping = &file->mapping[i];
		const struct core_range *range = core_redact_range(file, mapping->start);
		const uint8_t *head = core_file_at(file, mapping->start, sizeof(Elf64_Ehdr));
		uint16_t type = 0;
		if (head && memcmp(head, ELFMAG, SELFMAG) == 0)
			memcpy(&type, head + offsetof(Elf64_Ehdr, e_type), sizeof type);
		if ((range && range->flags & PF_X) || type == ET_DYN || type == ET_EXEC)
			map_put(&r->code, hash_bytes(0, mapping->path, strlen(mapping->path)), 1);
	}
}

/* Returns true for a name of a file that is needed to find names: the program, or a library. */
static bool core_redact_stays(const struct core_redacting *r, const char *path)
{
	uint64_t one;
	const char *base = strrchr(path, '/'), *library = strstr(base ? base : path, ".so");
	bool is_library = library && (!library[3] || library[3] == '.');
	return !*path || (r->program && strcmp(path, r->program) == 0)
	       || (is_library && map_get(&r->code, hash_bytes(0, path, strlen(path)), &one));
}

/* Keeps the first page of programs and libraries, which has their build ids. */
static void keep_headers(const struct core_redacting *r, struct redaction *redaction)
{
	const struct core_file *file = r->file;
	for (size_t i = 0; i < file->mappings; i++) {
		const struct core_mapping *mapping = &file->mapping[i];
		const uint8_t *page = core_file_at(file, mapping->start, PAGE);
		if (page && memcmp(page, ELFMAG, SELFMAG) == 0 && core_redact_stays(r, mapping->path))
			redaction_keep(redaction, page, PAGE);
	}
}

/* Replaces the names of other files by "-". */
static void redact_names(const struct core_redacting *r, uint8_t *note, uint64_t size)
{
	enum { FIRST = 16, ROW = 24 }; /* count, page size; per name its range and its place */
	const struct core_file *file = r->file;
	SCOPED_BUF names = {0};
	uint64_t count = 0;
	memcpy(&count, note, size < 8 ? size : 8);
	uint64_t start = count <= size / ROW ? FIRST + count * ROW : size;
	for (size_t i = 0; count == file->mappings && i < file->mappings; i++) {
		const char *path = file->mapping[i].path;
		buf_add(&names, core_redact_stays(r, path) ? path : "-");
		buf_add_char(&names, '\0');
	}
	if (start < size) {
		memset(note + start, 0, size - start);
		memcpy(note + start, buf_text(&names), names.len < size - start ? names.len : size - start);
	} else {
		memset(note, 0, size);
	}
}

/* Returns true for the address of a constant: which one it is may tell a value. */
static bool core_redact_is_constant(const struct core_redacting *r, uint64_t address)
{
	const struct exe *exe = r->rt->memory.exe;
	const struct image *image = exe_image(exe);
	uint64_t at = address - r->rt->memory.bias, entry;
	const char *name;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *part = &image->segments[i];
		if (at - part->address < part->size && !part->writable)
			return !exe_function(exe, at, &name, &entry);
	}
	return redaction_is_value(r->file->redaction, address);
}

/* Zeroes the words from `at` on that are no addresses, or those of constants. */
static void redact_words(const struct core_redacting *r, uint8_t *note, uint64_t at, uint64_t end)
{
	for (; at + 8 <= end; at += 8) {
		uint64_t word;
		memcpy(&word, note + at, 8);
		if (!core_redact_is_mapped(r->file, word) || core_redact_is_constant(r, word))
			memset(note + at, 0, 8);
	}
	memset(note + at, 0, end > at ? end - at : 0);
}

/* The name in NT_PRPSINFO is that of a thread, which the program may choose. The arguments follow
   it. */
static void redact_program(const struct core_redacting *r, uint8_t *note, uint64_t size)
{
	enum { NAME = 40, ROOM = 16 };
	const char *path = r->program, *slash = path ? strrchr(path, '/') : NULL;
	if (size <= NAME)
		return;
	memset(note + NAME, 0, size - NAME);
	if (slash && size >= NAME + ROOM)
		memcpy(note + NAME, slash + 1, strnlen(slash + 1, ROOM - 1));
}

/* Zeroes what follows the end of the auxiliary vector. */
static void redact_vector(uint8_t *note, uint64_t size)
{
	uint64_t at = 0, kind = AT_IGNORE;
	for (; at + 16 <= size && kind != AT_NULL; at += 16)
		memcpy(&kind, note + at, 8);
	memset(note + at, 0, size - at);
}

static void redact_note(const struct core_redacting *r, uint64_t type, uint8_t *note, uint64_t size)
{
	enum { REGISTERS = 112, SIGNAL_WORDS = 16 };
	switch (type) {
	case NT_PRSTATUS:
		if (size > REGISTERS)
			redact_words(r, note, REGISTERS, size);
		break;
	case NT_PRPSINFO:
		redact_program(r, note, size);
		break;
	case NT_SIGINFO:
		if (size > SIGNAL_WORDS)
			redact_words(r, note, SIGNAL_WORDS, size);
		break;
	case FILE_NOTE:
		redact_names(r, note, size);
		break;
	case NT_AUXV:
		redact_vector(note, size);
		break;
	default:
		memset(note, 0, size);
	}
}

static const char own_name[8] = "goheapx";

static bool note_is_named(const uint8_t *name, uint64_t size, const char *wanted)
{
	return size == strlen(wanted) + 1 && memcmp(name, wanted, size) == 0;
}

/* Returns true for notes that only goheapx or a debugger makes, and that tell of no contents. */
static bool note_is_plain(const uint8_t *name, uint64_t size, uint64_t type)
{
	if (note_is_named(name, size, own_name))
		return type == PROCESS_NOTE || type == PROCESS_RESIDENT || type == CORE_NOTE_REDACTED;
	return type == GDB_TDESC && note_is_named(name, size, "GDB");
}

/* Zeroes the name of a note unless it is a known one. */
static void redact_owner(uint8_t *name, uint64_t size)
{
	static const char *const known[] = {"CORE", "LINUX", "GDB", own_name};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (note_is_named(name, size, known[i]))
			return;
	memset(name, 0, size);
}

/* Redacts a segment of notes, and what is between them. What is behind a damaged one goes. */
static void redact_notes(const struct core_redacting *r, uint8_t *notes, uint64_t size)
{
	uint64_t at = 0;
	while (at + sizeof(Elf64_Nhdr) <= size) {
		Elf64_Nhdr head;
		memcpy(&head, notes + at, sizeof head);
		uint64_t name = at + sizeof head, content = name + (head.n_namesz + 3ULL) / 4 * 4;
		if (content > size || head.n_descsz > size - content)
			break;
		uint64_t end = content + head.n_descsz, next = content + (head.n_descsz + 3ULL) / 4 * 4;
		if (!note_is_plain(notes + name, head.n_namesz, head.n_type))
			redact_note(r, head.n_type, notes + content, head.n_descsz);
		redact_owner(notes + name, head.n_namesz);
		memset(notes + name + head.n_namesz, 0, content - name - head.n_namesz);
		at = next < size ? next : size;
		memset(notes + end, 0, at - end);
	}
	memset(notes + at, 0, size - at);
}

/* ---- The note that says that it is redacted */

static void core_redact_align(struct buf *out, uint64_t end)
{
	while ((end + out->len) % 8)
		buf_add_char(out, '\0');
}

/* Appends a note, all program headers with one more for that note, and a section header that has
   their number if it is large; the file header then leads to these. */
static void core_redact_mark(const struct core_file *file, struct redaction *redaction)
{
	const Elf64_Nhdr note = {sizeof own_name, sizeof file->cut, CORE_NOTE_REDACTED};
	struct buf *out = &redaction->mark;
	uint64_t count = file->headers, end = redaction->size;
	Elf64_Ehdr head;
	memcpy(&head, file->data, sizeof head);
	core_redact_align(out, end);
	Elf64_Phdr more = {.p_type = PT_NOTE,
	                   .p_offset = end + out->len,
	                   .p_filesz = sizeof note + sizeof own_name + sizeof file->cut,
	                   .p_align = 4};
	buf_add_bytes(out, &note, sizeof note);
	buf_add_bytes(out, own_name, sizeof own_name);
	buf_add_bytes(out, &file->cut, sizeof file->cut);
	core_redact_align(out, end);
	uint64_t table = end + out->len;
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Phdr part;
		memcpy(&part, file->data + head.e_phoff + i * sizeof part, sizeof part);
		if (part.p_offset > file->size || part.p_filesz > file->size - part.p_offset)
			part.p_filesz = part.p_offset < file->size ? file->size - part.p_offset : 0;
		part.p_paddr = 0;
		buf_add_bytes(out, &part, sizeof part);
	}
	buf_add_bytes(out, &more, sizeof more);
	head.e_phoff = table;
	bool many = ++count >= PN_XNUM;
	const Elf64_Shdr number = {.sh_info = (uint32_t)count};
	head.e_phnum = many ? PN_XNUM : (uint16_t)count;
	head.e_shoff = many ? end + out->len : 0;
	head.e_shnum = many;
	head.e_shstrndx = 0;
	if (many)
		buf_add_bytes(out, &number, sizeof number);
	buf_add_bytes(&redaction->head, &head, sizeof head);
}

/* Keeps the headers, which --hide reads at their old place. */
static void redact_headers(const struct core_file *file, const Elf64_Ehdr *head,
                           struct redaction *redaction)
{
	redaction_keep(redaction, file->data, sizeof *head);
	if (head->e_phnum == PN_XNUM && head->e_shoff < file->size)
		redaction_keep(redaction, file->data + head->e_shoff, sizeof(Elf64_Shdr));
	uint8_t *table = redaction_change(redaction, head->e_phoff, file->headers * sizeof(Elf64_Phdr));
	for (uint64_t i = 0; i < file->headers; i++)
		memset(table + i * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_paddr), 0, 8);
}

static void edit_notes(const struct core_redacting *r, struct redaction *redaction)
{
	const struct core_file *file = r->file;
	uint64_t count = file->headers, left = file->size; /* notes overlap only in damaged files */
	Elf64_Ehdr head;
	memcpy(&head, file->data, sizeof head);
	redact_headers(file, &head, redaction);
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Phdr part;
		memcpy(&part, file->data + head.e_phoff + i * sizeof part, sizeof part);
		if (part.p_type != PT_NOTE || part.p_offset >= file->size)
			continue;
		uint64_t there = file->size - part.p_offset;
		uint64_t size = part.p_filesz < there ? part.p_filesz : there;
		if (size > left)
			break;
		left -= size;
		uint8_t *notes = redaction_change(redaction, part.p_offset, size);
		redact_notes(r, notes, size);
	}
}

void core_redact(const struct core_runtime *rt, struct redaction *redaction)
{
	const struct core_file *file = &rt->memory.file;
	redaction_add_zone(redaction, 0, redaction->size);
	keep_constants(rt, redaction);
	struct core_redacting r = {.rt = rt, .file = file, .program = core_redact_program(file)};
	core_redact_find_code(&r);
	keep_headers(&r, redaction);
	edit_notes(&r, redaction);
	map_free(&r.code);
	if (!file->redacted)
		core_redact_mark(file, redaction);
	redaction->missing = file->cut;
}
