#include "running_goroutines.h"

#include "base/mem.h"
#include "core_layout.h"
#include "format/record.h"
#include "go/exe/image.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

enum {
	GOROUTINES_MOST = 1 << 16,
	AT_ONCE = 1024,   /* reads by one system call */
	SCANNING = 0x1000 /* flag in the status (_Gscan) */
};

struct running_goroutines running_goroutines_of(const struct exe *exe)
{
	const struct image *image = exe_image(exe);
	struct running_goroutines where = {0};
	struct core_layout layout;
	Elf64_Ehdr header;
	const char *version = exe_version(exe);
	unsigned long minor = strncmp(version, "go1.", 4) == 0 ? strtoul(version + 4, NULL, 10) : 0;
	if (minor < CORE_MINOR_FIRST || minor > CORE_MINOR_CHECKED || image->pointer_size != 8
	    || image->big_endian || image->size < sizeof header)
		return where;
	memcpy(&header, image->data, sizeof header);
	core_layout_init(&layout, (unsigned)minor, header.e_machine == EM_AARCH64);
	where.entry = header.e_entry;
	where.status = layout.offset[RT_G_ATOMICSTATUS];
	if (!image_symbol_named(image, "runtime.allgptr", &where.list)
	    || !image_symbol_named(image, "runtime.allglen", &where.length))
		where.list = 0;
	return where;
}

/* Returns the address of the program's entry in the process; 0: not known. */
static uint64_t running_entry(pid_t pid)
{
	char path[64];
	uint64_t pair[2] = {0}, entry = 0;
	snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
	FILE *file = fopen(path, "re");
	while (file && !entry && fread(pair, sizeof pair, 1, file) == 1)
		if (pair[0] == AT_ENTRY)
			entry = pair[1];
	if (file)
		fclose(file);
	return entry;
}

static bool running_read(pid_t pid, uint64_t address, void *out, size_t size)
{
	struct iovec here = {out, size}, there = {(void *)(uintptr_t)address, size};
	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* Reads the status of up to AT_ONCE goroutines. */
static bool running_read_statuses(pid_t pid, const uint64_t *g, uint64_t count, uint32_t offset,
                                  uint32_t *status)
{
	struct iovec here = {status, count * sizeof *status}, there[AT_ONCE];
	for (uint64_t i = 0; i < count; i++)
		there[i] = (struct iovec){(void *)(uintptr_t)(g[i] + offset), sizeof *status};
	return process_vm_readv(pid, &here, 1, there, count, 0) == (ssize_t)here.iov_len;
}

static bool running_is_alive(uint32_t status)
{
	status &= ~(uint32_t)SCANNING;
	return status != GOROUTINE_IDLE && status != GOROUTINE_DEAD && status != GOROUTINE_DEAD_EXTRA;
}

bool running_goroutines_count(pid_t pid, const struct running_goroutines *where, uint64_t *count)
{
	uint32_t status[AT_ONCE];
	uint64_t entry = where->list ? running_entry(pid) : 0, bias = entry - where->entry;
	uint64_t length, list;
	*count = 0;
	/* In this order, as the runtime does: the list only grows, and moves before its length
	   changes. */
	if (!entry || !running_read(pid, where->length + bias, &length, sizeof length)
	    || !running_read(pid, where->list + bias, &list, sizeof list) || !length
	    || length > GOROUTINES_MOST)
		return false;
	SCOPED_FREE uint64_t *g = mem_alloc(length * sizeof *g);
	bool read = running_read(pid, list, g, length * sizeof *g);
	for (uint64_t at = 0; read && at < length; at += AT_ONCE) {
		uint64_t some = length - at < AT_ONCE ? length - at : AT_ONCE;
		read = running_read_statuses(pid, g + at, some, where->status, status);
		for (uint64_t i = 0; read && i < some; i++)
			*count += running_is_alive(status[i]);
	}
	return read;
}
