#include "go/format/core/running.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/process.h"
#include "core_layout.h"
#include "go/exe/exe.h"
#include "go/exe/image.h"
#include "running_files.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __aarch64__
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_X86_64 };
#endif

/* Sets *err to "Process 12 (sleep) ..."; returns false. */
static bool running_refuse(pid_t pid, const char *why, struct err *err)
{
	SCOPED_BUF text = {0};
	buf_addf(&text, "Process %d (", (int)pid);
	process_add_name(pid, &text);
	buf_addf(&text, ") %s", why);
	return err_set(err, "%s", buf_text(&text));
}

static bool running_read_header(pid_t pid, Elf64_Ehdr *header, struct err *err)
{
	int fd = process_executable_open(pid);
	if (fd < 0 && (errno == EACCES || errno == EPERM))
		return process_denied_here(pid, err);
	ssize_t got = fd >= 0 ? read(fd, header, sizeof *header) : -1;
	if (fd >= 0)
		close(fd);
	return got == (ssize_t)sizeof *header
	       || running_refuse(pid, "has no executable that can be read: it is starting or ending",
	                         err);
}

static bool running_check_machine(pid_t pid, struct err *err)
{
	Elf64_Ehdr header;
	if (!running_read_header(pid, &header, err))
		return false;
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return running_refuse(pid, "runs what is no ELF executable, so no Go program", err);
	if (header.e_ident[EI_CLASS] != ELFCLASS64)
		return running_refuse(pid,
		                      "is a 32-bit program: processes are read of amd64 and arm64. "
		                      "debug.WriteHeapDump writes heap dumps everywhere",
		                      err);
	return header.e_machine == MACHINE
	       || running_refuse(pid,
	                         "is a program for another kind of machine: goheapx reads processes "
	                         "of the kind that it is built for",
	                         err);
}

/* Returns false with *err for a Go version that is too old or unknown. The layout of a newer one is
   checked when its memory is read. */
static bool running_check_version(pid_t pid, const struct exe *exe, struct err *err)
{
	SCOPED_BUF why = {0};
	const char *version = exe_version(exe);
	unsigned long minor = strncmp(version, "go1.", 4) == 0 ? strtoul(version + 4, NULL, 10) : 0;
	bool read = minor >= CORE_MINOR_FIRST;
	buf_addf(&why,
	         "is of %s: processes are read of programs of Go 1.%d and later. debug.WriteHeapDump "
	         "writes heap dumps with every version",
	         *version ? version : "an unknown Go version", CORE_MINOR_FIRST);
	if (!read)
		running_refuse(pid, buf_text(&why), err);
	return read;
}

/* Returns the library with Go's runtime, loaded by a program in another language or one that is
   linked with it, or NULL. */
static struct exe *running_library(pid_t pid)
{
	struct running_files files;
	struct exe *exe = NULL;
	SCOPED_BUF path = {0};
	running_files_open(&files, pid);
	while (!exe && running_files_next(&files, &path)) {
		struct err ignored = {0};
		if (exe_may_be(buf_text(&path)))
			exe = exe_open(buf_text(&path), NULL, &ignored);
		if (exe && image_is_linked(exe_image(exe))) {
			exe_close(exe);
			exe = NULL;
		}
	}
	running_files_close(&files);
	return exe;
}

/* `packed`: a program that is packed will do, whatever is in it. */
static bool running_check_as(pid_t pid, const char *unpacked, bool packed,
                             const struct input_options *options, struct err *err)
{
	struct err why = {0};
	if (!process_check(pid, err) || !running_check_machine(pid, err))
		return false;
	SCOPED_FREE char *path = process_executable(pid);
	struct exe *exe = exe_open(path, options, &why);
	struct exe *library = !exe || image_is_linked(exe_image(exe)) ? running_library(pid) : NULL;
	if (library) {
		exe_close(exe);
		exe = library;
	}
	if (!exe && packed && exe_is_packed(path))
		return true;
	if (!exe && unpacked && exe_is_packed(path))
		exe = exe_open(unpacked, options, &why);
	SCOPED_BUF text = {0};
	buf_addf(&text, "runs no Go program that can be read: %s", why.text);
	bool fits = exe ? running_check_version(pid, exe, err)
	                : running_refuse(pid, buf_text(&text), err);
	exe_close(exe);
	return fits;
}

bool running_check(pid_t pid, const char *exe, const struct input_options *options, struct err *err)
{
	return running_check_as(pid, exe, false, options, err);
}

bool running_check_copy(pid_t pid, struct err *err)
{
	return running_check_as(pid, NULL, true, NULL, err);
}
