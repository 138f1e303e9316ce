/* goheapx version: prints the sources and tools of this build. */
#include "main/commands.h"
#include "main/print/output.h"

#include "base/buf.h"

#include <bzlib.h>
#include <curses.h>
#include <elfutils/version.h>
#include <gnu/libc-version.h>
#include <jansson.h>
#include <lz4.h>
#include <lzma.h>
#include <readline/readline.h>
#include <sqlite3.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#ifndef GOHEAPX_VERSION
#define GOHEAPX_VERSION "unknown"
#endif
#ifndef GOHEAPX_LINKED
#define GOHEAPX_LINKED "with shared libraries"
#endif
#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char goheapx_version[] = GOHEAPX_VERSION;

enum status run_version(const struct options *options)
{
	(void)options;
	struct buf out = {0};
	buf_addf(&out, "goheapx %s\nbuilt by %s %s, glibc %s\n", goheapx_version, COMPILER,
	         GOHEAPX_LINKED, gnu_get_libc_version());
	buf_addf(&out, "zlib %s, liblzma %s, zstd %s, bzip2 %.*s, lz4 %s, jansson %s, ", zlibVersion(),
	         lzma_version_string(), ZSTD_versionString(), (int)strcspn(BZ2_bzlibVersion(), ","),
	         BZ2_bzlibVersion(), LZ4_versionString(), JANSSON_VERSION);
	buf_addf(&out, "elfutils %d.%d, SQLite %s, %s, readline %s\n", _ELFUTILS_VERSION / 1000,
	         _ELFUTILS_VERSION % 1000, sqlite3_libversion(), curses_version(), rl_library_version);
	unsigned xxhash = XXH_versionNumber();
	buf_addf(&out, "xxHash %u.%u.%u\n", xxhash / 10000, xxhash / 100 % 100, xxhash % 100);
	return output_end(&out, STATUS_ANSWERED);
}
